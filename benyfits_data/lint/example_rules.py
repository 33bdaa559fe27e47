"""The linter of examples: possible, true, and every threshold seen from both sides."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from benyfits_data.editions import Example, Program
from benyfits_data.editions.toml_file import read_text, read_toml
from benyfits_data.errors import BenyfitsError
from benyfits_data.household.model import Household
from benyfits_data.language.explain import explain
from benyfits_data.language.grammar import LintFinding
from benyfits_data.language.source import Source
from benyfits_data.language.step_tracer import CheckerRun, run_steps
from benyfits_data.lint.threshold_comparisons import threshold_comparisons

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIDES = {-1: "just below", 0: "exactly at", 1: "just above"}


def check_examples(program: Program, source: Source) -> list[LintFinding]:
    """Return what is wrong with, or missing from, a program's examples in one edition."""
    path = program.folder / "examples.toml"
    try:
        examples = program.examples()
    except BenyfitsError as error:
        return [LintFinding(path, 0, "E01", str(error), "")]
    problems: list[LintFinding] = []
    runs: list[tuple[Example, CheckerRun]] = []
    for example in examples:
        line = _line_of(path, example.name)
        try:
            household = example.household(program.thresholds)
            run = run_steps(program.checker, household, program.thresholds)
        except Exception as error:  # Any failure of an example is a finding, not a crash.
            says = f"example {example.name!r} in edition {program.edition}: {error}"
            problems.append(LintFinding(path, line, "E02", says.rstrip("."), ""))
            continue
        runs.append((example, run))
        problems += [
            LintFinding(
                path,
                line,
                code,
                f"example {example.name!r} in edition {program.edition} {says}",
                do,
            )
            for code, says, do in _check_example(program, source, example, household, run)
        ]
    names = [example.name for example in examples]
    for name in sorted({name for name in names if names.count(name) > 1}):
        problems.append(
            LintFinding(
                path, _line_of(path, name), "E03", f"two examples named {name!r}", "Rename one."
            )
        )
    problems += _check_outcomes(program, path, runs)
    problems += _check_lines(program, source, path, runs)
    problems += _check_sides(program, source, path, runs)
    return problems


def _check_example(
    program: Program, source: Source, example: Example, household: Household, run: CheckerRun
) -> Iterator[tuple[str, str, str]]:
    if run.eligible != example.eligible:
        answer = "eligible" if run.eligible else "ineligible"
        yield (
            "E04",
            f"is {answer} by line {run.returned_at} of {source.path.name}",
            "Correct the example, the checker, or restrict it with `since` or `until`.",
        )
        return
    asked = {clause for line in run.lines for clause in source.decisions.get(line, ())}
    decided = asked if example.eligible else set(explain(program, household).clauses)
    for clause in named_clauses(example):
        if clause not in program.clauses:
            yield (
                "E05",
                f"names clause {clause}, which the text does not have",
                "Correct the clause.",
            )
        elif not _touches(clause, decided):
            hangs = f"the answer hangs on {', '.join(sorted(decided))}"
            yield (
                "E06",
                f"names clause {clause}, but {hangs}",
                "Correct the clause, or change the household until the named clause decides.",
            )


def named_clauses(example: Example) -> list[str]:
    """Return the clauses an example names: one, several between commas, or none."""
    return [clause.strip() for clause in example.clause.split(",") if clause.strip()]


def _touches(clause: str, decided: set[str]) -> bool:
    """Return whether a clause, one of its parts, or the clause it is part of was decided."""
    number = clause.rstrip(_LETTERS)
    return clause in decided or any(
        other == number or (clause == number and other.rstrip(_LETTERS) == number)
        for other in decided
    )


def _check_outcomes(
    program: Program, path: Path, runs: list[tuple[Example, CheckerRun]]
) -> Iterator[LintFinding]:
    if not any(example.eligible for example, _ in runs):
        yield LintFinding(
            path, 0, "E07", f"no eligible example in edition {program.edition}", "Add one."
        )
    failed = {
        clause.rstrip(_LETTERS)
        for example, _ in runs
        if not example.eligible
        for clause in named_clauses(example)
    }
    for clause in program.clauses:
        if clause.isdigit() and clause not in failed:
            yield LintFinding(
                path,
                0,
                "E08",
                f"no ineligible example names clause {clause} in edition {program.edition}",
                f'Add a household that fails it, with clause = "{clause}"; where clauses are '
                f'alternatives, one may name several: clause = "1, 2".',
            )


def _check_lines(
    program: Program, source: Source, path: Path, runs: list[tuple[Example, CheckerRun]]
) -> Iterator[LintFinding]:
    seen = {line for _, run in runs for line in run.lines}
    text = read_text(source.path).splitlines()
    for line in source.body_lines:
        if line not in seen:
            yield LintFinding(
                path,
                0,
                "E09",
                f"no example in edition {program.edition} runs line {line} of {source.path.name}: "
                f"`{text[line - 1].strip()}`",
                "Add a household that does.",
            )


def _check_sides(
    program: Program, source: Source, path: Path, runs: list[tuple[Example, CheckerRun]]
) -> Iterator[LintFinding]:
    excused = _excused(program)
    for comparison in threshold_comparisons(source, program.thresholds):
        if comparison.names & excused:
            continue
        seen = {
            side
            for _, run in runs
            for decision in run.decisions
            if decision.line == comparison.line
            for side in [_side(decision.left, decision.right, comparison.step)]
        }
        for side in (-1, 0, 1):
            if side not in seen and comparison.is_possible(side):
                yield LintFinding(
                    path,
                    0,
                    "E10",
                    f"no example in edition {program.edition} has the left side of "
                    f"`{comparison.text}` (line {comparison.line} of {source.path.name}) "
                    f"{_SIDES[side]} the right side",
                    f"Add one (a step is {comparison.step:g}); where no household can be there, "
                    f'say why in the threshold\'s head: unseen = "...".',
                )


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


def _excused(program: Program) -> set[str]:
    """Return the thresholds that declare, as `unseen`, why no example lies on one side of them."""
    declared = read_toml(program.folder / "thresholds.toml")
    return {name for name, table in declared.items() if str(table.get("unseen", "")).strip()}


def _line_of(path: Path, name: str) -> int:
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if f'name = "{name}"' in line:
            return number
    return 0
