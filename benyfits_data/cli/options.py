"""Options that mean the same in every command."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

CommandT = TypeVar("CommandT", bound=Callable[..., Any] | click.Command)
DEFAULT_EDITION = 2024


def option(*names: str, **settings: Any) -> Callable[[CommandT], CommandT]:
    """Declare an option whose help names its default, as all of ours do."""
    return click.option(*names, **{"show_default": True, **settings})


def example(*lines: str) -> str:
    """Return the end of a command's help: what to type, one command a line."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


edition_option = option(
    "--edition", type=int, default=DEFAULT_EDITION, help="The year whose rules and amounts apply."
)
seed_option = option("--seed", type=int, default=0, help="Same seed, same bytes.")
format_option = option(
    "--format",
    "layout",
    type=click.Choice(["ours", "published"]),
    default="ours",
    help="The layout of the file: ours, or that of the published dataset.",
)
folder_option = option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("output"),
    help="The folder for what is built.",
)
overwrite_option = option(
    "--overwrite", is_flag=True, help="Replace files that were not built by this command."
)
jobs_option = option(
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="Processes.",
)
patience_option = option(
    "--patience",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    help="Seconds given to one question.",
)
proofs_option = option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".cache/prove"),
    help="Folder that keeps proofs until a checker, measure, constraint or threshold changes.",
)
