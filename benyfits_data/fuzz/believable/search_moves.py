"""Moves of the local search: how a copy of a household is changed to make it less surprising.

Facts of a member are copied from a donor of the city of like relation, age and sex, or from one who
shares an unusual fact; facts of the home from a household of like size; a member becomes some years
older, or another of the family, or is removed.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.believable.donors import DonorCity, DonorPlaces
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import AGE_COUNTED_IN_YEARS, MONTHS_PER_YEAR, OLDEST_AGE
from benyfits_data.household.features import FEATURES
from benyfits_data.household.schema import NONE_CODE
from benyfits_data.plausibility.circumstances import Circumstances
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS

_TOPICS = {name: FEATURES[name].topic for name in (*MEMBER_FACTS, *HOUSEHOLD_FACTS)}
_SHARES = (0.25, 0.15, 0.1, 0.4, 0.1)
"""How often to copy what no assigned program reads, the fact that weighs most, its topic, some
facts, all facts."""
_NOTABLE = 4_000
"""Surprise from which on some facts are copied as often as any: about one in fifty."""
_ALIKE = 0.3
"""How often a member's facts are copied from somebody who shares one that weighs much, as rare
conditions come together: who cannot live alone is disabled."""
_IS_CODED = np.array([FEATURES[name].kind in ("flag", "choice") for name in MEMBER_FACTS])
_OF_HOME = 0.25
_OF_AGES = 0.2
_REMOVED = 0.1
_YEARS = 8
"""How often the home's facts change, an age or sex, or a member is removed; otherwise facts of a
member."""
_LIKE_FAMILIES = 0.5
"""How many of those whose age or sex changes take both, and relation, of a like family's member."""
AGES = ("relation", "age", "age_months", "sex")


def change(
    homes: Households,
    copies: int,
    reads: Sequence[set[str]],
    city: DonorCity,
    rng: np.random.Generator,
) -> Households:
    """Return copies of households, each changed by one move; those of one household together.

    Args:
        homes: The households.
        copies: How many of each.
        reads: What the programs of each household read.
        city: Gives donors.
        rng: Draws moves and donors.
    """
    of = np.repeat(np.arange(len(homes)), copies)
    made, n = homes.take(of), len(of)
    surprises = city.belief.surprises(homes)
    member = np.stack([surprises.of_members[name] for name in MEMBER_FACTS])
    shared = np.stack([surprises.of_households[name] for name in HOUSEHOLD_FACTS])
    move = rng.random(n)
    at_home = move < _OF_HOME
    of_ages = (move >= _OF_HOME) & (move < _OF_HOME + _OF_AGES)
    removes = (move >= 1 - _REMOVED) & (made.size > 1)
    of_facts = ~(at_home | of_ages | removes)
    row = _drawn_by((member.sum(axis=0) + homes.present)[:, of], rng)
    own = member[:, row, of]
    free = np.array([[name not in read for name in MEMBER_FACTS] for read in reads])
    wanted = _wanted(own.T, free[of], MEMBER_FACTS, rng)
    alike = of_facts & (rng.random(n) < _ALIKE)
    _copy_members(made, np.flatnonzero(of_facts & ~alike), row, wanted, city, rng)
    weights = np.where(_IS_CODED[:, None], own, 0)
    _copy_alike(made, np.flatnonzero(alike), row, wanted, weights, city, rng)
    free = np.array([[name not in read for name in HOUSEHOLD_FACTS] for read in reads])
    wanted = _wanted(shared[:, of].T, free[of], HOUSEHOLD_FACTS, rng)
    _copy_homes(made, np.flatnonzero(at_home), wanted, city, rng)
    like_families = of_ages & (row > 0) & (rng.random(n) < _LIKE_FAMILIES)
    _copy_ages(made, np.flatnonzero(like_families), row, city, rng)
    _move_ages(made, np.flatnonzero(of_ages & ~like_families), row, rng)
    _remove(made, np.flatnonzero(removes), row)
    return made


