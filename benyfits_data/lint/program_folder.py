"""The linter of program folders: text, checker, thresholds and examples say the same thing."""

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program, SizeTable, edition_years
from benyfits_data.editions.program import load_program
from benyfits_data.editions.switches import switches_of
from benyfits_data.editions.toml_file import read_text, read_toml
from benyfits_data.editions.workspace import program_folders
from benyfits_data.errors import BenyfitsError
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.grammar import LintFinding, check_checker
from benyfits_data.language.source import Source
from benyfits_data.lint.example_rules import check_examples
from benyfits_data.lint.literal_numbers import literal_numbers
from benyfits_data.lint.plain_text import check_plain_text
from benyfits_data.lint.reading_rules import check_readings
from benyfits_data.lint.source_rules import check_sources
from benyfits_data.lint.switch_rules import check_switches
from benyfits_data.lint.vocabulary import check_vocabulary

FILES = (
    "requirements.md",
    "checker.py",
    "thresholds.toml",
    "examples.toml",
    "sources.toml",
    "plain.md",
)
OPTIONAL_FILES = ("readings.toml",)
"""A program without open questions needs none."""
UNITS = (
    "years",
    "months",
    "weeks",
    "days",
    "hours a week",
    "dollars",
    "dollars a year",
    "dollars a month",
    "grade",
    "GPA",
    "credits",
    "date",
    "people",
    "share",
    "switch",
)
_FRONT_MATTER = re.compile(r"\A\+\+\+\n.*?\n\+\+\+\n", re.DOTALL)
_GAP = re.compile(r"FILL IN:?\s*(?P<what>[^\"]*)")
_NAME = re.compile(r'^name = "(.*)"$', re.MULTILINE)
_CLAUSE_NUMBER = re.compile(r"^(\d+)\.\s", re.MULTILINE)


def lint_folder(folder: Path) -> list[LintFinding]:
    """Return everything that is wrong with a program folder in any edition it is part of."""
    problems = [*_check_name(folder), *_check_gaps(folder)]
    for year in edition_years():
        try:
            program = load_program(folder, year)
        except BenyfitsError as error:
            path = error.facts.get("path", folder)
            found = str(error).removeprefix(f"{path}: ").rstrip(".")
            problems.append(LintFinding(path, 0, found, ""))
            continue
        if program.is_in_force:
            problems += lint_program(program)
    return sorted(set(problems))


def _check_name(folder: Path) -> Iterator[LintFinding]:
    path = folder / "requirements.md"
    mine = _NAME.search(read_text(path))
    for other in program_folders():
        theirs = _NAME.search(read_text(other / "requirements.md"))
        if other != folder and mine and theirs and mine[1] == theirs[1]:
            found = f"the name {mine[1]!r} is that of {other.name} too"
            yield LintFinding(path, 0, found, "Names are unique: rename one of them.")


def _check_gaps(folder: Path) -> Iterator[LintFinding]:
    paths = [folder / name for name in (*FILES, *OPTIONAL_FILES)]
    for path in (path for path in paths if path.exists()):
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            if gap := _GAP.search(line):
                yield LintFinding(
                    path, number, f"to fill in: {gap['what'].strip().rstrip('.')}", ""
                )


def lint_program(program: Program) -> list[LintFinding]:
    """Return everything that is wrong with a program's folder in the program's edition.

    Checked are: the files, the checker language, that every clause is decided by a line and
    every line names a clause of the text, that text and checker read every threshold, that no
    number stands in the text by hand, that values have units, sources and dates, that every reading
    can be taken, and that the examples are possible, true and complete.
    """
    missing = [
        LintFinding(program.folder / name, 0, "the file is missing", "Copy it from another folder.")
        for name in FILES
        if not (program.folder / name).exists()
    ]
    if missing:
        return missing
    problems = [*_check_values(program), *_check_template(program), *check_switches(program)]
    problems += [*check_plain_text(program), *check_sources(program)]
    try:
        source = Source.of(program.checker)
        clauses = set(program.clauses)
    except BenyfitsError as error:
        return sorted({*problems, LintFinding(program.folder, 0, str(error).rstrip("."), "")})
    except Exception as error:  # A program under construction may fail in any way when imported.
        return sorted({*problems, _import_problem(program, error)})
    language = check_checker(source)
    problems += [*language, *_check_clauses(program, source, clauses)]
    reading = list(_check_reading(program, source))
    problems += reading
    problems += [*check_readings(program), *check_vocabulary(program)]
    # A checker outside the language, or one that reads what is not there, cannot be run.
    if not language and not any(problem.path == source.path for problem in reading):
        problems += check_examples(program, source)
    return sorted(set(problems))


