"""Possible households that share what is known of one and have another label, near to it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household
from benyfits_data.language.case_analysis import cases
from benyfits_data.language.interval_propagation import Contradiction, Intervals
from benyfits_data.language.partial import Fact, PartialReader, feature_of, household_facts
from benyfits_data.par.tracks import GIVEN, SIZE
from benyfits_data.rng import stream

MOST_CASES = 2_000
"""Cases told apart to prove one verdict."""
MOST_ORDERS = 60
"""Orders in which facts are kept before a neighbour counts as not found."""
_SPREAD = 24
"""Values tried of a number that may have many."""

_Values = list[tuple[int, float, float]]
"""Entries of the graph with the smallest and largest value that each may have."""


@dataclass(frozen=True)
class Refutation:
    """A possible household that shows that some facts of another do not force a label.

    Attributes:
        program: Whose label differs.
        household: It.
        differs: The facts of the other household that it does not have.
    """

    program: str
    household: Household
    differs: frozenset[Fact]


def differences(household: Household, other: Household) -> frozenset[Fact]:
    """Return the facts of a household that another one does not have.

    These are the facts with other values, those of members that the other lacks, and the number of
    members where it has more or fewer.
    """
    theirs = household_facts(other)
    differing = {
        fact
        for fact, value in household_facts(household).items()
        if fact not in theirs or theirs[fact] != value
    }
    if len(household.members) != len(other.members):
        differing.add(SIZE)
    return frozenset(differing)


class Neighbours:
    """Finds households of another label that agree with a household on what is asked.

    Args:
        reader: Reads the programs.
        household: The household; possible.
        ask: Returns the question that asks for a fact: neighbours differ in few questions.
    """

    def __init__(
        self, reader: PartialReader, household: Household, ask: Callable[[Fact], str]
    ) -> None:
        self._reader, self._household, self._ask = reader, household, ask
        self._facts = list(reader.graph.place.values())
        self._size = len(household.members)
        self._rng = stream(0, "par")
        self._intervals = Intervals(reader.graph, reader.start)
        self._failed = 0
        self._answers: dict[str, _Values] = {ask(SIZE): [(0, self._size, self._size)]}
        told = household_facts(household)
        for fact, entry in reader.graph.place.items():
            feature, position = feature_of(fact), fact[1]
            if fact in told:
                code = feature.encode(told[fact])
                answer = self._answers.setdefault(ask(fact), [])
                answer.append((entry, code, code))
                if position is not None:  # Whoever has an age is there.
                    answer.append((0, position + 1, reader.graph.high[0]))
            if fact == GIVEN:
                self._intervals.require([(entry, code, code)])

    @contextmanager
    def answered(self, questions: Iterable[str]) -> Iterator[None]:
        """Let neighbours have the household's answers to some questions, as long as this lasts."""
        mark = self._intervals.mark()
        try:
            for question in questions:
                self._intervals.require(self._answers[question])
            yield
        finally:
            self._intervals.undo(mark)

    def refutations(self, program: str, label: bool) -> Iterator[Refutation]:
        """Yield neighbours of another label until there is none; then the label is forced.

        No two of them differ from the household in the same question.

        Args:
            program: The program.
            label: The household's label.

        Raises:
            ProofError: There is neither a household nor a proof within the limits.
        """
        mark = self._intervals.mark()
        try:
            while (other := self._find(program, label)) is not None:
                refutation = Refutation(program, other, differences(self._household, other))
                yield refutation
                for question in sorted(self.questions(refutation)):
                    self._intervals.require(self._answers[question])
        finally:
            self._intervals.undo(mark)

    def questions(self, refutation: Refutation) -> frozenset[str]:
        """Return the questions that a refuting household answers otherwise.

        What neither a program nor a constraint reads is left out: of a member it tells only that
        the member is there, which the age tells too.
        """
        asked = {self._ask(fact) for fact in refutation.differs}
        return frozenset(asked & self._answers.keys())

    def _find(self, program: str, label: bool) -> Household | None:
        """Return a neighbour of another label, or `None` if it is proven that there is none."""
        entry = self._reader.entry(program)
        if isinstance(entry, bool):
            return None
        relevant = self._relevant(entry)
        found = cases(self._intervals, entry, int(not label), MOST_CASES)
        with closing(found):
            split = None
            for _ in range(MOST_ORDERS):
                try:
                    found.send(split)
                except StopIteration:
                    return None
                for keep_size in (True, False):
                    if (codes := self._complete(relevant, keep_size=keep_size)) is not None:
                        return self._decoded(codes)
                split = self._undecided()
        raise ProofError(
            f"{program} of a household of {self._size}: neither a household of another label nor a "
            f"proof that there is none was found in {MOST_ORDERS} attempts. Raise MOST_ORDERS.",
            program=program,
        )

    def _relevant(self, entry: int) -> set[str]:
        """Return the questions whose answers a verdict reads."""
        operands, seen, stack = self._reader.graph.operands, {entry}, [entry]
        while stack:
            for operand in operands[stack.pop()]:
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        return {
            question
            for question, answer in self._answers.items()
            if any(entry in seen for entry, _, _ in answer if entry)
        }

    def _undecided(self) -> int:
        """Return an open entry to tell cases apart: the fact that failed last, or another one."""
        low, high = self._intervals.low, self._intervals.high
        return next(it for it in (0, self._failed, *self._facts) if low[it] < high[it])

    def _complete(self, relevant: set[str], *, keep_size: bool) -> dict[int, float] | None:
        """Return the codes of a household of what is known that keeps what answers it can.

        Answers that a verdict reads are kept first, in random order.
        """
        intervals = self._intervals
        mark, low, high = intervals.mark(), intervals.low, intervals.high
        left = range(int(low[0]), int(high[0]) + 1)
        sizes = [it for it in left if (it == self._size) is keep_size]
        questions = [one for one in self._answers if one in relevant]
        others = [one for one in self._answers if one not in relevant]
        for size in self._rng.permutation(sizes).tolist():
            try:
                intervals.require([(0, size, size)])
                self._keep([*self._shuffled(questions), *self._shuffled(others)])
                self._fill_in()
            except Contradiction:
                continue
            else:
                return {0: low[0]} | {entry: low[entry] for entry in self._facts}
            finally:
                intervals.undo(mark)
        return None

    def _shuffled(self, questions: list[str]) -> list[str]:
        return [questions[place] for place in self._rng.permutation(len(questions))]

    def _keep(self, questions: Sequence[str]) -> None:
        """Tell one answer after the other, many at a time, and leave out what contradicts."""
        place, step = 0, 64
        while place < len(questions):
            part = questions[place : place + step]
            try:
                self._intervals.require([it for one in part for it in self._answers[one]])
            except Contradiction:
                if len(part) > 1:
                    step = max(1, len(part) // 4)
                    continue
                self._exclude(part[0])
                place, step = place + 1, 4
            else:
                place, step = place + len(part), min(2 * step, 1024)

    def _exclude(self, question: str) -> None:
        """Let the answer be another one, where it is a single value that contradicts what is known.

        Raises:
            Contradiction: It has no other value.
        """
        [(entry, code, _), *more] = self._answers[question]
        intervals, graph = self._intervals, self._reader.graph
        least, most = intervals.low[entry], intervals.high[entry]
        if least == most or any(other for other, _, _ in more) or not graph.whole[entry]:
            return
        for low, high in ((least, code - 1), (code + 1, most)):
            try:
                return intervals.require([(entry, low, high)])
            except Contradiction:
                self._failed = entry
        raise Contradiction

    def _fill_in(self) -> None:
        """Give every open fact a value.

        Raises:
            Contradiction: None was found.
        """
        intervals, graph = self._intervals, self._reader.graph
        for entry in self._facts:
            low, high = intervals.low[entry], intervals.high[entry]
            if low == high:
                continue
            if graph.mask[entry]:
                values: Iterable[float] = range(-1, intervals.mask[entry].bit_length() - 1)
            else:
                between = [low + (high - low) * step // _SPREAD for step in range(1, _SPREAD)]
                values = dict.fromkeys([low, high, low + 1, high - 1, *between])
            for value in values:
                try:
                    intervals.require([(entry, value, value)])
                    break
                except Contradiction:
                    continue
            else:
                self._failed = entry
                raise Contradiction

    def _decoded(self, codes: Mapping[int, float]) -> Household:
        """Return a household with some codes; facts that nobody reads are as they were."""
        own = self._household.facts()
        members = own.pop("members")[: int(codes[0])]
        members += [{"name": f"Member {place + 1}"} for place in range(len(members), int(codes[0]))]
        for fact, entry in self._reader.graph.place.items():
            (name, position), value = fact, feature_of(fact).decode(codes[entry])
            if position is None:
                own[name] = value
            elif position < len(members):
                members[position][name] = value
        return Household.from_facts({"members": members, **own}, constrained=False)
