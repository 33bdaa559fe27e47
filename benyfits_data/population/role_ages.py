"""Ages of the members of households: allotted to roles exactly, then given to people.

The ages of a role, sorted, go to people in the order of the householder's age with some noise. Then
people of the role change places until ages within each home go together. So every margin stays as
it was fitted (`household_structure.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import (
    ADULT_AGE,
    LARGEST_GAP_OF_A_MOTHER,
    PARENT_AGE,
    SMALL_CHILD_AGE,
)
from benyfits_data.population.household_structure import (
    ADULT_CHILD,
    FIRST_OTHER,
    MINOR_RELATIVE,
    N_TYPES,
    OWN_MINOR,
    PARTNER,
    ROLES,
    SPOUSE,
    SPOUSE_WITH_CHILDREN,
    TYPES,
    age_bands,
    fit_ages,
)
from benyfits_data.population.raking import systematic_rounding
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
_ANY_GAP = -OLDEST, OLDEST
_ROUNDS = 60
"""How often people look for a place, at most: it ends before where everybody has one."""
_EARLY = 2
"""Years before coming of age at which some applicants are on their own."""


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

    def holder_female(self, who: Ints) -> Bools:
        """Return whether some people's householders are female."""
        return np.asarray(self.female[self.household[who]])

    def give(self, who: Ints, rank: NDArray[np.float64], ages: Ints, sexes: Bools) -> None:
        """Give ages and the sexes that go with them to people, the youngest to the lowest rank."""
        order, by_age = who[np.argsort(rank, kind="stable")], np.argsort(ages, kind="stable")
        self.age[order], self.female[order] = ages[by_age], sexes[by_age]

    def swap(self, here: Ints, there: Ints) -> None:
        """Let people change places: each has the other's age and sex."""
        for column in (self.age, self.female):
            column[here], column[there] = column[there].copy(), column[here].copy()


def give_ages(
    sources: Sources,
    borough: str,
    kinds: Ints,
    counts: Ints,
    households: Ints,
    roles: Ints,
    rng: np.random.Generator,
) -> tuple[Ints, Bools]:
    """Return the age and sex of everybody in one borough, shape `(people,)` each.

    Args:
        sources: The tables.
        borough: Its name.
        kinds: Type of every household, shape `(households,)`.
        counts: Members in each of `ROLES`, shape `(households, 7)`.
        households: Household of everybody, shape `(people,)`; householders come first.
        roles: Role of everybody, shape `(people,)`.
        rng: Random stream.
    """
    fitted, parameter = fit_ages(sources, borough), sources.parameter
    placed = Placed(
        np.zeros(len(roles), np.int64), np.zeros(len(roles), np.bool_), households, roles
    )
    has_grown, has_relative = counts[:, ADULT_CHILD] > 0, counts[:, MINOR_RELATIVE] > 0
    for kind in range(N_TYPES):
        who = np.flatnonzero(kinds == kind)
        ages, sexes = _draw_ages_and_sexes(sources, fitted[kind], len(who), rng)
        rank = rng.random(len(who)) + parameter("older_householder", "adult child") * has_grown[who]
        rank += parameter("older_householder", "minor relative") * has_relative[who]
        placed.give(who, rank, ages, sexes)
    # A few of 18 and 19 who live alone are 16 and 17: the same band of ages.
    alone = (kinds == TYPES.index("alone")) & (placed.age[: len(kinds)] < ADULT_AGE + _EARLY)
    early = np.flatnonzero(alone)[: round(parameter("minor_householders") * len(kinds))]
    placed.age[early] -= _EARLY
    _give_spouses(sources, fitted, placed, kinds, rng)
    for role, name in enumerate(ROLES):
        who = np.flatnonzero(roles == role)
        ages, sexes = _draw_ages_and_sexes(sources, fitted[FIRST_OTHER + role], len(who), rng)
        sides = [(who, ages, sexes)]
        if role == PARTNER:
            is_same = rng.random(len(who)) < parameter("same_sex_partners")
            wanted = placed.holder_female(who) == is_same
            woman = np.zeros(len(who), np.bool_)
            woman[np.argsort(rng.random(len(who)) - wanted)[: sexes.sum()]] = True
            sides = [
                (who[woman == is_female], ages[sexes == is_female], sexes[sexes == is_female])
                for is_female in (False, True)
            ]
        for part, years, sex in sides:
            noise = rng.normal(0, parameter("age_spread", name), len(part))
            placed.give(part, placed.holder_age(part) + noise, years, sex)
            if role in GAPS:
                _keep_gaps(placed, part, GAPS[role], rng)
    alike = parameter("children_of_one_age")
    for role in (OWN_MINOR, ADULT_CHILD, MINOR_RELATIVE):
        without = "small_children_without_mother"
        motherless = 0.0 if role == ADULT_CHILD else parameter(without, ROLES[role])
        _spread_children(placed, role, (alike, motherless), rng)
    return placed.age, placed.female


