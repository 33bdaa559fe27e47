"""`benyfits-data mutants`: would a dataset notice a wrong checker?"""

from pathlib import Path

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, option, verb
from benyfits_data.progress import progress
from benyfits_data.wording import count_of


@verb("mutants output/2026/diverse.jsonl output/2026/representative.jsonl")
@click.argument("datasets", nargs=-1, type=options.FILE)
@options.rows_edition
@options.layout
@options.solver
@option("--program", "programs", multiple=True, help="Only this program; may be given repeatedly.")
@option("--missed", is_flag=True, help="List every mutant that a dataset does not detect.")
@option("--output", type=options.FOLDER, help="Write tables there too, for the site.")
def command(
    datasets: tuple[Path, ...],
    edition: int | None,
    layout: options.Layout,
    workers: int,
    households: int,
    programs: tuple[str, ...],
    missed: bool,
    output: Path | None,
) -> Report:
    """Measure what a dataset notices: lines, branches, independence pairs, wrong checkers.

    Every checker is changed by one plausible mistake at a time: a boundary, a threshold, a dropped
    clause, another feature. A dataset detects such a mutant if one of its pairs of a household and
    a program gets another answer. It covers an independence pair if a condition decides alone both
    by holding and by failing: were it turned over, the checker would answer otherwise. What Z3
    proves impossible is left out: mutants that change no possible household's answer, and
    conditions that never decide alone. Without DATASETS they are only counted.
    """
    from benyfits_data.adequacy.set_comparison import ALL, compare_sets, edition_of_all
    from benyfits_data.dataset import read_partial_rows, to_csv
    from benyfits_data.editions import load_edition
    from benyfits_data.staged_writes import write_files

    rows_of = {str(path): list(read_partial_rows(path, layout)) for path in datasets}
    rules = load_edition(edition or edition_of_all(rows_of))
    asked = {"households": households, "workers": workers}
    sets = compare_sets(rows_of, rules, programs, **asked, progress=progress)
    header, rows = sets.table()
    stems = {str(path): path.stem for path in datasets}
    if len({*stems.values()}) == len(stems):
        header = tuple(stems.get(column, column) for column in header)
    table = Listing(header, rows)
    escaped = list(sets.missed())
    if output is not None:
        columns = ("data set", "program", "where", "mistake", "change")
        files = {"mutants.csv": to_csv(table.header, rows)}
        write_files(output, files | {"mutants.missed.csv": to_csv(columns, escaped)})
    lines = ["{} misses {} {}: {}: {}".format(*fields) for fields in escaped] if missed else []
    made = sets.counts()[ALL]
    summary = (
        f"{count_of(made.total(), 'mutant')} of the checkers of {rules.year}: "
        f"{made['shown']} wrong, {made['impossible']} proven equivalent, {made['unknown']} unknown"
    )
    content = sets.as_json() | ({"missed": lines} if missed else {})
    return Report([summary, table, *lines], content)
