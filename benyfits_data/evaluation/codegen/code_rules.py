"""The rules that code written for ProADA must keep, checked before it runs.

The rules are those of the paper (literal keys, no `.get`, no defaults, no `try`), plus what the
sandbox needs to suspend at a key and to report the lines that decided. Every finding is a
sentence that the code model can act on.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benyfits_data.evaluation.replies import LARGEST

ENTRY_POINT = "check_eligibility"
"""The function every generated program defines."""

HOUSEHOLD = "hh"
"""The entry point's only parameter: facts that are asked for when they are read."""

BUILTINS = frozenset(
    """
    abs all any bool dict enumerate float int isinstance len list max min range reversed
    round set sorted str sum tuple zip
    """.split()  # noqa: SIM905 - one word a line reads no better
)
"""The built-in functions generated code may call."""

METHODS = frozenset(
    """
    add append count endswith extend index isdigit items keys lower replace split
    startswith strip title upper values
    """.split()  # noqa: SIM905 - one word a line reads no better
)
"""The methods generated code may call, on its own values."""

LONGEST = 40_000
"""Letters of a program; the longest checker here, rewritten as a program, has some 12,000."""
DEEPEST = 70
"""Levels of nesting, each `elif` being one: the sandbox reads no more than about 90, and ours have
some 20."""
MOST_KEYS = 100
"""Different keys; no program here reads more than 40 facts, and a dialog has 100 questions."""
_KEY = re.compile(r"[\w &'/.,(){}?-]{1,80}")

_FORBIDDEN: dict[str, type | tuple[type, ...]] = {
    "imports are not available; write the rule with plain Python": (ast.Import, ast.ImportFrom),
    "try is not allowed: a missing key must reach the dialog": (ast.Try, ast.TryStar),
    "classes are not allowed; use helper functions inside check_eligibility": ast.ClassDef,
    "lambda is not allowed; write a helper function inside check_eligibility": ast.Lambda,
    "generators are not allowed; return a value": (ast.Yield, ast.YieldFrom),
    "match is not allowed; use if and elif": ast.Match,
    "assignment inside an expression is not allowed": ast.NamedExpr,
    "async functions are not allowed": (ast.Await, ast.AsyncFunctionDef),
    "with, global and del are not allowed": (ast.With, ast.Global, ast.Delete),
}


@dataclass(frozen=True)
class CodeProblem:
    """One broken rule: the line of the generated code and what to write instead."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def check(source: str) -> list[CodeProblem]:
    """Return every broken rule of a generated program, in order of lines; none when it is sound."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        return [CodeProblem(line, f"this is not Python: {getattr(error, 'msg', None) or error}")]
    if problems := list(_size(source, tree)):
        # What is too large is not looked at any closer.
        return problems
    nodes = list(ast.walk(tree))
    helpers = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    problems = [*_shape(tree), *_household(nodes, helpers)]
    for node in nodes:
        line = getattr(node, "lineno", 1)
        problems += [CodeProblem(line, message) for message in _faults(node, helpers)]
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


def _size(source: str, tree: ast.Module) -> Iterator[CodeProblem]:
    if len(source) > LONGEST:
        yield CodeProblem(1, f"the program has {len(source)} letters, at most {LONGEST} are run")
    todo: list[tuple[ast.AST, int]] = [(tree, 0)]
    keys = set[str]()
    while todo:
        node, depth = todo.pop()
        line = getattr(node, "lineno", 1)
        if depth > DEEPEST:
            yield CodeProblem(
                line, f"nested more than {DEEPEST} deep: use several if, or a variable for each sum"
            )
            return
        if isinstance(node, ast.Constant):
            if isinstance(node.value, int | float) and abs(node.value) > LARGEST:
                yield CodeProblem(line, f"a number beyond {LARGEST:.0e}")
            elif isinstance(node.value, bytes | complex):
                yield CodeProblem(line, f"a constant of type {type(node.value).__name__}")
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            key = node.slice.value
            if isinstance(key, str) and key not in keys:
                keys.add(key)
                if not _KEY.fullmatch(key):
                    yield CodeProblem(line, "a key has at most 80 letters, digits and blanks")
        todo.extend((child, depth + 1) for child in ast.iter_child_nodes(node))
    if len(keys) > MOST_KEYS:
        yield CodeProblem(1, f"{len(keys)} different keys are read, at most {MOST_KEYS} may be")


def _shape(tree: ast.Module) -> Iterator[CodeProblem]:
    entries = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    if [node.name for node in entries] != [ENTRY_POINT]:
        yield CodeProblem(
            1, f"define exactly one function, {ENTRY_POINT}({HOUSEHOLD}); helpers go inside"
        )
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
    for node in tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if node is not entry and not is_text:
            yield CodeProblem(node.lineno, f"nothing may stand outside {ENTRY_POINT}")


def _faults(node: ast.AST, helpers: set[str]) -> Iterator[str]:
    """What is wrong with one node, whatever stands around it."""
    yield from (message for message, kinds in _FORBIDDEN.items() if isinstance(node, kinds))
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        yield "decorators are not allowed"
    is_or = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    if is_or and any(isinstance(value, ast.Constant) for value in ast.iter_child_nodes(node)):
        yield "do not use 'or' to give a default value"
    if isinstance(node, ast.Attribute) and node.attr not in METHODS:
        fault = ".get is not allowed: read the key directly"
        yield fault if node.attr == "get" else f"the attribute .{node.attr} is not available"
    name = next(
        (getattr(node, field) for field in ("id", "name", "arg") if hasattr(node, field)), None
    )
    if str(name).startswith("__"):
        yield f"the name {name} is reserved"
    if (called := _called(node)) and called not in helpers | BUILTINS:
        yield f"the function {called} is not available"
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


def _household(nodes: Sequence[ast.AST], helpers: set[str]) -> Iterator[CodeProblem]:
    """Every use of the household that is neither a key read nor handed to a helper."""
    allowed: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Subscript):
            allowed.add(id(node.value))
        if isinstance(node, ast.Call) and _called(node) in helpers:
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