def _give_spouses(
    sources: Sources,
    fitted: NDArray[np.float64],
    placed: Placed,
    kinds: Ints,
    rng: np.random.Generator,
) -> None:
    """Give spouses ages of the other sex than the householder's, then make some couples of one."""
    near, far = (sources.parameter("age_spread", name) for name in ("spouse", "spouse apart"))
    spouses = np.flatnonzero(placed.role == SPOUSE)
    for kind, role in enumerate((SPOUSE_WITH_CHILDREN, SPOUSE_WITH_CHILDREN + 1)):
        for wife in (True, False):
            is_meant = kinds[placed.household[spouses]] == kind
            who = spouses[is_meant & (placed.holder_female(spouses) != wife)]
            one_sex = fitted[role].copy()
            one_sex[:, 1 if wife else 0] = 0
            ages, _ = _draw_ages_and_sexes(sources, one_sex, len(who), rng)
            is_apart = rng.random(len(who)) < sources.parameter("couples_apart")
            noise = rng.normal(0, np.where(is_apart, far, near))
            rank = placed.holder_age(who) + noise
            placed.give(who, rank, ages, np.full(len(who), wife))
            _keep_gaps(placed, who, GAPS[PARTNER], rng)
    # Wives and husbands of like age change places.
    wives, husbands = (spouses[placed.holder_female(spouses) == of_women] for of_women in (0, 1))
    most = len(spouses) * sources.parameter("same_sex_couples") / 2
    n = int(np.floor(min(len(wives), len(husbands), most + rng.random())))
    here, there = (
        side[np.argsort(placed.age[side], kind="stable")][
            np.sort(rng.choice(len(side), n, replace=False)) if n else slice(0)
        ]
        for side in (wives, husbands)
    )
    placed.swap(here, there)
    holder = placed.holder_age(spouses)
    placed.age[spouses] = np.clip(
        placed.age[spouses], holder - WIDEST_COUPLE, holder + WIDEST_COUPLE
    )


def _draw_ages_and_sexes(
    sources: Sources, shares: NDArray[np.float64], n: int, rng: np.random.Generator
) -> tuple[Ints, Bools]:
    """Return `n` ages and sexes in exactly the proportions of `shares`, shape `(bands, 2)`."""
    bands = age_bands(sources)
    if n == 0 or shares.sum() <= 0:
        return np.full(n, bands[-1][0]), np.zeros(n, np.bool_)
    expected = (shares / shares.sum() * n).ravel()
    numbers = np.maximum(systematic_rounding(expected, rng), 0)
    cells = np.repeat(np.arange(len(expected)), numbers)
    cells = np.concatenate([cells, rng.choice(len(expected), n, p=expected / n)])[:n]
    rng.shuffle(cells)
    low = np.array([band[0] for band in bands])[cells // 2]
    high = np.array([band[1] for band in bands])[cells // 2]
    drawn = low + np.floor(rng.random(n) * (high - low + 1)).astype(np.int64)
    oldest = high > OLDEST
    years = rng.geometric(sources.parameter("last_ages"), oldest.sum()) - 1
    drawn[oldest] = np.minimum(low[oldest] + years, OLDEST)
    return drawn, cells % 2 == 0


def _exchange(placed: Placed, who: Ints, refuses: Refusal, rng: np.random.Generator) -> None:
    """Let people of a role change places until no home refuses anybody's age, in place.

    Places are looked for farther away in age each round, so that ages change no more than needed.
    """
    age, n = placed.age, len(who)
    places = np.arange(n)
    for tried in range(1, _ROUNDS + 1):
        bad = np.flatnonzero(refuses(places, age[who]))
        if not len(bad):
            return
        order = np.argsort(age[who] + rng.random(n), kind="stable")
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
        placed.swap(who[bad[fits]], who[other[fits]])


def _keep_gaps(placed: Placed, who: Ints, gaps: tuple[int, int], rng: np.random.Generator) -> None:
    """Let people of a role be as far in age from their householder as `GAPS` says, in place."""
    holder, (least, most) = placed.holder_age(who), gaps

    def refuses(places: Ints, years: Ints) -> Bools:
        gap = holder[places] - years
        return np.asarray((gap < least) | (gap > most))

    _exchange(placed, who, refuses, rng)
    placed.age[who] = np.clip(placed.age[who], holder - most, holder - least)


def _spread_children(
    placed: Placed, role: int, left: tuple[float, float], rng: np.random.Generator
) -> None:
    """Let children of one home differ in age, and small ones live with a mother, in place.

    The shares `left` of a role stay as they are: twins, and small children without a mother, but no
    infants.
    """
    who = np.flatnonzero(placed.role == role)
    if not len(who):
        return
    age, holder, (least, most) = placed.age, placed.holder_age(who), GAPS.get(role, _ANY_GAP)
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
        return np.asarray(
            refused | (lacks_mother(places, years) & (~motherless[at] | (years == 0)))
        )

    _exchange(placed, who, refuses, rng)


def _mothers(placed: Placed, homes: Ints) -> Bools:
    """Return which homes have a woman who can have a child of each small age.

    Homes are ascending; the answer has the shape `(homes, ages)`.
    """
    has_mother = np.zeros((len(homes), SMALL_CHILD_AGE + 1), np.bool_)
    women = np.flatnonzero(placed.female & np.isin(placed.household, homes))
    at = np.searchsorted(homes, placed.household[women])
    for child in range(SMALL_CHILD_AGE + 1):
        gap = placed.age[women] - child
        has_mother[at[(gap >= PARENT_AGE) & (gap <= LARGEST_GAP_OF_A_MOTHER)], child] = True
    return has_mother


def _homes_with(home: Ints, marked: Bools, most: float, rng: np.random.Generator) -> Bools:
    """Return homes drawn at random that hold `most` of the people who are marked, or nearly."""
    counts = np.bincount(home, marked)
    order = rng.permutation(np.flatnonzero(counts))
    chosen = np.zeros(len(counts), np.bool_)
    chosen[order[np.cumsum(counts[order]) <= most]] = True
    return chosen
