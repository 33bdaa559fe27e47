"""Believable households: what no assigned line needs is drawn again from people of the city.

A household keeps the lines for which it was chosen and stays possible; everything else may change:
facts of a member are copied from a member of the city of like relation, age and sex, facts of the
home from a household of like size. Of many such copies the least surprising is kept, until a
household is no more surprising than its goal, a percentile of the city.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.coverage import Coverage
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import AGE_COUNTED_IN_YEARS, MONTHS_PER_YEAR, OLDEST_AGE
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import Draw, repair_within
from benyfits_data.household.schema import NONE_CODE
from benyfits_data.language.numpy_backend import label_and_trace, violators
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.language.source import features_read
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.circumstances import Circumstances
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS

ROUNDS = 80
"""After 60 rounds the median of the households of 2024 stands at 86, after 100 at 76."""
COPIES = 36
"""Copies of each household that are tried in a round."""
_TOPICS = {name: FEATURES[name].topic for name in (*MEMBER_FACTS, *HOUSEHOLD_FACTS)}
_SHARES = (0.25, 0.15, 0.1, 0.4, 0.1)
"""How often to copy what no assigned program reads, the fact that weighs most, its topic, some
facts, all facts."""
_ODD = 4_000
"""Surprise from which on some facts are copied as often as any: about one in fifty."""
_OF_HOME = 0.25
_OF_AGES = 0.2
_FEWER = 0.1
_YEARS = 8
"""How often the home's facts change, an age or sex, or a member leaves; else a member's facts."""


@dataclass(frozen=True)
class DonorCity:
    """What households are made believable with.

    Attributes:
        households: Households of the city, who lend facts.
        belief: How surprising households are.
        draw: Draws a feature anew from the city, where a copy is impossible.
    """

    households: Households
    belief: Plausibility
    draw: Draw

    @cached_property
    def people(self) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]:
        """Context, place and household of everybody, by context."""
        around = Circumstances(self.households)
        order = np.argsort(around.members, kind="stable")
        return around.members[order], around.places[0][order], around.places[1][order]

    @cached_property
    def homes(self) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """Context and position of every household, by context."""
        context = Circumstances(self.households).households
        order = np.argsort(context, kind="stable")
        return context[order], order


Need = tuple[int, str, tuple[int, ...]]
"""A household, a program of it, and the positions of the lines that it must run there."""


class Needs:
    """What households must keep.

    Args:
        edition: Whose checkers they run.
        homes: The households, who all run what they need.
        needs: What each needs.
        coverage: Tells the lines by position.
    """

    def __init__(
        self,
        edition: Edition,
        homes: Households,
        needs: Sequence[Need],
        coverage: Sequence[Coverage],
    ) -> None:
        self.edition = edition
        self.needs = needs
        self._names = [own.program for own in coverage]
        answers = label_and_trace(edition, homes)
        self._masks = {
            name: np.zeros((len(homes), answers.traces[name].shape[1]), np.uint64)
            for name in sorted({name for _, name, _ in needs})
        }
        self._asked = np.zeros((len(coverage), len(homes)), np.bool_)
        self.reads: list[set[str]] = [set() for _ in range(len(homes))]
        for home, name, lines in needs:
            for line in lines:
                self._masks[name][home, line // 64] |= np.uint64(1) << np.uint64(line % 64)
            self._asked[self._names.index(name), home] = True
            self.reads[home] |= features_read(edition.program(name).checker)
        self._asked &= ~contested_mask(edition, homes, self._names)

    def met(self, copies: Households, of: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which copies keep what the household needs that they are copies of."""
        traces = label_and_trace(self.edition, copies).traces
        met = np.ones(len(copies), np.bool_)
        for name, masks in self._masks.items():
            met &= ((traces[name] & masks[of]) == masks[of]).all(axis=1)
        still = np.flatnonzero(met)
        is_open = contested_mask(self.edition, copies.take(still), self._names)
        met[still] = ~(is_open & self._asked[:, of[still]]).any(axis=0)
        return met


def settle(
    homes: Households,
    needs: Needs,
    city: DonorCity,
    goals: NDArray[np.float64],
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    copies: int = COPIES,
) -> Households:
    """Return households that keep what they need and are as believable as their goals, if possible.

    Args:
        homes: The households.
        needs: What each must keep.
        city: Lends facts.
        goals: The percentile that each may stay at, shape `(n,)`.
        rng: Gives copies and moves.
        rounds: How often copies are made at most.
        copies: How many copies of each household are made in a round.
    """
    current = homes.take(np.arange(len(homes)))
    limits = np.stack([city.belief.limits(goal) for goal in goals])
    for _ in range(rounds):
        surprise = city.belief.surprise(current)
        goal = limits[np.arange(len(current)), np.minimum(current.size, 6) - 1]
        active = np.flatnonzero(surprise > goal)
        if not len(active):
            break
        of = np.repeat(active, copies)
        made = current.take(of)
        _change(made, of, needs, city, rng)
        likely = np.flatnonzero(city.belief.surprise(made) < surprise[of])
        made, of = made.take(likely), of[likely]
        possible = np.ones(len(made), np.bool_)
        possible[repair_within(made, violators, city.draw, rng, FEATURES, passes=2)] = False
        kept = np.flatnonzero(possible)
        made, of = made.take(kept), of[kept]
        if not len(made):
            continue
        new = city.belief.surprise(made)
        better = np.flatnonzero(new < surprise[of])
        better = better[needs.met(made.take(better), of[better])]
        # Of the copies of one household the least surprising comes first.
        better = better[np.lexsort((new[better], of[better]))]
        _, first = np.unique(of[better], return_index=True)
        _put(current, of[better[first]], made.take(better[first]))
    return current