def _import_problem(program: Program, error: Exception) -> LintFinding:
    line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
    found = f"the checker cannot be imported: {type(error).__name__}: {error}"
    return LintFinding(program.checker_path, line, found, "Correct it first.")


def _check_clauses(program: Program, source: Source, known: set[str]) -> Iterator[LintFinding]:
    text = program.requirements_path
    if not known and source.decisions:
        yield LintFinding(text, 0, "no numbered clause in the text", "Number them `1.`, `2.`, ...")
    named: set[str] = set()
    for line, clauses in source.decisions.items():
        named |= set(clauses)
        for clause in sorted(set(clauses) - known):
            yield LintFinding(
                source.path,
                line,
                f"clause {clause}, which the text does not have",
                f"The text has {', '.join(sorted(known, key=_clause_key))}.",
            )
    parents = {clause.rstrip("abcdefghijklmnopqrstuvwxyz") for clause in known if clause[-1:] > "9"}
    for clause in sorted(known - parents - named, key=_clause_key):
        yield LintFinding(
            source.path,
            source.first_line,
            f"no line decides clause {clause} ({program.clauses[clause][:60]})",
            f"Add an `if` that ends in `# clause {clause}`, or make the clause a plain paragraph.",
        )
    numbers = [int(number) for number in _CLAUSE_NUMBER.findall(program.requirements())]
    if numbers != list(range(1, len(numbers) + 1)):
        yield LintFinding(
            text, 0, f"clauses numbered {numbers}", "Number through the whole text from 1."
        )


def _clause_key(clause: str) -> tuple[int, str]:
    number = clause.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(number), clause[len(number) :]


def _check_reading(program: Program, source: Source) -> Iterator[LintFinding]:
    in_text = _names_in_text(program)
    whole, indexed = _names_in_checker(source)
    path = program.folder / "thresholds.toml"
    for name in program.thresholds.names():
        entry = program.thresholds.entry(name)
        is_read = name in whole or name in indexed
        if isinstance(entry.value, bool):
            continue
        if name not in in_text:
            yield LintFinding(
                program.requirements_path,
                0,
                f"threshold {name} is not in the text",
                f"Write {{{{ {name} }}}} where the amount belongs, or drop the threshold.",
            )
        if not is_read and not entry.only_in_text:
            yield LintFinding(
                path,
                _line_of(path, rf"\[{name}\]"),
                f"threshold {name} is not read by {source.path.name}",
                'Read it there, or say why not: only_in_text = "..."',
            )
        if is_read and entry.only_in_text:
            yield LintFinding(
                path,
                _line_of(path, rf"\[{name}\]"),
                f"threshold {name} claims to stand in the text only, but the checker reads it",
                "Drop only_in_text.",
            )
        is_table = isinstance(entry.value, SizeTable)
        if name in (whole if is_table else indexed):
            instead = f"thresholds.{name}{'[household_size(household)]' if is_table else ''}"
            found = f"{name} read {'without' if is_table else 'with'} a size"
            yield LintFinding(source.path, 0, found, f"Write {instead}.")
    of_readings = program.thresholds.of_readings()
    for name in sorted((whole | indexed) - {*program.thresholds.names(), *of_readings}):
        found = f"thresholds.{name}, which thresholds.toml lacks in edition {program.edition}"
        yield LintFinding(source.path, 0, found, f"Add [{name}] with a value.")


def _names_in_text(program: Program) -> set[str]:
    template = read_text(program.requirements_path)
    try:
        parsed = jinja2.Environment(autoescape=False).parse(template)
    except jinja2.TemplateSyntaxError:
        return set()  # Rendering reports it.
    return set(_names_in_force(parsed, switches_of(program.thresholds)))


