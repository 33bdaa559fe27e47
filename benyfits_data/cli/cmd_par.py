"""`benyfits-data par`: the fewest questions of each row."""

from pathlib import Path

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, option, say, verb
from benyfits_data.progress import progress
from benyfits_data.wording import count_of


@verb(
    "par output/2026/diverse.jsonl",
    "par output/2026/diverse.jsonl --check",
    "par output/2026/representative-25.jsonl --write",
)
@click.argument("file", type=options.FILE)
@option("--check", is_flag=True, help="Compute all anew, and repeat each proof with other code.")
@option("--write", is_flag=True, help="Keep them in NAME.par.jsonl beside the file.")
@options.workers
def par(file: Path, check: bool, write: bool, workers: int) -> Report:
    """Print the fewest questions whose answers force all labels that a row asks for (par).

    Par is exact. A question asks for the number of members, or for one fact of one member or of
    the household. Taken as known are the applicant, what makes a household possible, and that it
    has at most six members, or as many as the row's. FILE is a dataset in our layout. What this
    package or NAME.par.jsonl beside FILE holds, or was computed before, is computed again with
    --check only. docs/benchmark.md explains par.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.par import par_path, row_digest, summarize_par, write_par
    from benyfits_data.recorded import complete_par, known_par

    rows = read_rows(file)
    known = complete_par(rows, known_par(file), progress, workers, check=check)
    fewest = [known[row_digest(row)] for row in rows]
    if write:
        beside = par_path(file)
        write_par(beside, fewest)
        say(f"{beside}: {count_of(fewest, 'row')}")
    summary = summarize_par(fewest)
    table: list[tuple[object, ...]] = [
        (row.id, len(row.household.members), len(row.programs), par.turns)
        for row, par in zip(rows, fewest, strict=True)
    ]
    table += [
        (figure, None, None, summary[figure]) for figure in ("mean", "median", "max") if summary
    ]
    content = {"rows": {par.id: par.turns for par in fewest}, "par": summary}
    return Report([Listing(("row", "members", "programs", "par"), table)], content)