def _put(current: Households, where: NDArray[np.intp], new: Households) -> None:
    current.size[where] = new.size
    for name, column in new.shared.items():
        current.shared[name][where] = column
    for name, column in new.member.items():
        current.member[name][:, where] = column


def _change(
    made: Households, of: NDArray[np.intp], needs: Needs, city: DonorCity, rng: np.random.Generator
) -> None:
    """Change each copy by one move, in place."""
    n = len(made)
    surprises = city.belief.surprises(made)
    member = np.stack([surprises.of_members[name] for name in MEMBER_FACTS])
    shared = np.stack([surprises.of_households[name] for name in HOUSEHOLD_FACTS])
    move = rng.random(n)
    at_home = move < _OF_HOME
    of_ages = (move >= _OF_HOME) & (move < _OF_HOME + _OF_AGES)
    fewer = (move >= 1 - _FEWER) & (made.size > 1)
    of_facts = ~(at_home | of_ages | fewer)
    row = _drawn_by(member.sum(axis=0) + made.present, rng)
    columns = np.arange(n)
    free = np.array([[name not in reads for name in MEMBER_FACTS] for reads in needs.reads])
    wanted = _wanted(member[:, row, columns].T, free[of], MEMBER_FACTS, rng)
    _copy_members(made, np.flatnonzero(of_facts), row, wanted, city, rng)
    free = np.array([[name not in reads for name in HOUSEHOLD_FACTS] for reads in needs.reads])
    wanted = _wanted(shared.T, free[of], HOUSEHOLD_FACTS, rng)
    _copy_homes(made, np.flatnonzero(at_home), wanted, city, rng)
    _move_ages(made, np.flatnonzero(of_ages), row, rng)
    _remove(made, np.flatnonzero(fewer), row)


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
    some = rng.random((n, n_facts)) < share * np.clip(surprise / _ODD, 0.05, 1)
    return np.asarray(
        np.select(
            [np.equal(kind, place)[:, None] for place in range(4)],
            [free, one, topic, some | one],
            np.ones((n, n_facts), np.bool_),
        )
    )


def _like(
    known: NDArray[np.int64], asked: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return a place of each value among sorted ones, at random; the next where there is none."""
    first = np.searchsorted(known, asked, side="left")
    last = np.searchsorted(known, asked, side="right")
    place = first + np.floor(rng.random(len(asked)) * np.maximum(last - first, 1)).astype(np.intp)
    return np.asarray(np.minimum(place, len(known) - 1))


def _copy_members(
    made: Households,
    where: NDArray[np.intp],
    row: NDArray[np.intp],
    wanted: NDArray[np.bool_],
    city: DonorCity,
    rng: np.random.Generator,
) -> None:
    around = Circumstances(made)
    context = np.zeros(made.present.shape, np.int64)
    context[around.places] = around.members
    known, places, homes = city.people
    donor = _like(known, context[row[where], where], rng)
    for fact, name in enumerate(MEMBER_FACTS):
        chosen = wanted[where, fact]
        there, lent = where[chosen], donor[chosen]
        column = city.households.member[name]
        made.member[name][row[there], there] = column[places[lent], homes[lent]]


def _copy_homes(
    made: Households,
    where: NDArray[np.intp],
    wanted: NDArray[np.bool_],
    city: DonorCity,
    rng: np.random.Generator,
) -> None:
    known, homes = city.homes
    donor = homes[_like(known, Circumstances(made).households[where], rng)]
    for fact, name in enumerate(HOUSEHOLD_FACTS):
        chosen = wanted[where, fact]
        made.shared[name][where[chosen]] = city.households.shared[name][donor[chosen]]


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
    other = rng.random(len(where)) < _FEWER
    sex = made.member["sex"]
    there = where[other]
    sex[row[there], there] = 1 - sex[row[there], there]


def _remove(made: Households, where: NDArray[np.intp], row: NDArray[np.intp]) -> None:
    """Let a member besides the applicant go."""
    for column in where:
        size = int(made.size[column])
        gone = max(1, min(int(row[column]), size - 1))
        for name, values in made.member.items():
            values[gone : size - 1, column] = values[gone + 1 : size, column]
            feature = FEATURES[name]
            values[size - 1, column] = feature.encode(feature.default)
        made.size[column] = size - 1
