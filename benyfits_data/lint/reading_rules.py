"""The linter of readings and switches: each can be run, and decides something."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from benyfits_data.editions import Program, Reading, edition_years
from benyfits_data.editions.program import load_program
from benyfits_data.editions.switches import whole_function
from benyfits_data.errors import BenyfitsError
from benyfits_data.household.model import Household
from benyfits_data.language.findings import LintFinding
from benyfits_data.language.grammar import check_checker
from benyfits_data.language.source import Source, rule_text
from benyfits_data.lint.template_names import names_tested, template_of
from benyfits_data.lint.threshold_comparisons import thresholds_in

_Fault = tuple[str, str, str]
"""A rule's code, what was found, and what to do; empty where the rule says it."""


class _WholeChecker:
    """A checker with all lines, also those that switches turn off: what it reads and tests."""

    def __init__(self, program: Program) -> None:
        nodes = list(ast.walk(Source.of(whole_function(program.checker)).node))
        self.read = {node.attr for node in thresholds_in(nodes)}
        conditions = (ast.unparse(node.test) for node in nodes if isinstance(node, ast.If))
        tests = {condition.removeprefix("not ") for condition in conditions}
        self.tested_alone = {name for name in self.read if f"thresholds.{name}" in tests}


def check_switches(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's switches, apart from those of readings."""
    path = program.folder / "thresholds.toml"
    switches = set(program.thresholds.switches()) - set(program.thresholds.of_readings())
    try:
        checker = _WholeChecker(program)
    except (BenyfitsError, SyntaxError, ImportError):
        return  # The import of the checker reports it.
    template = template_of(program.requirements_path)
    for name in sorted(switches):
        if template and name not in names_tested(template):
            instead = f"Write {{% if {name} %}} around what it decides."
            yield LintFinding(
                path, 0, "W01", f"the switch {name} decides nothing in the text", instead
            )
        if name not in checker.tested_alone:
            instead = f"Test it{' alone' if name in checker.read else ''}: `if thresholds.{name}:`."
            yield LintFinding(
                path, 0, "W02", f"the switch {name} decides nothing in the checker", instead
            )
        if len(_states(program, name)) < 2:
            yield LintFinding(path, 0, "W03", f"the switch {name} is the same in every edition")


def _states(program: Program, name: str) -> set[object]:
    """Return the states of a switch in the editions that the program is part of."""
    programs = [load_program(program.folder, year) for year in edition_years()]
    return {
        in_year.thresholds.entries[name].value
        for in_year in programs
        if in_year.is_in_force and name in in_year.thresholds.entries
    }


def check_readings(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's readings in its edition."""
    path = program.folder / "readings.toml"
    try:
        checker, (_, in_force) = _WholeChecker(program), _answers(program)
    except (BenyfitsError, SyntaxError, ImportError):
        return  # The import of the checker reports it.
    for reading in program.readings:
        for faults in (
            _check_words(reading),
            _check_names(program, reading, checker),
            _check_options(program, reading),
        ):
            for code, says, instead in faults:
                yield LintFinding(path, 0, code, f"reading {reading.id}: {says}", instead)
    for name in program.thresholds.of_readings():
        if name in in_force and not isinstance(getattr(program.thresholds, name), bool):
            says = f"the checker in force reads {name}, which no source states"
            yield LintFinding(path, 0, "R06", says)


def _check_words(reading: Reading) -> Iterator[_Fault]:
    if not reading.question.endswith("?"):
        yield "R01", "the question ends without a question mark", "Ask what one would ask the city."
    for option in reading.options:
        if not option.says.endswith("."):
            yield "R01", f"option {option.id} says no sentence", "Say what holds under it."
    if not reading.why.endswith("."):
        yield "R01", "why is no sentence", "Say why this option is in force."


def _check_names(program: Program, reading: Reading, checker: _WholeChecker) -> Iterator[_Fault]:
    for name in sorted({name for option in reading.options for name in option.values}):
        if name not in checker.read:
            near = get_close_matches(name, checker.read, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            yield "R02", f"the checker does not read {name}", f"Read thresholds.{name}.{hint}"
        elif isinstance(getattr(program.thresholds, name), bool) and (
            name not in checker.tested_alone
        ):
            instead = f"Write `if thresholds.{name}:`."
            yield "R02", f"the checker does not test {name} alone", instead


def _check_options(program: Program, reading: Reading) -> Iterator[_Fault]:
    in_force, households = _answers(program), _example_households(program)
    for option in reading.others:
        other = program.under(reading.id, option.id)
        try:
            findings = check_checker(Source.of(other.checker), other.thresholds)
            answers = _answers(other)
            for household in households:
                other.is_eligible(household)
        except Exception as error:  # An option under construction may fail in any way.
            says = f"{type(error).__name__}: {str(error).rstrip('.')}"
            yield "R03", f"option {option.id} cannot be run: {says}", ""
            continue
        for finding in findings:
            says = f"option {option.id}: line {finding.line}: {finding.what}"
            yield "R04", says, finding.write_instead
        if answers == in_force:
            says = "runs the same lines with the same values as the one in force"
            yield "R05", f"option {option.id} {says}", ""


def _example_households(program: Program) -> list[Household]:
    """Return the households of the examples; `check_examples` reports those that are impossible."""
    households = []
    with suppress(BenyfitsError):
        for example in program.examples():
            with suppress(BenyfitsError):
                households.append(example.household(program.thresholds))
    return households


def _answers(program: Program) -> tuple[list[str], dict[str, Any]]:
    """Return what a checker's answers depend on: its text and the thresholds that it reads."""
    nodes = ast.walk(Source.of(program.checker).node)
    names = {node.attr for node in thresholds_in(nodes)}
    return rule_text(program.checker), {
        name: getattr(program.thresholds, name) for name in sorted(names)
    }
