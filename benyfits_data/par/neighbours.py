"""Possible households that share what is known of one and have another label, near to it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from types import MappingProxyType
from typing import TypeVar

from benyfits_data.errors import ProofError
from benyfits_data.household.model import Household
from benyfits_data.language.case_analysis import cases
from benyfits_data.language.interval_propagation import Contradiction, Intervals
from benyfits_data.language.partial import PartialReader, fact_name, feature_of, household_facts
from benyfits_data.par.questions import GIVEN, SIZE, Refutation, differences
from benyfits_data.rng import stream

MOST_CASES = 2_000
"""Cases told apart to prove one verdict, so that no search runs on: with 20 the par of 20
households of the city takes as long."""
MOST_ORDERS = 12
"""Cases in which a neighbour is looked for before the solver has the last word: a bound too, since
1 and 200 take as long as 12."""
_SPREAD = 24
"""Values tried of a number that may have many: par is the same and takes as long with 100; with 4
it took four fifths of the time in the one run that was measured."""

_T = TypeVar("_T")
_Values = list[tuple[int, float, float]]
"""Entries of the graph with the smallest and largest value that each may have."""


class Neighbours:
    """Finds households of another label that agree with a household on what is asked.

    Args:
        reader: Reads the programs.
        household: The household; possible.
    """

    def __init__(self, reader: PartialReader, household: Household) -> None:
        self._reader, self._household = reader, household
        self._facts = list(reader.graph.place.values())
        self._size = len(household.members)
        self._rng = stream(0, "par")
        self._intervals = Intervals(reader.graph, reader.start)
        self._asked: list[str] = []
        self._hard: Counter[int] = Counter()
        self._answers: dict[str, _Values] = {fact_name(SIZE): [(0, self._size, self._size)]}
        facts = household_facts(household)
        for fact, entry in reader.graph.place.items():
            feature, position = feature_of(fact), fact[1]
            if fact in facts:
                code = feature.encode(facts[fact])
                answer = self._answers[fact_name(fact)] = [(entry, code, code)]
                if position is not None:  # Whoever has an age is there.
                    answer.append((0, position + 1, reader.graph.high[0]))
            if fact == GIVEN:
                self._intervals.require([(entry, code, code)])

    @contextmanager
    def answered(self, questions: Iterable[str]) -> Iterator[None]:
        """Let neighbours have the household's answers to some questions, as long as this lasts."""
        mark, n_asked = self._intervals.mark(), len(self._asked)
        try:
            self._answer(questions)
            yield
        finally:
            self._intervals.undo(mark)
            del self._asked[n_asked:]

    def refutations(self, program: str, label: bool) -> Iterator[Refutation]:
        """Yield neighbours of another label until there is none; then the label is forced.

        No two of them differ from the household in the same question.

        Args:
            program: The program.
            label: The household's label.

        Raises:
            ProofError: There is neither a household nor a proof within the limits.
        """
        entry = self._reader.entry(program)
        if isinstance(entry, bool):
            return
        with self.answered(()):
            while (other := self._find(program, label, entry)) is not None:
                refutation = Refutation(program, other, differences(self._household, other))
                yield refutation
                self._answer(sorted(self.questions(refutation)))

    def _answer(self, questions: Iterable[str]) -> None:
        asked = list(questions)
        self._intervals.require(
            [values for question in asked for values in self._answers[question]]
        )
        self._asked += asked

    def questions(self, refutation: Refutation) -> frozenset[str]:
        """Return the questions that a refuting household answers otherwise.

        What neither a program nor a constraint reads is left out: of a member it tells only that
        the member is there, which the age tells too.
        """
        asked = {fact_name(fact) for fact in refutation.differs}
        return frozenset(asked & self._answers.keys())

    def _find(self, program: str, label: bool, entry: int) -> Household | None:
        """Return a neighbour of another label, or `None` if it is proven that there is none."""
        relevant = self._relevant(entry)
        self._hard.clear()
        case = cases(self._intervals, entry, int(not label), MOST_CASES)
        with closing(case):
            split = None
            for _ in range(MOST_ORDERS):
                try:
                    case.send(split)
                except StopIteration:
                    return None
                low, high = int(self._intervals.low[0]), int(self._intervals.high[0])
                others = [size for size in range(low, high + 1) if size != self._size]
                for sizes in ([self._size] if low <= self._size <= high else [], others):
                    if (codes := self._complete(relevant, sizes)) is not None:
                        return self._decoded(codes)
                split = self._undecided()
        return self._solve(program, label, relevant)

    def _solve(self, program: str, label: bool, relevant: set[str]) -> Household | None:
        """Ask the solver for a household of another label, and bring it nearer."""
        from benyfits_data.language.z3_backend.open_verdicts import open_verdicts

        edition, place = self._reader.edition, self._reader.graph.place
        facts, asked = household_facts(self._household), set(self._asked)
        known = {
            fact: facts[fact]
            for fact in place
            if fact == GIVEN or (fact in facts and fact_name(fact) in asked)
        }
        size = self._size if fact_name(SIZE) in asked else None
        places = int(self._reader.graph.high[0])
        answer = open_verdicts(edition, places).find(program, not label, size, known)
        if answer.status == "none":
            return None
        if answer.household is None:
            raise ProofError(
                f"{program} of a household of {self._size}: neither a household of another label "
                "nor a proof that there is none was found. Report this as a bug.",
                program=program,
            )
        theirs = household_facts(answer.household)
        hint: dict[int, float] = {
            entry: feature_of(fact).encode(theirs[fact])
            for fact, entry in place.items()
            if fact in theirs
        }
        root, mark = self._reader.entry(program), self._intervals.mark()
        try:
            self._intervals.require([(int(root), int(not label), int(not label))])
            for _ in range(MOST_ORDERS):
                codes = self._complete(relevant, [len(answer.household.members)], hint)
                if codes is not None:
                    return self._decoded(codes)
        finally:
            self._intervals.undo(mark)
        return answer.household

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
        """Return an open entry to tell cases apart: one of few values that failed often."""
        low, high = self._intervals.low, self._intervals.high
        if low[0] < high[0]:
            return 0
        hard = [entry for entry in self._hard if low[entry] < high[entry]]
        if hard:
            return max(hard, key=lambda entry: self._hard[entry] / (high[entry] - low[entry]))
        return next(entry for entry in self._facts if low[entry] < high[entry])

    def _complete(
        self, relevant: set[str], sizes: list[int], hint: Mapping[int, float] = MappingProxyType({})
    ) -> dict[int, float] | None:
        """Return a household that agrees with what is known, and with as many answers as it can.

        Facts that had no value left before get one first; answers that a verdict reads are kept
        next, in random order.

        Args:
            relevant: Questions that the verdict reads.
            sizes: How many members it may have.
            hint: Codes of a household of another label.
        """
        intervals = self._intervals
        mark, low = intervals.mark(), intervals.low
        questions = [question for question in self._answers if question in relevant]
        others = [question for question in self._answers if question not in relevant]
        for size in self._shuffled(sizes):
            try:
                intervals.require([(0, size, size)])
                self._fill_in(self._shuffled(list(self._hard)), hint, is_free=True)
                self._keep([*self._shuffled(questions), *self._shuffled(others)])
                self._fill_in(self._facts, hint)
            except Contradiction:
                continue
            else:
                return {0: low[0]} | {entry: low[entry] for entry in self._facts}
            finally:
                intervals.undo(mark)
        return None

    def _shuffled(self, items: list[_T]) -> list[_T]:
        return [items[place] for place in self._rng.permutation(len(items))]

    def _keep(self, questions: Sequence[str]) -> None:
        """Take answers over in order, many in a step; leave out those that contradict the rest."""
        place, step = 0, 64
        while place < len(questions):
            part = questions[place : place + step]
            try:
                self._intervals.require(
                    [values for question in part for values in self._answers[question]]
                )
            except Contradiction:
                if len(part) > 1:
                    step = max(1, len(part) // 4)
                    continue
                self._exclude(part[0])
                place, step = place + 1, 4
            else:
                place, step = place + len(part), min(2 * step, 1024)

    def _exclude(self, question: str) -> None:
        """Require another value for a question whose own answer contradicts what is known.

        Answers whose value is settled already are left as they are.

        Raises:
            Contradiction: No other value is possible either.
        """
        (entry, code, _), *_ = self._answers[question]
        intervals, graph = self._intervals, self._reader.graph
        least, most = intervals.low[entry], intervals.high[entry]
        if least == most or not graph.whole[entry]:
            return
        for low, high in ((least, code - 1), (code + 1, most)):
            try:
                return intervals.require([(entry, low, high)])
            except Contradiction:
                pass
        self._hard[entry] += 1
        raise Contradiction

    def _fill_in(
        self, entries: Iterable[int], hint: Mapping[int, float], *, is_free: bool = False
    ) -> None:
        """Give every open fact a value: the hint's, or any one if it is free.

        Raises:
            Contradiction: No values fit together.
        """
        intervals, graph = self._intervals, self._reader.graph
        for entry in entries:
            low, high = intervals.low[entry], intervals.high[entry]
            if low == high:
                continue
            if graph.mask[entry]:
                values: list[float] = [*range(-1, intervals.mask[entry].bit_length() - 1)]
            else:
                between = [low + (high - low) * step // _SPREAD for step in range(1, _SPREAD)]
                values = [*dict.fromkeys([low, high, low + 1, high - 1, *between])]
            if is_free:
                values = self._shuffled(values)
            for value in [hint[entry], *values] if entry in hint else values:
                try:
                    intervals.require([(entry, value, value)])
                    break
                except Contradiction:
                    continue
            else:
                self._hard[entry] += 1
                raise Contradiction

    def _decoded(self, codes: Mapping[int, float]) -> Household:
        """Return a household with some codes; facts that nobody reads are as they were."""
        facts = self._household.facts()
        members = facts.pop("members")[: int(codes[0])]
        members += [{"name": f"Member {place + 1}"} for place in range(len(members), int(codes[0]))]
        for fact, entry in self._reader.graph.place.items():
            (name, position), value = fact, feature_of(fact).decode(codes[entry])
            if position is None:
                facts[name] = value
            elif position < len(members):
                members[position][name] = value
        return Household.from_facts({"members": members, **facts}, constrained=False)
