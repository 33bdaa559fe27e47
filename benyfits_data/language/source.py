"""The text of a checker, measure or constraint, as every reader of the language sees it."""

import ast
import builtins
import inspect
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from benyfits_data.editions.switches import (
    decided_tree,
    pickled_function,
    unpickled_function,
    whole_function,
)
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import LanguageError
from benyfits_data.household.features import FEATURES
from benyfits_data.household.registry import names_in

_CLAUSES = re.compile(
    r"#\s*(?:clauses?\s+(?P<ids>\d+[a-z]*(?:\s*,\s*\d+[a-z]*)*)|(?P<reading>reading\s+[a-z][\w-]*))"
)

Branch = tuple[int, int]
"""The line of an `if`, `elif` or `for`, and the line that runs after it."""


@dataclass(frozen=True, order=True)
class Deciding:
    """A condition that decides alone: turned over just there, the checker answers otherwise.

    Attributes:
        line: The line of an `if` or `elif`.
        holds: How it turns out.
    """

    line: int
    holds: bool


Element = int | Branch | Deciding
"""What can be covered: a line or a branch, of which traces are made; a condition that decides."""


@dataclass(frozen=True, eq=False)
class Source:
    """One function of the checker language: its file, its tree and what its names mean.

    Attributes:
        function: The function itself.
        path: The file that holds it.
        node: Its definition; line numbers are those of the file.
        text: The text of the file.
        names: What further names stand for, besides those of the function's module.
    """

    function: Callable[..., Any]
    path: Path
    node: ast.FunctionDef
    text: str
    names: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "Source":
        """Return the source of a function.

        Raises:
            LanguageError: The function's text cannot be found or parsed.
        """
        whole = whole_function(function)
        code = inspect.unwrap(whole).__code__
        path = Path(code.co_filename)
        text = getattr(function, "text", None)
        if text is not None:
            # The guards of features are functions made of declarations, not of a file.
            return cls(function, path, ast.parse(text).body[0], text)
        try:
            source = _source(whole, path, path.stat().st_mtime_ns)
            tree = decided_tree(function)
            return source if tree is None else _of_tree(function, source, tree)
        except (OSError, SyntaxError) as error:
            raise LanguageError(
                f"{path}: the text of {function.__name__} cannot be read ({error}). "
                "Functions of the checker language live in files of Python text.",
                path=path,
                line=code.co_firstlineno,
            ) from error

    def __getstate__(self) -> dict[str, Any]:
        """Name a function without the lines that are off by what it is made of."""
        return {**self.__dict__, "function": pickled_function(self.function)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the function again."""
        self.__dict__.update(state, function=unpickled_function(*state["function"]))

    @property
    def name(self) -> str:
        """The function's name."""
        return self.node.name

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the arguments, in order."""
        return tuple(argument.arg for argument in self.node.args.args)

    @property
    def first_line(self) -> int:
        """The line of `def` (after decorators)."""
        return self.node.lineno

    @property
    def comments(self) -> Mapping[int, str]:
        """The comment on each line of the file that has one, from its `#` on."""
        return _comments(self.text)

    @cached_property
    def statements(self) -> tuple[ast.stmt, ...]:
        """The statements of the body, without the docstring."""
        return tuple(self.node.body[ast.get_docstring(self.node) is not None :])

    @cached_property
    def body_lines(self) -> tuple[int, ...]:
        """The lines of the body that run, as coverage.py counts them, in order.

        A statement counts once, at its first line; the `def` line and the docstring do not count,
        nor does a bare `else:`.
        """
        return tuple(sorted({node.lineno for node in self._nodes if isinstance(node, ast.stmt)}))

    @cached_property
    def exits(self) -> Mapping[int, tuple[Branch, Branch]]:
        """The branches of each `if`, `elif` and `for` by line: into its body, and past it."""
        return dict(_exits(self.statements, 0))

    @property
    def branches(self) -> tuple[Branch, ...]:
        """All branches, in order of their lines."""
        return tuple(branch for _, both in sorted(self.exits.items()) for branch in both)

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """The lines of the body, then the branches, each in order."""
        return (*self.body_lines, *self.branches)

    @cached_property
    def decisions(self) -> dict[int, tuple[str, ...]]:
        """The clauses that each `if` or `elif` line decides, by line; none where none is named."""
        clauses = {}
        for statement in self._ifs:
            # The body may begin further down, where a switch turned its first lines off.
            end = (statement.test.end_lineno or statement.lineno) + 2
            header = range(statement.lineno, min(statement.body[0].lineno, end))
            clauses[statement.lineno] = tuple(
                clause for line in header or [statement.lineno] for clause in self.clauses(line)
            )
        return dict(sorted(clauses.items()))

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return [node for statement in self.statements for node in ast.walk(statement)]

    @property
    def _ifs(self) -> list[ast.If]:
        return [node for node in self._nodes if isinstance(node, ast.If)]

    def clauses(self, line: int) -> tuple[str, ...]:
        """Return the clause ids named by the comment on one line, such as `("3a", "3b")`.

        A condition that only another reading asks names it instead: `("reading already-housed",)`.
        """
        match = _CLAUSES.match(self.comments.get(line, ""))
        if match is None:
            return ()
        if match["reading"]:
            return (" ".join(match["reading"].split()),)
        return tuple(re.split(r"\s*,\s*", match["ids"]))

    def resolve(self, name: str) -> Any:
        """Return what a name of the function's module stands for: a measure or a constant.

        Raises:
            LanguageError: Nothing has that name.
        """
        if name in self.names:
            return self.names[name]
        space = inspect.unwrap(self.function).__globals__
        if name in space:
            return space[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise LanguageError(
            f"{self.path}:{self.first_line}: {self.name} uses {name!r}, which its module does not "
            "define. Import the measure or constant of that name.",
            path=self.path,
            line=self.first_line,
            name=name,
        )

    def refusal(self, node: ast.AST, what: str) -> LanguageError:
        """Return the error that a reader raises where the function leaves the language."""
        line = getattr(node, "lineno", self.first_line)
        return LanguageError(
            f"{self.path}:{line}: found {what}, which is not part of the checker language. "
            "`benyfits-data programs lint` says what to write instead.",
            path=self.path,
            line=line,
        )

    @cached_property
    def calls(self) -> tuple[Callable[..., Any], ...]:
        """The functions that the body calls by name, each once, in order of first call."""
        names = [
            node.func.id
            for node in self._nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        return tuple(self.resolve(name) for name in dict.fromkeys(names))

    @property
    def constants(self) -> dict[str, bool | int | float | str]:
        """The constants of its module that the body reads, by name."""
        space = inspect.unwrap(self.function).__globals__
        names = {
            node.id
            for node in self._nodes
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        return {
            name: space[name]
            for name in sorted(names)
            if isinstance(space.get(name), bool | int | float | str)
        }


@lru_cache(maxsize=4096)
def _of_tree(function: Callable[..., Any], source: Source, tree: ast.FunctionDef) -> Source:
    """Return the source of a checker whose switches are decided."""
    return Source(function, source.path, tree, source.text)


@lru_cache(maxsize=1024)
def _source(function: Callable[..., Any], path: Path, changed: int) -> Source:
    code = inspect.unwrap(function).__code__
    text, tree = _parsed(path, changed)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            module = compile(ast.Module([node], []), str(path), "exec", dont_inherit=True)
            if any(_essence(const) == _essence(code) for const in module.co_consts):
                return Source(function, path, node, text)
    raise LanguageError(
        f"{path}:{code.co_firstlineno}: {function.__name__} does not stand there as it is "
        "in memory. The file changed since it was imported: start again.",
        path=path,
        line=code.co_firstlineno,
    )


@lru_cache(maxsize=512)
def _parsed(path: Path, changed: int) -> tuple[str, ast.Module]:
    # `changed`, the file's time of change, is a part of the cache's key only.
    text = read_text(path)
    try:
        return text, ast.parse(text, str(path))
    except (SyntaxError, ValueError) as error:
        raise LanguageError(f"{path} is no Python: {error}. Mend it.", path=path) from error


def _essence(code: Any) -> tuple[Any, ...]:
    """Return a key that differs if a function was changed after it was loaded."""
    if not isinstance(code, CodeType):
        return ()
    return code.co_firstlineno, code.co_code, code.co_names, tuple(code.co_lines())


@lru_cache(maxsize=512)
def _comments(text: str) -> Mapping[int, str]:
    return {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }


def place(element: Element) -> tuple[int, int]:
    """Return the line of an element, and the line a branch leads to: 0 for other elements."""
    if isinstance(element, Deciding):
        return element.line, 0
    return element if isinstance(element, tuple) else (element, 0)


def named(element: Element) -> str:
    """Return an element in words."""
    if isinstance(element, Deciding):
        return f"line {element.line} deciding alone by {'holding' if element.holds else 'failing'}"
    return "branch {} to {}".format(*element) if isinstance(element, tuple) else f"line {element}"


def _exits(
    statements: Sequence[ast.stmt], after: int
) -> Iterator[tuple[int, tuple[Branch, Branch]]]:
    """Yield line and branches of conditions and loops among statements that `after` follows."""
    following = [*(statement.lineno for statement in statements[1:]), after]
    for statement, past in zip(statements, following, strict=True):
        if not isinstance(statement, ast.If | ast.For):
            continue
        line, other = statement.lineno, statement.orelse
        into = (line, statement.body[0].lineno)
        yield line, (into, (line, other[0].lineno if other else past))
        yield from _exits(statement.body, line if isinstance(statement, ast.For) else past)
        if other:
            yield from _exits(other, past)


def features_read(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names of the features that a checker, measure or constraint depends on."""
    return names_in(function) & FEATURES.keys()


def rule_text(function: Callable[..., Any]) -> list[str]:
    """Return a function of the checker language and all it reaches, in one form for every Python.

    Without comments and layout, but with the clauses that lines name and the values of constants.
    `ast.dump` differs between versions of Python, the unparsed text of this small language not.
    """
    waiting: list[Callable[..., Any]] = [function]
    texts: dict[str, str] = {}
    while waiting:
        source = Source.of(waiting.pop())
        if source.name in texts:
            continue
        lines = [ast.unparse(statement) for statement in source.statements]
        lines += [f"# {','.join(clauses)}" for clauses in source.decisions.values()]
        lines += [f"{name}={value!r}" for name, value in source.constants.items()]
        texts[source.name] = "\n".join([ast.unparse(source.node.args), *lines])
        waiting += [called for called in source.calls if isinstance(called, FunctionType)]
    return [f"{name}: {text}" for name, text in sorted(texts.items())]
