"""`benyfits-data par`: the fewest questions that force the labels of each row."""

from pathlib import Path
from typing import Any

import click

from benyfits_data.cli.options import COUNT, FILE, NEW_FILE, example, option
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import json_option, print_json, print_table
from benyfits_data.par.tracks import TRACKS, Track


@click.command(
    epilog=example(
        "benyfits-data par output/diverse.jsonl",
        "benyfits-data par output/diverse.jsonl --track one --check",
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
@option("--output", type=NEW_FILE, help="Write the rows with their floors.")
@option("--workers", type=COUNT, show_default="one a processor", help="Processes.")
@json_option
def command(
    file: Path,
    tracks: tuple[Track, ...],
    check: bool,
    planner: bool,
    output: Path | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Print the fewest questions that force all labels a row asks for: exact, for each track.

    Known without asking: that there is an applicant, what makes a household possible, and that it
    has at most six members, or as many as the row's if that is more. docs/par.md says more. FILE
    is a dataset in our layout.
    """
    from benyfits_data.dataset import read_rows, write_rows
    from benyfits_data.dataset.building import par_summary, with_floors

    if planner and (check or output):
        raise click.UsageError("--planner only prints: leave out --check and --output.")
    rows = read_rows(file)
    if planner:
        from benyfits_data.cli.par_planner import show_planner

        with progress("par and planner", len(rows)) as tick:
            show_planner(rows, tracks or TRACKS, workers, tick, as_json=as_json)
        return
    with progress("par", len(rows)) as tick:
        rows = with_floors(rows, tracks or TRACKS, workers, tick, check=check)
    summary = par_summary(rows)
    if as_json:
        print_json({"rows": {row.id: row.par for row in rows}, **summary})
    else:
        table: list[tuple[Any, ...]] = [
            (
                row.id,
                len(row.household.members),
                len(row.programs),
                *(row.par.get(track) for track in summary),
            )
            for row in rows
        ]
        for figure in ("mean", "median", "max"):
            table.append((figure, None, None, *(one[figure] for one in summary.values())))
        print_table(("row", "members", "programs", *summary), table)
    if output is not None:
        write_rows(output, rows)
