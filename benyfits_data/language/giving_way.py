"""One constraint that is violated: what gives way to it, and how.

The features it settles are drawn anew; after some tries the values of a small domain are gone
through, the default first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import Constraint
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.batch import is_met_by_turning, violators
from benyfits_data.language.facts import features_read


@dataclass(frozen=True)
class Effort:
    """How long to try.

    Attributes:
        draws: How often a fact is drawn anew before its values are tried one by one.
        numbers: How many numbers of its domain are tried besides the default.
    """

    draws: int
    numbers: int


THOROUGH = Effort(draws=6, numbers=128)
BRIEF = Effort(draws=2, numbers=1)
"""For copies that may be thrown away: more tries cost more than another copy."""


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


RandomSource = Callable[[], np.random.Generator]
"""Gives the stream to draw from, the same one each time; most constraints draw nothing."""


@dataclass(frozen=True)
class Lanes:
    """Where a constraint is violated: members' positions (or `None`) and households' positions."""

    rows: NDArray[np.intp] | None
    columns: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.columns)

    def where(self, mask: NDArray[np.bool_]) -> "Lanes":
        """Return the lanes at which a mask is true."""
        return Lanes(None if self.rows is None else self.rows[mask], self.columns[mask])

    def of(self, feature: Feature, present: NDArray[np.bool_]) -> "Lanes":
        """Where `feature` gives way: with this member, the household, or all its members."""
        if feature.level == "household":
            return Lanes(None, np.unique(self.columns))
        if self.rows is not None:
            return self
        rows, places = np.nonzero(present[:, self.columns])
        return Lanes(rows, self.columns[places])


@lru_cache(maxsize=1024)
def facts_read(constraint: Constraint) -> frozenset[str]:
    """Return the features that a constraint reads or settles."""
    return features_read(constraint.holds) | set(constraint.settles)


def _part(households: Households, constraint: Constraint, columns: NDArray[np.intp]) -> Households:
    """Return the columns that a constraint reads of some households."""
    reads = facts_read(constraint)
    return Households(
        size=households.size[columns],
        shared={
            name: households.shared[name][columns] for name in reads & households.shared.keys()
        },
        member={
            name: households.member[name][:, columns] for name in reads & households.member.keys()
        },
    )


def violations_of(
    households: Households, constraint: Constraint, columns: NDArray[np.intp]
) -> Lanes:
    """Return where a constraint is violated among some households."""
    # To copy most households' facts takes longer than to look at all.
    if 2 * len(columns) < len(households):
        rows, places = violators(constraint, _part(households, constraint, columns))
        return Lanes(rows, columns[places])
    rows, places = violators(constraint, households)
    wanted = np.zeros(len(households), np.bool_)
    wanted[columns] = True
    return Lanes(rows, places).where(wanted[places])


def still_violated(households: Households, constraint: Constraint, lanes: Lanes) -> Lanes:
    """Return those of some lanes in which a constraint is violated."""
    rows, places = violators(constraint, _part(households, constraint, lanes.columns))
    if rows is not None and lanes.rows is not None:
        # The household of a lane may have other members who violate it.
        places = places[rows == lanes.rows[places]]
    still = np.zeros(len(lanes), np.bool_)
    still[places] = True
    return lanes.where(still)


def settle_one(
    households: Households,
    constraint: Constraint,
    lanes: Lanes,
    draw: Draw,
    source: RandomSource,
    turn: int,
    effort: Effort,
) -> Lanes:
    """Return the lanes in which nothing helped."""
    features = [FEATURES[name] for name in constraint.settles]
    # Drawing a single flag anew can only end in its other value.
    is_one_flag = len(features) == 1 and features[0].kind == "flag"
    if is_one_flag and (constraint.of_member or features[0].level == "household"):
        target = lanes.of(features[0], households.present)
        write(households, features[0], target, ~read(households, features[0], target))
        if is_met_by_turning(constraint, features[0].name):
            return lanes.where(np.zeros(len(lanes), np.bool_))
        lanes = still_violated(households, constraint, lanes)
    elif turn % 2 == 0:
        # In every other pass only, for a draw may keep undoing what another constraint asks.
        for _ in range(effort.draws):
            if not len(lanes):
                return lanes
            draw_features(households, constraint.settles, lanes, draw, source())
            lanes = still_violated(households, constraint, lanes)
    numbers = effort.numbers if turn % 2 == 0 else BRIEF.numbers
    for feature in features:
        of_all = feature.level == "member" and lanes.rows is None
        for value in _values(feature, numbers):
            for row in range(LARGEST_HOUSEHOLD) if of_all else [None]:
                if not len(lanes):
                    return lanes
                lanes = _try_value(households, constraint, lanes, feature, value, row)
    return lanes


def _try_value(
    households: Households,
    constraint: Constraint,
    lanes: Lanes,
    feature: Feature,
    value: Any,
    row: int | None,
) -> Lanes:
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
        target = Lanes(np.full(len(there), row, np.intp), there)
    before = read(households, feature, target)
    if (before == value).all():
        # Nothing would change.
        return lanes
    write(households, feature, target, value)
    still = still_violated(households, constraint, lanes)
    if still.rows is not None and target.rows is not None:
        width = len(households)
        lost = np.isin(target.rows * width + target.columns, still.rows * width + still.columns)
    else:
        lost = np.isin(target.columns, still.columns)
    write(households, feature, target.where(lost), before[lost])
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


def draw_features(
    households: Households,
    names: Iterable[str],
    lanes: Lanes,
    draw: Draw,
    rng: np.random.Generator,
) -> None:
    """Draw features anew for some lanes, in order of declaration."""
    for name in FEATURES:
        if name in names and FEATURES[name].kind != "text":
            feature = FEATURES[name]
            target = lanes.of(feature, households.present)
            codes = draw(feature, households, target.rows, target.columns, rng)
            write(households, feature, target, codes)


def read(households: Households, feature: Feature, lanes: Lanes) -> NDArray[Any]:
    """Return the codes of a feature in some lanes."""
    if feature.level == "household":
        return households.shared[feature.name][lanes.columns]
    return households.member[feature.name][lanes.rows, lanes.columns]


def write(households: Households, feature: Feature, lanes: Lanes, codes: Any) -> None:
    """Set the codes of a feature in some lanes."""
    if feature.level == "household":
        households.shared[feature.name][lanes.columns] = codes
    else:
        households.member[feature.name][lanes.rows, lanes.columns] = codes
