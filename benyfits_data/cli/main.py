"""The command `benyfits-data`: finds its subcommands by name and loads each when it is used."""

import importlib
import os
import sys
from typing import Any, NamedTuple

import click

from benyfits_data.cli.options import NounGroup, example, option
from benyfits_data.errors import BenyfitsError
from benyfits_data.version import __version__


class Place(NamedTuple):
    """Where a command is defined, and what help says of it without importing that.

    Attributes:
        module: A module `cmd_MODULE` of this package.
        says: One sentence.
        name: What the module calls the command.
    """

    module: str
    says: str
    name: str = "command"


SECTIONS = {
    "Datasets": {
        "diverse": Place(
            "diverse", "Build the Diverse set: every line of every checker.", "diverse"
        ),
        "representative": Place(
            "representative",
            "Build the Representative set: a sample of the synthetic city.",
            "survey",
        ),
        "representative-25": Place(
            "representative", "Build the Representative set of the paper's design.", "repeats"
        ),
        "thorough": Place("diverse", "Build the set that detects wrong checkers.", "thorough"),
        "households": Place("households", "Sample households, measure their plausibility."),
        "label": Place("labels", "Label any households with the checkers.", "label"),
        "audit": Place("labels", "Report impossible households and wrong labels.", "audit"),
        "explain": Place("labels", "Say in words which clause decided a label.", "explain"),
    },
    "Agents": {
        "eval": Place("eval", "Let agents talk to simulated households and score them."),
        "results": Place("results", "Print the scores of evaluation runs.", "results"),
        "runs": Place("results", "Compare two runs, bundle runs, check such bundles.", "runs"),
        "study": Place("study", "Repeat the paper's studies of readers, users and judges."),
    },
    "Residents": {
        "screen": Place("screen", "Ask about your household, say which programs it may claim."),
    },
    "Rules": {
        "programs": Place("programs", "List, show, compare, check and begin benefit programs."),
        "features": Place("features", "List the facts of a household, or show one."),
        "editions": Place("editions", "Prepare, fill in, compare and publish a year's rules."),
        "init": Place(
            "editions", "Make a workspace for editions and programs of one's own.", "init"
        ),
        "vectors": Place("vectors", "Write test cases for other rule engines."),
    },
    "The synthetic city": {
        "population": Place("population", "Draw and check the city, count who is eligible."),
        "sources": Place("sources", "List and check the sources of population figures."),
    },
    "Publishing": {
        "site": Place("publishing", "Write a static site of everything that was built.", "site"),
        "publish": Place("publishing", "Write everything that a release needs.", "publish"),
    },
    "For developers of the benchmark": {
        "mutants": Place("mutants", "Measure how many planted faults a dataset detects."),
        "par": Place("par", "Compute the fewest questions that force a row's labels.", "par"),
        "planner": Place(
            "par", "Compare the planner agent's questions with the fewest.", "planner"
        ),
        "prove": Place("prove", "Prove that lines can run, readers agree, sets are small."),
    },
}
"""Every command; what it says stands here so that help imports no module of a command."""


class Main(NounGroup):
    """The commands of this package, imported when they run; their errors are one or two lines."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, section by section."""
        return [name for places in SECTIONS.values() for name in places]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or `None` when there is none of that name."""
        for places in SECTIONS.values():
            if place := places.get(cmd_name):
                module = importlib.import_module(f"benyfits_data.cli.cmd_{place.module}")
                command = getattr(module, place.name)
                assert isinstance(command, click.Command)
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a table of commands for each section."""
        for title, places in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, place.says) for name, place in places.items()])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, and print errors of the package and of files in one or two lines.

        Exits with 1 for such an error, with 2 for a usage error.
        """
        # Work is spread over processes; threads of linear algebra would wait for one another.
        # NumPy reads this when it is imported, which no module of a command does before.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            return super().main(*args, **kwargs)
        except (BenyfitsError, OSError) as error:
            if "--debug" in (kwargs.get("args") or (args[0] if args else None) or sys.argv[1:]):
                raise
            click.echo(f"Error: {error}", err=True)
            sys.exit(1)


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("benyfits-data programs show FairFaresNYC"),
)
@click.version_option(__version__, prog_name="benyfits-data")
@option("--debug", is_flag=True, help="Show the whole traceback of an error.")
def main(debug: bool) -> None:
    """Build and run BeNYfits, a benchmark of agents that ask who may claim which benefits.

    An agent questions a household, and says for which of 82 New York City programs it qualifies.
    """
