"""How commands are declared, what they report, and the one place that prints it."""

import functools
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import click

from benyfits_data.errors import BenyfitsError

CommandT = TypeVar("CommandT", bound=Callable[..., Any] | click.Command)
JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON, for machines.")


@dataclass(frozen=True)
class Listing:
    """Rows by column. Values are given as they are: the frame prints numbers.

    Attributes:
        header: The names of the columns.
        rows: The values of each row, in the order of the columns.
        title: Stands above the table on a terminal.
        note: Stands below it on a terminal.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""
    note: str = ""

    def objects(self) -> list[dict[str, object]]:
        """Return the rows by the names of their columns."""
        return [dict(zip(self.header, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Report:
    """What a command found.

    Attributes:
        shown: What people read, on stdout: tables and texts, one after the other.
        content: What `--json` prints instead; data classes as objects, days as 2026-01-31.
        notes: What is said beside it, on stderr: a line each.
        failed: Whether the command exits with 1; an error is printed, too.
    """

    shown: Sequence[Listing | str]
    content: Any
    notes: Sequence[str] = ()
    failed: bool | BenyfitsError = False


def option(*names: str, **settings: Any) -> Callable[[CommandT], CommandT]:
    """Declare an option whose help names its default, as all of ours do."""
    return click.option(*names, **{"show_default": True, **settings})


def example(*lines: str) -> str:
    """Return the end of a command's help: what to type after the name of the program."""
    return "\b\nExample:\n" + "\n".join(f"  benyfits-data {line}" for line in lines)


def stacked(*options: Callable[[CommandT], CommandT]) -> Callable[[CommandT], CommandT]:
    """Return several options as one, in the order of the help."""

    def decorate(command: CommandT) -> CommandT:
        for declare in reversed(options):
            command = declare(command)
        return command

    return decorate


def verb(
    *examples: str, of: click.Group | None = None
) -> Callable[[Callable[..., Listing | Report | None]], click.Command]:
    """Declare a command, named as its first example has it.

    What it returns is printed; one that returns something takes `--json`.

    Args:
        examples: What to type after the name of the program; they end the help.
        of: The noun that it belongs to.
    """

    def declare(function: Callable[..., Listing | Report | None]) -> click.Command:
        @functools.wraps(function)
        def run(*, as_json: bool = False, **given: Any) -> None:
            report = function(**given)
            if report is not None:
                print_report(report, as_json=as_json)

        name = examples[0].split()[1 if of else 0]
        command = click.command(name, epilog=example(*examples))(run)
        returns = inspect.signature(function).return_annotation
        assert type(None) not in get_args(returns), f"{name}: --json would print nothing at times."
        if returns is not None:
            command.params.append(JSON)
        if of is not None:
            of.add_command(command)
        return command

    return declare


def noun(says: str, shows: str) -> "NounGroup":
    """Return a noun without verbs, with its sentence and its example."""
    return NounGroup(shows.split()[0], help=says, epilog=example(shows))


def print_report(report: Listing | Report, *, as_json: bool) -> None:
    """Print what a command found.

    On a terminal columns fit the width, and NO_COLOR is respected. In a pipe a table is a line a
    row, header first, for `cut`. As JSON a table is a list of objects.

    Raises:
        BenyfitsError: What the report ends with.
    """
    if isinstance(report, Listing):
        report = Report([report], report.objects())
    if as_json:
        click.echo(json.dumps(report.content, ensure_ascii=False, indent=2, default=_plain))
    else:
        for part in report.shown:
            click.echo(part) if isinstance(part, str) else print_listing(part)
    for note in report.notes:
        say(note)
    if isinstance(report.failed, BenyfitsError):
        raise report.failed
    if report.failed:
        sys.exit(1)


def print_listing(listing: Listing) -> None:
    """Print a table: columns on a terminal, else a line a row with tabs, header first."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        for row in (listing.header, *listing.rows):
            click.echo("\t".join(" ".join(_printed(cell).split()) for cell in row))
        return
    # Plain letters only: nothing that NO_COLOR would have to turn off.
    plain: dict[str, Any] = {"header_style": "", "show_edge": False, "pad_edge": False}
    title: dict[str, Any] = {"title": listing.title or None, "title_justify": "left"}
    columns = Table(title_style="", box=SIMPLE_HEAD, **title, **plain)
    for place, name in enumerate(listing.header):
        is_numeric = all(isinstance(row[place], int | float | None) for row in listing.rows)
        justify: Literal["right", "left"] = "right" if is_numeric else "left"
        columns.add_column(name, justify=justify, overflow="fold")
    for row in listing.rows:
        columns.add_row(*(Text(_printed(cell)) for cell in row))
    console.print(columns)
    if listing.note:
        click.echo(listing.note)


def say(message: str) -> None:
    """Print a line beside the answer, on stderr."""
    click.echo(message, err=True)


def is_terminal() -> bool:
    """Return whether output goes to a terminal; `FORCE_COLOR` says yes too, as rich decides."""
    from rich.console import Console

    return Console().is_terminal


class NounGroup(click.Group):
    """A noun with its verbs; a name that stands for none is answered with the nearest ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, and the other arguments.

        Raises:
            UsageError: There is none of that name.
        """
        from benyfits_data.spelling import suggest

        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            listed = f"`{ctx.command_path} --help` names all commands."
            hint = suggest(name, self.list_commands(ctx), listed)
            ctx.fail(f"No such command {name!r}. {hint}")
        return super().resolve_command(ctx, args)


def _plain(value: Any) -> object:
    return str(value) if isinstance(value, date | Path) else asdict(value)


def _printed(cell: object) -> str:
    """Return a value as people read it: years without commas, large numbers with them."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}" if abs(cell) >= 10_000 else str(cell)
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1_000 else f"{cell:.3g}"
    if isinstance(cell, list | tuple):
        return ", ".join(map(_printed, cell))
    return "" if cell is None else cell.isoformat() if isinstance(cell, date) else str(cell)
