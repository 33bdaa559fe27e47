"""The rules that code written for ProADA must keep, checked before it runs, and its keys' types.

The rules are those of the paper: literal keys, no `.get`, no defaults, no `try`. Every key read
becomes a question, so nothing else is read in a household. Every finding is a sentence that the
code model can act on.
"""

import ast
import builtins
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benyfits_data.evaluation.replies import LARGEST, one_property
from benyfits_data.understanding.typed import NOTHING, Nothing

ENTRY_POINT = "check_eligibility"
"""The function every generated program defines."""

HOUSEHOLD = "hh"
"""The entry point's only parameter: facts that are asked for when they are read."""

LONGEST = 40_000
"""Letters of a program; the longest checker here, rewritten as a program, has some 12,000."""
MOST_KEYS = 100
"""Different keys; no program here reads more than 40 facts, and a dialog has 100 questions."""
_KEY = re.compile(r"[\w &'/.,(){}?-]{1,80}")

_NO_KEYS = frozenset(dir(builtins))
"""Functions that look at a household by other means than a key."""


@dataclass(frozen=True)
class CodeProblem:
    """One broken rule: the line of the generated code and what to write instead."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def check(source: str) -> list[CodeProblem]:
    """Return every broken rule of a generated program, in order of lines; none when it is sound."""
    if len(source) > LONGEST:
        says = f"the program has {len(source)} letters, at most {LONGEST} are run"
        return [CodeProblem(1, says)]
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        says = f"this is not Python: {getattr(error, 'msg', None) or error}"
        if "```" in source:
            says = "the reply holds several code blocks; send the whole program in one"
        return [CodeProblem(line, says)]
    nodes = list(ast.walk(tree))
    problems = [*_shape(tree), *_household(nodes), *_keys(nodes)]
    for node in nodes:
        line = getattr(node, "lineno", 1)
        problems += [CodeProblem(line, message) for message in _faults(node)]
    return sorted(set(problems), key=lambda problem: (problem.line, problem.message))


def literal_keys(source: str) -> list[tuple[str, int]]:
    """Return each literal key a program may read with the first line that reads it.

    Keys of dictionaries that the program itself writes down are left out.

    Args:
        source: The text of a program that passes `check`.
    """
    nodes = list(ast.walk(ast.parse(source)))
    own_tables = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    keys: dict[str, int] = {}
    for node in nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
            continue
        if not isinstance(node.slice.value, str) or isinstance(node.value, ast.Dict):
            continue
        if isinstance(node.value, ast.Name) and node.value.id in own_tables:
            continue
        line = min(node.lineno, keys.get(node.slice.value, node.lineno))
        keys[node.slice.value] = line
    return sorted(keys.items(), key=lambda item: (item[1], item[0]))


def household_keys(source: str) -> set[str]:
    """Return the literal keys that a program reads in the household itself, not in a member.

    A helper's parameter is the household where the household is handed over.

    Args:
        source: The text of a program that passes `check`.
    """
    nodes = list(ast.walk(ast.parse(source)))
    parameters = {
        node.name: [argument.arg for argument in node.args.args]
        for node in nodes
        if isinstance(node, ast.FunctionDef)
    }
    names = {HOUSEHOLD}
    for node in nodes:
        if isinstance(node, ast.Call):
            named = parameters.get(_called(node) or "", ())
            for parameter, given in zip(named, node.args, strict=False):
                if isinstance(given, ast.Name) and given.id == HOUSEHOLD:
                    names.add(parameter)
    return {
        str(node.slice.value)
        for node in nodes
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
    }


def _keys(nodes: Sequence[ast.AST]) -> Iterator[CodeProblem]:
    """What is wrong with the keys: each is a name of a fact, and there are not too many."""
    keys = set[str]()
    for node in nodes:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            key = node.slice.value
            if isinstance(key, str) and key not in keys:
                keys.add(key)
                if not _KEY.fullmatch(key):
                    yield CodeProblem(
                        node.lineno, "a key has at most 80 letters, digits and blanks"
                    )
    if len(keys) > MOST_KEYS:
        yield CodeProblem(1, f"{len(keys)} different keys are read, at most {MOST_KEYS} may be")


def _shape(tree: ast.Module) -> Iterator[CodeProblem]:
    entries = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == ENTRY_POINT
    ]
    if len(entries) != 1:
        yield CodeProblem(1, f"define one function {ENTRY_POINT}({HOUSEHOLD})")
        return
    entry = entries[0]
    arguments = entry.args
    parameters = [
        item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    ]
    if parameters != [HOUSEHOLD] or arguments.vararg or arguments.kwarg or arguments.defaults:
        yield CodeProblem(entry.lineno, f"{ENTRY_POINT} takes exactly one parameter, {HOUSEHOLD}")
    if not any(isinstance(node, ast.Return) and node.value for node in ast.walk(entry)):
        yield CodeProblem(entry.lineno, f"{ENTRY_POINT} must return True or False")


def _faults(node: ast.AST) -> Iterator[str]:
    """What is wrong with one node, whatever stands around it."""
    if isinstance(node, ast.Try | ast.TryStar):
        yield "try is not allowed: a missing key must reach the dialog"
    is_or = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    if is_or and any(isinstance(value, ast.Constant) for value in ast.iter_child_nodes(node)):
        yield "do not use 'or' to give a default value"
    if isinstance(node, ast.Attribute) and node.attr == "get":
        yield ".get is not allowed: read the key directly"
    if _called(node) == "input":
        yield f"the function input is not available: read a key of {HOUSEHOLD}"
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, int | float) and abs(value) > LARGEST:
        yield f"a number beyond {LARGEST:.0e}"
    if isinstance(node, ast.Subscript):
        yield from _key_faults(node)


def _key_faults(node: ast.Subscript) -> Iterator[str]:
    key, is_household = node.slice, _root(node) == HOUSEHOLD
    if is_household and not isinstance(node.ctx, ast.Load):
        yield f"{HOUSEHOLD} is read only; keep results in variables"
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        if "{" in key.value or "}" in key.value:
            yield "a key may not hold curly brackets"
        return
    texts = (
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in ast.walk(key)
    )
    if is_household and any(texts):
        yield "a key must be one literal string, not one put together"


def _household(nodes: Sequence[ast.AST]) -> Iterator[CodeProblem]:
    """Every use of the household that is neither a key read nor handed to a function of its own."""
    allowed: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript):
            allowed.add(id(node.value))
        if isinstance(node, ast.Call) and _called(node) not in _NO_KEYS:
            allowed.update(id(each) for each in node.args)
            allowed.update(id(keyword.value) for keyword in node.keywords)
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == HOUSEHOLD and id(node) not in allowed:
            yield CodeProblem(
                node.lineno,
                f"{HOUSEHOLD} may only be read by a literal key or a member's number, "
                "or handed to a helper",
            )


def _called(node: ast.AST) -> str | None:
    is_named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return node.func.id if is_named else None  # type: ignore[attr-defined]


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


Value = int | float | str | bool | None
Key = tuple[int | None, str]
"""A member's number, or nothing for the household, and the name of the fact."""

