"""What an answer tells of other facts, by what makes a household possible.

Whoever has owned the home for 30 months owns it; a child 30 months old is 2 and does not work. So
one question may spare others, and proofs of likely verdicts should know.
"""

from collections.abc import Sequence
from functools import lru_cache

from benyfits_data.language.interval_propagation import (
    EQUAL,
    LESS,
    PRESENT,
    Contradiction,
)
from benyfits_data.language.partial import Fact, PartialReader, feature_of
from benyfits_data.par.questions import GIVEN
from benyfits_data.planner.proof_finder import ProofFinder

Implied = dict[int, tuple[float, int]]
"""Entries of a graph, with the value that follows and the question that it follows from."""
Left = tuple[Fact | None, float, float, int]
"""A fact (`None`: the number of members), the least and the most left of it, and the choices."""
_Comparison = tuple[int, int, float]
"""A comparison's entry, its operation, and the constant that a fact is compared with."""
MANY = 1_000
"""Of numbers with more values than this, amounts of money above all, it counts only whether they
are zero: so what follows is found once for all of them. With 10 in
place of 1,000, ages and hours count so too, and 2.8% more questions are asked."""


class Possible:
    """What one fact leaves of the others in every possible household, whatever the programs.

    Args:
        rules: A reader of no program.
    """

    def __init__(self, rules: PartialReader) -> None:
        self._places = rules.graph.place
        self._facts: dict[int, Fact | None] = {0: None}
        self._facts |= {entry: fact for fact, entry in rules.graph.place.items()}
        self._intervals = rules.know(facts={GIVEN: "self"}).intervals
        self._found: dict[tuple[Fact, float, float], list[Left]] = {}

    def left(self, fact: Fact, low: float, high: float) -> list[Left]:
        """Return what is left of each fact, itself included, if one lies between two values.

        All who are not the applicant are alike, so this is found for the first of them: of ten
        programs, the first questions of a process take a third of the time.
        """
        key = (fact, low, high)
        if key not in self._found:
            name, member = fact
            if member is None or member < 2:
                self._found[key] = self._narrowed(*key)
            else:
                self._found[key] = [
                    (_swapped(other, member), low, high, choices)
                    for other, low, high, choices in self.left((name, 1), low, high)
                ]
        return self._found[key]

    def _narrowed(self, fact: Fact, low: float, high: float) -> list[Left]:
        intervals, (_, member) = self._intervals, fact
        mark, least = intervals.mark(), 1 if member is None else member + 1
        values = [(0, float(least), intervals.high[0])]
        if fact in self._places:
            values.append((self._places[fact], low, high))
        ranges: list[Left] = [] if fact in self._places else [(fact, low, high, 0)]
        try:
            intervals.require(values)
        except Contradiction:
            return []
        ranges += [
            (self._facts[entry], low, high, choices)
            for entry, low, high, choices in intervals.narrowed_since(mark)
            if entry in self._facts
        ]
        intervals.undo(mark)
        return ranges


def _swapped(fact: Fact | None, member: int) -> Fact | None:
    """Return the fact of the second member in place of another one's, and the other way round."""
    if fact is None or fact[1] not in (1, member):
        return fact
    return fact[0], 1 + member - fact[1]


@lru_cache(maxsize=8)
def _possible(reader: PartialReader) -> Possible:
    return Possible(reader)


