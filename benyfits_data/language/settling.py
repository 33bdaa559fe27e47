"""Drawing anew what makes a household impossible, until every household is possible.

What the samplers share: both draw facts independently first, then let the constraints settle them
in their order. Nothing is dropped: a household that breaks a constraint keeps all its other facts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.household.features import FEATURES
from benyfits_data.language.batch import read_of_others
from benyfits_data.language.giving_way import (
    BRIEF,
    THOROUGH,
    Draw,
    Effort,
    Lanes,
    RandomSource,
    draw_features,
    facts_read,
    settle_one,
    still_violated,
    violations_of,
    write,
)
from benyfits_data.streams import stream

__all__ = ["KEPT", "Draw", "settle", "settle_within"]

PASSES = 40
"""How often the constraints are gone through."""
PATIENCE = 4
"""Passes after which what a violated constraint settles gives way for all members; after twice as
many, everything it reads."""
GIVEN_UP_SHARE = 0.3
KEPT = frozenset({"relation", "age", "age_months", "sex"})
"""What a household is made of: drawn anew rather than given up for a default."""


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
    suspects = _go_through(households, draw, rng, order, changed, PASSES, THOROUGH)
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
    order = list(CONSTRAINTS.values())
    return _go_through(households, draw, rng, order, changed, passes, BRIEF)


def _go_through(
    households: Households,
    draw: Draw,
    rng: np.random.Generator,
    order: Iterable[Constraint],
    changed: Iterable[str] | None,
    passes: int,
    effort: Effort,
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
            lanes = violations_of(households, constraint, suspects)
            if not len(lanes):
                continue
            touched[lanes.columns] = True
            if turn == passes - 1:
                # Nobody would look at what was drawn now.
                continue
            ledger.clock += 1
            source = cache(partial(stream, root, constraint.name, turn))
            given_up = _give_up(households, constraint, lanes, draw, source, turn)
            if given_up:
                lanes = still_violated(households, constraint, lanes)
            left = settle_one(households, constraint, lanes, draw, source, turn, effort)
            ledger.changed.update(dict.fromkeys((*constraint.settles, *given_up), ledger.clock))
            if len(left) or given_up or not _stays_settled(constraint):
                del ledger.checked[constraint.name]
            else:
                ledger.checked[constraint.name] = ledger.clock
        suspects = np.flatnonzero(touched)
        if not len(suspects):
            break
    return suspects


@lru_cache(maxsize=1024)
def _stays_settled(constraint: Constraint) -> bool:
    """Return whether what is changed for one member cannot break a constraint for another."""
    if not constraint.of_member:
        return True
    read = read_of_others(constraint)
    return all(FEATURES[name].level == "member" and name not in read for name in constraint.settles)


def _give_up(
    households: Households,
    constraint: Constraint,
    lanes: Lanes,
    draw: Draw,
    source: RandomSource,
    turn: int,
) -> frozenset[str]:
    """Return the features given up because two constraints undid each other before."""
    if not turn or not len(lanes):
        return frozenset()
    everyone = Lanes(None, np.unique(lanes.columns))
    names = frozenset(constraint.settles)
    if names & KEPT:
        # Ages hang together: what hangs on them needs the passes that are left.
        draw_features(households, names, everyone, draw, source())
        return names
    if turn < PATIENCE:
        return frozenset()
    # In some households only: what helps one may be what keeps another from settling.
    chance = source().random(len(households))[lanes.columns]
    _set_to_default(households, names, Lanes(None, lanes.columns[chance < GIVEN_UP_SHARE]))
    if turn >= 2 * PATIENCE:
        names = facts_read(constraint)
        _set_to_default(households, names - KEPT, lanes.where(chance > 1 - GIVEN_UP_SHARE))
    return names


def _set_to_default(households: Households, names: Iterable[str], lanes: Lanes) -> None:
    for name in names:
        feature = FEATURES[name]
        target = lanes.of(feature, households.present)
        write(households, feature, target, feature.encode(feature.default))


def _unsettled(
    households: Households, order: Iterable[Constraint], suspects: NDArray[np.intp]
) -> ImpossibleHouseholdError:
    for constraint in order:
        lanes = violations_of(households, constraint, suspects)
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
