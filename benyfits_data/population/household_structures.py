"""Households before anything else: composition, roles, ages and sexes, all together.

Ages are allotted exactly to each role and then handed out by rank: the spouses' ages, sorted, go to
couples in the order of the householder's age with some noise, and so on. So every margin stays as
it is while the ages within a household belong together.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.population.age_exchange import (
    GAPS,
    OLDEST,
    WIDEST_COUPLE,
    Placed,
    keep_gaps,
    spread_children,
)
from benyfits_data.population.ages import (
    FIRST_OTHER,
    N_TYPES,
    SPOUSE_WITH_CHILDREN,
    fit_ages,
    minors_share,
)
from benyfits_data.population.household_compositions import (
    ADULT_CHILD,
    BOROUGHS,
    HOUSEHOLDER,
    MINOR_RELATIVE,
    PARTNER,
    ROLES,
    SPOUSE,
    TYPES,
    age_bands,
    all_compositions,
    fit_compositions,
    margin_of,
)
from benyfits_data.population.raking import systematic_rounding
from benyfits_data.population.sources import Sources
from benyfits_data.rng import stream

_EARLY = 2
"""Years before coming of age at which some applicants are on their own."""


@dataclass(frozen=True)
class Structure:
    """People in households, householders first.

    Attributes:
        borough: Code of the borough of every household, shape `(households,)`.
        type: Code of its type, shape `(households,)`.
        size: Its members, shape `(households,)`.
        household: Household of every member, ascending, shape `(people,)`.
        place: Position in the household, shape `(people,)`.
        role: `HOUSEHOLDER`, `SPOUSE` or a role of `composition`, shape `(people,)`.
        age: In years, shape `(people,)`.
        female: Whether female, shape `(people,)`.
    """

    borough: NDArray[np.int8]
    type: NDArray[np.int8]
    size: NDArray[np.int8]
    household: NDArray[np.int64]
    place: NDArray[np.int8]
    role: NDArray[np.int8]
    age: NDArray[np.int32]
    female: NDArray[np.bool_]


def build_structure(sources: Sources, n: int, seed: int, chunk: int) -> Structure:
    """Return `n` households with their members' roles, ages and sexes.

    Args:
        sources: The tables.
        n: Number of households.
        seed: Seed of the whole build.
        chunk: Number of the chunk; each has its own random stream.
    """
    rng = stream(seed, "population", chunk, "structure")
    shares = margin_of(sources, "borough", "all")
    numbers = systematic_rounding(np.array([shares[name] for name in BOROUGHS]) * n, rng)
    numbers[-1] += n - numbers.sum()
    parts = [
        _build_borough(sources, code, int(number), rng)
        for code, number in enumerate(numbers)
        if number > 0
    ]
    merged = _merge(parts)
    # Households are shuffled so that any run of them is a sample of the city.
    return _shuffle(merged, rng)


def _build_borough(sources: Sources, borough: int, n: int, rng: np.random.Generator) -> Structure:
    name = BOROUGHS[borough]
    table = all_compositions(sources)
    weights = fit_compositions(sources, name, minors_share(sources, name))
    numbers = systematic_rounding(weights * n, rng)
    numbers[np.argmax(weights)] += n - numbers.sum()
    chosen = np.repeat(np.arange(len(weights)), np.maximum(numbers, 0))[:n]
    kinds, sizes, counts = table.type[chosen], table.size[chosen], table.counts[chosen]
    households, roles = _people(kinds, counts)
    age, female = role_ages(sources, name, kinds, counts, households, roles, rng)
    order = np.lexsort((_listing(roles, age), households))
    households, roles = households[order], roles[order]
    starts = np.cumsum(sizes) - sizes
    return Structure(
        borough=np.full(n, borough, np.int8),
        type=kinds.astype(np.int8),
        size=sizes.astype(np.int8),
        household=households,
        place=(np.arange(len(households)) - starts[households]).astype(np.int8),
        role=roles.astype(np.int8),
        age=age[order].astype(np.int32),
        female=female[order],
    )


def _listing(roles: NDArray[np.int64], age: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of members: householder, spouse or partner, then by age from the oldest."""
    group = np.where(
        roles == HOUSEHOLDER, 0, np.where((roles == SPOUSE) | (roles == PARTNER), 1, 2)
    )
    return np.asarray(group * 1000 - age)


