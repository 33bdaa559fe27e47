"""`benyfits-data programs`: list, show and lint the rooms."""

import importlib
import importlib.util
import sys
from pathlib import Path

import click

from benyfits_data.cli.options import edition_option
from benyfits_data.editions import SizeTable, edition_years, load_edition
from benyfits_data.editions.edition import ROOMS, room_paths
from benyfits_data.editions.program import load_program
from benyfits_data.errors import BenyfitsError, UnknownProgramError
from benyfits_data.language.grammar import Problem
from benyfits_data.language.rooms import lint_room
from benyfits_data.language.source import Source


@click.group()
def command() -> None:
    r"""List, show and lint the benefit programs.

    \b
    Example:
      benyfits-data programs list
    """


@command.command("list")
@edition_option
def list_programs(edition: int) -> None:
    r"""List the programs of an edition, one a line: name, title, agency, between tabs.

    \b
    Example:
      benyfits-data programs list --edition 2026
    """
    for name, program in load_edition(edition).programs.items():
        click.echo(f"{name}\t{program.title}\t{program.agency}")


@command.command()
@click.argument("name")
@edition_option
def show(name: str, edition: int) -> None:
    r"""Show a program: its requirement text, its values with their sources, its clauses' lines.

    \b
    Example:
      benyfits-data programs show FairFaresNYC --edition 2026
    """
    program = load_edition(edition).program(name)
    click.echo(f"{program.title} ({program.name}), edition {edition}")
    click.echo(f"{program.agency}; {program.level}; {program.category}; unit: {program.unit}\n")
    click.echo(program.requirements())
    for threshold in program.thresholds.names():
        entry = program.thresholds.entry(threshold)
        value = "" if isinstance(entry.value, SizeTable) else f" = {entry.value}"
        seen = f"set in {entry.since}, verified {entry.verified}"
        click.echo(f"{threshold}{value} ({entry.unit}): {seen}\n  {entry.source}")
    click.echo(f"\n{program.checker_path}")
    decisions = Source.of(program.checker).decisions
    for clause in program.clauses:
        lines = [str(line) for line, clauses in decisions.items() if clause in clauses]
        if lines:
            click.echo(f"clause {clause}: line {', '.join(lines)}")


@command.command()
@click.argument("names", nargs=-1)
def lint(names: tuple[str, ...]) -> None:
    r"""Check rooms in every edition: language, clauses, thresholds, texts, examples.

    NAMES are programs or folders of rooms; without any, all rooms are checked. Exits with 1 if
    anything is wrong.

    \b
    Example:
      benyfits-data programs lint FairFaresNYC head_start
    """
    rooms = [_room(name) for name in names] or room_paths()
    is_watched = len(rooms) > 1 and sys.stderr.isatty()
    with click.progressbar(rooms, label="rooms", file=sys.stderr, hidden=not is_watched) as shown:
        found = {problem for room in shown for problem in _lint(room)}
    for problem in sorted(found):
        click.echo(str(problem).replace(f"{Path.cwd()}/", ""))
    click.echo(f"{len(rooms)} rooms, {len(found)} problems", err=True)
    if found:
        raise SystemExit(1)


def _room(name: str) -> Path:
    """Return the folder of a room, by the program's name or the folder's."""
    wanted = name.replace("_", "").lower()
    for room in room_paths():
        if room.name == name or room.name.replace("_", "").lower() == wanted:
            return room
    for room in room_paths():
        text = (room / "requirements.md").read_text(encoding="utf-8")
        if f'name = "{name}"\n' in text:
            return room
    raise UnknownProgramError(
        f"No room in {ROOMS} is named {name!r}. `benyfits-data programs list` names them all.",
        program=name,
    )


def _lint(room: Path) -> list[Problem]:
    problems: list[Problem] = []
    for year in edition_years():
        try:
            program = load_program(room, year)
        except BenyfitsError as error:
            path = error.facts.get("path", room)
            problems.append(Problem(path, 0, str(error).removeprefix(f"{path}: ").rstrip("."), ""))
            continue
        if program.last_edition is None or year <= program.last_edition:
            problems += lint_room(program)
    return problems


if importlib.util.find_spec("benyfits_data.cli.programs_diff"):
    command.add_command(importlib.import_module("benyfits_data.cli.programs_diff").command, "diff")
