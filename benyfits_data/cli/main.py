"""The command `benyfits-data`: finds its subcommands by name and loads each when it is used."""

import atexit
import gc
import importlib
import importlib.util
import sys
from typing import Any

import click

from benyfits_data import __version__
from benyfits_data.errors import BenyfitsError

COMMANDS = {
    "audit": "Report impossible households and wrong labels in a dataset.",
    "bench": "Time the building steps and the readers.",
    "city": "Compare the city's own texts of its programs with ours.",
    "diverse": "Build the Diverse dataset.",
    "editions": "Prepare a new year, compare years, find stale values.",
    "eval": "Let agents talk to simulated households and score them.",
    "explain": "Say in words which clause decided a household.",
    "features": "List the facts of a household, or show one.",
    "households": "Sample possible households.",
    "label": "Label households with the checkers.",
    "mutants": "Measure how many planted faults a dataset detects.",
    "population": "Check the synthetic city, and count who is eligible.",
    "programs": "List, show and lint the benefit programs.",
    "prove": "Prove every line of the checkers reachable or dead.",
    "report": "Write one page about everything that was built.",
    "representative": "Build the Representative dataset.",
    "results": "Compare evaluation runs.",
    "sources": "List and check the sources of population figures.",
}
"""One line about each subcommand, so that help needs no import of its module."""


class LazyGroup(click.Group):
    """A group whose subcommands are imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the subcommands that are installed."""
        return [name for name in sorted(COMMANDS) if _exists(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a subcommand, or `None` when there is none of that name."""
        if cmd_name not in COMMANDS or not _exists(cmd_name):
            return None
        command = importlib.import_module(_module(cmd_name)).command
        assert isinstance(command, click.Command)
        return with_verbatim_examples(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of subcommands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and print errors of the package in one or two lines.

        Exits with 1 for such an error, with 2 for a usage error.
        """
        try:
            return super().main(*args, **kwargs)
        except BenyfitsError as error:
            if "--debug" in (kwargs.get("args") or (args[0] if args else None) or sys.argv[1:]):
                raise
            click.echo(f"Error: {error}", err=True)
            sys.exit(1)


def with_verbatim_examples(command: click.Command) -> click.Command:
    r"""Return a command whose help keeps marked paragraphs as written, in subcommands too.

    Click leaves a paragraph after a backspace character alone. Docstrings are raw, as linters want
    them, and say `\b` in two characters instead.
    """
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            with_verbatim_examples(subcommand)
    return command


def _module(name: str) -> str:
    return f"benyfits_data.cli.{name}"


def _exists(name: str) -> bool:
    return importlib.util.find_spec(_module(name)) is not None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="benyfits-data")
@click.option("--debug", is_flag=True, help="Show the whole traceback of an error.")
def main(debug: bool) -> None:
    r"""Build, prove, run and maintain BeNYfits: who may claim which of 82 city benefits.

    \b
    Example:
      benyfits-data programs show FairFaresNYC
    """


with_verbatim_examples(main)
# To look for garbage at the end of a build takes a quarter of a second; memory is freed anyway.
atexit.register(gc.freeze)