Kind = Literal["int", "float", "choice"]

UNKNOWN = "unknown"
"""What a choice holds when the user could not tell; a number is then not-a-number."""


@dataclass(frozen=True)
class KeyType:
    """The type of one key.

    Attributes:
        kind: A whole number, a number, or one of several words.
        values: The words of a choice.
        is_optional: Whether "never" or "not applicable", `None`, is a value too.
    """

    kind: Kind
    values: tuple[str, ...] = ()
    is_optional: bool = False

    @property
    def unknown(self) -> Value:
        """The value that stands for not knowing; no comparison with a number holds for it."""
        return UNKNOWN if self.kind == "choice" else math.nan

    def schema(self, *, allow_unknown: bool) -> dict[str, Any]:
        """Return the JSON schema under which an answer is decoded, with one property, `value`.

        Args:
            allow_unknown: Whether the answer may be found to hold no value.
        """
        words = [value for value in self.values if value != UNKNOWN]
        if self.is_optional:
            words.append("never")
        if allow_unknown:
            words.append(UNKNOWN)
        if self.kind == "choice":
            value: dict[str, Any] = {"enum": words or [UNKNOWN]}
        else:
            number = {"type": "integer" if self.kind == "int" else "number"}
            value = {"anyOf": [number, {"enum": words}]} if words else number
        return one_property("value", value)

    def read(self, value: Any) -> Value | Nothing:
        """Return what a key holds that was given a value, or `NOTHING`.

        Args:
            value: JSON under `schema`: a number, a word of the choice, "never" or "unknown".
        """
        if self.is_optional and value == "never":
            return None
        if self.kind == "choice":
            return value if value in self.values and value != UNKNOWN else NOTHING
        # A number beyond the greatest cannot be compared to the dollar.
        if isinstance(value, bool | str) or not abs(value) <= LARGEST:
            return NOTHING
        return round(value) if self.kind == "int" else float(value)


def compared_words(source: str, key: str) -> tuple[str, ...]:
    """Return the words that a program compares a key with, in order."""
    words: dict[str, None] = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if any(_reads(side, key) for side in sides):
            for side in sides:
                for part in ast.walk(side) if not _reads(side, key) else ():
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        words[part.value] = None
    return tuple(words)


def _reads(node: ast.AST, key: str) -> bool:
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Constant)
        and part.slice.value == key
        for part in ast.walk(node)
    )