class Consequences:
    """What follows from single facts in every possible household; kept once it was looked up.

    Args:
        reader: Whose graph and constraints count.
    """

    def __init__(self, reader: PartialReader) -> None:
        self._possible = _possible(reader.of_no_program)
        self._place: dict[Fact | None, int] = {None: 0}
        self._place |= dict(reader.graph.place.items())
        self._start, self._graph = reader.start, reader.graph
        self._found: dict[tuple[int, float, float], dict[int, float]] = {}
        self._comparisons: dict[int, list[_Comparison]] = {}

    def of(self, entry: int, fact: Fact, code: float) -> dict[int, float]:
        """Return facts and comparisons that are fixed if a fact has a value, with their values.

        Args:
            entry: The fact's entry.
            fact: The fact.
            code: Its value, coded.
        """
        feature, low, high = feature_of(fact), code, code
        if feature.kind == "number" and (feature.maximum or 0) > MANY and code > 0:
            low, high = 1, float(feature.maximum or 0)
        key = (entry, low, high)
        if key not in self._found:
            fixed = dict[int, float]()
            for other, *left in self._possible.left(fact, low, high):
                if other != fact and other in self._place:
                    self._fix(self._place[other], left, fixed)
            self._found[key] = fixed
        return self._found[key]

    def _fix(self, entry: int, left: Sequence[float], fixed: dict[int, float]) -> None:
        """Add what is fixed of a fact, and of its comparisons with constants."""
        low, high, choices = left
        if low == high:
            fixed[entry] = low
        if entry not in self._comparisons:
            self._comparisons[entry] = self._compared_with_constants(entry)
        for comparison, operation, constant in self._comparisons[entry]:
            if operation == EQUAL:
                is_left_out = choices and not int(choices) >> (int(constant) + 1) & 1
                if low == high:
                    fixed[comparison] = float(low == constant)
                elif is_left_out or not low <= constant <= high:
                    fixed[comparison] = 0.0
            else:
                is_so, is_so_above = low < constant, high < constant
                if operation != LESS:
                    is_so, is_so_above = low > constant, high > constant
                if is_so == is_so_above:
                    fixed[comparison] = float(is_so)

    def _compared_with_constants(self, entry: int) -> list[_Comparison]:
        graph, start = self._graph, self._start
        comparisons: list[_Comparison] = []
        for parent in graph.parents[entry]:
            operation, operands = graph.operations[parent], graph.operands[parent]
            if operation == PRESENT:
                comparisons.append((parent, PRESENT, graph.least[parent]))
            elif operation in (LESS, EQUAL) and operands[0] != operands[1]:
                is_left = operands[0] == entry
                constant = start.low[operands[is_left]]
                if constant == start.high[operands[is_left]]:
                    # Above a constant is a fact on the right of LESS, as the size is of PRESENT.
                    is_above = operation == LESS and not is_left
                    comparisons.append((parent, PRESENT if is_above else operation, constant))
        return comparisons


class Inferences:
    """What follows from the answers of imagined households, at one moment of an interview.

    Args:
        consequences: Of the reader.
        finder: What finds proofs then, with its bits.
        facts: The facts of its leaves, `None` for the number of members.
        blocked: Bits from this one on are no questions.
        size: The number of members, once told.
    """

    def __init__(
        self,
        consequences: Consequences,
        finder: ProofFinder,
        facts: Sequence[Fact | None],
        blocked: int,
        size: int | None,
    ) -> None:
        self._consequences, self._finder, self._facts = consequences, finder, facts
        self._size = size
        self._place = {entry: place for place, entry in enumerate(finder.leaves)}
        self._open = {*finder.leaves, *finder.computed}
        self._leaves_by_bit: dict[int, list[int]] = {}
        for place, (fact, bit) in enumerate(zip(facts, finder.bits, strict=True)):
            if fact is not None and bit < blocked:
                self._leaves_by_bit.setdefault(bit, []).append(place)
        self._found: dict[tuple[int, float], list[tuple[int, float]]] = {}

    def of(self, values: Sequence[float], asked: int) -> Implied:
        """Return what follows from questions that are asked anyway, those that tell most first.

        Args:
            values: The facts of an imagined household, leaf by leaf.
            asked: The questions.
        """
        size = values[self._place[0]] if 0 in self._place else self._size
        sources = []
        for bit, places in self._leaves_by_bit.items():
            for place in places if bit & asked else ():
                fact = self._facts[place]
                if fact is None or (size is not None and (fact[1] or 0) >= size):
                    continue  # Nobody is there.
                following = self._told(place, values[place], fact)
                spared = sum(
                    bool(self._finder.bits[self._place[other]] & asked)
                    for other, value in following
                    if other in self._place and values[self._place[other]] == value
                )
                if following:
                    sources.append((-spared, -len(following), place, bit, following))
        implied: Implied = {}
        used = set[int]()
        for _, _, place, bit, following in sorted(sources):
            if self._finder.leaves[place] in implied:
                continue
            used.add(self._finder.leaves[place])
            for entry, value in following:
                if entry not in used:
                    implied.setdefault(entry, (value, bit))
        return implied

    def _told(self, place: int, code: float, fact: Fact) -> list[tuple[int, float]]:
        if (place, code) not in self._found:
            fixed = self._consequences.of(self._finder.leaves[place], fact, code)
            bit = self._finder.bits[place]
            self._found[place, code] = [
                (entry, value)
                for entry, value in fixed.items()
                if entry in self._open
                and entry
                and not (entry in self._place and self._finder.bits[self._place[entry]] == bit)
            ]
        return self._found[place, code]
