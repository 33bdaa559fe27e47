"""Wrong checkers, each one plausible mistake away from the right one."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

from benyfits_data.adequacy.mutants.substitutions import (
    MEASURES,
    Replacement,
    confused_choice,
    confused_features,
    confused_measure,
    members_apart,
    replaced,
    swapped_loops,
)
from benyfits_data.editions import Program, SizeTable, Thresholds
from benyfits_data.language.source import Source

Kind = Literal[
    "boundary",
    "threshold by one unit",
    "threshold by one size row",
    "condition negated",
    "clause dropped",
    "any for all members",
    "household for member",
    "wrong feature",
    "wrong value",
]

_BOUNDARIES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_UNITS = {"GPA": 0.1, "share": 0.01}
"""What one unit is, where it is not 1."""
_DIGITS = 2


@dataclass(frozen=True)
class Mutant:
    """A wrong checker.

    Attributes:
        program: The program.
        kind: What sort of mistake it makes.
        line: The line of the checker's file that is wrong; `None` for a wrong threshold.
        change: What became what.
        source: The wrong text.
        thresholds: The thresholds, wrong or right.
    """

    program: str
    kind: Kind
    line: int | None
    change: str
    source: Source
    thresholds: Thresholds


def make_mutants(program: Program) -> list[Mutant]:
    """Return the wrong checkers of a program, no two with the same text and thresholds."""
    source = Source.of(program.checker)
    mutants: dict[tuple[str, str], Mutant] = {}
    for mutant in (*_texts(program, source), *_amounts(program, source)):
        digest = "".join(
            f"{name}={getattr(mutant.thresholds, name)!r}" for name in mutant.thresholds.names()
        )
        mutants.setdefault((ast.dump(mutant.source.node), digest), mutant)
    return list(mutants.values())


def _texts(program: Program, source: Source) -> Iterator[Mutant]:
    def mutant(kind: Kind, line: int, change: str, node: ast.FunctionDef) -> Mutant:
        wrong = replace(source, node=node, names=MEASURES)
        return Mutant(program.name, kind, line, change, wrong, program.thresholds)

    for node in ast.walk(source.node):
        for kind, replacement in _replacements(node, program.thresholds):
            change = f"{ast.unparse(node)} -> {ast.unparse(replacement)}"
            text = replaced(source.node, {node: replacement})
            yield mutant(kind, getattr(node, "lineno", 0), change, text)
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            for kind, words, condition in _conditions(node.test):
                text = replaced(source.node, {node.test: condition})
                yield mutant(kind, node.lineno, f"{test} -> {words}", text)
    for clause, lines in _clauses(source).items():
        never: dict[ast.AST, Replacement] = {
            node.test: ast.Constant(False)
            for node in ast.walk(source.node)
            if isinstance(node, ast.If) and node.lineno in lines
        }
        text = replaced(source.node, never)
        yield mutant("clause dropped", min(lines), f"clause {clause} -> nothing", text)
    for line, text in swapped_loops(source.node):
        yield mutant("any for all members", line, "some member <-> every member", text)
    for line, change, text in members_apart(source.node):
        yield mutant("household for member", line, change, text)


def _replacements(node: ast.AST, thresholds: Thresholds) -> Iterator[tuple[Kind, ast.expr]]:
    """Yield expressions that somebody might have written instead."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=right) if (
            type(operator) in _BOUNDARIES
        ):
            yield "boundary", ast.Compare(left, [_BOUNDARIES[type(operator)]()], right)
        case ast.Compare(
            left=ast.Attribute(attr=name) as left,
            ops=[ast.Eq() | ast.NotEq() as operator],
            comparators=[ast.Constant(value=str() as value)],
        ):
            other = confused_choice(name, value)
            yield "wrong value", ast.Compare(left, [operator], [ast.Constant(other)])
        case ast.Call(func=ast.Name(id=name), args=arguments):
            yield from confused_measure(name, arguments)
        case ast.Attribute(value=owner, attr=name) if not _is_thresholds(owner):
            for other in confused_features(name):
                yield "wrong feature", ast.Attribute(owner, other, ast.Load())


def _conditions(test: ast.expr) -> Iterator[tuple[Kind, str, ast.expr]]:
    opposite = test.operand if isinstance(test, ast.UnaryOp) else ast.UnaryOp(ast.Not(), test)
    yield "condition negated", ast.unparse(opposite), opposite
    yield "clause dropped", "never", ast.Constant(False)
    yield "clause dropped", "always", ast.Constant(True)


def _clauses(source: Source) -> dict[str, list[int]]:
    """Return the lines that decide a clause and no other, for clauses with several."""
    lines: dict[str, list[int]] = {}
    for line, clauses in source.decisions.items():
        if len(clauses) == 1:
            lines.setdefault(clauses[0], []).append(line)
    return {clause: numbers for clause, numbers in lines.items() if len(numbers) > 1}


def _amounts(program: Program, source: Source) -> Iterator[Mutant]:
    read = {node.attr for node in ast.walk(source.node) if isinstance(node, ast.Attribute)}
    for name in program.thresholds.names():
        if name not in read:
            continue
        entry = program.thresholds.entry(name)
        for kind, change, value in _wrong_amounts(entry.value, _UNITS.get(entry.unit, 1)):
            yield Mutant(
                program.name,
                kind,
                None,
                f"{name}: {change}",
                source,
                program.thresholds.with_values({name: value}),
            )


def _wrong_amounts(value: Any, unit: float) -> Iterator[tuple[Kind, str, Any]]:
    for sign in (1, -1):
        step = sign * unit
        if isinstance(value, SizeTable):
            yield "threshold by one unit", f"{step:+}", _added(value, step)
            yield "threshold by one size row", f"size {sign:+}", _shifted(value, sign)
        elif isinstance(value, date):
            yield "threshold by one unit", f"{sign:+} day", value + timedelta(days=sign)
        elif not isinstance(value, bool):
            yield "threshold by one unit", f"{step:+}", round(value + step, _DIGITS)


def _added(table: SizeTable, step: float) -> SizeTable:
    rows = {size: round(amount + step, _DIGITS) for size, amount in table.rows.items()}
    return SizeTable(table.name, rows, table.each_additional)


def _shifted(table: SizeTable, sizes: int) -> SizeTable:
    """Return a table in which each size has the amount of a neighbor, the ends their own."""
    first, last = min(table.rows), max(table.rows)
    end = last if table.each_additional is None else last + sizes
    rows = {size: table[min(max(size + sizes, first), end)] for size in table.rows}
    return SizeTable(table.name, rows, table.each_additional)


def _is_thresholds(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "thresholds"
