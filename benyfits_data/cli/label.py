"""`benyfits-data label`: what our checkers say of any households."""

import json
from pathlib import Path

import click

from benyfits_data.cli.options import format_option, overwrite_option


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option
@click.option(
    "--edition",
    type=int,
    help="The year whose rules apply.  [default: each row's own, or 2024]",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file for the labels.",
)
@overwrite_option
def command(file: Path, layout: str, edition: int | None, output: Path, overwrite: bool) -> None:
    r"""Label households with our checkers: one JSON line each, in the order of the file.

    FILE is JSON Lines in our layout or the published one. Rows may be partial, down to
    {"members": [{"age": 30}]}: facts not told take defaults that fit those told.

    \b
    Example:
      benyfits-data label households.jsonl --output labels.jsonl
    """
    from benyfits_data.dataset import (
        check_replaceable,
        label_row,
        read_partial_rows,
        write_atomically,
    )

    check_replaceable([output], {}, overwrite=overwrite)
    lines, impossible = [], 0
    for row in read_partial_rows(file, "published" if layout == "published" else "ours"):
        lines.append(json.dumps({"id": row.id, "labels": label_row(row, edition)}) + "\n")
        impossible += bool(row.outside or row.household().violations())
    write_atomically(output, "".join(lines))
    click.echo(f"{output}: {len(lines)} households labelled", err=True)
    if impossible:
        click.echo(f"{impossible} of them are impossible; `benyfits-data audit` says why", err=True)
