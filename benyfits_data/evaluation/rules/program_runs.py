"""A program that a model wrote, run in the sandbox on households, one guest for all of them."""

import base64
import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, Self

from benyfits_data.evaluation.codegen.python_guest import Guest, GuestStoppedError, Limits
from benyfits_data.evaluation.rules.given_facts import DEFAULTS, Given

SERVER = (Path(__file__).parent / "guest_runs.py").read_text("utf-8")
FIRST, GROUP = 20, 400
"""Households of the first batch, and of each later one."""
GROUP_INSTRUCTIONS = 20_000_000_000
ONE_INSTRUCTIONS = 2_000_000_000
"""What a program may execute for one household, 0.2 to 0.4 seconds: those of models take some
thousandth of it."""


@dataclass(frozen=True)
class ProgramOutcome:
    """What a program made of one household.

    Attributes:
        verdict: Its answer; `None` where it gave none.
        failure: Why it gave none; empty elsewhere.
        line: The last line it ran, where that was asked for.
    """

    verdict: bool | None
    failure: str = ""
    line: int | None = None


class HouseholdBatch(NamedTuple):
    """Households that a guest is given at once, and the text in which they are sent."""

    households: Sequence[Given]
    text: str


def batches(households: Sequence[Given]) -> list[HouseholdBatch]:
    """Return households in batches, which many programs may run on."""
    starts = [0, *range(FIRST, len(households), GROUP), len(households)]
    groups = [[*households[start:stop]] for start, stop in pairwise(starts)]
    # Python's own format is read in a third of the time that JSON takes.
    return [
        HouseholdBatch(group, base64.b64encode(marshal.dumps(group)).decode()) for group in groups
    ]


@dataclass
class ProgramRuns:
    """One program in a guest of its own; use it as a context manager.

    Args:
        source: Its text.

    Attributes:
        no_program: What keeps it from running at all; empty if nothing does.
        was_stopped: Whether the sandbox stopped it for a household, or while it was loaded.
    """

    source: str
    no_program: str = ""
    was_stopped: bool = False
    _failure: str = ""
    _is_loaded: bool = False
    _guest: Guest = field(default_factory=lambda: Guest(SERVER, Limits(GROUP_INSTRUCTIONS)))

    def __enter__(self) -> Self:
        self._load()
        return self

    def __exit__(self, *raised: object) -> None:
        self._guest.close()

    def outcomes(self, given: Iterable[HouseholdBatch]) -> Iterator[ProgramOutcome]:
        """Yield what the program makes of each household; a guest that it kills is started anew."""
        for batch in given:
            try:
                yield from self._ask(batch, False, GROUP_INSTRUCTIONS)
            except GuestStoppedError:
                for household in batch.households:
                    yield self._one(household, False)

    def one(self, household: Given) -> ProgramOutcome:
        """Return what the program makes of a household, loaded anew, and the line that decided."""
        self._load()
        return self._one(household, True)

    def _one(self, household: Given, trace: bool) -> ProgramOutcome:
        try:
            return self._ask(batches([household])[0], trace, ONE_INSTRUCTIONS)[0]
        except GuestStoppedError as error:
            self.was_stopped = True
            return ProgramOutcome(None, f"{error.kind}: {error.says}".replace("_", " "))

    def _ask(self, batch: HouseholdBatch, trace: bool, instructions: int) -> list[ProgramOutcome]:
        if not self._is_loaded:
            self._load()
        if self._failure:
            return [ProgramOutcome(None, self._failure)] * len(batch.households)
        try:
            request = {"households": batch.text, "trace": trace}
            reply = self._guest.ask(request, instructions=instructions)
            return _read(reply, len(batch.households))
        except GuestStoppedError:
            self._is_loaded = False
            raise

    def _load(self) -> None:
        self._guest.close()
        self._is_loaded, self.no_program, self._failure = True, "", ""
        try:
            loaded = self._guest.ask({"source": self.source, "defaults": DEFAULTS})
        except GuestStoppedError as error:
            self.was_stopped = True
            self._failure = f"{error.kind}: {error.says} while it is loaded".replace("_", " ")
            return
        if isinstance(loaded, Mapping):
            self.no_program = str(loaded.get("no_program", ""))
            self._failure = str(loaded.get("failure", ""))


def _read(reply: Any, n: int) -> list[ProgramOutcome]:
    """The outcomes of a reply, which a program may have spoilt."""
    answers = reply.get("answers") if isinstance(reply, Mapping) else None
    if not isinstance(answers, str) or len(answers) != n or set(answers) - set("TFX"):
        return [ProgramOutcome(None, "it spoilt the Python that runs it")] * n
    failures, lines = reply.get("failures"), reply.get("lines")
    outcomes = []
    for place, letter in enumerate(answers):
        failure = failures.get(str(place), "") if isinstance(failures, Mapping) else ""
        line = lines[place] if isinstance(lines, list) and len(lines) == n else None
        outcomes.append(
            ProgramOutcome(
                {"T": True, "F": False}.get(letter),
                str(failure)[:300],
                line if isinstance(line, int) and line else None,
            )
        )
    return outcomes
