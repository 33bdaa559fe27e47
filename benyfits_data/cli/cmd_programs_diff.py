"""`benyfits-data programs diff`: what two editions ask, and whose answer changes."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import example, folder_option, option, seed_option

if TYPE_CHECKING:
    from benyfits_data.editions import Edition
    from benyfits_data.upkeep.edition_diff import Flips
    from benyfits_data.upkeep.witnesses import Witness

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
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Ask the households of this dataset instead of synthetic ones.",
)
@option(
    "--dataset",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Name the rows of this dataset whose labels change.",
)
@option("--witnesses/--no-witnesses", default=True, help="Search example households.")
@option(
    "--patience",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    help="Seconds given to one question to the solver.",
)
@folder_option
def command(
    old: int,
    new: int,
    programs: tuple[str, ...],
    form: str,
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
    from benyfits_data.upkeep.edition_diff import compare, count_flips, flipped
    from benyfits_data.upkeep.edition_diff_report import EditionDiff, render_diff

    before, after = load_edition(old), load_edition(new)
    comparisons = compare(before, after, programs)
    moved = [it.name for it in comparisons if it.kind in ("rule", "amount")]
    city: Mapping[str, Flips] = {}
    if file is not None:
        people = Households.from_households([row.household for row in read_rows(file)])
        city = count_flips(flipped(before, after, people, moved))
    elif n_city:
        from benyfits_data.population.synthesis import synthesize

        city = count_flips(flipped(before, after, synthesize(n_city, seed), moved))
    flips: Mapping[str, Flips] = {}
    if dataset is not None:
        rows = read_rows(dataset)
        people = Households.from_households([row.household for row in rows])
        flips = count_flips(flipped(before, after, people, moved), [row.id for row in rows])
    found = _witnesses(before, after, moved, patience) if witnesses else {}
    report = EditionDiff((old, new), comparisons, found, city, flips)
    width = min(160, shutil.get_terminal_size().columns)
    shown = render_diff(report, "md" if form == "markdown" else "txt", width)
    click.echo(shown, nl=False)
    write_atomically(output / FRAGMENT, render_diff(report, "html"))
    click.echo(f"{output / FRAGMENT}", err=True)


def _witnesses(
    before: "Edition", after: "Edition", names: Sequence[str], patience: float
) -> dict[str, list["Witness"]]:
    """Return for each program a household that gains it and one that loses it, or the proofs."""
    from benyfits_data.language.z3_backend import World
    from benyfits_data.upkeep.witnesses import find_witness

    world = World(patience)
    found = {}
    for name in names:
        old, new = before.program(name), after.program(name)
        found[name] = [
            find_witness(old, new, "gains", world),
            find_witness(old, new, "loses", world),
        ]
    return found
