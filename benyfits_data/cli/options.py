"""Options that mean the same in every command."""

from pathlib import Path

import click

DEFAULT_EDITION = 2024

edition_option = click.option(
    "--edition",
    type=int,
    default=DEFAULT_EDITION,
    show_default=True,
    help="The year whose rules and amounts apply.",
)
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Same seed, same bytes."
)
format_option = click.option(
    "--format",
    "layout",
    type=click.Choice(["ours", "published"]),
    default="ours",
    show_default=True,
    help="The layout of the file: ours, or that of the published dataset.",
)
folder_option = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("output"),
    show_default=True,
    help="The folder for what is built.",
)
overwrite_option = click.option(
    "--overwrite", is_flag=True, help="Replace files that were not built by this command."
)
