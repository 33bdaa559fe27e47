"""What turns ask for and tell, and what of it was beyond need: turns that could change nothing.

The partial reader says after each answer which verdicts are proven and which facts could still
matter to the others. What it calls open may be proven all the same, seldom: see `SPLITS` there.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.evaluation.fact_answers import parse_value
from benyfits_data.evaluation.record import NO_USER, Dialog, Turn, Use
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household, most_members
from benyfits_data.language.partial import Fact, Knowledge, PartialReader, household_facts
from benyfits_data.par.tracks import GIVEN, SIZE
from benyfits_data.understanding.canonical import ROSTER, ROSTER_FACTS
from benyfits_data.understanding.claims import AnswerClaim, Claims
from benyfits_data.understanding.people import EVERYBODY
from benyfits_data.understanding.query import Queries, Query, evaluate
from benyfits_data.understanding.typed import NOTHING

FINAL_SPLITS = 32
"""Cases told apart before a verdict is called unproven at the end: see `SPLITS` of the reader."""


def measure_regret(dialog: Dialog, household: Household) -> None:
    """Return nothing; each turn is marked with its use, each verdict with whether it was proven.

    Args:
        dialog: A dialog whose turns were read.
        household: The household it was about.
    """
    dialog.proven = {}
    if dialog.agent == NO_USER or any(
        failure.kind == "agent_failed" for failure in dialog.failures
    ):
        return
    if not dialog.turns:
        dialog.proven = {name: _is_known_unasked(dialog.edition, name) for name in dialog.labels}
        return
    answers = _Answers(dialog, household)
    for turn in dialog.turns:
        turn.use = answers.take(turn)
    dialog.proven = answers.proven()


class _Answers:
    """What was answered so far, and what it leaves open."""

    def __init__(self, dialog: Dialog, household: Household) -> None:
        self._household, self._programs = household, list(dialog.labels)
        edition = load_edition(dialog.edition)
        self._labels = {
            name: edition.program(name).is_eligible(household) for name in self._programs
        }
        self._truth = {**household_facts(household), SIZE: len(household.members)}
        # As long as all answers are true, the household itself shows that its labels are possible.
        self._is_true = not household.violations()
        self._facts: dict[Fact, Any] = {}
        self._heard: set[tuple[str, str]] = set()
        self._is_complete = True
        self._reader = _reader(dialog.edition, most_members(household))
        self._knowledge: Knowledge = self._reader.know(None, {GIVEN: "self"})
        self._open = self._still_open(self._programs)

    def take(self, turn: Turn) -> Use:
        """Return the use of a turn, and take in its answer."""
        facts, said = map_turn(turn, self._household), (turn.question, turn.answer)
        is_repeated = said in self._heard
        self._heard.add(said)
        self._is_complete &= facts.is_complete
        if is_repeated or (facts.asked and facts.asked <= self._facts.keys()):
            return "repeated"
        needed = {
            SIZE if fact is None else fact
            for name in self._open
            for fact in self._knowledge.open_facts(name)
        }
        before = self._bounds(needed)
        self._tell(facts.answers)
        tells = self._bounds(needed) != before
        if tells:
            self._open = self._still_open(self._open)
        if not facts.asked:
            return "unmapped" if needed else "irrelevant"
        return "relevant" if tells or facts.asked & needed else "irrelevant"

    def proven(self) -> dict[str, bool | None]:
        """Return whether the answers prove each verdict; `None` where not all could be read."""
        still = {
            name
            for name in self._open
            if all(self._knowledge.can_be(name, verdict, FINAL_SPLITS) for verdict in (True, False))
        }
        unproven = False if self._is_complete else None
        return {name: unproven if name in still else True for name in self._programs}

    def _still_open(self, names: list[str]) -> list[str]:
        known = self._knowledge
        if self._is_true:
            return [name for name in names if known.can_be(name, not self._labels[name])]
        return [name for name in names if known.verdict(name) is None]

    def _bounds(self, needed: set[Fact]) -> list[tuple[float, float, int]]:
        """Return what each of some facts can still be."""
        intervals, place = self._knowledge.intervals, self._knowledge.reader.graph.place
        entries = sorted(0 if fact == SIZE else place[fact] for fact in needed)
        return [
            (intervals.low[entry], intervals.high[entry], intervals.mask[entry])
            for entry in entries
        ]

    def _tell(self, answers: dict[Fact, Any]) -> None:
        new = {fact: value for fact, value in answers.items() if fact != SIZE}
        self._is_true &= all(self._truth.get(fact) == value for fact, value in answers.items())
        try:
            self._knowledge.tell(new, size=answers.get(SIZE))
        except ImpossibleHouseholdError:
            if not self._contradict(answers):
                return
        self._facts |= answers

    def _contradict(self, answers: dict[Fact, Any]) -> bool:
        """Take in answers that no possible household could give; return whether any could."""
        facts = {GIVEN: "self", **self._facts, **answers}
        size = facts.pop(SIZE, None)
        try:
            self._knowledge = self._reader.know_answers(size, facts)
        except ImpossibleHouseholdError:
            return False
        self._open = self._still_open(self._programs)
        return True


@lru_cache(maxsize=4)
def _reader(edition: int, places: int) -> PartialReader:
    """Return the reader of all programs: made once, it takes any dialog."""
    return PartialReader(load_edition(edition), places=places)


@lru_cache(maxsize=256)
def _is_known_unasked(edition: int, program: str) -> bool:
    """Return whether every possible household has the same verdict."""
    known = _reader(edition, LARGEST_HOUSEHOLD).know(None, {GIVEN: "self"})
    return not all(known.can_be(program, verdict, FINAL_SPLITS) for verdict in (True, False))


@dataclass(frozen=True)
class AskedFacts:
    """What one turn is about.

    Attributes:
        asked: The facts asked for; empty where the question was not read, or asks for none.
        answers: Those that the answer tells, with values as they were told.
        is_complete: Whether the answer tells nothing else about the household.
    """

    asked: frozenset[Fact]
    answers: dict[Fact, Any] = field(default_factory=dict)
    is_complete: bool = True


def map_turn(turn: Turn, household: Household) -> AskedFacts:
    """Return the facts that a turn asks for and tells, from what was read in it.

    Args:
        turn: The turn.
        household: The household it is about.
    """
    queries, said = turn.asked, turn.said
    asked = frozenset(fact for query in queries for fact in _facts_of(query, household))
    if said is None:
        return AskedFacts(asked, is_complete=False)
    answers: dict[Fact, Any] = {}
    is_complete = True
    for claim in (*said.claims, *_claims_of_stance(queries, said, household)):
        facts = dict(_facts_told(claim, household))
        is_complete &= bool(facts)
        answers |= facts
    if queries == (ROSTER,) and answers:
        answers[SIZE] = 1 + max(number or 0 for _, number in answers)
    is_vague = bool(said.stance) and not answers.keys() & asked
    return AskedFacts(asked, answers, is_complete and not is_vague)


def look_up(household: Household, fact: Fact) -> Any:
    """Return the value of a fact."""
    name, number = fact
    if fact == SIZE:
        return len(household.members)
    return getattr(household if number is None else household.members[number], name)


def _facts_of(query: Query, household: Household) -> list[Fact]:
    if query == ROSTER:
        members = range(len(household.members))
        return [SIZE, *((fact, number) for fact in ROSTER_FACTS for number in members)]
    if query.fact is None:
        is_size = query.how in ("count", "who", "value") and query.people == EVERYBODY
        return [SIZE] if is_size and query.among is None and query.than is None else []
    if query.fact not in FEATURES:
        return []
    if query.fact not in MEMBER_FEATURES:
        return [(query.fact, None)]
    return [(query.fact, number) for number in evaluate(query, household).people]


def _facts_told(claim: AnswerClaim, household: Household) -> Iterator[tuple[Fact, Any]]:
    """Yield the facts that a claim tells in full: no limits, no sums, no "one of us"."""
    if claim.fact is None:
        if claim.how == "count" and claim.people == EVERYBODY and claim.sign == "=":
            yield SIZE, claim.value
        return
    is_flag = claim.fact in FEATURES and FEATURES[claim.fact].kind == "flag"
    if claim.fact not in FEATURES or claim.how not in ("each", "only"):
        return
    value = claim.value
    if claim.sign == "not" and is_flag and isinstance(value, bool):
        value = not value
    elif claim.sign != "=":
        return
    value = parse_value(claim.fact, value)
    if value is NOTHING:
        return
    if claim.fact not in MEMBER_FEATURES:
        yield (claim.fact, None), value
        return
    meant = claim.people.members(household)
    for number in meant:
        yield (claim.fact, number), value
    if claim.how == "only" and is_flag:
        for number in range(len(household.members)):
            if number not in meant:
                yield (claim.fact, number), not value


def _claims_of_stance(
    queries: Queries, said: Claims, household: Household
) -> Iterator[AnswerClaim]:
    """Yield the claims that a yes or no makes about each member that a question asks about."""
    if not said.stance or len(queries) != 1:
        return
    (query,) = queries
    is_plain = not (query.limit or query.denies or query.among or query.than or query.extreme)
    asks_whether = query.asks_whether or query.how == "value"
    if not asks_whether or query.fact is None or not is_plain:
        return
    is_of_one = query.fact not in MEMBER_FEATURES or len(query.people.members(household)) == 1
    if not is_of_one and query.of_all != (said.stance == "yes"):
        return
    is_so = (said.stance == "yes") != query.is_inverted
    if query.value is None:
        yield AnswerClaim(query.people, query.fact, value=is_so)
    elif is_so:
        yield AnswerClaim(query.people, query.fact, value=query.value)
