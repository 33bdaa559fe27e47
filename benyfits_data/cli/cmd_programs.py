"""`benyfits-data programs`: list, show, lint and begin the programs."""

import re
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from benyfits_data.cli.cmd_programs_diff import command as diff
from benyfits_data.cli.cmd_programs_readings import command as readings
from benyfits_data.cli.options import edition_option, example, option
from benyfits_data.cli.tables import json_option, print_json, print_table
from benyfits_data.editions import SizeTable, load_edition
from benyfits_data.editions.switches import lines_off, switches_of
from benyfits_data.editions.toml_file import read_text
from benyfits_data.editions.workspace import program_folders, writable
from benyfits_data.errors import UnknownProgramError
from benyfits_data.language.source import Source
from benyfits_data.lint.program_folder import lint_folder
from benyfits_data.spelling import fold, suggest
from benyfits_data.upkeep.source_notes import source_lines


@click.group(epilog=example("benyfits-data programs list"))
def command() -> None:
    """List, show, lint and begin benefit programs."""


@command.command("list", epilog=example("benyfits-data programs list --edition 2026"))
@edition_option
@json_option
def list_programs(edition: int, as_json: bool) -> None:
    """List the programs of an edition: name, title, agency."""
    rows = [(it.name, it.title, it.agency) for it in load_edition(edition).values()]
    print_table(("program", "title", "agency"), rows, as_json=as_json)


@command.command(epilog=example("benyfits-data programs show FairFaresNYC --edition 2026"))
@click.argument("name")
@edition_option
@json_option
def show(name: str, edition: int, as_json: bool) -> None:
    """Show a program: its text, values with sources and notes, omissions, lines, readings."""
    program = load_edition(edition).program(name)
    entries = [program.thresholds.entry(it) for it in program.thresholds.names()]
    lines: dict[str, list[int]] = {clause: [] for clause in program.clauses}
    for line, clauses in Source.of(program.checker).decisions.items():
        for clause in clauses:
            lines.setdefault(clause, []).append(line)  # `programs lint` names unknown clauses.
    off, switches = lines_off(program.checker), switches_of(program.thresholds)
    if as_json:
        about = ("name", "title", "agency", "level", "category", "unit", "edition", "ended")
        told = {it: getattr(program, it) for it in about}
        told["requirements"], told["checker"] = program.requirements(), program.checker_path
        told |= {"thresholds": list(map(asdict, entries)), "lines": lines, "off": off}
        told["source"] = asdict(program.sources) if program.sources else None
        told["readings"] = list(map(asdict, program.readings))
        told["plain"] = program.plain() if program.plain_path else None
        print_json(told)
        return
    click.echo(f"{program.title} ({program.name}), edition {edition}")
    click.echo(f"{program.agency}; {program.level}; {program.category}; unit: {program.unit}\n")
    if program.ended:
        click.echo(f"Ended: {program.ended}.\n")
    click.echo(program.requirements())
    for entry in entries:
        value = "" if isinstance(entry.value, SizeTable) else f" = {entry.value}"
        seen = f"set in {entry.since}, verified {entry.verified}"
        click.echo(f"{entry.name}{value} ({entry.unit}): {seen}\n  {entry.source}")
        if entry.note:
            click.echo(f"  Note: {entry.note}")
    for told_line in source_lines(program):
        click.echo(told_line)
    click.echo(f"\n{program.checker_path}")
    for clause, its in lines.items():
        if its:
            click.echo(f"clause {clause}: line {', '.join(map(str, its))}")
    if off:
        states = ", ".join(f"{it} {'on' if on else 'off'}" for it, on in switches.items())
        click.echo(f"off in {edition} ({states}): line {', '.join(map(str, off))}")
    for reading in program.readings:
        options = ", ".join(it.id for it in reading.others)
        click.echo(f"reading {reading.id}: {reading.question} {reading.in_force}, not {options}")


@command.command(epilog=example("benyfits-data programs lint FairFaresNYC head_start"))
@click.argument("names", nargs=-1)
@json_option
def lint(names: tuple[str, ...], as_json: bool) -> None:
    """Check program folders in every edition: language, clauses, thresholds, texts, examples.

    NAMES are programs or their folders; without any, all are checked. Exits with 1 if anything is
    wrong.
    """
    folders = [_folder(name) for name in names] or program_folders()
    hidden = len(folders) == 1 or not sys.stderr.isatty()
    with click.progressbar(folders, label="programs", file=sys.stderr, hidden=hidden) as shown:
        found = sorted({problem for folder in shown for problem in lint_folder(folder)})
    if as_json:
        print_json([asdict(problem) for problem in found])
    else:
        for problem in found:
            click.echo(str(problem).replace(f"{Path.cwd()}/", ""))
    click.echo(f"{len(folders)} programs, {len(found)} problems", err=True)
    if found:
        raise SystemExit(1)


def _folder(name: str) -> Path:
    """Return a program folder, by the program's name or title or its own name."""
    folders = {}
    for folder in program_folders():
        text = read_text(folder / "requirements.md")
        told = re.findall(r'^(?:name|title) = "(.*)"$', text, re.MULTILINE)
        for spelling in (folder.name, *told):
            folders[fold(spelling)] = folder
    if found := folders.get(fold(name)):
        return found
    hint = suggest(
        name, [it.name for it in folders.values()], "`benyfits-data programs list` names them all."
    )
    raise UnknownProgramError(f"No program is named {name!r}. {hint}", program=name)


@command.command(epilog=example("benyfits-data programs new SchoolMeals --since 2027"))
@click.argument("name")
@option("--since", type=int, required=True, help="The first edition it is part of, a draft.")
def new(name: str, since: int) -> None:
    """Write the folder of a new program; `programs lint NAME` then says what to fill in.

    NAME is letters only, each word with a capital.
    """
    from benyfits_data.upkeep.new_program import new_program

    folder = new_program(name, since, datetime.now(UTC).date())
    click.echo(folder)
    click.echo(f"next: fill in what `benyfits-data programs lint {name}` names", err=True)


@command.command(epilog=example("benyfits-data programs edit FairFaresNYC"))
@click.argument("name")
def edit(name: str) -> None:
    """Copy a program of the package into the workspace, where it may be changed."""
    click.echo(writable(_folder(name) / "checker.py").parent)


command.add_command(diff, "diff")
command.add_command(readings, "readings")
