"""Options that mean the same in every command, and the kinds of their values."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from benyfits_data.cli.frame import CommandT, option, stacked

YearsT = TypeVar("YearsT", int | None, tuple[int, ...])
Layout = Literal["ours", "published"]
DEFAULT_HOUSEHOLDS = 10_000

COUNT = click.IntRange(min=1)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that is read."""
ROWS = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
"""A file that is read, or `-` for standard input."""
PLACE = click.Path(exists=True, path_type=Path)
"""A file or a folder that is read."""
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


def newest_edition() -> int:
    """Return the newest published edition, when a command asks for it: help needs no edition."""
    from benyfits_data.editions import DEFAULT_EDITION

    return DEFAULT_EDITION


def known_edition(context: click.Context, parameter: click.Parameter, given: YearsT) -> YearsT:
    """Refuse editions that nobody knows before anything else is loaded."""
    del context, parameter
    if given is not None:
        from benyfits_data.editions import check_edition

        for year in given if isinstance(given, tuple) else (given,):
            check_edition(year)
    return given


def year(
    shown: str, help: str = "The year whose rules and amounts apply.", **settings: Any
) -> Callable[[CommandT], CommandT]:
    """Declare the option of an edition, with the default that its help shows."""
    settings |= {"type": int, "callback": known_edition, "show_default": shown, "help": help}
    return option("--edition", **settings)


edition = year("the newest published", default=newest_edition)
rows_edition = year("each row's own, or the newest published")
seed = option(
    "--seed",
    type=int,
    default=0,
    help="Starts all random draws; the same seed gives the same bytes.",
)
layout = option(
    "--format",
    "layout",
    type=click.Choice(["ours", "published"]),
    default="ours",
    help="The layout of the file: ours, or that of the published dataset.",
)
profiles = option(
    "--profiles",
    type=click.Choice(["short", "full"]),
    default="short",
    help="short: what is not said is not so; full: every fact that applies, denials too.",
)
edition_folder = option(
    "--output", type=FOLDER, show_default="output/EDITION", help="The folder for what is built."
)
folder = option(
    "--output", type=FOLDER, default=Path("output"), help="The folder for what is built."
)
households_file = option(
    "--output", type=NEW_FILE, required=True, help="The file for the households."
)
overwrite = option(
    "--overwrite", is_flag=True, help="Replace files that were not built by this command."
)
record = option(
    "--record",
    is_flag=True,
    help="Write the checksums of this build to CHECKSUMS in the output folder.",
)
workers = option(
    "--workers",
    type=COUNT,
    default=os.cpu_count() or 1,
    show_default="one a processor",
    help="Processes; results do not depend on them.",
)
solver = stacked(
    workers,
    option(
        "--households",
        type=click.IntRange(min=0),
        default=DEFAULT_HOUSEHOLDS,
        help="Households sampled first; only what none of them shows needs a proof.",
    ),
)
"""How commands that prove ask the solver."""
build = stacked(edition, seed, edition_folder, overwrite, record)
"""Options of every command that builds a set."""
