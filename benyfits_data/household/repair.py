"""Changing impossible households, one or many, until they are possible.

Where a constraint is violated, the features that repair it change: a guarded fact goes off, a flag
turns over, others are drawn anew, then the values of their domain are tried. Nothing is dropped: a
household keeps all its other facts. Completing a half-told household is a repair that leaves the
told facts as they are. Who violates a constraint is for the caller's evaluator to say: CPython for
one household (`violators_one_by_one`), the NumPy reader for many.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.feature_arrays import FeatureArrays
from benyfits_data.household.features import FEATURES
from benyfits_data.household.registry import CONSTRAINTS, Constraint
from benyfits_data.household.schema import Feature
from benyfits_data.rng import stream

KEPT = frozenset({"relation", "age", "age_months", "sex"})
"""What a household is made of, never given up with all that a constraint reads: otherwise 499
instead of 304 of 2,000 arbitrary households stay impossible, and the sampler fails."""
PASSES = 40
"""How often constraints are gone through. With 20, 337 of 2,000 arbitrary households stay
impossible instead of 304; with 10 the sampler fails for one household of 20,000."""
ATTEMPTS = 4
"""How often the passes begin anew, with other draws, for households that are still impossible: one
attempt leaves one of 40,000 sampled ones, with five small children born too close."""
PATIENCE = 4
"""Passes after which constraints give up; ends the quarrels of those that undo each other's
repairs. From the first pass on, 363 arbitrary households stay impossible; without, 501 do, and the
sampler fails."""
GIVEN_UP_SHARE = 0.3
"""In which share of households, for what helps one may be what keeps another from being repaired:
with 0.1 it takes 1.7 times as long, with 0.5 406 arbitrary households stay impossible."""
NUMBERS = 128
"""How many numbers of a domain are tried, so that all ages, hours and weeks are: with 2, 33 of 60
half-told households cannot be completed instead of 17; with 32 a grandparent is 110 years old."""
SUMS = (1_000, 5_000, 10_000, 50_000, 100_000, 500_000)
"""Sums tried beyond: without them who works 40 hours is paid $2,000,000 where $4,200 would do."""
Index = NDArray[np.intp]
Found = tuple[Index | None, Index]
Evaluator = Callable[[Constraint, Any], Found]
"""Who violates a constraint: positions of members (`None` for one of the household) and of
households, in columns as `Households` has them."""


class Draw(Protocol):
    """How a sampler draws one feature anew."""

    def __call__(
        self,
        feature: Feature,
        households: Any,
        rows: Index | None,
        columns: Index,
        rng: np.random.Generator,
    ) -> NDArray[Any]:
        """Return one code for each place, shape `(len(columns),)`.

        Args:
            feature: What to draw.
            households: All households as they are now; a draw may depend on them.
            rows: Position of the member in each place; `None` for a household feature.
            columns: Position of the household in each place.
            rng: The stream to draw from.
        """


@dataclass(frozen=True)
class _Places:
    """Where a constraint is violated: members' positions (or `None`) and households' positions."""

    rows: Index | None
    columns: Index

    def __len__(self) -> int:
        return len(self.columns)

    def where(self, mask: NDArray[np.bool_]) -> "_Places":
        """Return the places that a mask of shape `(len(self),)` keeps."""
        return _Places(None if self.rows is None else self.rows[mask], self.columns[mask])


def repair(
    households: FeatureArrays,
    evaluate: Evaluator,
    draw: Draw,
    rng: np.random.Generator,
    constraints: Iterable[Constraint] | None = None,
    changed: Iterable[str] | None = None,
) -> None:
    """Change households in place until none violates a constraint.

    Args:
        households: What to repair.
        evaluate: Says who violates a constraint.
        draw: Draws a feature anew.
        rng: Gives the root of the streams; each constraint and pass has a stream of its own.
        constraints: All of them unless given.
        changed: The only features that changed since the households were possible.

    Raises:
        ImpossibleHouseholdError: A constraint is still violated after all passes.
    """
    order = list(CONSTRAINTS.values() if constraints is None else constraints)
    left = np.arange(len(households))
    for _ in range(ATTEMPTS):
        work = _Repair(households, evaluate, draw, int(rng.integers(2**62)))
        left = work.run(order, FEATURES if changed is None else changed, PASSES)
        if not len(left):
            break
        changed = None
    if len(left):
        broken = [(each, len(work.violated(each, left))) for each in order]
        worst, n = max(broken, key=lambda pair: pair[1])
        raise ImpossibleHouseholdError(
            f"{worst.name} is violated in {n} households after {PASSES} passes, the first at "
            f"position {left[0]}. {worst.says} Name a feature that can "
            "repair it, or draw values that fit it.",
            constraint=worst.name,
            households=n,
            position=int(left[0]),
        )


def repair_once(
    households: FeatureArrays,
    evaluate: Evaluator,
    draw: Draw,
    rng: np.random.Generator,
    changed: Iterable[str],
) -> None:
    """Go through the constraints once, in place; some households may stay impossible.

    For copies that may be thrown away: most are repaired at once, the rest are not worth the time.
    """
    work = _Repair(households, evaluate, draw, int(rng.integers(2**62)))
    work.run(list(CONSTRAINTS.values()), changed, passes=1, looks_last=False)


def complete_columns(
    household: FeatureArrays, facts: Mapping[str, Any], violated: Iterable[str]
) -> None:
    """Change facts that were not given, in place, until a household is possible, if it can be.

    Args:
        household: One household; what is not given has its default.
        facts: What is given, as for `Household.from_facts`.
        violated: The constraints that it violates.
    """
    given = {name: np.array([name in facts]) for name in household.shared}
    for name, column in household.member.items():
        given[name] = np.ones(column.shape, np.bool_)  # Where no member is, nothing can change.
        given[name][: len(facts["members"]), 0] = [name in member for member in facts["members"]]
    given["relation"][0] = True  # The first member is the applicant.
    run = _Repair(household, violators_one_by_one, None, 0, given)
    run.run(list(CONSTRAINTS.values()), (), PASSES, violated)


def violators_one_by_one(constraint: Constraint, households: FeatureArrays) -> Found:
    """Return who violates a constraint, asking CPython about one household after the other."""
    rows: list[int | None] = []
    columns: list[int] = []
    shared, member = (
        [(FEATURES[name], table[name]) for name in constraint.reads & table.keys()]
        for table in (households.shared, households.member)
    )
    for column, size in enumerate(households.size):
        members = [
            SimpleNamespace(
                **{fact.name: fact.decode(codes[row, column]) for fact, codes in member}
            )
            for row in range(size)
        ]
        facts = {fact.name: fact.decode(codes[column]) for fact, codes in shared}
        household = SimpleNamespace(members=members, applicant=members[0], **facts)
        broken = [
            row for row, asked in constraint.asked_of(household) if not constraint.holds(*asked)
        ]
        rows += broken
        columns += [column] * len(broken)
    return np.array(rows, np.intp) if constraint.of_member else None, np.array(columns, np.intp)


@dataclass
class _Repair:
    """One run of the engine; `given` facts stay as they are, and nothing is drawn then."""

    households: FeatureArrays
    evaluate: Evaluator
    draw: Draw | None
    root: int
    given: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    def run(
        self,
        order: Sequence[Constraint],
        changed: Iterable[str],
        passes: int,
        violated: Iterable[str] = (),
        *,
        looks_last: bool = True,
    ) -> Index:
        """Go through the constraints until none is violated; return who may still violate one.

        Looked at first are those that read a changed feature, and those known to be violated. In
        the last pass nothing changes, unless `looks_last` is false.
        """
        readers = _readers(order)
        stale = _reading(readers, changed).union(violated)
        suspects = np.arange(len(self.households))
        turn = 0
        seen: dict[tuple[object, ...], int] = {}
        while turn < passes and len(suspects):
            if self.given:
                # Nothing is drawn: what comes back as it was would come back until the last pass.
                table = (*self.households.shared.values(), *self.households.member.values())
                state = (
                    *(column.tobytes() for column in table),
                    frozenset(stale),
                    suspects.tobytes(),
                )
                period = turn - seen.get(state, turn)
                turn += (passes - 1 - turn) // period * period if period else 0
                seen[state] = turn
            touched = np.zeros(len(self.households), np.bool_)
            for constraint in order:
                if constraint.name not in stale:
                    continue
                stale.discard(constraint.name)
                places = self.violated(constraint, suspects)
                touched[places.columns] = True
                if not len(places) or (looks_last and turn == passes - 1):
                    continue
                if self.given:
                    self._complete(constraint, self._turned(constraint, places))
                else:
                    self._change(constraint, places, turn)
                is_whole = bool(self.given) or turn >= PATIENCE
                stale |= _reading(readers, constraint.reads if is_whole else constraint.repaired_by)
            suspects = np.flatnonzero(touched)
            turn += 1
        return suspects

    def violated(self, constraint: Constraint, among: Index) -> _Places:
        """Return where a constraint is violated among some households."""
        # To copy most households' facts takes longer than to look at all.
        if 2 * len(among) < len(self.households.size):
            rows, places = self.evaluate(constraint, self._part(constraint, among))
            return _Places(rows, among[places])
        everywhere = _Places(*self.evaluate(constraint, self.households))
        wanted = np.zeros(len(self.households.size), np.bool_)
        wanted[among] = True
        return everywhere.where(wanted[everywhere.columns])

    def _part(self, constraint: Constraint, columns: Index) -> FeatureArrays:
        """Return the columns that a constraint reads of some households."""
        table, reads = self.households, constraint.reads
        return FeatureArrays(
            table.size[columns],
            {name: table.shared[name][columns] for name in reads & table.shared.keys()},
            {name: table.member[name][:, columns] for name in reads & table.member.keys()},
        )

    def _still(self, constraint: Constraint, places: _Places) -> NDArray[np.bool_]:
        """Return at which places a constraint is violated."""
        rows, columns = self.evaluate(constraint, self._part(constraint, places.columns))
        if rows is not None and places.rows is not None:
            # The household of a place may have other members who violate it.
            columns = columns[rows == places.rows[columns]]
        still = np.zeros(len(places), np.bool_)
        still[columns] = True
        return still

    def _change(self, constraint: Constraint, places: _Places, turn: int) -> None:
        """Change the features that repair a constraint, where it is violated."""
        names = self.root, constraint.name, turn
        # Most need no stream: a fact goes off, or a flag turns over.
        rng = stream(*names) if turn >= PATIENCE else None
        if rng:
            places = self._give_up(constraint, places, rng.random(len(self.households)))
        places = self._turned(constraint, places)
        # A draw may keep undoing what another constraint asks: in every pass, sampling takes a
        # fourth longer; in none, twice as many arbitrary households stay impossible.
        if turn % 2 == 0 and len(places):
            self._draw(constraint.repaired_by, places, rng or stream(*names))
            places = places.where(self._still(constraint, places))
        for feature in (FEATURES[name] for name in constraint.repaired_by):
            places = self._try(places, feature, [constraint])

    def _turned(self, constraint: Constraint, places: _Places) -> _Places:
        """Set a guarded fact to off, turn a flag over; return where that does not help."""
        feature, *others = (FEATURES[name] for name in constraint.repaired_by)
        target = self._of(feature, places)
        if constraint.guards:
            self._write(feature, target, feature.encode(feature.off))
            if not self.given:  # A guard holds wherever its fact is off.
                return places.where(np.zeros(len(places), np.bool_))
        elif feature.kind != "flag" or others:
            return places
        elif constraint.of_member or feature.level == "household":
            self._write(feature, target, ~self._read(feature, target))
        return places.where(self._still(constraint, places))

    def _give_up(
        self, constraint: Constraint, places: _Places, chance: NDArray[np.float64]
    ) -> _Places:
        """Set the features that repair a constraint, or all it reads, to their defaults.

        Returns:
            Where that does not help.
        """
        chance = chance[places.columns]
        for names, chosen in (
            (constraint.repaired_by, chance < GIVEN_UP_SHARE),
            (constraint.reads - KEPT, chance > 1 - GIVEN_UP_SHARE),
        ):
            for feature in (FEATURES[name] for name in sorted(names)):
                target = self._of(feature, _Places(None, places.columns[chosen]))
                self._write(feature, target, feature.encode(feature.default))
        return places.where(self._still(constraint, places))

    def _complete(self, constraint: Constraint, places: _Places) -> None:
        """Try the features that repair a constraint, then all that it reads."""
        names = dict.fromkeys([*constraint.repaired_by, *sorted(constraint.reads)])
        # What is told everywhere stays: to try its other values would take minutes, for nothing.
        untold = (name for name in names if name in self.given and not self.given[name].all())
        for feature in map(FEATURES.__getitem__, untold):
            related = [each for each in CONSTRAINTS.values() if feature.name in each.repaired_by]
            for needed in ([constraint, *related], [constraint]):
                places = self._try(places, feature, needed)
            if places.rows is not None and not constraint.is_local:
                # Somebody else may change: a child grows no younger, but the applicant older.
                self._try(_Places(None, places.columns), feature, [constraint])
                places = places.where(self._still(constraint, places))

    def _try(self, places: _Places, feature: Feature, needed: Sequence[Constraint]) -> _Places:
        """Try the values of a feature, each where all so far failed; return where all fail.

        A household constraint asks for one member after the other to change.
        """
        each_member = feature.level == "member" and places.rows is None
        for value in _values(feature):
            for row in range(self.households.places) if each_member else [None]:
                if not len(places):
                    return places
                target = self._of(feature, places)
                if row is not None:
                    there = places.columns[self.households.size[places.columns] > row]
                    target = _Places(np.full(len(there), row, np.intp), there)
                before = self._read(feature, target)
                if (before == value).all():
                    continue
                self._write(feature, target, value)
                still = np.zeros(len(places), np.bool_)
                for one in needed:
                    still |= self._still(one, places)
                lost = places.where(still)
                if target.rows is not None and lost.rows is not None:
                    undone = still
                else:
                    undone = np.isin(target.columns, lost.columns)
                self._write(feature, target.where(undone), before[undone])
                places = lost
        return places

    def _draw(self, names: Iterable[str], places: _Places, rng: np.random.Generator) -> None:
        """Draw features anew, in order of declaration."""
        wanted = set(names)
        for feature in FEATURES.values():
            if feature.name in wanted and self.draw:
                target = self._of(feature, places)
                codes = self.draw(feature, self.households, target.rows, target.columns, rng)
                self._write(feature, target, codes)

    def _of(self, feature: Feature, places: _Places) -> _Places:
        """Where a feature changes: with this member, the household, or all its members."""
        if feature.level == "household":
            return _Places(None, np.unique(places.columns))
        if places.rows is not None:
            return places
        sizes = self.households.size[places.columns]
        rows, columns = np.nonzero(np.arange(self.households.places)[:, None] < sizes)
        return _Places(rows, places.columns[columns])

    def _read(self, feature: Feature, places: _Places) -> NDArray[Any]:
        if feature.level == "household":
            return self.households.shared[feature.name][places.columns]
        return self.households.member[feature.name][places.rows, places.columns]

    def _write(self, feature: Feature, places: _Places, codes: Any) -> None:
        """Set the codes of a feature where it was not given."""
        is_shared = feature.level == "household"
        table = self.households.shared if is_shared else self.households.member
        place = places.columns if is_shared else (places.rows, places.columns)
        if self.given:
            codes = np.where(self.given[feature.name][place], table[feature.name][place], codes)
        table[feature.name][place] = codes


def _readers(order: Iterable[Constraint]) -> dict[str, list[str]]:
    """Return the constraints that read each feature."""
    readers: dict[str, list[str]] = {}
    for each in order:
        for name in each.reads:
            readers.setdefault(name, []).append(each.name)
    return readers


def _reading(readers: Mapping[str, list[str]], names: Iterable[str]) -> set[str]:
    return {each for name in names for each in readers.get(name, ())}


def _values(feature: Feature) -> Iterator[Any]:
    """Give the codes to try, the default first."""
    yield feature.encode(feature.default)
    if feature.kind == "flag":
        yield not feature.default
        return
    if feature.optional:
        yield feature.encode(None)
    if feature.kind == "choice":
        yield from range(len(feature.choices))
    if feature.minimum is None or feature.maximum is None:
        return
    first, last = int(feature.minimum), int(feature.maximum)
    if feature.kind != "date":
        yield from range(first, min(last, first + NUMBERS) + 1)
        yield from (each for each in SUMS if first + NUMBERS < each < last)
    yield last
