"""The command `benyfits-data`: finds its subcommands by name and loads each when it is used."""

import importlib
import importlib.util
import os
import sys
from typing import Any

import click

from benyfits_data.cli.options import example, option
from benyfits_data.errors import BenyfitsError
from benyfits_data.version import __version__

COMMANDS = {
    "audit": "Report impossible households and wrong labels in a dataset.",
    "bench": "Time the building steps and the readers.",
    "city": "Compare the city's own texts of its programs with ours.",
    "diverse": "Build the Diverse dataset.",
    "editions": "Prepare a new year, compare years, find stale values.",
    "eval": "Let agents talk to simulated households and score them.",
    "explain": "Say in words which clause decided a household.",
    "features": "List the facts of a household, or show one.",
    "init": "Make a workspace for editions and programs of one's own.",
    "households": "Sample possible households.",
    "label": "Label households with the checkers.",
    "mutants": "Measure how many planted faults a dataset detects.",
    "par": "Prove the fewest questions that force each household's labels.",
    "population": "Check the synthetic city, and count who is eligible.",
    "programs": "List, show and lint the benefit programs.",
    "prove": "Prove every line and branch of the checkers reachable or dead.",
    "publish": "Write everything that a release needs.",
    "report": "Write one page about everything that was built.",
    "representative": "Build the Representative dataset.",
    "results": "Compare evaluation runs.",
    "screen": "Ask about your household, and tell which programs it may claim.",
    "site": "Write a static site of everything that was built.",
    "study": "Repeat the paper's studies of readers, users and judges.",
    "submit": "Bundle finished runs, and check such bundles.",
    "schema": "Print the JSON Schema of rows and households.",
    "sources": "List and check the sources of population figures.",
    "vectors": "Write test cases for other rule engines.",
}
"""One line about each subcommand, so that help needs no import of its module."""


_EXTRAS = {
    **dict.fromkeys(("anyio", "inspect_ai", "openai", "pydantic_monty", "xllamacpp"), "eval"),
    "z3": "prove",
    "pyarrow": "parquet",
    "ray": "cluster",
}
"""Optional packages by the name that is imported, and the extra that installs them."""


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
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of subcommands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

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
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package not in _EXTRAS:
                raise
            click.echo(
                f"Error: {package} is not installed, which this command needs. "
                f"Install it with: pip install 'benyfits-data[{_EXTRAS[package]}]'",
                err=True,
            )
            sys.exit(1)


def _module(name: str) -> str:
    return f"benyfits_data.cli.cmd_{name}"


def _exists(name: str) -> bool:
    return importlib.util.find_spec(_module(name)) is not None


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=example("benyfits-data programs show FairFaresNYC"),
)
@click.version_option(__version__, prog_name="benyfits-data")
@option("--debug", is_flag=True, help="Show the whole traceback of an error.")
def main(debug: bool) -> None:
    """Build, prove, run and maintain BeNYfits: who may claim which of 82 city benefits."""
