"""The linter of program folders: text, checker, thresholds and examples say the same thing."""

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import jinja2
from jinja2 import nodes

from benyfits_data.editions import Program, SizeTable, edition_years
from benyfits_data.editions.program import load_program
from benyfits_data.editions.toml_file import read_text
from benyfits_data.editions.workspace import program_folders
from benyfits_data.errors import BenyfitsError
from benyfits_data.language.grammar import LintFinding, check_checker
from benyfits_data.language.source import Source
from benyfits_data.lint.example_rules import check_examples
from benyfits_data.lint.reading_rules import check_readings, check_switches
from benyfits_data.lint.text_rules import (
    check_days,
    check_plain_text,
    check_requirements,
    check_sources,
    check_vocabulary,
)
from benyfits_data.lint.value_rules import check_values, line_of

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
_ONE_MEMBER = re.compile(
    r"((?:all but )?clauses?) (\d+[a-z]?(?:(?:, and |, | and | to )\d+[a-z]?)*) "
    r"for (?:one and the same|at least one of its) \w+"
)
"""Which clauses a text asks of one and the same member."""
_CLAUSE_NUMBER = re.compile(r"^(\d+)\.\s", re.MULTILINE)


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
            path = error.facts.get("path", folder)
            says = str(error).removeprefix(f"{path}: ").rstrip(".")
            problems.append(LintFinding(path, 0, "F04", says, ""))
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
            says = f"the name {mine[1]!r} is that of {other.name} too"
            yield LintFinding(path, 0, "F02", says, "Names are unique: rename one of them.")


def _check_gaps(folder: Path) -> Iterator[LintFinding]:
    paths = [folder / name for name in (*FILES, *OPTIONAL_FILES)]
    for path in (path for path in paths if path.exists()):
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            if gap := _GAP.search(line):
                says = f"to fill in: {gap['what'].strip().rstrip('.')}"
                yield LintFinding(path, number, "F03", says, "")


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
    missing = [
        LintFinding(
            program.folder / name, 0, "F01", "the file is missing", "Copy it from another folder."
        )
        for name in FILES
        if not (program.folder / name).exists()
    ]
    if missing:
        return missing
    problems = [*check_values(program), *check_requirements(program), *check_switches(program)]
    problems += [*check_plain_text(program), *check_sources(program)]
    problems += check_days(program, today) if today else ()
    try:
        source = Source.of(program.checker)
        clauses = set(program.clauses)
    except BenyfitsError as error:
        return sorted(
            {*problems, LintFinding(program.folder, 0, "F04", str(error).rstrip("."), "")}
        )
    except Exception as error:  # A program under construction may fail in any way when imported.
        return sorted({*problems, _import_problem(program, error)})
    language = check_checker(source)
    problems += [*language, *_check_clauses(program, source, clauses)]
    problems += _check_same_member(program, source)
    reading = list(_check_reading(program, source))
    problems += reading
    problems += [*check_readings(program), *check_vocabulary(program)]
    # A checker outside the language, or one that reads what is not there, cannot be run.
    if not language and not any(problem.path == source.path for problem in reading):
        problems += check_examples(program, source)
    return sorted(set(problems))


def _import_problem(program: Program, error: Exception) -> LintFinding:
    line = error.lineno or 0 if isinstance(error, SyntaxError) else 0
    says = f"the checker cannot be imported: {type(error).__name__}: {error}"
    return LintFinding(program.checker_path, line, "L01", says, "Correct it first.")


def _check_clauses(program: Program, source: Source, known: set[str]) -> Iterator[LintFinding]:
    text = program.requirements_path
    if not known and source.decisions:
        yield LintFinding(
            text, 0, "C01", "no numbered clause in the text", "Number them `1.`, `2.`, ..."
        )
    named: set[str] = set()
    for line, clauses in source.decisions.items():
        named |= set(clauses)
        for clause in sorted(set(clauses) - known):
            yield LintFinding(
                source.path,
                line,
                "C02",
                f"clause {clause}, which the text does not have",
                f"The text has {', '.join(sorted(known, key=_clause_key))}.",
            )
    parents = {clause.rstrip("abcdefghijklmnopqrstuvwxyz") for clause in known if clause[-1:] > "9"}
    for clause in sorted(known - parents - named, key=_clause_key):
        yield LintFinding(
            source.path,
            source.first_line,
            "C03",
            f"no line decides clause {clause} ({program.clauses[clause][:60]})",
            f"Add an `if` that ends in `# clause {clause}`, or make the clause a plain paragraph.",
        )
    numbers = [int(number) for number in _CLAUSE_NUMBER.findall(program.requirements())]
    if numbers != list(range(1, len(numbers) + 1)):
        yield LintFinding(
            text, 0, "C04", f"clauses numbered {numbers}", "Number through the whole text from 1."
        )


