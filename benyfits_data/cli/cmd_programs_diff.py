"""`benyfits-data programs diff`: what two editions ask, and whose answer changes."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import (
    FILE,
    example,
    folder_option,
    option,
    patience_option,
    seed_option,
)
from benyfits_data.cli.tables import json_option, print_json

if TYPE_CHECKING:
    from benyfits_data.upkeep.edition_diff import Flips

FRAGMENT = Path("fragments") / "programs-diff.html"


@click.command(epilog=example("benyfits-data programs diff 2024 2026 FairFaresNYC ThreeK"))
@click.argument("old", type=int)
@click.argument("new", type=int)
@click.argument("programs", nargs=-1)
@option(
    "--as",
    "form",
    type=click.Choice(["terminal", "markdown"]),
    default="terminal",
    help="What is printed.",
)
@json_option
@option(
    "--city",
    "n_city",
    type=click.IntRange(min=0),
    default=20_000,
    help="Synthetic New York City households asked under both editions; 0 asks none.",
)
@seed_option
@option(
    "--households",
    "file",
    type=FILE,
    help="Ask the households of this dataset instead of synthetic ones.",
)
@option("--dataset", type=FILE, help="Name the rows of this dataset whose labels change.")
@option("--witnesses/--no-witnesses", default=True, help="Search example households.")
@patience_option
@folder_option
def command(
    old: int,
    new: int,
    programs: tuple[str, ...],
    form: str,
    as_json: bool,
    n_city: int,
    seed: int,
    file: Path | None,
    dataset: Path | None,
    witnesses: bool,
    patience: float,
    output: Path,
) -> None:
    """Compare editions OLD and NEW: texts side by side, values with sources, whose answer changes.

    Without PROGRAMS, all of them; those that did not change are only counted. A page of the
    report with the same content is written to OUTPUT/fragments/programs-diff.html.
    """
    from benyfits_data.dataset import read_rows, write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.household.columns import Households
    from benyfits_data.language.z3_backend import World
    from benyfits_data.upkeep.edition_diff import compare, count_flips
    from benyfits_data.upkeep.edition_diff_report import EditionDiff, as_content, render_diff
    from benyfits_data.upkeep.witnesses import find_witness

    editions = load_edition(old), load_edition(new)
    comparisons = compare(*editions, programs)
    moved = [it.name for it in comparisons if it.kind in ("rule", "amount")]

    def flips_in(path: Path) -> "dict[str, Flips]":
        rows = read_rows(path)
        households = Households.from_households([row.household for row in rows])
        return count_flips(*editions, households, moved, [row.id for row in rows])

    city: dict[str, Flips] = {}
    if file is not None:
        city = flips_in(file)
    elif n_city:
        from benyfits_data.population.synthesis import synthesize

        city = count_flips(*editions, synthesize(n_city, seed), moved)
    found = {}
    if witnesses and moved:
        world = World(patience)
        for name in moved:
            pair = editions[0].program(name), editions[1].program(name)
            found[name] = [find_witness(*pair, "gains", world), find_witness(*pair, "loses", world)]
    rows = {} if dataset is None else flips_in(dataset)
    report = EditionDiff((old, new), comparisons, found, city, rows)
    if as_json:
        print_json(as_content(report))
    else:
        width = min(160, shutil.get_terminal_size().columns)
        shown = render_diff(report, "md" if form == "markdown" else "txt", width)
        click.echo(shown, nl=False)
    write_atomically(output / FRAGMENT, render_diff(report, "html"))
    click.echo(f"{output / FRAGMENT}", err=True)
