"""The linter of program folders: text, checker, thresholds and examples say the same thing."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path

from benyfits_data.editions import Program, SizeTable, edition_years
from benyfits_data.editions.program import load_program
from benyfits_data.editions.toml_file import read_text
from benyfits_data.editions.workspace import program_folders
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.findings import LintFinding
from benyfits_data.language.grammar import check_checker
from benyfits_data.language.source import Source
from benyfits_data.lint.clause_rules import check_clauses, check_same_member
from benyfits_data.lint.example_rules import check_examples
from benyfits_data.lint.reading_rules import check_readings, check_switches
from benyfits_data.lint.template_names import names_in_force, template_of
from benyfits_data.lint.text_rules import (
    check_days,
    check_numbers,
    check_plain_text,
    check_sources,
)
from benyfits_data.lint.threshold_comparisons import thresholds_in
from benyfits_data.lint.value_rules import check_values, line_of
from benyfits_data.lint.vocabulary_rules import check_vocabulary

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
_GAP = re.compile(r"FILL IN:?\s*(?P<what>[^\"]*)")
_NAME = re.compile(r'^name = "(.*)"$', re.MULTILINE)


def lint_folder(folder: Path, today: date | None = None) -> list[LintFinding]:
    """Return everything that is wrong with a program folder in any edition it is part of.

    Args:
        folder: The folder.
        today: Days after it are refused; unless given, no day is.
    """
    problems = [*_check_name(folder), *_check_gaps(folder)]
    for year in edition_years():
        try:
            program = load_program(folder, year)
        except BenyfitsError as error:
            problems.append(LintFinding.of(error, folder, "F04"))
            continue
        if program.is_in_force:
            problems += lint_program(program, today)
    return sorted(set(problems))


def _check_name(folder: Path) -> Iterator[LintFinding]:
    path = folder / "requirements.md"
    mine = _NAME.search(read_text(path))
    for other in program_folders():
        theirs = _NAME.search(read_text(other / "requirements.md"))
        if other != folder and mine and theirs and mine[1] == theirs[1]:
            yield LintFinding(path, 0, "F02", f"the name {mine[1]!r} is that of {other.name} too")


def _check_gaps(folder: Path) -> Iterator[LintFinding]:
    paths = [folder / name for name in (*FILES, *OPTIONAL_FILES)]
    for path in (path for path in paths if path.exists()):
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            if gap := _GAP.search(line):
                says = f"to fill in: {gap['what'].strip().rstrip('.')}"
                yield LintFinding(path, number, "F03", says)


def lint_program(program: Program, today: date | None = None) -> list[LintFinding]:
    """Return everything that is wrong with a program's folder in the program's edition.

    Checked are: the files, the checker language, that every clause is decided by a line and
    every line names a clause of the text, that text and checker read every threshold, that no
    number stands in the text by hand, that values have units, sources and dates, that every reading
    can be taken, and that the examples are possible, true and complete.

    Args:
        program: The program in its edition.
        today: Days after it are refused; unless given, no day is.
    """
    paths = [program.folder / name for name in FILES]
    if missing := [path for path in paths if not path.exists()]:
        return [LintFinding(path, 0, "F01", "the file is missing") for path in missing]
    problems: set[LintFinding] = set()
    for check in (check_values, check_numbers, check_switches, check_plain_text, check_sources):
        problems.update(check(program))
    problems.update(check_days(program, today) if today else ())
    try:
        source = Source.of(program.checker)
        _ = program.clauses  # Raises where the text cannot be rendered.
    except BenyfitsError as error:
        return sorted(problems | {LintFinding.of(error, program.folder, "F04")})
    except Exception as error:  # A program under construction may fail in any way when imported.
        line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
        says = f"the checker cannot be imported: {type(error).__name__}: {error}"
        return sorted(problems | {LintFinding(program.checker_path, line, "L01", says)})
    reading = list(_check_thresholds(program, source))
    # One that reads what is not there, or not as it is, cannot be called.
    is_readable = all(problem.path != source.path for problem in reading)
    language = check_checker(source, program.thresholds if is_readable else None)
    for findings in (
        language,
        reading,
        check_clauses(program, source),
        check_same_member(program, source),
        check_readings(program),
        check_vocabulary(program),
    ):
        problems.update(findings)
    if is_readable and not language:
        problems.update(check_examples(program, source))
    return sorted(problems)


def _check_thresholds(program: Program, source: Source) -> Iterator[LintFinding]:
    """Yield the thresholds that text or checker do not read, or not as they are."""
    thresholds, path = program.thresholds, program.folder / "thresholds.toml"
    template = template_of(program.requirements_path)
    in_text = set(names_in_force(template, thresholds.switches())) if template else set()
    whole, indexed = _names_in_checker(source)
    for name, entry in thresholds.entries.items():
        at = partial(LintFinding, path, line_of(path, rf"\[{name}\]"))
        is_read = name in whole or name in indexed
        if isinstance(entry.value, bool):
            continue
        if name not in in_text:
            instead = f"Write {{{{ {name} }}}} where the amount belongs, or drop the threshold."
            says = f"threshold {name} is not in the text"
            yield LintFinding(program.requirements_path, 0, "T01", says, instead)
        if not is_read and not entry.only_in_text:
            yield at("T02", f"threshold {name} is not read by {source.path.name}")
        if is_read and entry.only_in_text:
            yield at(
                "T03",
                f"threshold {name} claims to stand in the text only, but the checker reads it",
            )
        is_table = isinstance(entry.value, SizeTable)
        if name in (whole if is_table else indexed):
            instead = f"thresholds.{name}{'[household_size(household)]' if is_table else ''}"
            says = f"{name} read {'without' if is_table else 'with'} a size"
            yield LintFinding(source.path, 0, "T04", says, f"Write {instead}.")
    for name in sorted((whole | indexed) - {*thresholds.entries, *thresholds.of_readings()}):
        says = f"thresholds.{name}, which thresholds.toml lacks in edition {program.edition}"
        yield LintFinding(source.path, 0, "T05", says, f"Add [{name}] with a value.")


def _names_in_checker(source: Source) -> tuple[set[str], set[str]]:
    """Return the thresholds the checker reads whole, and those it reads by size."""
    tables = [node.value for node in ast.walk(source.node) if isinstance(node, ast.Subscript)]
    read = thresholds_in(ast.walk(source.node))
    indexed = {node.attr for node in read if node in tables}
    return {node.attr for node in read if node not in tables}, indexed
