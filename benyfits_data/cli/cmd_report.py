"""`benyfits-data report`: the page of everything that was built."""

from pathlib import Path

import click

from benyfits_data.cli.finish import write_page
from benyfits_data.cli.options import option


@click.command(epilog="Example: benyfits-data report --output output")
@option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default="output",
    help="Folder that holds what was built; the page is written there.",
)
def command(output: Path) -> None:
    """Draw report.html, one self-contained page, from whatever lies in the output folder."""
    from benyfits_data.staged_writes import staged

    with staged(output) as stage:
        write_page(output, stage)
    click.echo(f"{output / 'report.html'}", err=True)
