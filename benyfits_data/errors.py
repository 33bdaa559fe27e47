"""Every exception of the package: where, what was found, what was expected, what to do."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import requires
from pathlib import Path
from typing import Any


class BenyfitsError(Exception):
    """A problem the user can act on; the facts are attributes too.

    Args:
        message: One or two lines: where, what was found, what was expected, what to do next.
        facts: The same facts by name, kept as attributes.
    """

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = facts
        for name, value in facts.items():
            setattr(self, name, value)

    def __str__(self) -> str:
        return str(self.args[0])


def why_unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Return in words why a text file could not be read, for a message that names it."""
    return "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error.strerror)


class UnknownFeatureError(BenyfitsError):
    """A household names a feature that is not declared."""


class FeatureValueError(BenyfitsError):
    """A feature has a value outside its domain."""


class ArgumentError(BenyfitsError, TypeError):
    """A function of the library was called with something else than it takes."""


class ImpossibleHouseholdError(BenyfitsError):
    """A household violates a constraint."""


class UnknownProgramError(BenyfitsError, KeyError):
    """No program has this name."""


class ProgramFolderError(BenyfitsError):
    """A program folder is incomplete or its files contradict each other."""


class WorkspaceError(BenyfitsError):
    """A workspace is needed, or a folder is none."""


class ThresholdNotFoundError(BenyfitsError):
    """A checker or text asks for a threshold that the edition does not hold."""


class UnknownEditionError(BenyfitsError):
    """No edition of that year exists."""


class LanguageError(BenyfitsError):
    """A checker, measure or constraint leaves the checker language."""


class CheckerFailedError(BenyfitsError):
    """A checker would raise an error for a possible household."""


class ProofError(BenyfitsError):
    """A proof failed: the readers disagree, or the solver gave up."""


class DatasetFormatError(BenyfitsError):
    """A dataset file cannot be read."""


class OutputExistsError(BenyfitsError):
    """A file that was not built by us stands where output should go."""


class WriteFailedError(BenyfitsError):
    """Files cannot be written: the disk is full, or the place may not be written."""


class SelectionError(BenyfitsError):
    """A selection does not cover what its corpus covers."""


class WorkerDiedError(BenyfitsError):
    """A process or node that did a part of the work died."""


class MissingExtraError(BenyfitsError):
    """An optional dependency is needed; the message names the install command."""


EXTRAS = {
    "anyio": "eval",
    "coverage": "build",
    "gradio": "chat",
    "inspect_ai": "eval",
    "jsonschema": "eval",
    "matplotlib": "build",
    "pyarrow": "parquet",
    "ray": "cluster",
    "scipy": "build",
    "wasmtime": "eval",
    "z3": "build",
}
"""The extra of each package that labelling, explaining and reading data do without."""


@contextmanager
def extras_named() -> Iterator[None]:
    """Say, where a module of an extra is missing, which line installs it.

    Raises:
        MissingExtraError: A module that an extra brings was imported, and is not installed.
    """
    try:
        yield
    except ImportError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise MissingExtraError(
            f"This needs {module}, which is not installed. Install it with: "
            f"{install_line(EXTRAS[module])}",
            module=module,
        ) from error


def install_line(extra: str) -> str:
    """Return the line that installs an extra here: into a checkout, or beside a wheel."""
    package = Path(__file__).parent
    if (package.parent / "pyproject.toml").is_file():
        return f"{sys.executable} -m pip install -e '{package.parent}[{extra}]'"
    extras = requires("benyfits-data") or []
    named = (
        requirement.partition(";")
        for requirement in extras
        if f"extra == '{extra}'" in requirement.replace('"', "'")
    )
    wanted = " ".join(f"'{requirement.strip()}'" for requirement, _, _ in named)
    return f"{sys.executable} -m pip install {wanted}"


class EvaluationError(BenyfitsError):
    """An evaluation cannot be set up or read."""


class SpreadsheetError(BenyfitsError):
    """A table of thresholds cannot be read or states something impossible."""


class PublishedEditionError(BenyfitsError):
    """A published edition differs from what was published."""
