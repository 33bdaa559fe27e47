"""Checkers, measures and constraints compiled to JavaScript, for pages of the site to run.

Each function of the checker language becomes one of JavaScript (`javascript_functions.py`). The
tests hold labels and lines that ran to those of CPython. A household is the JSON of a dataset's
row: text for choices and days, `null` for `None`. While a checker runs, it reports each line and
each condition to an object `run` (`runtime.js`).
"""

import ast
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from types import FunctionType
from typing import Any

from benyfits_data.editions import Edition, Program
from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.errors import LanguageError
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.source import Source

_WORDS = """
arguments await case catch const debugger default delete do enum eval export extends function
implements instanceof interface let new null package private protected public static super switch
this throw true false typeof undefined var void
"""
_KEPT = frozenset(_WORDS.split())
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "===", ast.NotEq: "!==",
    ast.Is: "===", ast.IsNot: "!==",
}  # fmt: skip
_SUMS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}


@dataclass
class Script:
    """The functions that a script needs, each once, in the order in which they are called."""

    functions: dict[str, str] = field(default_factory=dict)
    _names: dict[Callable[..., Any], str] = field(default_factory=dict)

    def name_of(self, function: Callable[..., Any]) -> str:
        """Return a function's name in the script; it is compiled when first asked for."""
        if function not in self._names:
            name = function.__name__
            if name in self._names.values():
                name = f"{name}_{len(self._names)}"
            self._names[function] = name
            source = Source.of(function)
            text = _Writer(self, source).function(name, source.parameters)
            self.functions[name] = text
        return self._names[function]

    def checker(self, source: Source) -> str:
        """Return a checker as a function without name; its statements tell their lines."""
        return _Writer(self, source, is_traced=True).function("", ("household", "thresholds"))


@dataclass
class _Writer:
    """Writes one function."""

    module: Script
    source: Source
    is_traced: bool = False
    _member: str = "null"
    _stored: frozenset[str] = frozenset()

    def function(self, name: str, parameters: tuple[str, ...]) -> str:
        """Return the function; names are declared at its top, where Python has them too."""
        stored = [
            node.id
            for statement in self.source.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        loops = {
            node.target.id
            for statement in self.source.statements
            for node in ast.walk(statement)
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
        }
        self._stored = frozenset(stored) - loops
        names = [_word(name) for name in dict.fromkeys(stored) if name in self._stored]
        declared = [f"  let {', '.join(names)};"] if names else []
        given = ", ".join([*map(_word, parameters), *(["run"] if self.is_traced else [])])
        body = self.block(self.source.statements, 1)
        return "\n".join([f"function {name}({given}) {{", *declared, *body, "}"])

    def block(self, statements: Iterable[ast.stmt], depth: int) -> list[str]:
        """Return the lines of some statements."""
        pad = "  " * depth
        lines = []
        for statement in statements:
            note = f"run.at({statement.lineno}); " if self.is_traced else ""
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    lines.append(f"{pad}{note}{_word(name)} = {self.stored(self.text(value))};")
                case ast.AugAssign(target=ast.Name() as target, op=ast.Add(), value=value):
                    total = self.stored(f"{self.text(target)} + {self.text(value)}")
                    lines.append(f"{pad}{note}{_word(target.id)} = {total};")
                case ast.If(test=test, body=body, orelse=orelse):
                    condition = self.text(test)
                    if self.is_traced:
                        asked = f"{statement.lineno}, () => {condition}, {self._member}"
                        condition = f"run.ask({asked})"
                    lines.append(f"{pad}{note}if ({condition}) {{")
                    lines += self.block(body, depth + 1)
                    if orelse:
                        lines += [f"{pad}}} else {{", *self.block(orelse, depth + 1)]
                    lines.append(f"{pad}}}")
                case ast.For(target=ast.Name(id=name), body=body):
                    lines += self.loop(_word(name), body, note, depth)
                case ast.Continue():
                    lines.append(f"{pad}{note}continue;")
                case ast.Return(value=ast.expr() as value):
                    returned = self.text(value)
                    if self.is_traced and not isinstance(value, ast.Constant):
                        returned = f"run.end(() => {returned})"
                    lines.append(f"{pad}{note}return {returned};")
                case _:
                    raise self.source.refusal(
                        statement, f"`{ast.unparse(statement).splitlines()[0]}`"
                    )
        return lines

    def loop(self, name: str, body: list[ast.stmt], note: str, depth: int) -> list[str]:
        """Return a loop over the members that keeps the position of each."""
        pad, outer, at = "  " * depth, self._member, f"at_{name}"
        self._member = at
        lines = [
            f"{pad}{note}for (const [{at}, {name}] of household.members.entries()) {{",
            *self.block(body, depth + 1),
            f"{pad}}}",
        ]
        self._member = outer
        return lines

    def stored(self, text: str) -> str:
        """Return an assigned value; in a checker, one that fails does so only where it is read."""
        return f"tried(() => {text})" if self.is_traced else text

    def text(self, node: ast.expr) -> str:
        """Return an expression, in brackets where it is made of others."""
        match node:
            case ast.Constant(value=value):
                return json.dumps(value)
            case ast.Name(id=name):
                return self.name(name)
            case ast.Attribute(value=ast.Name(id="household"), attr="applicant"):
                return "household.members[0]"
            case ast.Attribute(value=owner, attr=attribute):
                return f"{self.text(owner)}.{attribute}"
            case ast.Subscript(value=table, slice=size):
                return f"row({self.text(table)}, {self.text(size)})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!{self.text(operand)}"
            case ast.BoolOp(op=operator, values=parts) if self.is_traced:
                name = "both" if isinstance(operator, ast.And) else "either"
                return f"{name}({', '.join(f'() => {self.text(part)}' for part in parts)})"
            case ast.BoolOp(op=operator, values=parts):
                joined = (" && " if isinstance(operator, ast.And) else " || ").join(
                    map(self.text, parts)
                )
                return f"({joined})"
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[right]):
                assert isinstance(right, ast.Tuple)
                values = ", ".join(map(self.text, right.elts))
                sign = "!" if isinstance(op, ast.NotIn) else ""
                return f"{sign}[{values}].includes({self.text(left)})"
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
                return f"({self.text(left)} {_COMPARISONS[type(op)]} {self.text(right)})"
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _SUMS:
                return f"({self.text(left)} {_SUMS[type(operator)]} {self.text(right)})"
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                function = self.source.resolve(name)
                if isinstance(function, FunctionType):
                    given = ", ".join(map(self.text, arguments))
                    return f"{self.module.name_of(function)}({given})"
        raise self.source.refusal(node, f"`{ast.unparse(node)}`")

    def name(self, name: str) -> str:
        """Return a local name, or the value of a constant of the module."""
        try:
            value = self.source.resolve(name)
        except LanguageError:
            return (
                f"known({_word(name)})" if self.is_traced and name in self._stored else _word(name)
            )
        if isinstance(value, bool | int | float | str):
            return json.dumps(value)
        return json.dumps(value.isoformat()) if isinstance(value, date) else _word(name)


