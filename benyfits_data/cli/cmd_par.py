"""`benyfits-data par`: the fewest questions that force the labels of each row."""

from pathlib import Path
from typing import Any

import click

from benyfits_data.cli.options import COUNT, FILE, example, option
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import json_option, print_json, print_table
from benyfits_data.par.tracks import TRACKS, Track


@click.command(
    epilog=example(
        "benyfits-data par output/diverse.jsonl",
        "benyfits-data par output/diverse.jsonl --track one --check",
        "benyfits-data par output/representative-25.jsonl --write",
        "benyfits-data par output/representative-25.jsonl --planner",
    )
)
@click.argument("file", type=FILE)
@option(
    "--track",
    "tracks",
    type=click.Choice(TRACKS),
    multiple=True,
    help="What a question may ask for; all of them unless given.",
)
@option("--check", is_flag=True, help="Have each floor checked by Z3, real households and CPython.")
@option(
    "--planner",
    is_flag=True,
    help="Print the planner's questions beside the fewest instead, and what it asks too much.",
)
@option("--write", is_flag=True, help="Keep the floors in NAME.par.jsonl beside the file.")
@option("--workers", type=COUNT, show_default="one a processor", help="Processes.")
@json_option
def command(
    file: Path,
    tracks: tuple[Track, ...],
    check: bool,
    planner: bool,
    write: bool,
    workers: int | None,
    as_json: bool,
) -> None:
    """Print the fewest questions that force all labels a row asks for: exact, for each track.

    Known without asking: that there is an applicant, what makes a household possible, and that it
    has at most six members, or as many as the row's if that is more. docs/par.md says more. FILE
    is a dataset in our layout; what NAME.par.jsonl beside it holds is not computed again, unless
    it is to be checked.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.par import (
        compute_par,
        join_par,
        par_path,
        read_par,
        row_digest,
        rows_without,
        summarize_par,
        write_par,
    )

    if planner and check:
        raise click.UsageError("--check checks par, which --planner only prints: leave one out.")
    asked, rows, beside = tracks or TRACKS, read_rows(file), par_path(file)
    known = read_par(beside)
    missing = rows if check else rows_without(rows, known, asked)
    if missing:
        with progress("par", len(missing)) as tick:
            known = join_par(known, compute_par(missing, asked, workers, tick, check=check))
    found = [known[row_digest(row)] for row in rows]
    if write:
        write_par(beside, found)
        click.echo(f"{beside}: {len(found)} rows", err=True)
    if planner:
        from benyfits_data.cli.par_planner import show_planner

        with progress("planner", len(rows)) as tick:
            show_planner(rows, found, asked, workers, tick, as_json=as_json)
        return
    summary = summarize_par(found)
    summary = {track: one for track, one in summary.items() if track in asked}
    if as_json:
        turns = {
            row.id: {track: row.turns[track] for track in TRACKS if track in asked} for row in found
        }
        print_json({"rows": turns, **summary})
        return
    table: list[tuple[Any, ...]] = [
        (
            row.id,
            len(row.household.members),
            len(row.programs),
            *(own.turns[track] for track in summary),
        )
        for row, own in zip(rows, found, strict=True)
    ]
    for figure in ("mean", "median", "max"):
        table.append((figure, None, None, *(one[figure] for one in summary.values())))
    print_table(("row", "members", "programs", *summary), table)
