"""What a program that a model wrote is given, the facts of a household, and its runs on many.

A household is a dictionary of its facts; `members` holds a dictionary for each member, the
applicant first. Flags are truth values, numbers are numbers, choices are words, days are ISO text,
and what does not apply is `None`. A program runs in the sandbox, in one guest for all households.
"""

import base64
import marshal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np

from benyfits_data.evaluation.codegen.python_guest import Guest, GuestStoppedError, Limits
from benyfits_data.evaluation.codegen.sandbox import server_text
from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.understanding.canonical import ask_plainly

MEMBERS = "members"
"""The key under which a household holds its members."""
Given = tuple[dict[str, Any], list[dict[str, Any]]]
"""A household for the sandbox: its facts that are no defaults, and those of each member."""


def give_facts(household: Household) -> dict[str, Any]:
    """Return a household as a model's function receives it."""
    facts = household.facts()
    given: dict[str, Any] = {name: facts[name] for name in HOUSEHOLD_FEATURES}
    given[MEMBERS] = [{name: member[name] for name in MEMBER_FEATURES} for member in facts[MEMBERS]]
    return given


def _defaults(features: Mapping[str, Feature]) -> dict[str, Any]:
    return {name: plain(feature.default) for name, feature in features.items()}


def plain(value: Any) -> Any:
    """Return a value as JSON holds it."""
    return value.isoformat() if hasattr(value, "isoformat") else value


DEFAULTS = (_defaults(HOUSEHOLD_FEATURES), _defaults(MEMBER_FEATURES))
"""The default facts of a household and of a member, for the sandbox."""


def pack(household: Household) -> Given:
    """Return a household for the sandbox."""
    return pack_all(Households.from_households([household]))[0]


def pack_all(table: Households) -> list[Given]:
    """Return many households for the sandbox; members without names are numbered."""
    sizes = table.size.tolist()
    packed: list[Given] = []
    for column, size in enumerate(sizes):
        names = [f"Member {row + 1}" for row in range(size)]
        if table.names is not None:
            names = [str(name) for name in table.names[:size, column]]
        default = MEMBER_FEATURES["name"].default
        packed.append(({}, [{} if name == default else {"name": name} for name in names]))
    for name, feature in HOUSEHOLD_FEATURES.items():
        column_of = table.shared[name]
        for place in np.flatnonzero(column_of != feature.encode(feature.default)):
            packed[place][0][name] = plain(feature.decode(column_of[place]))
    for name, feature in CODED_MEMBER_FEATURES.items():
        unlike = (table.member[name] != feature.encode(feature.default)) & table.present
        for row, place in zip(*(axis.tolist() for axis in np.nonzero(unlike)), strict=True):
            value = plain(feature.decode(table.member[name][row, place]))
            packed[place][1][row][name] = value
    return packed


def describe_facts(names: Iterable[str]) -> str:
    """Return the facts that a function may read, a line each, the household's first.

    Args:
        names: Facts of the household and of its members.
    """
    chosen = set(names)
    lines = ["Of the household:"]
    lines += [_describe(HOUSEHOLD_FEATURES[name]) for name in HOUSEHOLD_FEATURES if name in chosen]
    lines += [f'- hh["{MEMBERS}"]: list of its members, one to six, the applicant first']
    lines.append('Of each member m in hh["members"]:')
    lines += [_describe(MEMBER_FEATURES[name]) for name in MEMBER_FEATURES if name in chosen]
    return "\n".join(lines)


def readable_facts() -> Iterator[str]:
    """Yield the names of all facts that a function may read: all but free text."""
    return (name for name, feature in FEATURES.items() if feature.kind != "text")


def _describe(feature: Feature) -> str:
    kind = {
        "flag": "True or False",
        "number": "whole number",
        "decimal": "number",
        "date": "text such as '2024-01-31'",
        "choice": "one of " + ", ".join(repr(word) for word in feature.choices),
    }[feature.kind]
    unit = f" of {feature.unit}s" if feature.unit else ""
    missing = ", or None where that does not apply" if feature.optional else ""
    owner = "m" if feature.level == "member" else "hh"
    return f'- {owner}["{feature.name}"]: {kind}{unit}{missing}. {ask_plainly(feature.name)}'


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
    _guest: Guest = field(default_factory=lambda: Guest(server_text(), Limits(GROUP_INSTRUCTIONS)))

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
            unread = loaded.get("unreadable", "")
            missing = f"no Python: {unread}" if unread else loaded.get("no_program", "")
            self.no_program, self._failure = str(missing), str(loaded.get("failure", ""))


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
