"""The command `benyfits-data`: finds its subcommands by name and loads each when it is used."""

import os
import sys
from typing import Any

import click

from benyfits_data.cli.groups import LazyGroup, Place
from benyfits_data.cli.options import example, option
from benyfits_data.errors import BenyfitsError
from benyfits_data.version import __version__

SECTIONS = {
    "Datasets": {
        "diverse": Place(
            "diverse", "Build the Diverse set: every line of every checker.", "diverse"
        ),
        "representative": Place(
            "representative", "Build the Representative set: households as the city has.", "survey"
        ),
        "representative-25": Place(
            "representative", "Build the paper's Representative set: programs repeated.", "repeats"
        ),
        "thorough": Place("diverse", "Build the set that detects wrong checkers.", "thorough"),
        "households": Place("households", "Sample households, measure their plausibility."),
        "label": Place("labels", "Label any households with the checkers.", "label"),
        "audit": Place("labels", "Report impossible households and wrong labels.", "audit"),
        "explain": Place("labels", "Say in words which clause decided a household.", "explain"),
    },
    "Agents": {
        "eval": Place("eval", "Let agents talk to simulated households and score them."),
        "results": Place("results", "Rank evaluation runs beside the published rows.", "results"),
        "runs": Place("results", "Compare two runs, bundle runs, check such bundles.", "runs"),
        "study": Place("study", "Repeat the paper's studies of readers, users and judges."),
    },
    "Residents": {
        "screen": Place("screen", "Ask about your household, say which programs it may claim."),
    },
    "Rules": {
        "programs": Place("programs", "List, show, compare, lint and begin benefit programs."),
        "features": Place("features", "List the facts of a household, or show one."),
        "editions": Place("editions", "Prepare, fill in, compare and publish a year's rules."),
        "init": Place("workspace", "Make a workspace for editions and programs of one's own."),
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
        "par": Place("par", "Prove the fewest questions that force a row's labels.", "par"),
        "planner": Place("par", "Compare the planner's questions with the fewest.", "planner"),
        "prove": Place("prove", "Prove checkers' lines reachable, readers equal, sets small."),
    },
}
"""Every command; what it says stands here so that help imports no module of a command."""


class Main(LazyGroup):
    """The commands of this package, whose errors are one or two lines."""

    sections = SECTIONS

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
    """Build, prove, run and maintain BeNYfits: who may claim which of 82 city benefits."""