def _people(
    kinds: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = len(kinds)
    couples = np.flatnonzero(kinds <= 1)
    households = [np.arange(n), couples]
    roles = [np.full(n, HOUSEHOLDER), np.full(len(couples), SPOUSE)]
    for role in range(counts.shape[1]):
        found = np.repeat(np.arange(n), counts[:, role])
        households.append(found)
        roles.append(np.full(len(found), role))
    return np.concatenate(households), np.concatenate(roles)


def _merge(parts: list[Structure]) -> Structure:
    offsets = np.cumsum([0, *[len(part.size) for part in parts[:-1]]])
    columns = {
        column.name: np.concatenate([getattr(part, column.name) for part in parts])
        for column in fields(Structure)
    }
    people = [len(part.household) for part in parts]
    columns["household"] += np.repeat(offsets, people)
    return Structure(**columns)


def _shuffle(structure: Structure, rng: np.random.Generator) -> Structure:
    new = rng.permutation(len(structure.size))
    household = new[structure.household]
    order, back = np.argsort(household, kind="stable"), np.argsort(new)
    columns = {
        column.name: getattr(structure, column.name)[
            back if column.name in ("borough", "type", "size") else order
        ]
        for column in fields(Structure)
    }
    return Structure(**columns | {"household": household[order]})


def role_ages(
    sources: Sources,
    borough: str,
    kinds: NDArray[np.int64],
    counts: NDArray[np.int64],
    households: NDArray[np.int64],
    roles: NDArray[np.int64],
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the age and sex of everybody in one borough, shape `(people,)` each.

    Args:
        sources: The tables.
        borough: Its name.
        kinds: Type of every household, shape `(households,)`.
        counts: Members in each of `ROLES`, shape `(households, 7)`.
        households: Household of everybody, shape `(people,)`.
        roles: Role of everybody, shape `(people,)`.
        rng: Random stream.
    """
    fitted = fit_ages(sources, borough)
    bands = age_bands(sources)
    ending = sources.parameter("last_ages")
    near, far = (sources.parameter("age_spread", name) for name in ("spouse", "spouse apart"))
    with_grown, with_relative = (
        sources.parameter("older_householder", name) for name in ("adult child", "minor relative")
    )
    age = np.zeros(len(roles), np.int64)
    female = np.zeros(len(roles), np.bool_)
    placed = Placed(age, female, households, roles)
    holder_age = np.zeros(len(kinds), np.int64)
    holder_female = np.zeros(len(kinds), np.bool_)
    grown = counts[:, ADULT_CHILD] > 0
    for kind in range(N_TYPES):
        who = np.flatnonzero(kinds == kind)
        ages, sexes = _draw_ages_and_sexes(fitted[kind], bands, len(who), ending, rng)
        rank = rng.random(len(who)) + with_grown * grown[who]
        rank += with_relative * (counts[who, MINOR_RELATIVE] > 0)
        sorted_ages = np.argsort(ages, kind="stable")
        order = who[np.argsort(rank, kind="stable")]
        holder_age[order], holder_female[order] = ages[sorted_ages], sexes[sorted_ages]
    _leave_home_early(holder_age, kinds, sources)
    is_holder = roles == HOUSEHOLDER
    age[is_holder], female[is_holder] = holder_age, holder_female
    for with_children in (True, False):
        kind = 0 if with_children else 1
        role = SPOUSE_WITH_CHILDREN + (0 if with_children else 1)
        for wife in (True, False):
            who = np.flatnonzero(
                (roles == SPOUSE)
                & (kinds[households] == kind)
                & (holder_female[households] != wife)
            )
            one_sex = fitted[role].copy()
            one_sex[:, 1 if wife else 0] = 0
            ages, _ = _draw_ages_and_sexes(one_sex, bands, len(who), ending, rng)
            apart = rng.random(len(who)) < sources.parameter("couples_apart")
            noise = rng.normal(0, np.where(apart, far, near))
            rank = holder_age[households[who]] + noise
            age[who[np.argsort(rank, kind="stable")]] = np.sort(ages)
            female[who] = wife
            keep_gaps(placed, who, GAPS[PARTNER], rng)
    _pair_same_sex(
        age, female, households, np.flatnonzero(roles == SPOUSE), holder_female, sources, rng
    )
    spouses = roles == SPOUSE
    near = holder_age[households[spouses]]
    age[spouses] = np.clip(age[spouses], near - WIDEST_COUPLE, near + WIDEST_COUPLE)
    for role, name in enumerate(ROLES):
        spread = sources.parameter("age_spread", name)
        who = np.flatnonzero(roles == role)
        ages, sexes = _draw_ages_and_sexes(fitted[FIRST_OTHER + role], bands, len(who), ending, rng)
        sides = [(who, ages, sexes)]
        if role == PARTNER:
            is_same = rng.random(len(who)) < sources.parameter("same_sex_partners")
            wanted = holder_female[households[who]] == is_same
            woman = np.zeros(len(who), np.bool_)
            woman[np.argsort(rng.random(len(who)) - wanted)[: sexes.sum()]] = True
            sides = [(who[woman == it], ages[sexes == it], sexes[sexes == it]) for it in (0, 1)]
        for part, years, sex in sides:
            rank = holder_age[households[part]] + rng.normal(0, spread, len(part))
            order, by_age = part[np.argsort(rank, kind="stable")], np.argsort(years, kind="stable")
            age[order], female[order] = years[by_age], sex[by_age]
            if role in GAPS:
                keep_gaps(placed, part, GAPS[role], rng)
    spread_children(placed, sources, rng)
    return age, female


def _leave_home_early(
    holder_age: NDArray[np.int64], kinds: NDArray[np.int64], sources: Sources
) -> None:
    """Let a few of 18 and 19 who live alone be 16 and 17, in place: the same band of ages."""
    share = sources.parameter("minor_householders")
    young = np.flatnonzero((kinds == TYPES.index("alone")) & (holder_age < ADULT_AGE + _EARLY))
    early = young[: round(share * len(kinds))]
    holder_age[early] -= _EARLY


def _pair_same_sex(
    age: NDArray[np.int64],
    female: NDArray[np.bool_],
    households: NDArray[np.int64],
    spouses: NDArray[np.int64],
    holder_female: NDArray[np.bool_],
    sources: Sources,
    rng: np.random.Generator,
) -> None:
    """Let some wives and husbands of like age change places, so that couples are of one sex."""
    share = sources.parameter("same_sex_couples")
    wives, husbands = (
        spouses[(holder_female[households[spouses]] == of_women)] for of_women in (False, True)
    )
    n = int(np.floor(min(len(wives), len(husbands), len(spouses) * share / 2 + rng.random())))
    sides = [
        side[np.sort(rng.choice(len(side), n, replace=False))][:n] if n else side[:0]
        for side in (
            wives[np.argsort(age[wives], kind="stable")],
            husbands[np.argsort(age[husbands], kind="stable")],
        )
    ]
    first, second = sides
    age[first], age[second] = age[second].copy(), age[first].copy()
    female[first], female[second] = female[second].copy(), female[first].copy()


def _draw_ages_and_sexes(
    shares: NDArray[np.float64],
    bands: list[tuple[int, int]],
    n: int,
    ending: float,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return `n` ages and sexes in exactly the proportions of a table of bands by sex."""
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
    drawn[oldest] = np.minimum(low[oldest] + rng.geometric(ending, oldest.sum()) - 1, OLDEST)
    return drawn, cells % 2 == 0
