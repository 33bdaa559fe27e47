"""The linter of readings and switches: each can be run, and decides something."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program, Reading, edition_years
from benyfits_data.editions.program import load_program
from benyfits_data.editions.switches import whole_function
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.household.model import Household
from benyfits_data.language.grammar import LintFinding, check_checker
from benyfits_data.language.source import Source


def check_switches(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's switches, apart from those of readings."""
    switches = set(program.thresholds.switches()) - set(program.thresholds.of_readings())
    if not switches:
        return
    path = program.folder / "thresholds.toml"
    in_text = _tested_in_text(program)
    try:
        tree = Source.of(whole_function(program.checker)).node
    except (BenyfitsError, SyntaxError, ImportError):
        return  # The import of the checker reports it.
    tested = {
        ast.unparse(node.test).removeprefix("not ")
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
    }
    read = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for name in sorted(switches):
        if name not in in_text:
            says = f"the switch {name} decides nothing in the text"
            yield LintFinding(
                path, 0, "W01", says, f"Write {{% if {name} %}} around what it decides."
            )
        if f"thresholds.{name}" not in tested:
            says = f"the switch {name} decides nothing in the checker"
            instead = "Test it alone" if f"thresholds.{name}" in read else "Test it"
            yield LintFinding(path, 0, "W02", says, f"{instead}: `if thresholds.{name}:`.")
        if len(_states(program, name)) < 2:
            says = f"the switch {name} is the same in every edition"
            yield LintFinding(
                path, 0, "W03", says, "Write the rule without it, or state the other year."
            )


def _tested_in_text(program: Program) -> set[str]:
    text = read_text(program.requirements_path)
    try:
        parsed = jinja2.Environment(autoescape=False).parse(text)
    except jinja2.TemplateSyntaxError:
        return set()
    names = set()
    for node in parsed.find_all((nodes.If, nodes.CondExpr)):
        assert isinstance(node, nodes.If | nodes.CondExpr)
        names |= {
            name.name
            for name in (node.test, *node.test.find_all(nodes.Name))
            if isinstance(name, nodes.Name)
        }
    return names


def _states(program: Program, name: str) -> set[object]:
    """Return the states of a switch in the editions that the program is part of."""
    programs = [load_program(program.folder, year) for year in edition_years()]
    return {
        in_year.thresholds.entry(name).value
        for in_year in programs
        if in_year.is_in_force and name in in_year.thresholds.names()
    }


def check_readings(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's readings in its edition."""
    path = program.folder / "readings.toml"
    try:
        whole = Source.of(whole_function(program.checker)).node
        in_force = _answers(program)
    except (BenyfitsError, SyntaxError, ImportError):
        return  # The import of the checker reports it.
    read = {ast.unparse(node) for node in ast.walk(whole) if isinstance(node, ast.Attribute)}
    tested = {
        ast.unparse(node.test).removeprefix("not ")
        for node in ast.walk(whole)
        if isinstance(node, ast.If)
    }
    homes = _example_households(program) if program.readings else []
    for reading in program.readings:
        where = f"reading {reading.id}"
        yield from (
            LintFinding(path, 0, code, f"{where}: {says}", instead)
            for code, says, instead in (
                *_check_words(reading),
                *_check_names(program, reading, read, tested),
                *_check_options(program, reading, in_force, homes),
            )
        )
    for name in program.thresholds.of_readings():
        is_switch = isinstance(getattr(program.thresholds, name), bool)
        if f"thresholds.{name}" in in_force[1] and not is_switch:
            says = f"the checker in force reads {name}, which no source states"
            yield LintFinding(
                path, 0, "R06", says, f"State [{name}] in thresholds.toml and in the text."
            )


def _check_words(reading: Reading) -> Iterator[tuple[str, str, str]]:
    if not reading.question.endswith("?"):
        yield "R01", "the question ends without a question mark", "Ask what one would ask the city."
    for option in reading.options:
        if not option.says.endswith("."):
            yield (
                "R01",
                f"option {option.id} says no sentence",
                "Say what holds under it, in one sentence.",
            )
    if not reading.why.endswith("."):
        yield "R01", "why is no sentence", "Say why this option is in force."


def _check_names(
    program: Program, reading: Reading, read: set[str], tested: set[str]
) -> Iterator[tuple[str, str, str]]:
    names = {name for option in reading.options for name in option.values}
    for name in sorted(names):
        value = getattr(program.thresholds, name)
        if f"thresholds.{name}" not in read:
            near = get_close_matches(f"thresholds.{name}", read, 1)
            hint = f" Did you mean {near[0].removeprefix('thresholds.')}?" if near else ""
            yield "R02", f"the checker does not read {name}", f"Read thresholds.{name}.{hint}"
        elif isinstance(value, bool) and f"thresholds.{name}" not in tested:
            yield (
                "R02",
                f"the checker does not test {name} alone",
                f"Write `if thresholds.{name}:`.",
            )


def _check_options(
    program: Program, reading: Reading, in_force: tuple[Any, ...], homes: Sequence[Household]
) -> Iterator[tuple[str, str, str]]:
    for option in reading.others:
        other = program.under(reading.id, option.id)
        try:
            findings = check_checker(Source.of(other.checker))
            answers = _answers(other)
            for home in homes:
                other.is_eligible(home)
        except Exception as error:  # An option under construction may fail in any way.
            says = f"{type(error).__name__}: {str(error).rstrip('.')}"
            yield (
                "R03",
                f"option {option.id} cannot be run: {says}",
                "Correct the lines that it turns on.",
            )
            continue
        for finding in findings:
            says = f"option {option.id}: line {finding.line}: {finding.what}"
            yield "R04", says, finding.write_instead
        if answers == in_force:
            yield (
                "R05",
                f"option {option.id} runs the same lines with the same values as the one in force",
                "Have its switches and values decide something, or drop it.",
            )


def _example_households(program: Program) -> list[Household]:
    """Return the households of the examples; `check_examples` reports those that are impossible."""
    households = []
    try:
        for example in program.examples():
            with suppress(BenyfitsError):
                households.append(example.household(program.thresholds))
    except BenyfitsError:
        return []
    return households


def _answers(program: Program) -> tuple[str, dict[str, Any]]:
    """Return what a checker's answers depend on: its text and the thresholds that it reads."""
    source = Source.of(program.checker)
    names = {
        node.attr: ast.unparse(node)
        for node in ast.walk(source.node)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds"
    }
    return source.digest, {text: getattr(program.thresholds, name) for name, text in names.items()}
