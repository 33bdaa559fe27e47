"""The linter of switches: read by text and checker, on in some editions and off in others."""

import ast
from collections.abc import Iterator

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program, edition_years
from benyfits_data.editions.program import load_program
from benyfits_data.editions.switches import switches_of, whole_function
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding
from benyfits_data.language.source import Source


def check_switches(program: Program) -> Iterator[LintFinding]:
    """Yield what is wrong with a program's switches, apart from those of readings."""
    switches = set(switches_of(program.thresholds)) - set(program.thresholds.of_readings())
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
            found = f"the switch {name} decides nothing in the text"
            yield LintFinding(path, 0, found, f"Write {{% if {name} %}} around what it decides.")
        if f"thresholds.{name}" not in tested:
            found = f"the switch {name} decides nothing in the checker"
            instead = "Test it alone" if f"thresholds.{name}" in read else "Test it"
            yield LintFinding(path, 0, found, f"{instead}: `if thresholds.{name}:`.")
        if len(_states(program, name)) < 2:
            found = f"the switch {name} is the same in every edition"
            yield LintFinding(path, 0, found, "Write the rule without it, or state the other year.")


def _tested_in_text(program: Program) -> set[str]:
    text = read_text(program.requirements_path)
    try:
        parsed = jinja2.Environment(autoescape=False).parse(text)
    except jinja2.TemplateSyntaxError:
        return set()
    found = set()
    for node in parsed.find_all((nodes.If, nodes.CondExpr)):
        assert isinstance(node, nodes.If | nodes.CondExpr)
        found |= {
            name.name
            for name in (node.test, *node.test.find_all(nodes.Name))
            if isinstance(name, nodes.Name)
        }
    return found


def _states(program: Program, name: str) -> set[object]:
    """Return the states of a switch in the editions that the program is part of."""
    programs = [load_program(program.folder, year) for year in edition_years()]
    return {
        it.thresholds.entry(name).value
        for it in programs
        if it.is_in_force and name in it.thresholds.names()
    }