def _names_in_force(node: nodes.Node, switches: Mapping[str, bool]) -> Iterator[str]:
    """Yield the names that a template reads, without the branches that switches turn off."""
    if isinstance(node, nodes.If) and isinstance(node.test, nodes.Name):
        state = switches.get(node.test.name)
        if state is not None:
            for inner in node.body if state else [*node.elif_, *node.else_]:
                yield from _names_in_force(inner, switches)
            return
    if isinstance(node, nodes.Name):
        yield node.name
    for child in node.iter_child_nodes():
        yield from _names_in_force(child, switches)


def _names_in_checker(source: Source) -> tuple[set[str], set[str]]:
    """Return the thresholds the checker reads whole, and those it reads by size."""
    every, indexed = set(), set()
    whole_nodes = set()
    for node in ast.walk(source.node):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            indexed.add(node.value.attr)
            whole_nodes.add(id(node.value))
    for node in ast.walk(source.node):
        is_threshold = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds"
        if isinstance(node, ast.Attribute) and is_threshold and id(node) not in whole_nodes:
            every.add(node.attr)
    return every, indexed


def _check_template(program: Program) -> Iterator[LintFinding]:
    path = program.requirements_path
    text = read_text(path)
    head = _FRONT_MATTER.match(text)
    skipped = head[0].count("\n") if head else 0
    for line, number in literal_numbers(text[head.end() if head else 0 :]):
        yield LintFinding(
            path,
            line + skipped,
            f"the number {number} stands in the text by hand",
            "Put it into thresholds.toml and write {{ its_name }}; name other parts as `clause N`.",
        )


def _check_values(program: Program) -> Iterator[LintFinding]:
    path = program.folder / "thresholds.toml"
    declared: dict[str, Any] = read_toml(path)
    for name, table in declared.items():
        line = _line_of(path, rf"\[{name}\]")
        if table.get("unit") not in UNITS:
            yield LintFinding(
                path, line, f"{name} has the unit {table.get('unit')!r}", f"Use one of {UNITS}."
            )
        if not any(key.isdecimal() for key in table):
            yield LintFinding(path, line, f"{name} has no value", "Add it: 2024 = 18.")
    for name in program.thresholds.names():
        entry = program.thresholds.entry(name)
        where = _line_of(path, rf"\[{name}\.{entry.since}\]")
        if not entry.source.strip():
            found = f"{name}.{entry.since} has no source"
            yield LintFinding(path, where, found, "Say where it was read.")
        if type(entry.verified) is not date:
            found = f"{name}.{entry.since} has no date verified"
            yield LintFinding(path, where, found, "Add verified = YYYY-MM-DD.")
        for found, instead in _wrong_value(entry.value, entry.unit):
            yield LintFinding(path, _line_of(path, rf"\[{name}\]"), f"{name} {found}", instead)


def _wrong_value(value: Any, unit: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, SizeTable):
        amounts = [value.rows[size] for size in sorted(value.rows)]
        if amounts != sorted(amounts):
            yield "falls from one size to the next", "Correct the table."
        if (value.each_additional or 0) < 0:
            yield "has a negative each_additional", "Correct it."
        if max(value.rows) < LARGEST_HOUSEHOLD and value.each_additional is None:
            yield (
                f"stops at size {max(value.rows)}",
                f"Add rows to size {LARGEST_HOUSEHOLD}, or each_additional.",
            )
        if not unit.startswith("dollars"):
            yield f"is a table by size in {unit}", "Tables by size are in dollars."
    elif unit == "date":
        if type(value) is not date:
            yield f"is {value!r}", "Write a date as YYYY-MM-DD."
    elif unit == "switch":
        if not isinstance(value, bool):
            yield f"is {value!r}", "A switch is true or false."
    elif isinstance(value, bool) or not isinstance(value, int | float):
        yield f"is {value!r}", "Write a number."
    elif isinstance(value, float) and unit not in ("GPA", "share", "dollars a year", "dollars"):
        yield f"is {value!r}, counted in {unit}", "Write a whole number."


def _line_of(path: Path, pattern: str) -> int:
    """Return the first line that begins with a pattern, or 0."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if re.match(pattern, line.strip()):
            return number
    return 0
