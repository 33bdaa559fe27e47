"""A checker read when some facts are known and the rest is not: eligible, ineligible, or open.

Whatever is decided holds for every possible household that has the known facts; what is open may
be decided too, where intervals cannot tell. Z3 then has the last word (`z3_backend`).
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cached_property, lru_cache
from typing import Any

from benyfits_data.editions import Edition
from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import HOUSEHOLD_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.household.schema import Feature
from benyfits_data.language.case_analysis import cases
from benyfits_data.language.interval_propagation import Contradiction, FormulaGraph, Intervals
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.sufficient import smallest_sufficient
from benyfits_data.language.symbolic_execution import (
    HouseholdArgument,
    execute_constraints,
)

SPLITS = 2
"""Cases told apart to refute one verdict. Of 1,183 verdicts that follow from random facts of twenty
random households, 1,180 are found with 0 and all with 2; 32 find no more. Ten programs take 1.0 ms
with 0, 2.3 with 2, 3.6 with 32."""
Fact = tuple[str, int | None]
"""A fact by the feature's name and the member's position, `None` for the household's."""


class PartialReader:
    """Reads some programs of an edition for households known in part.

    Args:
        edition: Gives checkers and thresholds.
        programs: The programs to read; all unless given.
        constraints: What makes a household possible; with none, whatever a household may be.
        places: The most members that a household may have.

    Attributes:
        edition: Gives checkers and thresholds.
        programs: Their names.
        graph: Their formulas and those of the constraints.
        start: What every possible household has in common.
    """

    def __init__(
        self,
        edition: Edition,
        programs: Iterable[str] | None = None,
        constraints: Mapping[str, Constraint] = CONSTRAINTS,
        places: int = LARGEST_HOUSEHOLD,
    ) -> None:
        self.edition = edition
        executor, held = execute_constraints(tuple(constraints.values()), places)
        read = [edition.program(name) for name in (edition if programs is None else programs)]
        formulas = {
            program.name: executor.call(
                program.checker, (HouseholdArgument(), program.thresholds)
            ).value
            for program in read
        }
        self.programs, values = tuple(formulas), list(formulas.values())
        self.graph = FormulaGraph([*values, *held], places)
        self._roots = dict(zip(self.programs, values, strict=True))
        self.start = Intervals(self.graph)
        self.start.settle()
        self.start.require(
            [(self.graph.positions[node], 1, 1) for node in held if node is not TRUE]
        )
        self._names = {entry: fact for fact, entry in self.graph.place.items()}
        self._constraints, self._places = constraints, places

    @cached_property
    def unconstrained(self) -> "PartialReader":
        """The reader of the same programs that takes any household for possible."""
        if not self._constraints:
            return self
        return PartialReader(self.edition, self.programs, {}, self._places)

    @cached_property
    def of_no_program(self) -> "PartialReader":
        """The reader of the constraints alone; the same one for all readers that know these."""
        return _of_no_program(self.edition, tuple(self._constraints.values()), self._places)

    def know_answers(self, size: int | None, facts: Mapping[Fact, Any]) -> "Knowledge":
        """Return what is known from somebody's answers, which may contradict one another.

        Where no possible household has all of them, no constraint is believed any more: what
        `unconstrained` knows is returned. So call it with all answers when `Knowledge.tell` raises,
        and go on with what it returns.

        Args:
            size: The number of members, if it was told.
            facts: All answers.

        Raises:
            ImpossibleHouseholdError: A fact is told of a member beyond `size`.
        """
        try:
            return self.know(size, facts)
        except ImpossibleHouseholdError:
            if self is self.unconstrained:
                raise
            return self.unconstrained.know(size, facts)

    def entry(self, program: str) -> int | bool:
        """Return a program's verdict as a position in the graph, or as it always is."""
        node: Node = self._roots[program]
        return node is TRUE if node in (TRUE, FALSE) else self.graph.positions[node]

    def know(self, size: int | None = None, facts: Mapping[Fact, Any] | None = None) -> "Knowledge":
        """Return what is known at first.

        Args:
            size: The number of members, if it is known.
            facts: Values of facts that are known.

        Raises:
            ImpossibleHouseholdError: No possible household has these facts.
        """
        known = Knowledge(self)
        known.tell(facts or {}, size=size)
        return known


@lru_cache(maxsize=8)
def _of_no_program(
    edition: Edition, constraints: tuple[Constraint, ...], places: int
) -> PartialReader:
    return PartialReader(
        edition, (), {str(n): constraint for n, constraint in enumerate(constraints)}, places
    )