def _check_same_member(program: Program, source: Source) -> Iterator[LintFinding]:
    """Yield the clauses that a text names for one member, unless one loop tests just those."""
    loops = []
    for loop in source.node.body:
        if isinstance(loop, ast.For):
            tested, decisive = set(), set()
            for node in ast.walk(loop):
                if isinstance(node, ast.If) and ast.unparse(loop.target) in _names_of(node.test):
                    numbers = {
                        _clause_key(clause)[0] for clause in source.decisions.get(node.lineno, ())
                    }
                    tested |= numbers
                    # What only notes a fact for later may be of another member.
                    if not all(isinstance(inner, ast.Assign) for inner in node.body):
                        decisive |= numbers
            loops.append((tested, decisive))
    for words, listed in _ONE_MEMBER.findall(" ".join(program.requirements().split())):
        clauses = set(_clauses_listed(listed))
        if words.startswith("all but"):
            clauses = {_clause_key(clause)[0] for clause in program.clauses} - clauses
        if not any(decisive <= clauses <= tested for tested, decisive in loops):
            tests = " or ".join(", ".join(map(str, sorted(tested))) for tested, _ in loops)
            yield LintFinding(
                program.requirements_path,
                0,
                "C05",
                f"clauses {', '.join(map(str, sorted(clauses)))} are for one and the same member, "
                f"but a loop of the checker tests {tests or 'no member'}",
                "Name the clauses that are tested of the same member, or test them in one loop.",
            )


def _names_of(expression: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}


def _clauses_listed(words: str) -> Iterator[int]:
    """Yield the clauses that a text lists: `1, 3 and 4`, `2 to 5`."""
    for part in re.split(r",\s*(?:and )?| and ", words):
        first, _, last = part.partition(" to ")
        yield from range(_clause_key(first)[0], _clause_key(last or first)[0] + 1)


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
                "T01",
                f"threshold {name} is not in the text",
                f"Write {{{{ {name} }}}} where the amount belongs, or drop the threshold.",
            )
        if not is_read and not entry.only_in_text:
            yield LintFinding(
                path,
                line_of(path, rf"\[{name}\]"),
                "T02",
                f"threshold {name} is not read by {source.path.name}",
                'Read it there, or say why not: only_in_text = "..."',
            )
        if is_read and entry.only_in_text:
            yield LintFinding(
                path,
                line_of(path, rf"\[{name}\]"),
                "T03",
                f"threshold {name} claims to stand in the text only, but the checker reads it",
                "Drop only_in_text.",
            )
        is_table = isinstance(entry.value, SizeTable)
        if name in (whole if is_table else indexed):
            instead = f"thresholds.{name}{'[household_size(household)]' if is_table else ''}"
            says = f"{name} read {'without' if is_table else 'with'} a size"
            yield LintFinding(source.path, 0, "T04", says, f"Write {instead}.")
    of_readings = program.thresholds.of_readings()
    for name in sorted((whole | indexed) - {*program.thresholds.names(), *of_readings}):
        says = f"thresholds.{name}, which thresholds.toml lacks in edition {program.edition}"
        yield LintFinding(source.path, 0, "T05", says, f"Add [{name}] with a value.")


def _names_in_text(program: Program) -> set[str]:
    template = read_text(program.requirements_path)
    try:
        parsed = jinja2.Environment(autoescape=False).parse(template)
    except jinja2.TemplateSyntaxError:
        return set()  # Rendering reports it.
    return set(_names_in_force(parsed, program.thresholds.switches()))


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
    whole, indexed = set(), set()
    whole_nodes = set()
    for node in ast.walk(source.node):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            indexed.add(node.value.attr)
            whole_nodes.add(id(node.value))
    for node in ast.walk(source.node):
        is_threshold = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds"
        if isinstance(node, ast.Attribute) and is_threshold and id(node) not in whole_nodes:
            whole.add(node.attr)
    return whole, indexed
