"""`benyfits-data explain`: which clause decided, in words."""

from dataclasses import asdict
from pathlib import Path

import click

from benyfits_data.cli.options import FILE, example, option
from benyfits_data.cli.tables import json_option, print_json
from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.language.explain import explain
from benyfits_data.spelling import suggest


@click.command(
    epilog=example("benyfits-data explain output/diverse.jsonl diverse-2024-01 FairFaresNYC IDNYC")
)
@click.argument("dataset", type=FILE)
@click.argument("identifier", metavar="ID")
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@option("--edition", type=int, help="The year whose rules apply; by default the household's.")
@json_option
def command(
    dataset: Path, identifier: str, programs: tuple[str, ...], edition: int | None, as_json: bool
) -> None:
    """Explain why household ID of DATASET is eligible for each PROGRAM or not.

    Every condition that the checker asked is told in words, with the household's values and the
    thresholds; a star marks those on which the answer hangs. Without PROGRAM, all that the
    household asks about.
    """
    rows = read_rows(dataset)
    row = next((row for row in rows if row.id == identifier), None)
    if row is None:
        known = f"{rows[0].id} to {rows[-1].id}" if rows else "no households at all"
        hint = suggest(identifier, [row.id for row in rows], "Name one of those.")
        raise DatasetFormatError(
            f"{dataset} has no household {identifier!r}, but {known}. {hint}",
            path=dataset,
            id=identifier,
        )
    rules = load_edition(edition or row.edition)
    found = [explain(rules.program(name), row.household) for name in programs or row.programs]
    if as_json:
        print_json([asdict(it) | {"summary": it.summary} for it in found])
    else:
        click.echo("\n\n".join(f"{identifier}, {it}" for it in found))