def _drawn_by(weights: NDArray[np.generic], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return one row for each column, drawn by weight."""
    total = np.cumsum(weights, axis=0)
    aim = rng.random(weights.shape[1]) * total[-1]
    return np.asarray(np.minimum((total <= aim).sum(axis=0), len(weights) - 1))


def _wanted(
    surprise: NDArray[np.int32],
    free: NDArray[np.bool_],
    names: Sequence[str],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Return which facts to copy, shape `(n, facts)`."""
    n, n_facts = surprise.shape
    kind = rng.choice(len(_SHARES), n, p=_SHARES)
    heaviest = _drawn_by(surprise.T.astype(np.float64) ** 2 + 1, rng)
    one = np.zeros((n, n_facts), np.bool_)
    one[np.arange(n), heaviest] = True
    topics = np.array([sorted(set(_TOPICS.values())).index(_TOPICS[name]) for name in names])
    topic = topics[None, :] == topics[heaviest][:, None]
    share = rng.choice([0.1, 0.3, 0.7], n)[:, None]
    some = rng.random((n, n_facts)) < share * np.clip(surprise / _NOTABLE, 0.05, 1)
    return np.asarray(
        np.select(
            [np.equal(kind, place)[:, None] for place in range(4)],
            [free, one, topic, some | one],
            np.ones((n, n_facts), np.bool_),
        )
    )


def _copy_members(
    made: Households,
    where: NDArray[np.intp],
    row: NDArray[np.intp],
    wanted: NDArray[np.bool_],
    city: DonorCity,
    rng: np.random.Generator,
) -> None:
    context = Circumstances(made).members_by_place
    _copy_from(made, where, row, wanted, city.people_like(context[row[where], where], rng), city)


def _copy_from(
    made: Households,
    where: NDArray[np.intp],
    row: NDArray[np.intp],
    wanted: NDArray[np.bool_],
    donors: DonorPlaces,
    city: DonorCity,
) -> None:
    """Copy facts of one donor to a member of each of some households."""
    places, homes = donors
    for fact, name in enumerate(MEMBER_FACTS):
        chosen = wanted[where, fact]
        there = where[chosen]
        copied = city.households.member[name][places[chosen], homes[chosen]]
        made.member[name][row[there], there] = copied


def _copy_alike(
    made: Households,
    where: NDArray[np.intp],
    row: NDArray[np.intp],
    wanted: NDArray[np.bool_],
    weights: NDArray[np.int32],
    city: DonorCity,
    rng: np.random.Generator,
) -> None:
    """Copy facts of people who share one of the facts that weigh most."""
    shared = _drawn_by(weights[:, where].astype(np.float64) ** 2 + 1, rng)
    columns: list[NDArray[np.intp]] = [np.zeros(0, np.intp)]
    donors = [(columns[0], columns[0])]
    for fact in np.unique(shared[_IS_CODED[shared]]):
        name, here = MEMBER_FACTS[fact], where[shared == fact]
        codes = made.member[name][row[here], here].astype(np.int64)
        for code in np.unique(codes).tolist():
            there = here[codes == code]
            copied = city.people_with(name, code, made.member["age"][row[there], there], rng)
            if len(copied[0]):
                columns.append(there)
                donors.append(copied)
    there = np.concatenate(columns)
    places, homes = (np.concatenate(each) for each in zip(*donors, strict=True))
    _copy_from(made, there, row, wanted, (places, homes), city)


def _copy_homes(
    made: Households,
    where: NDArray[np.intp],
    wanted: NDArray[np.bool_],
    city: DonorCity,
    rng: np.random.Generator,
) -> None:
    donor = city.homes_like(Circumstances(made).households[where], rng)
    for fact, name in enumerate(HOUSEHOLD_FACTS):
        chosen = wanted[where, fact]
        made.shared[name][where[chosen]] = city.households.shared[name][donor[chosen]]


def _copy_ages(
    made: Households,
    where: NDArray[np.intp],
    row: NDArray[np.intp],
    city: DonorCity,
    rng: np.random.Generator,
) -> None:
    """Give a member relation, age and sex of one in the same place of a like household."""
    donor = city.homes_like(Circumstances(made).households[where], rng)
    for name in AGES:
        copied = city.households.member[name][row[where], donor]
        made.member[name][row[where], where] = copied


def _move_ages(
    made: Households,
    where: NDArray[np.intp],
    row: NDArray[np.intp],
    rng: np.random.Generator,
) -> None:
    """Make a member some years older or younger; one in ten is of the other sex."""
    age = made.member["age"]
    years = rng.integers(-_YEARS, _YEARS + 1, len(where))
    moved = np.clip(age[row[where], where] + years, 0, OLDEST_AGE)
    age[row[where], where] = moved
    months = moved * MONTHS_PER_YEAR + rng.integers(0, MONTHS_PER_YEAR, len(where))
    is_counted = moved < AGE_COUNTED_IN_YEARS
    made.member["age_months"][row[where], where] = np.where(is_counted, months, NONE_CODE)
    other = rng.random(len(where)) < _REMOVED
    sex = made.member["sex"]
    there = where[other]
    sex[row[there], there] = 1 - sex[row[there], there]


def _remove(made: Households, where: NDArray[np.intp], row: NDArray[np.intp]) -> None:
    """Remove a member other than the applicant."""
    last = made.size[where].astype(np.intp) - 1
    gone = np.maximum(1, np.minimum(row[where], last))
    places = np.arange(made.places)[:, None]
    # Members behind the one who is removed move up.
    moved = np.minimum(places + (places >= gone), len(places) - 1)
    for name, values in made.member.items():
        feature = FEATURES[name]
        left = np.take_along_axis(values[:, where], moved, axis=0)
        left[last, np.arange(len(where))] = feature.encode(feature.default)
        values[:, where] = left
    made.size[where] = last