class Knowledge:
    """What is known of one household, and what follows from it.

    Made by `PartialReader.know`.

    Attributes:
        reader: Whose programs are decided, by the constraints that it knows.
        intervals: What each position of the graph can still be.
    """

    def __init__(self, reader: PartialReader) -> None:
        self.reader = reader
        self.intervals = Intervals(reader.graph, reader.start)

    def copy(self) -> "Knowledge":
        """Return a copy of the knowledge, which can learn other facts."""
        other = Knowledge(self.reader)
        other.intervals = self.intervals.copy()
        return other

    def tell(self, facts: Mapping[Fact, Any], *, size: int | None = None) -> None:
        """Add facts. A fact of a member says that the member is there.

        Raises:
            ImpossibleHouseholdError: No possible household has all facts told. The new ones are
                forgotten then.
        """
        values: list[tuple[int, float, float]] = []
        place = self.reader.graph.place
        if size is not None:
            values.append((0, size, size))
        told_of = [position for _, position in facts if position is not None]
        if told_of:
            values.append((0, max(told_of) + 1, self.reader._places))
        for fact, value in facts.items():
            if fact in place:
                code = feature_of(fact).encode(value)
                values.append((place[fact], code, code))
        try:
            self.intervals.require(values)
        except Contradiction:
            raise ImpossibleHouseholdError(
                "No possible household has all of these facts. Correct one of them, or read "
                "without constraints.",
                facts=dict(facts),
            ) from None

    def verdict(self, program: str) -> bool | None:
        """Return whether every possible household with these facts is eligible, or none; else None.

        Raises:
            ImpossibleHouseholdError: Both verdicts lead to a contradiction: there is no such
                household.
        """
        entry = self.reader.entry(program)
        if isinstance(entry, bool):
            return entry
        intervals = self.intervals
        if intervals.low[entry] == intervals.high[entry]:
            return bool(intervals.low[entry])
        if not self.can_be(program, True):
            return False
        if not self.can_be(program, False):
            return True
        return None

    def can_be(self, program: str, verdict: bool) -> bool:
        """Return whether propagation, case by case, leaves a verdict open.

        Args:
            program: The program.
            verdict: Eligible or not.
        """
        entry = self.reader.entry(program)
        if isinstance(entry, bool):
            return entry is verdict
        with closing(cases(self.intervals, entry, int(verdict), SPLITS)) as open_cases:
            return any(True for _ in open_cases)

    def verdicts(self) -> dict[str, bool | None]:
        """Return the verdict of every program, `None` where it is open."""
        return {program: self.verdict(program) for program in self.reader.programs}

    def open_facts(self, program: str) -> list[Fact | None]:
        """Return facts on which a verdict may still depend, `None` for the number of members.

        A verdict depends on nothing else, though other facts may tell something of these.
        """
        entry = self.reader.entry(program)
        if isinstance(entry, bool):
            return []
        low, high, graph = self.intervals.low, self.intervals.high, self.reader.graph
        seen, stack, leaves = {entry}, [entry], []
        while stack:
            here = stack.pop()
            if low[here] == high[here]:
                continue
            operands = graph.operands[here]
            if not operands:
                leaves.append(here)
            for operand in operands:
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        return [self.reader._names.get(here) for here in sorted(leaves)]

    def reasons(self, program: str, household: Household) -> list[Fact]:
        """Return facts of a household that, added to what is known, decide a program.

        None of them can be left out; there may be other such lists.

        Args:
            program: The program.
            household: A household that has all the known facts.
        """
        verdict = self.verdict(program)
        if verdict is not None:
            return []
        facts = household_facts(household)
        wanted = [fact for fact in self.open_facts(program) if fact is not None and fact in facts]
        label = self.reader.edition.program(program).is_eligible(household)

        def decides(some: Sequence[Fact]) -> bool:
            mark = self.intervals.mark()
            try:
                self.tell({fact: facts[fact] for fact in some})
                return self.verdict(program) is label
            finally:
                self.intervals.undo(mark)

        return sorted(smallest_sufficient(wanted, decides), key=_order)


def told_facts(given: Mapping[str, Any]) -> dict[Fact, Any]:
    """Return the given facts of a household, in the order of `given`."""
    facts: dict[Fact, Any] = {
        (name, None): HOUSEHOLD_FEATURES[name].parse(value)
        for name, value in given.items()
        if name in HOUSEHOLD_FEATURES
    }
    for position, member in enumerate(given["members"]):
        features = member if position or "relation" in member else {"relation": "self", **member}
        for name, value in features.items():
            if name in CODED_MEMBER_FEATURES:
                facts[name, position] = CODED_MEMBER_FEATURES[name].parse(value)
    return facts


def household_facts(household: Household) -> dict[Fact, Any]:
    """Return all facts of a household."""
    facts: dict[Fact, Any] = {(name, None): getattr(household, name) for name in HOUSEHOLD_FEATURES}
    for position, member in enumerate(household.members):
        for name in CODED_MEMBER_FEATURES:
            facts[name, position] = getattr(member, name)
    return facts


def feature_of(fact: Fact) -> Feature:
    """Return the declaration of a fact's feature."""
    name, position = fact
    return HOUSEHOLD_FEATURES[name] if position is None else CODED_MEMBER_FEATURES[name]


def fact_name(fact: Fact) -> str:
    """Return a fact as rows name it, such as `members[0].age`."""
    name, position = fact
    return name if position is None else f"members[{position}].{name}"


def _order(fact: Fact) -> tuple[int, str]:
    name, position = fact
    return (-1 if position is None else position, name)
