"""`benyfits-data report`: the page of everything that was built."""

from pathlib import Path

import click


@click.command(epilog="Example: benyfits-data report --output output")
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default="output",
    show_default=True,
    help="Folder that holds what was built; the page is written there.",
)
def command(output: Path) -> None:
    """Draw report.html, one self-contained page, from whatever lies in the output folder."""
    from benyfits_data.dataset import write_atomically
    from benyfits_data.report.page import build_page

    path = output / "report.html"
    write_atomically(path, build_page(output))
    click.echo(f"{path}", err=True)
