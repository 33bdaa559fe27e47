"""The next question: what most likely proofs need, until every verdict is proven."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, load_edition
from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.partial import Fact, Knowledge, PartialReader, feature_of
from benyfits_data.par.questions import GIVEN
from benyfits_data.planner.consequences import Consequences, Inferences
from benyfits_data.planner.proof_finder import ProofFinder


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes:
        kind: `size`, or `fact` of one member or of the household.
        feature: The feature's name; empty for the size.
        member: The member's position, for a fact of one member.
    """

    kind: Literal["size", "fact"]
    feature: str = ""
    member: int | None = None

    def __str__(self) -> str:
        if self.member is not None:
            return f"{self.feature} of member {self.member}"
        return self.feature or self.kind


SIZE_QUESTION = Question("size")
"""Asks for the number of members."""


def question_for(fact: Fact | None, *, has_size: bool) -> Question:
    """Return the question that tells a fact, or the one that has to come before.

    Args:
        fact: The fact; `None` for the number of members.
        has_size: Whether the number of members is known; nobody is asked about others before.
    """
    if fact is None:
        return SIZE_QUESTION
    feature, member = fact
    return SIZE_QUESTION if member and not has_size else Question("fact", feature, member)


SEED = 20
CITY, FUZZED = 3_000, 1_000
"""Households of the synthetic city, and fuzzed ones for whoever is like nobody in it. With a tenth
of the city 3% more questions are asked, with ten fuzzed ones 0.5%."""


@lru_cache(maxsize=4)
def draw_prior(edition: int) -> Households:
    """Return the prior of an edition."""
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.population.synthesis import synthesize

    fuzzed = sample_households(FUZZED, load_edition(edition), SEED)
    return Households.concatenate([synthesize(CITY, SEED, workers=1), fuzzed])


def fact_column(prior: Households, fact: Fact | None) -> NDArray[Any]:
    """Return the coded values of a fact; `None` is the number of members."""
    if fact is None:
        return prior.size
    name, position = fact
    return prior.shared[name] if position is None else prior.member[name][position]


NEAREST = 24
"""Households whose proofs are looked for. From 16 to 64, numbers of questions are the same within
1%, and the time grows with it; with 6, 2.7% more questions in 60% of the time."""
POPULAR = 0.5
"""Questions that so many of these households need are taken as asked when their proofs are chosen
anew, so that all lean on the same ones: 1% fewer questions."""
SIZE_WEIGHT = 4
"""As many facts as another number of members counts for; as one, 0.6% more questions."""
NEAR_AGE, NEAR_SHARE = 5, 0.2
"""Years, and share of an amount, at which two households differ as much as by a yes or no. Were all
ages near, 1.5% more questions would be asked; amounts make no difference."""
_GIVEN = {GIVEN: "self"}
_BLOCKED = (1 << 64) - 1
"""Stands for a fact that nobody can tell: no proof with fewer than 64 questions avoids it."""


class Planner:
    """What interviews about the same programs share.

    Args:
        edition: Gives checkers and thresholds.
        programs: The programs whose verdicts are wanted; all unless given.
        prior: Households that the order is chosen by; only the order hangs on them.
        places: The most members that a household may have.
    """

    def __init__(
        self,
        edition: Edition,
        programs: Iterable[str] | None = None,
        prior: Households | None = None,
        places: int = LARGEST_HOUSEHOLD,
    ) -> None:
        self.edition = edition
        drawn = draw_prior(edition.year) if prior is None else prior
        self.prior = drawn.with_places(places)
        self.reader = PartialReader(edition, programs, places=places)
        self.programs = self.reader.programs
        self._views: dict[bool, _View] = {}

    @cached_property
    def first(self) -> tuple[Knowledge, dict[str, bool | None]]:
        """What is known before anything is asked, and the verdicts, `None` where one is open."""
        known = self.reader.know(facts=_GIVEN)
        return known, known.verdicts()

    @cached_property
    def consequences(self) -> Consequences:
        """What one fact tells of others."""
        return Consequences(self.reader)

    def view(self, reader: PartialReader) -> "_View":
        """Return the facts that the programs read, in the graph of a reader of them."""
        is_constrained = reader is self.reader
        if is_constrained not in self._views:
            self._views[is_constrained] = _View(reader)
        return self._views[is_constrained]


