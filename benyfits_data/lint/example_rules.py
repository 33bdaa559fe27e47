"""The linter of examples: possible, true, and every threshold seen from both sides."""

import ast
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from benyfits_data.editions import Example, Program
from benyfits_data.editions.toml_file import read_text, read_toml
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.decisions import CheckerRun, HouseholdReader
from benyfits_data.language.explain import explain
from benyfits_data.language.findings import LintFinding
from benyfits_data.language.source import Source
from benyfits_data.lint.threshold_comparisons import threshold_comparisons
from benyfits_data.lint.value_rules import line_of

_SIDES = {-1: "just below", 0: "exactly at", 1: "just above"}
_Runs = Sequence[tuple[Example, CheckerRun]]


def check_examples(program: Program, source: Source) -> list[LintFinding]:
    """Return what is wrong with, or missing from, a program's examples in one edition."""
    path = program.folder / "examples.toml"
    try:
        examples = program.examples()
    except BenyfitsError as error:
        return [LintFinding.of(error, path, "E01")]
    problems: list[LintFinding] = []
    runs: list[tuple[Example, CheckerRun]] = []
    for example in examples:
        at = partial(LintFinding, path, line_of_example(path, example.name))
        where = f"example {example.name!r} in edition {program.edition}"
        try:
            household = example.household(program.thresholds)
            run = HouseholdReader(household).run(program)
            clauses = frozenset(() if example.eligible else explain(program, household).clauses)
        except Exception as error:  # Any failure of an example is a finding, not a crash.
            problems.append(at("E02", f"{where}: {str(error).rstrip('.')}"))
            continue
        runs.append((example, run))
        for code, says in _check_example(program, source, example, clauses, run):
            problems.append(at(code, f"{where} {says}"))
    names = [example.name for example in examples]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(
            LintFinding(path, line_of_example(path, name), "E03", f"two examples named {name!r}")
        )
    for check in (_check_outcomes, _check_lines, _check_sides):
        problems += [LintFinding(path, 0, *fault) for fault in check(program, source, runs)]
    return problems


def line_of_example(path: Path, name: str) -> int:
    """Return the line that heads an example, or names it beside another; 0 for none."""
    name = re.escape(name)
    return line_of(path, rf'\["?{name}"?\]|.*name = "{name}"')


def _check_example(
    program: Program, source: Source, example: Example, clauses: frozenset[str], run: CheckerRun
) -> Iterator[tuple[str, str]]:
    """Yield the rules that one example leaves, and how."""
    if run.eligible != example.eligible:
        returns = (node.lineno for node in ast.walk(source.node) if isinstance(node, ast.Return))
        line = next(line for line in returns if line in run.lines)
        answer = "eligible" if run.eligible else "ineligible"
        yield "E04", f"is {answer} by line {line} of {source.path.name}"
        return
    asked = frozenset(clause for line in run.lines for clause in source.decisions.get(line, ()))
    decided = asked if example.eligible else clauses
    for clause in named_clauses(example):
        if clause not in program.clauses:
            yield "E05", f"names clause {clause}, which the text does not have"
        elif not _touches(clause, decided):
            yield "E06", f"names clause {clause}, but the answer hangs on {_listed(decided)}"


def _listed(clauses: frozenset[str]) -> str:
    return ", ".join(sorted(clauses))


def named_clauses(example: Example) -> list[str]:
    """Return the clauses an example names: one, several between commas, or none."""
    return [clause.strip() for clause in example.clause.split(",") if clause.strip()]


def _touches(clause: str, decided: frozenset[str]) -> bool:
    """Return whether a clause, one of its parts, or the clause it is part of was decided."""
    number = clause.rstrip(ascii_lowercase)
    if clause == number:
        return number in {other.rstrip(ascii_lowercase) for other in decided}
    return clause in decided or number in decided


def _check_outcomes(program: Program, _: Source, runs: _Runs) -> Iterator[tuple[str, ...]]:
    if not any(example.eligible for example, _ in runs):
        yield "E07", f"no eligible example in edition {program.edition}"
    failed = {
        clause.rstrip(ascii_lowercase)
        for example, _ in runs
        if not example.eligible
        for clause in named_clauses(example)
    }
    for clause in program.clauses:
        if clause.isdigit() and clause not in failed:
            says = f"no ineligible example names clause {clause} in edition {program.edition}"
            instead = (
                f'Add a household that fails it, with clause = "{clause}"; where clauses are '
                'alternatives, one may name several: clause = "1, 2".'
            )
            yield "E08", says, instead


def _check_lines(program: Program, source: Source, runs: _Runs) -> Iterator[tuple[str, ...]]:
    seen = {line for _, run in runs for line in run.lines}
    text = read_text(source.path).splitlines()
    for line in source.body_lines:
        if line not in seen:
            where = f"line {line} of {source.path.name}: `{text[line - 1].strip()}`"
            yield "E09", f"no example in edition {program.edition} runs {where}"


def _check_sides(program: Program, source: Source, runs: _Runs) -> Iterator[tuple[str, ...]]:
    # A threshold may declare, as `unseen`, why no example lies on one side of it.
    declared = read_toml(program.folder / "thresholds.toml")
    excused = {name for name, table in declared.items() if str(table.get("unseen", "")).strip()}
    for comparison in threshold_comparisons(source, program.thresholds):
        if comparison.names & excused:
            continue
        decisions = [
            decision
            for _, run in runs
            for decision in run.decisions
            if decision.line == comparison.line
        ]
        seen = {_side(decision.left, decision.right, comparison.step) for decision in decisions}
        for side in (-1, 0, 1):
            if side not in seen and comparison.is_possible(side):
                says = (
                    f"no example in edition {program.edition} has the left side of "
                    f"`{comparison.text}` (line {comparison.line} of {source.path.name}) "
                    f"{_SIDES[side]} the right side"
                )
                instead = (
                    f"Add one (a step is {comparison.step:g}); where no household can be there, "
                    'say why in the threshold\'s head: unseen = "...".'
                )
                yield "E10", says, instead


def _side(left: Any, right: Any, step: float) -> int | None:
    """Return -1, 0 or 1 for just below, at and just above; `None` when further away."""
    if left is None or right is None:
        return None
    difference = left - right
    if isinstance(difference, timedelta):
        difference = difference.days
    if abs(difference) > step * 1.0001:
        return None
    return 0 if abs(difference) < 1e-9 else (1 if difference > 0 else -1)
