"""Drawing anew what makes a household impossible, until every household is possible.

What the samplers share: both draw facts independently first, then let the constraints settle them
in their order. Nothing is dropped: a household that breaks a constraint keeps all its other facts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.batch import holds, violators
from benyfits_data.language.facts import features_read
from benyfits_data.streams import stream

TRIES = 6
"""How often a fact is drawn anew before its values are tried one by one."""
PASSES = 40
"""How often the constraints are gone through."""
PATIENCE = 4
"""Passes after which what a violated constraint settles gives way for all members; after twice as
many, everything it reads."""
GIVEN_UP_SHARE = 0.3
KEPT = frozenset({"relation", "age", "age_months", "sex"})
"""What a household is made of: drawn anew rather than given up for a default."""
SMALL_DOMAIN = 128
FEW = 1
"""Numbers tried besides the default in passes that draw nothing."""


class Draw(Protocol):
    """How a sampler draws one feature anew."""

    def __call__(
        self,
        feature: Feature,
        households: Households,
        rows: NDArray[np.intp] | None,
        columns: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> NDArray[Any]:
        """Return one code for each lane, shape `(len(columns),)`.

        Args:
            feature: What to draw.
            households: All households as they are now; a draw may depend on them.
            rows: Position of the member in each lane; `None` for a household feature.
            columns: Position of the household in each lane.
            rng: The stream to draw from.
        """


@dataclass(frozen=True)
class _Lanes:
    """Where a constraint is violated: members' positions (or `None`) and households' positions."""

    rows: NDArray[np.intp] | None
    columns: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.columns)

    def where(self, mask: NDArray[np.bool_]) -> "_Lanes":
        return _Lanes(None if self.rows is None else self.rows[mask], self.columns[mask])

    def of(self, feature: Feature, present: NDArray[np.bool_]) -> "_Lanes":
        """Where `feature` gives way: with this member, the household, or all its members."""
        if feature.level == "household":
            return _Lanes(None, np.unique(self.columns))
        if self.rows is not None:
            return self
        rows, places = np.nonzero(present[:, self.columns])
        return _Lanes(rows, self.columns[places])


@dataclass
class _Ledger:
    """Which features and households changed, and when: what need not be checked again."""

    clock: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    checked: dict[str, int] = field(default_factory=dict)

    def is_fresh(self, constraint: Constraint) -> bool:
        """Whether nothing the constraint reads has changed since it was last seen to hold."""
        last = self.checked.get(constraint.name)
        if last is None:
            return False
        return all(self.changed.get(name, 0) <= last for name in facts_read(constraint))


def facts_read(constraint: Constraint) -> frozenset[str]:
    """Return the features that a constraint reads or settles."""
    return features_read(constraint.holds) | set(constraint.settles)


def settle(
    households: Households,
    draw: Draw,
    rng: np.random.Generator,
    constraints: Iterable[Constraint] | None = None,
    changed: Iterable[str] | None = None,
) -> Households:
    """Return the households, changed in place until none violates a constraint.

    For each constraint in order, where it is violated the features it settles are drawn anew; after
    some tries the values of a small domain are gone through, then the default. Constraints are gone
    through again while any was violated.

    Args:
        households: What to settle.
        draw: Draws a feature anew for some lanes.
        rng: Gives the root of the streams; each constraint and pass has a stream of its own.
        constraints: All of them unless given.
        changed: The only features that changed since the households were possible; spares checking
            constraints that do not read them.

    Raises:
        ImpossibleHouseholdError: A constraint is still violated after all passes.
    """
    order = list(CONSTRAINTS.values() if constraints is None else constraints)
    suspects = _go_through(households, draw, rng, order, changed, PASSES)
    if len(suspects):
        raise _unsettled(households, order, suspects)
    return households


def settle_within(
    households: Households,
    draw: Draw,
    rng: np.random.Generator,
    changed: Iterable[str],
    passes: int,
) -> NDArray[np.intp]:
    """Return the positions of households that a few passes left unsettled; all change in place.

    For copies that may be thrown away: most settle at once, and the rest are not worth the time.
    """
    return _go_through(households, draw, rng, list(CONSTRAINTS.values()), changed, passes)


def _go_through(
    households: Households,
    draw: Draw,
    rng: np.random.Generator,
    order: Iterable[Constraint],
    changed: Iterable[str] | None,
    passes: int,
) -> NDArray[np.intp]:
    """Go through the constraints until none is violated; return who may still violate one."""
    root = int(rng.integers(2**62))
    ledger = _Ledger()
    if changed is not None:
        ledger.changed.update(dict.fromkeys(changed, 1))
        ledger.checked.update(dict.fromkeys((constraint.name for constraint in order), 0))
        ledger.clock = 1
    suspects: NDArray[np.intp] = np.arange(len(households))
    for turn in range(passes):
        touched = np.zeros(len(households), np.bool_)
        for constraint in order:
            if ledger.is_fresh(constraint):
                continue
            ledger.clock += 1
            ledger.checked[constraint.name] = ledger.clock
            lanes = _violations(households, constraint, suspects)
            if not len(lanes):
                continue
            touched[lanes.columns] = True
            ledger.clock += 1
            source = stream(root, constraint.name, turn)
            given_up = _give_up(households, constraint, lanes, draw, source, turn)
            if given_up:
                lanes = _still_violated(households, constraint, lanes)
            _settle_one(households, constraint, lanes, draw, source, turn)
            # What was changed for one member may break the constraint for another.
            del ledger.checked[constraint.name]
            ledger.changed.update(dict.fromkeys((*constraint.settles, *given_up), ledger.clock))
        suspects = np.flatnonzero(touched)
        if not len(suspects):
            break
    return suspects


def _give_up(
    households: Households,
    constraint: Constraint,
    lanes: _Lanes,
    draw: Draw,
    rng: np.random.Generator,
    turn: int,
) -> frozenset[str]:
    """Return the features given up because two constraints undid each other before."""
    if not turn or not len(lanes):
        return frozenset()
    everyone = _Lanes(None, np.unique(lanes.columns))
    names = frozenset(constraint.settles)
    if names & KEPT:
        # Ages hang together: what hangs on them needs the passes that are left.
        _draw_features(households, names, everyone, draw, rng)
        return names
    if turn < PATIENCE:
        return frozenset()
    # In some households only: what helps one may be what keeps another from settling.
    chance = rng.random(len(households))[lanes.columns]
    _set_to_default(households, names, _Lanes(None, lanes.columns[chance < GIVEN_UP_SHARE]))
    if turn >= 2 * PATIENCE:
        names = facts_read(constraint)
        _set_to_default(households, names - KEPT, lanes.where(chance > 1 - GIVEN_UP_SHARE))
    return names


def _set_to_default(households: Households, names: Iterable[str], lanes: _Lanes) -> None:
    for name in names:
        feature = FEATURES[name]
        target = lanes.of(feature, households.present)
        _write(households, feature, target, feature.encode(feature.default))


def _unsettled(
    households: Households, order: Iterable[Constraint], suspects: NDArray[np.intp]
) -> ImpossibleHouseholdError:
    for constraint in order:
        lanes = _violations(households, constraint, suspects)
        if len(lanes):
            return ImpossibleHouseholdError(
                f"{constraint.name} is violated in {len(lanes)} households after {PASSES} passes, "
                f"the first at position {lanes.columns[0]}. {constraint.says} Let it settle a "
                "feature that can give way, or draw values that fit it.",
                constraint=constraint.name,
                households=len(lanes),
                position=int(lanes.columns[0]),
            )
    return ImpossibleHouseholdError(
        f"Constraints contradict one another: {len(suspects)} households were still changing "
        f"after {PASSES} passes. Let the constraint that comes later in the order give way.",
        households=len(suspects),
    )


def _part(households: Households, constraint: Constraint, columns: NDArray[np.intp]) -> Households:
    """Return the columns that a constraint reads of some households."""
    reads = facts_read(constraint)
    if len(columns) == len(households):
        return households
    return Households(
        size=households.size[columns],
        shared={
            name: households.shared[name][columns] for name in reads & households.shared.keys()
        },
        member={
            name: households.member[name][:, columns] for name in reads & households.member.keys()
        },
    )


def _violations(
    households: Households, constraint: Constraint, columns: NDArray[np.intp]
) -> _Lanes:
    # To copy most households' facts takes longer than to look at all.
    if 2 * len(columns) < len(households):
        rows, places = violators(constraint, _part(households, constraint, columns))
        return _Lanes(rows, columns[places])
    rows, places = violators(constraint, households)
    wanted = np.zeros(len(households), np.bool_)
    wanted[columns] = True
    return _Lanes(rows, places).where(wanted[places])


def _still_violated(households: Households, constraint: Constraint, lanes: _Lanes) -> _Lanes:
    columns, places = np.unique(lanes.columns, return_inverse=True)
    kept = holds(constraint, _part(households, constraint, columns))
    return lanes.where(~(kept[places] if lanes.rows is None else kept[lanes.rows, places]))


def _settle_one(
    households: Households,
    constraint: Constraint,
    lanes: _Lanes,
    draw: Draw,
    rng: np.random.Generator,
    turn: int,
) -> _Lanes:
    """Return the lanes in which nothing helped."""
    features = [FEATURES[name] for name in constraint.settles]
    # Drawing a single flag anew can only end in its other value.
    is_one_flag = len(features) == 1 and features[0].kind == "flag"
    if is_one_flag and (constraint.of_member or features[0].level == "household"):
        target = lanes.of(features[0], households.present)
        _write(households, features[0], target, ~_read(households, features[0], target))
        lanes = _still_violated(households, constraint, lanes)
    elif turn % 2 == 0:
        # In every other pass only, for a draw may keep undoing what another constraint asks.
        for _ in range(TRIES):
            if not len(lanes):
                return lanes
            _draw_features(households, constraint.settles, lanes, draw, rng)
            lanes = _still_violated(households, constraint, lanes)
    for feature in features:
        of_all = feature.level == "member" and lanes.rows is None
        for value in _values(feature, SMALL_DOMAIN if turn % 2 == 0 else FEW):
            for row in range(LARGEST_HOUSEHOLD) if of_all else [None]:
                if not len(lanes):
                    return lanes
                lanes = _try_value(households, constraint, lanes, feature, value, row)
    return lanes


def _try_value(
    households: Households,
    constraint: Constraint,
    lanes: _Lanes,
    feature: Feature,
    value: Any,
    row: int | None,
) -> _Lanes:
    """Return the lanes in which `value` does not help; there it is taken back.

    Args:
        households: All households.
        constraint: The constraint that is violated in these lanes.
        lanes: Where it is violated.
        feature: What gives way.
        value: Its code to try.
        row: For a member feature of a household constraint, the one member to try it on.
    """
    if row is None:
        target = lanes.of(feature, households.present)
    else:
        there = lanes.columns[households.present[row, lanes.columns]]
        target = _Lanes(np.full(len(there), row, np.intp), there)
    before = _read(households, feature, target)
    _write(households, feature, target, value)
    still = _still_violated(households, constraint, lanes)
    if still.rows is not None and target.rows is not None:
        width = len(households)
        lost = np.isin(target.rows * width + target.columns, still.rows * width + still.columns)
    else:
        lost = np.isin(target.columns, still.columns)
    _write(households, feature, target.where(lost), before[lost])
    return still


def _values(feature: Feature, most: int) -> Iterator[Any]:
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
    yield from range(first, min(last, first + most) + 1)
    yield last


def _draw_features(
    households: Households,
    names: Iterable[str],
    lanes: _Lanes,
    draw: Draw,
    rng: np.random.Generator,
) -> None:
    for name in FEATURES:
        if name in names and FEATURES[name].kind != "text":
            feature = FEATURES[name]
            target = lanes.of(feature, households.present)
            codes = draw(feature, households, target.rows, target.columns, rng)
            _write(households, feature, target, codes)


def _read(households: Households, feature: Feature, lanes: _Lanes) -> NDArray[Any]:
    if feature.level == "household":
        return households.shared[feature.name][lanes.columns]
    return households.member[feature.name][lanes.rows, lanes.columns]


def _write(households: Households, feature: Feature, lanes: _Lanes, codes: Any) -> None:
    if feature.level == "household":
        households.shared[feature.name][lanes.columns] = codes
    else:
        households.member[feature.name][lanes.rows, lanes.columns] = codes