class _View:
    """The facts that the programs of a reader read, by their entries in its graph."""

    def __init__(self, reader: PartialReader) -> None:
        self.terms: dict[int, list[tuple[float, int]]] = {}
        graph = reader.graph
        entries = [reader.entry(program) for program in reader.programs]
        seen = {entry for entry in entries if not isinstance(entry, bool)}
        stack = sorted(seen)
        while stack:
            for operand in graph.operands[stack.pop()]:
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        named = {entry: fact for fact, entry in graph.place.items() if entry in seen}
        # The first entry is the number of members.
        self.facts: dict[int, Fact | None] = {0: None, **dict(sorted(named.items()))}


class Interview:
    """The dialog with one household: its answers, and what to ask next.

    Attributes:
        size: The number of members, once told.
        answers: The facts that were answered.
        aside: Facts that the household could not tell, `None` for the number of members; they stay
            open and are never asked again.
    """

    def __init__(self, planner: Planner) -> None:
        self.planner = planner
        self.size: int | None = None
        self.answers: dict[Fact, Any] = dict(_GIVEN)
        self.aside: set[Fact | None] = set()
        self._distance = np.zeros(len(planner.prior))
        known, verdicts = planner.first
        self._knowledge, self._verdicts = known.copy(), dict(verdicts)
        self._draw_nearer(self.answers, None)

    @property
    def is_constrained(self) -> bool:
        """Whether all answers can be true of one possible household.

        Where it cannot, no verdict is inferred any more from what makes a household possible.
        """
        return self._knowledge.reader is self.planner.reader

    @property
    def knowledge(self) -> Knowledge:
        """What follows from the answers."""
        return self._knowledge

    def answer(
        self, question: Question, facts: Mapping[Fact, Any], size: int | None = None
    ) -> None:
        """Take in an answer; what it leaves out is not asked again.

        Args:
            question: What was asked.
            facts: The facts that the answer tells.
            size: The number of members, if it was asked for and told.
        """
        if not self._read(facts, size):
            facts, size = {}, None
        if question != SIZE_QUESTION:
            fact = question.feature, question.member
            self.aside |= {fact} - self.answers.keys()
        elif self.size is None:
            self.aside.add(None)

    def after(self, other: "Interview") -> "Interview":
        """Take in the answers of another interview, which has ended, and return this one."""
        self._read(other.answers, other.size)
        self.aside |= other.aside
        return self

    def verdicts(self) -> dict[str, bool | None]:
        """Return the proven verdicts, `None` where one is open."""
        return dict(self._verdicts)

    def next_question(self) -> Question | None:
        """Return what to ask; `None` when all is proven, or what is open cannot be answered."""
        votes = self.votes(self._open_programs())
        return min(votes, key=lambda question: (-votes[question], str(question)), default=None)

    def votes(self, programs: Sequence[str]) -> dict[Question, float]:
        """Return for each question how many likely proofs of verdicts need its answer.

        Args:
            programs: Programs whose verdicts are open.
        """
        if not programs:
            return {}
        finder, questions, leaves = self._proofs(programs)
        blocked = _BLOCKED << len(questions)
        inferences = self._inferences(finder, blocked)
        popular, needed = 0, [0] * len(leaves)
        for is_last in (False, True):
            votes: Counter[int] = Counter()
            holders: Counter[int] = Counter()
            for number, values in enumerate(leaves):
                asked = needed[number] | popular
                implied = inferences.of(values, asked) if is_last and inferences else {}
                proofs = finder.prove(values, asked, implied)
                needed[number] = 0
                for proof in proofs:
                    if not proof & blocked:
                        needed[number] |= proof
                        votes.update(_bits(proof))
                holders.update(_bits(needed[number]))
            popular = sum(1 << bit for bit, n in holders.items() if n >= POPULAR * len(leaves))
        if not votes and not self.aside and questions:
            # Intervals see less than the imagined households do: any open fact may tell more.
            return {questions[0]: 0}
        return {questions[bit]: n / len(leaves) for bit, n in votes.items()}

    def _inferences(self, finder: ProofFinder, blocked: int) -> Inferences | None:
        """Return what follows from answers, unless they contradict one another."""
        if not self.is_constrained:
            return None
        planner = self.planner
        facts = planner.view(planner.reader).facts
        leaves = [facts[entry] for entry in finder.leaves]
        return Inferences(planner.consequences, finder, leaves, blocked, self.size)

    def guess(self) -> dict[str, bool]:
        """Return all verdicts; those still open as most of the nearest households have them."""
        open_programs = self._open_programs()
        verdicts = {name: bool(verdict) for name, verdict in self._verdicts.items()}
        if open_programs:
            finder, _, leaves = self._proofs(open_programs)
            eligible = np.mean([finder.labels(values) for values in leaves], axis=0)
            verdicts |= dict(zip(open_programs, (eligible > 0.5).tolist(), strict=True))
        return verdicts

    def _open_programs(self) -> list[str]:
        return [name for name, verdict in self._verdicts.items() if verdict is None]

    def _proofs(
        self, programs: Sequence[str]
    ) -> tuple[ProofFinder, list[Question], list[list[float]]]:
        """Return what finds proofs, the questions by bit, and the facts of likely households."""
        known, view = self._knowledge, self.planner.view(self._knowledge.reader)
        entries = [known.reader.entry(program) for program in programs]
        roots = [entry for entry in entries if not isinstance(entry, bool)]
        finder = ProofFinder(known.reader.graph, view.terms, roots, known.intervals)
        asked: dict[int, Question] = {}
        for entry in finder.leaves:
            fact = view.facts[entry]
            question = question_for(fact, has_size=self.size is not None)
            is_blocked = fact in self.aside or (question == SIZE_QUESTION and None in self.aside)
            if not is_blocked:
                asked[entry] = question
        questions = list(dict.fromkeys(asked.values()))
        bit = {question: 1 << number for number, question in enumerate(questions)}
        blocked = _BLOCKED << len(questions)
        finder.bits = [bit[asked[entry]] if entry in asked else blocked for entry in finder.leaves]
        return (
            finder,
            questions,
            self._imagine({entry: view.facts[entry] for entry in finder.leaves}),
        )

    def _read(self, facts: Mapping[Fact, Any], size: int | None) -> bool:
        """Take in facts; return whether there can be such a household, possible or not."""
        facts_so_far, told_size = {**self.answers, **facts}, self.size if size is None else size
        try:
            self._knowledge.tell(facts, size=size)
        except ImpossibleHouseholdError:
            try:
                self._knowledge = self.planner.reader.know_answers(told_size, facts_so_far)
            except ImpossibleHouseholdError:
                return False
            self._verdicts = dict.fromkeys(self._verdicts)
        self.answers, self.size = facts_so_far, told_size
        self._draw_nearer(facts, size)
        for program in self._open_programs():
            self._verdicts[program] = self._knowledge.verdict(program)
        return True

    def _draw_nearer(self, facts: Mapping[Fact, Any], size: int | None) -> None:
        """Rank the prior's households by how many answers they contradict."""
        if size is not None:
            self._distance += SIZE_WEIGHT * (self.planner.prior.size != size)
        for fact, value in facts.items():
            feature, theirs = feature_of(fact), fact_column(self.planner.prior, fact)
            code = feature.encode(value)
            if feature.kind in ("number", "decimal", "date"):
                scale = NEAR_AGE if feature.name == "age" else NEAR_SHARE * abs(code) + 1
                self._distance += np.minimum(1, np.abs(theirs - float(code)) / scale)
            else:
                self._distance += theirs != code

    def _imagine(self, leaves: Mapping[int, Fact | None]) -> list[list[float]]:
        """Return the open facts of the nearest households, changed to agree with what is known."""
        intervals, prior = self._knowledge.intervals, self.planner.prior
        nearest = np.argsort(self._distance, kind="stable")[:NEAREST]
        values = np.empty((len(leaves), len(nearest)))
        for row, (entry, fact) in enumerate(leaves.items()):
            column = fact_column(prior, fact)[nearest]
            values[row] = column.clip(intervals.low[entry], intervals.high[entry])
        listed: list[list[float]] = values.T.tolist()
        return listed


def _bits(proof: int) -> Iterator[int]:
    while proof:
        lowest = proof & -proof
        yield lowest.bit_length() - 1
        proof ^= lowest
