"""`benyfits-data par` and `planner`: the fewest questions of each row, and the planner's."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import FILE, example, option, workers_option
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import (
    Form,
    as_objects,
    count_of,
    json_option,
    print_json,
    print_table,
    some_of,
    table_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benyfits_data.dataset import Row
    from benyfits_data.par import RowPar
    from benyfits_data.par.tracks import Track

tracks_option = option(
    "--track",
    "tracks",
    type=click.Choice(["one", "roster", "who", "all"]),
    multiple=True,
    show_default="each of them",
    help="What a question may ask for; may be repeated.",
)


@click.command(
    epilog=example(
        "benyfits-data par output/2026/diverse.jsonl",
        "benyfits-data par output/2026/diverse.jsonl --track one --check",
        "benyfits-data par output/2026/representative-25.jsonl --write",
    )
)
@click.argument("file", type=FILE)
@tracks_option
@option("--check", is_flag=True, help="Compute all anew, and repeat each proof with other code.")
@option("--write", is_flag=True, help="Keep them in NAME.par.jsonl beside the file.")
@workers_option
@table_options
def par(
    file: Path,
    tracks: "tuple[Track, ...]",
    check: bool,
    write: bool,
    workers: int,
    form: Form,
) -> None:
    """Print the fewest questions whose answers force all labels that a row asks for (par).

    Par is exact, for each track: for each kind of question that may be asked. Taken as known are
    the applicant, what makes a household possible, and that it has at most six members, or as many
    as the row's. FILE is a dataset in our layout. What this package or NAME.par.jsonl beside FILE
    holds, or was computed before, is computed again with --check only. docs/benchmark.md explains
    par.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.par import par_path, summarize_par, write_par
    from benyfits_data.par.tracks import TRACKS

    asked, rows = tracks or TRACKS, read_rows(file)
    fewest = _floors(file, rows, asked, workers, check=check)
    if write:
        beside = par_path(file)
        write_par(beside, fewest)
        click.echo(f"{beside}: {count_of(fewest, 'row')}", err=True)
    summary = summarize_par(fewest)
    summary = {track: one for track, one in summary.items() if track in asked}
    if form == "json":
        turns = {
            row.id: {track: row.turns[track] for track in TRACKS if track in asked}
            for row in fewest
        }
        print_json({"rows": turns, **summary})
        return
    table: list[tuple[Any, ...]] = [
        (
            row.id,
            len(row.household.members),
            len(row.programs),
            *(floor.turns[track] for track in summary),
        )
        for row, floor in zip(rows, fewest, strict=True)
    ]
    for figure in ("mean", "median", "max"):
        table.append((figure, None, None, *(one[figure] for one in summary.values())))
    print_table(("row", "members", "programs", *summary), table, form=form)


@click.command(epilog=example("benyfits-data planner output/2026/representative-25.jsonl"))
@click.argument("file", type=FILE)
@tracks_option
@workers_option
@json_option
def planner(file: Path, tracks: "tuple[Track, ...]", workers: int, as_json: bool) -> None:
    """Print how many questions the planner asks, beside the fewest possible (par).

    For each track: mean, median and more over the rows of FILE. Then the rows farthest over par,
    with the first of the questions that were not needed; --json names all of them.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.par.tracks import TRACKS
    from benyfits_data.planner.simulation import FARTHEST, TURNS, compare_with_par

    asked, rows = tracks or TRACKS, read_rows(file)
    fewest = _floors(file, rows, asked, workers)
    with progress("planner", len(rows)) as tick:
        turns, farthest = compare_with_par(rows, fewest, asked, workers, tick)
    if as_json:
        print_json({"turns": as_objects(TURNS, turns), "farthest": as_objects(FARTHEST, farthest)})
        return
    print_table(TURNS, turns)
    shown = [(*figures, some_of(spare)) for *figures, spare in farthest]
    print_table(FARTHEST, shown, title="Farthest over par")


def _floors(
    file: Path,
    rows: "Sequence[Row]",
    tracks: "Sequence[Track]",
    workers: int,
    *,
    check: bool = False,
) -> "list[RowPar]":
    """Return the floors of rows."""
    from benyfits_data.evaluation.row_par import complete_par, known_par
    from benyfits_data.par import row_digest

    known = complete_par(rows, known_par(file), tracks, progress, workers, check=check)
    return [known[row_digest(row)] for row in rows]
