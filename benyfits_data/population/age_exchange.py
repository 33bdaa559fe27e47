"""Who has which age: people of a role change places until ages within each home go together.

Ages are allotted to roles first, so that every margin is as published. Changing places keeps them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import (
    LARGEST_GAP_OF_A_MOTHER,
    PARENT_AGE,
    SMALL_CHILD_AGE,
)
from benyfits_data.population.household_compositions import (
    ADULT_CHILD,
    MINOR_RELATIVE,
    OWN_MINOR,
    PARTNER,
)
from benyfits_data.population.sources import Sources

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Refusal = Callable[[Ints, Ints], Bools]
"""Which of some people, by place in their role, cannot have which ages."""

OLDEST = 99
"""Of all ages drawn: the last open band ends here."""
_YOUNGEST_PARENT = 16
"""Of a child at home: two years more than a constraint asks."""
WIDEST_COUPLE = 38
"""Less than the 40 years that are told of couples, as spouses may still change places."""
GAPS = {
    PARTNER: (-WIDEST_COUPLE, WIDEST_COUPLE),
    OWN_MINOR: (_YOUNGEST_PARENT, OLDEST),
    ADULT_CHILD: (_YOUNGEST_PARENT, OLDEST),
}
"""Least and most that the householder may be older than a member of a role."""
_ROUNDS = 60
"""How often people look for a place, at most: it ends before where everybody has one."""


@dataclass(frozen=True)
class Placed:
    """People of one borough: shape `(people,)` each, householders first, by household.

    Attributes:
        age: In years; changed in place.
        female: Whether female; changed in place.
        household: Household of everybody.
        role: `HOUSEHOLDER`, `SPOUSE` or one of `ROLES`.
    """

    age: Ints
    female: Bools
    household: Ints
    role: Ints

    def holder_age(self, who: Ints) -> Ints:
        """Return the age of some people's householders."""
        return np.asarray(self.age[self.household[who]])


