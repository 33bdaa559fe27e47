"""Where ProADA's programs run: a CPython of the dialog's own, in which they reach nothing.

A run that reads a fact nobody knows ends with that fact. Its answer joins what is known, and the
program runs again from its start: it has no clock and draws no random numbers, so it comes to the
same place.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, get_args

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen import code_rules
from benyfits_data.evaluation.codegen.code_rules import Key, Value
from benyfits_data.evaluation.codegen.python_guest import Guest, GuestStoppedError, Limits

FailureKind = Literal["crashed", "looped", "not_boolean"]

LIMITS = Limits(memory=48 * 1024 * 1024, output=256 * 1024)
"""Of each run; our longest checker, written as a program, takes a thousandth of the time."""
_LOOPS = ("timed_out", "out_of_memory", "too_much_output")


def server_text() -> str:
    """Return what a guest that runs programs executes."""
    return Path(__file__).with_name("program_server.py").read_text(encoding="utf-8")


class GeneratedCodeError(EvaluationError):
    """A generated program breaks the rules or is no Python."""


class Missing(NamedTuple):
    """A run that lacks a fact: whose and which, and the line that reads it."""

    key: Key
    line: int


class Finished(NamedTuple):
    """A run that ended in a verdict, and the lines it executed, in order of first execution."""

    verdict: bool
    trace: tuple[int, ...]


class Failed(NamedTuple):
    """A run that ended without a verdict: the kind, what happened, the last line, the trace."""

    kind: FailureKind
    message: str
    line: int | None = None
    trace: tuple[int, ...] = ()


Step = Missing | Finished | Failed


class Sandbox:
    """Runs the programs of one dialog; use it as a context manager.

    Args:
        limits: Of each run.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._guest = Guest(server_text(), limits)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End the guest; a run would start it anew."""
        self._guest.close()

    def check(self, source: str) -> None:
        """Return nothing if a program keeps the rules and Python can read it.

        Args:
            source: What the code model wrote, without code fences.

        Raises:
            GeneratedCodeError: It does not; the message lists every line at fault.
        """
        problems = code_rules.check(source)
        if not problems:
            try:
                unread = self._guest.ask({"source": source})
                if "unreadable" in unread:
                    problems = [code_rules.CodeProblem(unread["line"], unread["unreadable"])]
            except GuestStoppedError as stopped:
                problems = [code_rules.CodeProblem(1, f"Python cannot read it: {stopped.says}")]
        if problems:
            listing = "\n".join(map(str, problems))
            raise GeneratedCodeError(f"The program breaks these rules:\n{listing}")

    def run(self, source: str, known: Mapping[Key, Value]) -> Step:
        """Return where a run of a program ends: a missing fact, a verdict or a failure.

        Args:
            source: A program that passed `check`.
            known: What the dialog has found out so far.
        """
        keys = _keys_of(source)
        facts = [[member, key, value] for (member, key), value in known.items()]
        try:
            end = self._guest.ask({"source": source, "keys": keys, "known": facts})
        except GuestStoppedError as stopped:
            return Failed("looped" if stopped.kind in _LOOPS else "crashed", stopped.says)
        try:
            return _read(end, source, keys, known)
        except (TypeError, ValueError, LookupError):
            # Only a program that reached into its Python could bring this about.
            return Failed("crashed", "the run ended with what is no end of a run")


def _read(end: Any, source: str, keys: tuple[str, ...], known: Mapping[Key, Value]) -> Step:
    """Return the end of a run that a guest tells; whatever it tells may be wrong."""
    n_lines = source.count("\n") + 1
    if "missing" in end:
        member, key, line = end["missing"]
        if key not in keys or (member, key) in known or type(member) not in (int, type(None)):
            raise ValueError("no fact that could be missing")
        return Missing((member, key), range(n_lines + 1)[line])
    trace = tuple(range(n_lines + 1)[line] for line in end["trace"])
    if "verdict" in end:
        if not isinstance(end["verdict"], bool):
            raise TypeError("no verdict")
        return Finished(end["verdict"], trace)
    if end["failed"] not in get_args(FailureKind):
        raise ValueError("no kind of failure")
    line = end["line"]
    line = line and range(n_lines + 1)[line]
    return Failed(end["failed"], str(end["message"])[:300], line, trace)


@lru_cache(maxsize=256)
def _keys_of(source: str) -> tuple[str, ...]:
    return tuple(key for key, _ in code_rules.literal_keys(source))
