"""Children of households: crossed with a donor, or with facts redrawn from people of the city."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.search.donors import DonorCity
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import KEPT, repair_once
from benyfits_data.language.numpy_backend import possible, violators
from benyfits_data.language.source import features_read
from benyfits_data.plausibility.circumstances import Circumstances
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS

TAKEN_OVER = (0, 700, 1_500)
"""Surprise from which on facts are taken over from a donor: for each child one of these."""
SUBSETS = 12
"""How many subsets of the facts that may change are tried together."""
SHARES = (1e-5, 3e-5, 1e-4, 3e-4)
"""How likely a fact is redrawn, for each thousandth of its surprise: in each child one of these."""
_COUPLE = [FEATURES["relation"].encode(one) for one in ("spouse", "domestic partner")]
_BEYOND_AGES = 1_000
_FAMILY = ("relation", "age", "age_months", "sex")
_FACTS = (*MEMBER_FACTS, *HOUSEHOLD_FACTS)
_TOPICS = np.array([f"{FEATURES[name].level} {FEATURES[name].topic}" for name in _FACTS])
Index = NDArray[np.intp]


@dataclass(frozen=True)
class Redrawn:
    """Copies of households, each with facts of one member, or of the home, from one donor.

    Attributes:
        homes: The copies.
        of: The household of each.
        row: Its member whose facts were redrawn; -1 for the home.
        facts: Which facts were redrawn, shape `(n, facts)`.
    """

    homes: Households
    of: Index
    row: Index
    facts: NDArray[np.bool_]

    def take(self, at: Index) -> "Redrawn":
        """Return some of the copies."""
        return Redrawn(self.homes.take(at), self.of[at], self.row[at], self.facts[at])


@dataclass(frozen=True)
class Variation:
    """Makes children, for the programs of one edition.

    Attributes:
        edition: Whose programs ask for facts.
        city: Tells what is unusual, and gives donors.
        rng: Draws.
    """

    edition: Edition
    city: DonorCity
    rng: np.random.Generator

    @cached_property
    def _asked(self) -> list[list[str]]:
        """The facts that each program reads, without those that make a family."""
        programs = self.edition.programs.values()
        return [sorted(features_read(one.checker) - {"name", *_FAMILY}) for one in programs]

    def cross(
        self, hosts: Households, donors: Households, of: Index, programs: Index
    ) -> tuple[Households, Index]:
        """Return hosts that took over what a program asks of a donor, and their positions.

        Half of the members take over relation, age and sex too. What that makes impossible is
        repaired as in sampling.

        Args:
            hosts: The hosts.
            donors: From whom they take over.
            of: The donor of each host, by position.
            programs: The program of each host.
        """
        distinct, of = np.unique(of, return_inverse=True)
        donors, made, rng = donors.take(distinct), hosts.take(np.arange(len(hosts))), self.rng
        unusual, donors = self.city.plausibility.surprises(donors), donors.take(of)
        least = rng.choice(TAKEN_OVER, len(of))
        first = slice(0, LARGEST_HOUSEHOLD)
        both = donors.present[first] & made.present[first]
        both &= rng.random(both.shape) < rng.choice((1 / 2, 1), len(of))
        for program in np.unique(programs):
            columns = np.flatnonzero(programs == program)
            for name in self._asked[program]:
                if name in made.shared:
                    at = columns[unusual.of_households[name][of[columns]] >= least[columns]]
                    made.shared[name][at] = donors.shared[name][at]
                    continue
                is_taken = unusual.of_members[name][first, of[columns]] >= least[columns]
                rows, places = np.nonzero(both[:, columns] & is_taken)
                at = columns[places]
                made.member[name][rows, at] = donors.member[name][rows, at]
        rows, at = np.nonzero(both & (rng.random(both.shape) < rng.random(len(of))))
        for name in _FAMILY:
            made.member[name][rows, at] = donors.member[name][rows, at]
        return self._repaired(made)

    def change(
        self, homes: Households, n: int, cost: NDArray[np.int64]
    ) -> tuple[Households, Index]:
        """Return copies, of `n` tried, with many facts redrawn or another family, and whose.

        What costs more is copied more often.
        """
        of = drawn(cost + 1, n, self.rng)
        regrouped, redrawn = homes.take(of[: n // 3]), homes.take(of[n // 3 :])
        self._regroup(regrouped)
        self._redraw_many(redrawn)
        children, kept = self._repaired(Households.concatenate([regrouped, redrawn]))
        return children, of[kept]

    def _regroup(self, homes: Households) -> None:
        """Make a member another of a like family or of a relation there, or leave one out."""
        rng, of = self.rng, np.arange(len(homes))
        row, other = (1 + np.floor(rng.random((2, len(homes))) * (homes.size - 1))).astype(np.intp)
        kind = np.where(homes.size > 1, rng.integers(3, size=len(homes)), -1)
        at = of[kind == 0]
        donors = self.city.homes_like(Circumstances(homes).households[at], rng)
        for name in _FAMILY:
            homes.member[name][row[at], at] = self.city.households.member[name][row[at], donors]
        at, relation = of[kind == 1], homes.member["relation"]
        relation[row[at], at] = relation[other[at], at]
        remove_members(homes, of[kind == 2], row)

    def _redraw_many(self, homes: Households) -> None:
        """Redraw facts of members and home from a donor each, unusual ones most often, in place."""
        surprises, around = self.city.plausibility.surprises(homes), Circumstances(homes)
        share, lent = self.rng.choice(SHARES, len(homes)), self.city.households
        rows, places = around.places
        donor_rows, donors = self.city.people_like(around.members, self.rng)
        for name in MEMBER_FACTS:
            chance = share[places] * surprises.of_members[name][rows, places]
            at = np.flatnonzero(self.rng.random(len(rows)) < chance)
            homes.member[name][rows[at], places[at]] = lent.member[name][donor_rows[at], donors[at]]
        donors = self.city.homes_like(around.households, self.rng)
        for name in HOUSEHOLD_FACTS:
            chance = share * surprises.of_households[name]
            at = np.flatnonzero(self.rng.random(len(homes)) < chance)
            homes.shared[name][at] = lent.shared[name][donors[at]]

    def _repaired(self, made: Households) -> tuple[Households, Index]:
        """Return who is possible after repair as in sampling, and their positions."""
        fit = np.flatnonzero(_fits(made))
        children = made.take(fit)
        rng = self.rng
        repair_once(children, violators, self.city.draw, rng, FEATURES)
        kept = np.flatnonzero(possible(children))
        children = children.take(kept)
        # Some checkers look at members one after the other, so that the order decides what runs.
        sort_members(children, rng.random(len(children)) < 1 / 2)
        return children, fit[kept]

    def redraw(self, homes: Households, most: int, cost: NDArray[np.int64]) -> Redrawn:
        """Return at most so many possible copies that surprise less, an unusual fact redrawn.

        The more a fact surprises and its household costs, the more often it is drawn: outliers too
        become usual then (drawn evenly, a household stayed beyond the 99.9th percentile).
        In a third of them what belongs to its topic is redrawn too, from the same donor, and in a
        third all facts are those of somebody in whom the unusual one is the same.
        """
        of, row, fact, surprise = self._unusual(homes)
        at = drawn(surprise * (cost[of] + 1), most, self.rng)
        of, row, fact = of[at], row[at], fact[at]
        kind = self.rng.integers(3, size=len(of))
        only = np.arange(len(_FACTS)) == fact[:, None]
        topic = _TOPICS[fact][:, None] == _TOPICS
        person = (row >= 0)[:, None] == np.isin(_FACTS, MEMBER_FACTS)
        facts = np.choose(kind[:, None], [only, topic, person])
        made, around, lent = homes.take(of), Circumstances(homes), self.city.households
        rows, donors = np.zeros_like(of), np.zeros_like(of)
        of_member, of_home = np.flatnonzero(row >= 0), np.flatnonzero(row < 0)
        context = around.members_by_place[row, of]
        rows[of_member], donors[of_member] = self.city.people_like(context[of_member], self.rng)
        donors[of_home] = self.city.homes_like(around.households[of[of_home]], self.rng)
        for place in np.unique(fact[of_member]).tolist():
            name, at = _FACTS[place], np.flatnonzero((kind == 2) & (row >= 0) & (fact == place))
            codes = homes.member[name][row[at], of[at]]
            rows[at], donors[at] = self.city.people_with(name, codes, context[at], self.rng)
        for place, name in enumerate(_FACTS):
            at = np.flatnonzero(facts[:, place])
            if name in made.shared:
                made.shared[name][at] = lent.shared[name][donors[at]]
            else:
                made.member[name][row[at], at] = lent.member[name][rows[at], donors[at]]
        plausibility = self.city.plausibility
        kept = np.flatnonzero(plausibility.surprise(made) < plausibility.surprise(homes)[of])
        kept = kept[possible(made.take(kept))]
        return Redrawn(made.take(kept), of[kept], row[kept], facts[kept])

    def combine(self, homes: Households, redrawn: Redrawn) -> tuple[Households, Index]:
        """Return possible copies that take over subsets of what was redrawn, and whose they are."""
        of = np.repeat(np.unique(redrawn.of), SUBSETS)
        made, share = homes.take(of), self.rng.random(len(of))
        for at in self.rng.permutation(len(redrawn.of)).tolist():
            first = int(np.searchsorted(of, redrawn.of[at]))
            copies = np.arange(first, first + SUBSETS)
            copies = copies[self.rng.random(SUBSETS) < share[copies]]
            row, lent = redrawn.row[at], redrawn.homes
            for place in np.flatnonzero(redrawn.facts[at]).tolist():
                name = _FACTS[place]
                if row < 0:
                    made.shared[name][copies] = lent.shared[name][at]
                else:
                    made.member[name][row, copies] = lent.member[name][row, at]
        kept = np.flatnonzero(possible(made))
        return made.take(kept), of[kept]

    def _unusual(self, homes: Households) -> tuple[Index, Index, Index, NDArray[np.int64]]:
        """Return household, member (-1 for the home), fact and surprise of all that surprises."""
        surprises = self.city.plausibility.surprises(homes)
        unusual = []
        for place, name in enumerate(_FACTS):
            of_home = name in homes.shared
            values = surprises.of_households[name][None] if of_home else surprises.of_members[name]
            rows, at = np.nonzero(values)
            unusual.append((at, rows - of_home, np.full(len(at), place), values[rows, at]))
        of, row, fact, surprise = (np.concatenate(each) for each in zip(*unusual, strict=True))
        return of, row, fact, surprise.astype(np.int64)


def drawn(weights: NDArray[np.int64], n: int, rng: np.random.Generator) -> Index:
    """Return positions drawn by weights; whole numbers add up alike on every machine."""
    total = np.cumsum(weights)
    return np.searchsorted(total, rng.integers(total[-1], size=n), side="right")


def sort_members(homes: Households, among: NDArray[np.bool_] | None = None) -> None:
    """Reorder members in place: the applicant, spouse or partner, then others from the oldest.

    Args:
        homes: The households.
        among: Which of them to reorder; all unless given.
    """
    rank = _rank(homes)
    is_wrong = (np.diff(rank, axis=0) < 0).any(axis=0)
    columns = np.flatnonzero(is_wrong if among is None else is_wrong & among)
    order = np.argsort(rank[:, columns], axis=0, kind="stable")
    for values in homes.member.values():
        values[:, columns] = np.take_along_axis(values[:, columns], order, axis=0)


def _rank(homes: Households) -> NDArray[np.int64]:
    """Return a sort key of the members of each household, shape `(places, n)`."""
    is_partner = np.isin(homes.member["relation"], _COUPLE)
    rank = np.where(is_partner, 1, 2) * _BEYOND_AGES - homes.member["age"].astype(np.int64)
    rank[0] = 0
    return np.asarray(np.where(homes.present, rank, 3 * _BEYOND_AGES))


def remove_members(homes: Households, where: Index, row: Index) -> None:
    """Remove a member other than the applicant from some households, in place.

    Args:
        homes: The households.
        where: From which of them.
        row: Whom, by place in every household.
    """
    places = np.arange(homes.places)[:, None]
    # Members behind the one who is removed move up.
    moved = np.minimum(places + (places >= row[where]), len(places) - 1)
    last = homes.size[where].astype(np.intp) - 1
    for name, values in homes.member.items():
        feature = FEATURES[name]
        left = np.take_along_axis(values[:, where], moved, axis=0)
        left[last, np.arange(len(where))] = feature.encode(feature.default)
        values[:, where] = left
    homes.size[where] = last


def _fits(households: Households) -> NDArray[np.bool_]:
    """Return where relations and ages fit: to draw these anew would undo the crossing."""
    fit = np.ones(len(households), np.bool_)
    for constraint in CONSTRAINTS.values():
        if not KEPT.isdisjoint(constraint.repaired_by):
            _, columns = violators(constraint, households)
            fit[columns] = False
    return fit
