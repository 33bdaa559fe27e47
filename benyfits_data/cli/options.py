"""Options that mean the same in every command."""

import os
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
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="Processes.",
)
patience_option = click.option(
    "--patience",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds given to one question.",
)
proofs_option = click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".cache/prove"),
    show_default=True,
    help="Folder that keeps proofs until a checker, measure, constraint or threshold changes.",
)
