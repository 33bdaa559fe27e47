"""`benyfits-data explain`: which clause decided, in words."""

from pathlib import Path

import click

from benyfits_data.cli.options import example, option
from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.language.explain import explain


@click.command(
    epilog=example("benyfits-data explain output/diverse.jsonl diverse-2024-01 FairFaresNYC")
)
@click.argument("dataset", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("identifier", metavar="ID")
@click.argument("program")
@option("--edition", type=int, help="The year whose rules apply; by default the household's.")
def command(dataset: Path, identifier: str, program: str, edition: int | None) -> None:
    """Explain why household ID of DATASET is eligible for PROGRAM or not.

    Every condition that the checker asked is told in words, with the household's values and the
    thresholds; a star marks those on which the answer hangs.
    """
    rows = read_rows(dataset)
    row = next((row for row in rows if row.id == identifier), None)
    if row is None:
        known = f"{rows[0].id} to {rows[-1].id}" if rows else "no households at all"
        raise DatasetFormatError(
            f"{dataset} has no household {identifier!r}, but {known}. Name one of those.",
            path=dataset,
            id=identifier,
        )
    chosen = load_edition(edition or row.edition).program(program)
    click.echo(f"{identifier}, {explain(chosen, row.household)}")
