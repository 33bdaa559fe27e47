"""Options that mean the same in every command, the kinds of their values, and groups of verbs."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

CommandT = TypeVar("CommandT", bound=Callable[..., Any] | click.Command)
YearsT = TypeVar("YearsT", int | None, tuple[int, ...])
Layout = Literal["ours", "published"]
DEFAULT_HOUSEHOLDS = 10_000

COUNT = click.IntRange(min=1)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
"""A file that is read."""
ROWS = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
"""A file that is read, or `-` for standard input."""
NEW_FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)


def option(*names: str, **settings: Any) -> Callable[[CommandT], CommandT]:
    """Declare an option whose help names its default, as all of ours do."""
    return click.option(*names, **{"show_default": True, **settings})


def example(*lines: str) -> str:
    """Return the end of a command's help: what to type, one command a line."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def stacked(*options: Callable[[CommandT], CommandT]) -> Callable[[CommandT], CommandT]:
    """Return several options as one, in the order of the help."""

    def decorate(command: CommandT) -> CommandT:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate


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


edition_option = option(
    "--edition",
    type=int,
    callback=known_edition,
    default=newest_edition,
    show_default="the newest published",
    help="The year whose rules and amounts apply.",
)
rows_edition_option = option(
    "--edition",
    type=int,
    callback=known_edition,
    show_default="each row's own, or the newest published",
    help="The year whose rules and amounts apply.",
)
seed_option = option(
    "--seed",
    type=int,
    default=0,
    help="Starts all random draws; the same seed gives the same bytes.",
)
format_option = option(
    "--format",
    "layout",
    type=click.Choice(["ours", "published"]),
    default="ours",
    help="The layout of the file: ours, or that of the published dataset.",
)
profiles_option = option(
    "--profiles",
    type=click.Choice(["short", "full"]),
    default="short",
    help="short: what is not said is not so; full: every fact that applies, denials too.",
)
edition_folder_option = option(
    "--output", type=FOLDER, show_default="output/EDITION", help="The folder for what is built."
)
folder_option = option(
    "--output", type=FOLDER, default=Path("output"), help="The folder for what is built."
)
overwrite_option = option(
    "--overwrite", is_flag=True, help="Replace files that were not built by this command."
)
record_option = option(
    "--record",
    is_flag=True,
    help="Write the checksums of this build to CHECKSUMS in the output folder.",
)
workers_option = option(
    "--workers",
    type=COUNT,
    default=os.cpu_count() or 1,
    show_default="one a processor",
    help="Processes; results do not depend on them.",
)
solver_options = stacked(
    workers_option,
    option(
        "--households",
        type=click.IntRange(min=0),
        default=DEFAULT_HOUSEHOLDS,
        help="Households sampled first; only what none of them shows needs a proof.",
    ),
    option(
        "--cache",
        type=FOLDER,
        default=Path(".cache/prove"),
        help="Folder that keeps proofs until a checker, measure, constraint or threshold changes.",
    ),
)
"""How commands that prove ask the solver."""
prices_option = option(
    "--price",
    "prices",
    multiple=True,
    metavar="MODEL=READ,WRITTEN[,CACHED]",
    help="Dollars for a million tokens read, written, and read from the server's cache, such as "
    "openai/gpt-4o=2.5,10,1.25.",
)


class NounGroup(click.Group):
    """A noun with its verbs; a name that stands for none is answered with the nearest ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name, and the other arguments.

        Raises:
            UsageError: There is none of that name.
        """
        from benyfits_data.spelling import suggest

        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            listed = f"`{ctx.command_path} --help` names all commands."
            hint = suggest(name, self.list_commands(ctx), listed)
            ctx.fail(f"No such command {name!r}. {hint}")
        return super().resolve_command(ctx, args)
