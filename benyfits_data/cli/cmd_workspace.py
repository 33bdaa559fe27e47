"""`benyfits-data init`: a workspace for editions and programs of one's own."""

from pathlib import Path

import click

from benyfits_data.cli.options import FOLDER, example


@click.command(epilog=example("benyfits-data init my-benefits"))
@click.argument("folder", type=FOLDER)
def command(folder: Path) -> None:
    """Make a workspace: a folder for editions and programs of one's own.

    Commands run in it, or in a folder below it, read its programs and editions over those of the
    package, and write there. BENYFITS_WORKSPACE names a workspace from anywhere.
    """
    from benyfits_data.editions.workspace import init_workspace

    init_workspace(folder)
    click.echo(f"{folder} is a workspace", err=True)
    click.echo(f"next: cd {folder}; benyfits-data editions new YEAR --from YEAR", err=True)