def exchange(placed: Placed, who: Ints, refuses: Refusal, rng: np.random.Generator) -> None:
    """Let people of a role change places until no home refuses anybody's age, in place.

    Places are looked for farther away in age each round, so that ages change no more than needed.

    Args:
        placed: Everybody.
        who: People of the role.
        refuses: Whose home would not have which age.
        rng: Random stream.
    """
    age, female, n = placed.age, placed.female, len(who)
    places = np.arange(n)
    for tried in range(1, _ROUNDS + 1):
        bad = np.flatnonzero(refuses(places, age[who]))
        if not len(bad):
            return
        order = np.lexsort((rng.random(n), age[who]))
        rank = np.empty(n, np.int64)
        rank[order] = places
        reach = max(n * tried // _ROUNDS, 1)
        step = rng.integers(-reach, reach + 1, len(bad))
        other = order[np.clip(rank[bad] + step, 0, n - 1)]
        # Nobody changes places twice a round.
        first = np.zeros(len(bad), np.bool_)
        first[np.unique(other, return_index=True)[1]] = True
        first &= ~np.isin(other, bad)
        bad, other = bad[first], other[first]
        fits = ~refuses(bad, age[who[other]]) & ~refuses(other, age[who[bad]])
        here, there = who[bad[fits]], who[other[fits]]
        age[here], age[there] = age[there].copy(), age[here].copy()
        female[here], female[there] = female[there].copy(), female[here].copy()


def keep_gaps(placed: Placed, who: Ints, gaps: tuple[int, int], rng: np.random.Generator) -> None:
    """Let people of a role be as far in age from their householder as may be, in place.

    Args:
        placed: Everybody.
        who: People of the role.
        gaps: Least and most that the householder may be older.
        rng: Random stream.
    """
    holder, (least, most) = placed.holder_age(who), gaps

    def refuses(places: Ints, years: Ints) -> Bools:
        gap = holder[places] - years
        return np.asarray((gap < least) | (gap > most))

    exchange(placed, who, refuses, rng)
    placed.age[who] = np.clip(placed.age[who], holder - most, holder - least)


def spread_children(placed: Placed, sources: Sources, rng: np.random.Generator) -> None:
    """Let children of one home differ in age, and small ones live with a mother, in place.

    As many as published are left as they are: twins, and small children without a mother.

    Args:
        placed: Everybody.
        sources: The tables.
        rng: Random stream.
    """
    anything = -OLDEST, OLDEST
    for role, share in (
        (OWN_MINOR, sources.parameter("small_children_without_mother", "own minor")),
        (ADULT_CHILD, 0.0),
        (MINOR_RELATIVE, sources.parameter("small_children_without_mother", "minor relative")),
    ):
        if len(who := np.flatnonzero(placed.role == role)):
            alike = sources.parameter("children_of_one_age")
            _spread(placed, who, GAPS.get(role, anything), (alike, share), rng)


def _spread(
    placed: Placed,
    who: Ints,
    gaps: tuple[int, int],
    left: tuple[float, float],
    rng: np.random.Generator,
) -> None:
    """Let the children of one role change places as `spread_children` says, in place.

    Args:
        placed: Everybody.
        who: Children of the role.
        gaps: Least and most that the householder may be older.
        left: Share of them who may be of one age, and of the small ones without a mother.
        rng: Random stream.
    """
    age, holder, (least, most) = placed.age, placed.holder_age(who), gaps
    homes, home = np.unique(placed.household[who], return_inverse=True)
    n_ages = int(age[who].max()) + 1
    mothers = _mothers(placed, homes)
    is_small = age[who] <= SMALL_CHILD_AGE

    def is_alike(places: Ints, years: Ints) -> Bools:
        """Whether a sibling has the age."""
        counts = np.bincount(home * n_ages + age[who], minlength=len(homes) * n_ages)
        others = counts[home[places] * n_ages + years] - (age[who[places]] == years)
        return np.asarray(others > 0)

    def lacks_mother(places: Ints, years: Ints) -> Bools:
        """Whether nobody at home can have given birth to a small child of the age."""
        small = years <= SMALL_CHILD_AGE
        return np.asarray(small & ~mothers[home[places], np.where(small, years, 0)])

    places = np.arange(len(who))
    one_age, motherless = (
        _homes_with(home, refused(places, age[who]), share * among, rng)
        for refused, share, among in zip(
            (is_alike, lacks_mother), left, (len(who), is_small.sum()), strict=True
        )
    )

    def refuses(places: Ints, years: Ints) -> Bools:
        gap, at = holder[places] - years, home[places]
        refused = (gap < least) | (gap > most)
        refused |= is_alike(places, years) & ~one_age[at]
        return np.asarray(refused | (lacks_mother(places, years) & ~motherless[at]))

    exchange(placed, who, refuses, rng)


def _mothers(placed: Placed, homes: Ints) -> Bools:
    """Return which homes have a woman who can have a child of each small age.

    Args:
        placed: Everybody.
        homes: Households that are asked of, ascending.

    Returns:
        Shape `(homes, ages)`.
    """
    found = np.zeros((len(homes), SMALL_CHILD_AGE + 1), np.bool_)
    women = np.flatnonzero(placed.female & np.isin(placed.household, homes))
    at = np.searchsorted(homes, placed.household[women])
    for child in range(SMALL_CHILD_AGE + 1):
        gap = placed.age[women] - child
        found[at[(gap >= PARENT_AGE) & (gap <= LARGEST_GAP_OF_A_MOTHER)], child] = True
    return found


def _homes_with(home: Ints, marked: Bools, most: float, rng: np.random.Generator) -> Bools:
    """Return homes drawn at random that hold `most` of the people who are marked, or nearly.

    Args:
        home: Home of everybody.
        marked: Who counts.
        most: How many.
        rng: Random stream.
    """
    counts = np.bincount(home, marked)
    order = rng.permutation(np.flatnonzero(counts))
    chosen = np.zeros(len(counts), np.bool_)
    chosen[order[np.cumsum(counts[order]) <= most]] = True
    return chosen
