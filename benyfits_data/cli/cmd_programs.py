"""`benyfits-data programs`: list, show, lint and begin the programs."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from benyfits_data.cli.cmd_programs_diff import command as diff
from benyfits_data.cli.options import edition_option, example, option
from benyfits_data.editions import SizeTable, load_edition
from benyfits_data.editions.switches import lines_off, switches_of
from benyfits_data.editions.workspace import program_folders, writable
from benyfits_data.errors import UnknownProgramError
from benyfits_data.language.source import Source
from benyfits_data.lint.program_folder import lint_folder


@click.group(epilog=example("benyfits-data programs list"))
def command() -> None:
    """List, show, lint and begin benefit programs."""


@command.command("list", epilog=example("benyfits-data programs list --edition 2026"))
@edition_option
def list_programs(edition: int) -> None:
    """List the programs of an edition, one a line: name, title, agency, between tabs."""
    for name, program in load_edition(edition).programs.items():
        click.echo(f"{name}\t{program.title}\t{program.agency}")


@command.command(epilog=example("benyfits-data programs show FairFaresNYC --edition 2026"))
@click.argument("name")
@edition_option
def show(name: str, edition: int) -> None:
    """Show a program: its requirement text, its values with their sources, its clauses' lines."""
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
    if off := lines_off(program.checker):
        switches = ", ".join(
            f"{it} {'on' if state else 'off'}"
            for it, state in switches_of(program.thresholds).items()
        )
        click.echo(f"off in {edition} ({switches}): line {', '.join(map(str, off))}")


@command.command(epilog=example("benyfits-data programs lint FairFaresNYC head_start"))
@click.argument("names", nargs=-1)
def lint(names: tuple[str, ...]) -> None:
    """Check program folders in every edition: language, clauses, thresholds, texts, examples.

    NAMES are programs or their folders; without any, all are checked. Exits with 1 if anything is
    wrong.
    """
    folders = [_folder(name) for name in names] or program_folders()
    hidden = len(folders) == 1 or not sys.stderr.isatty()
    with click.progressbar(folders, label="programs", file=sys.stderr, hidden=hidden) as shown:
        found = {problem for folder in shown for problem in lint_folder(folder)}
    for problem in sorted(found):
        click.echo(str(problem).replace(f"{Path.cwd()}/", ""))
    click.echo(f"{len(folders)} programs, {len(found)} problems", err=True)
    if found:
        raise SystemExit(1)


def _folder(name: str) -> Path:
    """Return a program folder, by the program's name or its own."""
    wanted = name.replace("_", "").lower()
    for folder in program_folders():
        text = (folder / "requirements.md").read_text(encoding="utf-8")
        if folder.name.replace("_", "").lower() == wanted or f'name = "{name}"\n' in text:
            return folder
    raise UnknownProgramError(
        f"No program is named {name!r}. `benyfits-data programs list` names them all.",
        program=name,
    )


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
