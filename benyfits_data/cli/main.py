"""The command `benyfits-data`: finds its subcommands by name and loads each when it is used."""

import importlib
import os
import sys
from typing import Any

import click

from benyfits_data.cli.frame import NounGroup, example, option
from benyfits_data.errors import BenyfitsError, extras_named
from benyfits_data.version import __version__

SECTIONS = {
    "Datasets": {
        "diverse": "Build the Diverse set: every line of every checker.",
        "representative": "Build the Representative set: a sample of the synthetic city.",
        "representative-25": "Build the Representative set of the paper's design.",
        "thorough": "Build the set that detects wrong checkers.",
        "households": "Sample households, measure their plausibility.",
        "label": "Label any households with the checkers.",
        "audit": "Report impossible households and wrong labels.",
        "explain": "Say in words which clause decided a label.",
    },
    "Agents": {
        "eval": "Let agents talk to simulated households and score them.",
        "results": "Print the scores of evaluation runs.",
        "judge": "Judge programs of a folder: run, then proven.",
        "chat": "Open a page on which a person talks with an agent.",
        "study": "Repeat the paper's studies of readers and users.",
    },
    "Rules": {
        "programs": "List, show, compare, check and begin benefit programs.",
        "features": "List the facts of a household, or show one.",
        "editions": "Prepare, fill in, compare and publish a year's rules.",
        "init": "Make a workspace for editions and programs of one's own.",
    },
    "The synthetic city": {
        "population": "Draw and check the city, count who is eligible.",
        "sources": "List and check the sources of population figures.",
    },
    "Publishing": {
        "site": "Write a static site of everything that was built.",
        "publish": "Write everything that a release needs.",
    },
    "For developers of the benchmark": {
        "mutants": "Measure how many planted faults a dataset detects.",
        "par": "Compute the fewest questions that force a row's labels.",
        "prove": "Prove which lines of checkers can run.",
    },
}
"""Every command, with a sentence: help imports no module of a command."""
MODULES = {
    "representative-25": "representative",
    "thorough": "diverse",
    "label": "labels",
    "audit": "labels",
    "explain": "labels",
    "init": "editions",
    "site": "publishing",
    "publish": "publishing",
}
"""Commands whose module is named otherwise: `cmd_labels`."""


class Main(NounGroup):
    """The commands of this package, imported when they run; their errors are one or two lines."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, section by section."""
        return [name for listed in SECTIONS.values() for name in listed]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or `None` when there is none of that name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = MODULES.get(cmd_name, cmd_name)
        module = importlib.import_module(f"benyfits_data.cli.cmd_{name}")
        held = (value for value in vars(module).values() if isinstance(value, click.Command))
        return next(command for command in held if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a table of commands for each section."""
        for title, listed in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(listed.items()))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and print errors of the package and of files in one or two lines.

        Exits with 1 for such an error, with 2 for a usage error.
        """
        # Work is spread over processes; threads of linear algebra would wait for one another.
        # NumPy reads this when it is imported, which no module of a command does before.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            with extras_named():
                return super().main(*args, **kwargs)
        except (BenyfitsError, OSError) as error:
            if "--debug" in (kwargs.get("args") or (args[0] if args else None) or sys.argv[1:]):
                raise
            says = str(error)
            if isinstance(error, OSError) and error.filename:
                says = f"{error.filename}: {error.strerror}."
            click.echo(f"Error: {says}", err=True)
            sys.exit(1)


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("programs show FairFaresNYC"),
)
@click.version_option(__version__, prog_name="benyfits-data")
@option("--debug", is_flag=True, help="Show the whole traceback of an error.")
def main(debug: bool) -> None:
    """Build and run BeNYfits, a benchmark of agents that ask who may claim which benefits.

    An agent questions a household, and says for which of 82 New York City programs it qualifies.
    """