def _word(name: str) -> str:
    """Return a name that JavaScript does not keep for itself."""
    return f"{name}_" if name in _KEPT else name


RUNTIME = (Path(__file__).parent / "runtime.js").read_text(encoding="utf-8")


def compile_edition(edition: Edition, programs: Iterable[str] | None = None) -> str:
    """Return a script that checks households under an edition's rules.

    It defines `check(program, household)` and `violations(household)`.

    Args:
        edition: Gives checkers and thresholds.
        programs: The programs to compile; all unless given.

    Raises:
        LanguageError: A function leaves the checker language.
    """
    names = list(edition if programs is None else programs)
    module = Script()
    checkers = [
        f"{json.dumps(name)}: {module.checker(Source.of(edition.program(name).checker))}"
        for name in names
    ]
    constraints = [
        f"{json.dumps(constraint.name)}: "
        f"[{json.dumps(constraint.of_member)}, {module.name_of(constraint.holds)}]"
        for constraint in CONSTRAINTS.values()
    ]
    thresholds = {name: _values(edition.program(name)) for name in names}
    clauses = {name: Source.of(edition.program(name).checker).decisions for name in names}
    return "\n".join(
        [
            RUNTIME,
            *module.functions.values(),
            f"const DECIDES = {json.dumps(clauses, separators=(',', ':'))};",
            _object("PROGRAMS", checkers),
            _object("CONSTRAINTS", constraints),
            f"const THRESHOLDS = {json.dumps(thresholds, separators=(',', ':'))};",
            "",
        ]
    )


def compile_functions(name: str, functions: Mapping[str, Sequence[Callable[..., Any]]]) -> str:
    """Return measures or guards as a script that keeps them by key, under one name.

    Args:
        name: The constant to define.
        functions: Lists of functions by key.

    Raises:
        LanguageError: A function leaves the checker language.
    """
    module = Script()
    lists = [
        f"{json.dumps(key)}: [{', '.join(map(module.name_of, listed))}]"
        for key, listed in functions.items()
    ]
    inner = "\n".join([*module.functions.values(), _object("found", lists), "return found;"])
    return f"const {name} = (function () {{\n{inner}\n}})();"


def _object(name: str, entries: Iterable[str]) -> str:
    return f"const {name} = {{\n" + ",\n".join(entries) + "\n};"


def _values(program: Program) -> dict[str, Any]:
    """Return the thresholds that a checker reads, as JSON: days as text, tables with their rows."""
    return {
        node.attr: _value(getattr(program.thresholds, node.attr))
        for node in ast.walk(Source.of(program.checker).node)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds"
    }


def _value(value: Any) -> Any:
    if isinstance(value, SizeTable):
        rows = {str(size): amount for size, amount in value.rows.items()}
        return {"rows": rows, "largest": max(value.rows), "more": value.each_additional}
    return value.isoformat() if isinstance(value, date) else value
