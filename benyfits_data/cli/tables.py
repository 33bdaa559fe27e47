"""Tables of commands: columns on a terminal, tabs in a pipe, JSON or CSV when asked for."""

import csv
import json
import sys
from collections.abc import Iterable, Sequence, Sized
from datetime import date
from typing import Any, Literal

import click

from benyfits_data.cli.options import option, stacked

Form = Literal["text", "json", "csv"]
"""How a table is printed."""

json_option = option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")
table_options = stacked(
    option(
        "--json",
        "form",
        flag_value="json",
        default="text",
        show_default=False,
        help="Print JSON, for machines.",
    ),
    option(
        "--csv", "form", flag_value="csv", show_default=False, help="Print CSV, for spreadsheets."
    ),
)
"""For commands that print tables."""
markdown_option = option("--markdown", is_flag=True, help="Print Markdown.")


def count_of(things: Sized | int, name: str, plural: str = "") -> str:
    """Return how many there are in words: `1 program`, `82 programs`."""
    n = things if isinstance(things, int) else len(things)
    return f"{n:,} {name if n == 1 else plural or name + 's'}"


def some_of(names: Sequence[str], most: int = 5) -> str:
    """Return the first of some names, and how many there are beside them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def print_json(content: Any) -> None:
    """Print what a command found as JSON; days as 2026-01-31."""
    click.echo(json.dumps(content, ensure_ascii=False, indent=2, default=str))


def as_objects(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[dict[str, object]]:
    """Return the rows of a table by the names of their columns."""
    return [dict(zip(header, row, strict=True)) for row in rows]


def is_terminal() -> bool:
    """Return whether output goes to a terminal; `FORCE_COLOR` says yes too, as rich decides."""
    from rich.console import Console

    return Console().is_terminal


def print_table(
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    form: Form = "text",
    title: str | None = None,
) -> None:
    """Print a table.

    On a terminal its columns fit the width, and NO_COLOR is respected. In a pipe it is a line a
    row, header first, for `cut`. As JSON it is a list of objects.

    Args:
        header: The names of the columns.
        rows: Values by column, as they are: numbers are printed by this function.
        form: As text, JSON or CSV.
        title: Stands above it on a terminal.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [tuple(row) for row in rows]
    console = Console(highlight=False)
    if form == "json":
        print_json(as_objects(header, cells))
    elif form == "csv":
        written = csv.writer(sys.stdout, lineterminator="\n")
        written.writerows([header, *(map(_plain, row) for row in cells)])
    elif not console.is_terminal:
        for row in (header, *cells):
            click.echo("\t".join(" ".join(_printed(cell).split()) for cell in row))
    else:
        # Plain letters only: nothing that NO_COLOR would have to turn off.
        plain: dict[str, Any] = {"header_style": "", "show_edge": False, "pad_edge": False}
        table = Table(title=title, title_style="", title_justify="left", box=SIMPLE_HEAD, **plain)
        for place, name in enumerate(header):
            is_numeric = all(isinstance(row[place], int | float | None) for row in cells)
            justify: Literal["right", "left"] = "right" if is_numeric else "left"
            table.add_column(name, justify=justify, overflow="fold")
        for row in cells:
            table.add_row(*(Text(_printed(cell)) for cell in row))
        console.print(table)


def _plain(cell: object) -> object:
    """Return a value as a spreadsheet reads it: numbers as they are, lists in one cell."""
    return "; ".join(map(str, cell)) if isinstance(cell, list | tuple) else cell


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
