"""Crossover that keeps families plausible: hosts take over what is unusual of a donor.

Lines of a program mostly need what is unusual. A host of the city takes over such facts of those
that one program reads, and keeps its other facts, so that the child is a family that could exist.
"""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.member_order import sort_members
from benyfits_data.fuzz.believable.search_moves import AGES
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import LARGEST_HOUSEHOLD
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import KEPT, repair_within
from benyfits_data.language.numpy_backend import violators
from benyfits_data.language.source import features_read

LEAST = (0, 700, 1_500)
"""Surprise from which on facts are taken over: of each family one of these."""
TAKEN_AGES = 0.6
"""How often relation, age and sex of a member are taken over."""


class PlausibleCrossover:
    """Crosses families with donors who fill a slot, for the programs of one edition.

    Args:
        edition: Whose programs ask for them.
        city: Tells what is unusual, and draws what repair asks for.
    """

    def __init__(self, edition: Edition, city: DonorCity) -> None:
        self._city = city
        self._facts = [
            sorted(features_read(program.checker) - {"name", *AGES})
            for program in edition.programs.values()
        ]

    def recombine(
        self,
        hosts: Households,
        donors: Households,
        of: NDArray[np.intp],
        programs: NDArray[np.intp],
        rng: np.random.Generator,
        in_order: float = 1.0,
    ) -> tuple[Households, NDArray[np.intp]]:
        """Return the families that are possible afterwards, and their positions among the hosts.

        Args:
            hosts: The families; changed in place.
            donors: From whom they take over.
            of: The donor of each, by position.
            programs: The program whose facts each takes over.
            rng: The stream to draw from.
            in_order: How many are told in the city's order; some lines run only in another.
        """
        unusual = self._city.belief.surprises(donors)
        donors = donors.take(of)
        least = rng.choice(LEAST, len(programs))
        first = slice(0, LARGEST_HOUSEHOLD)
        both = donors.present[first] & hosts.present[first]
        for program in np.unique(programs):
            columns = np.flatnonzero(programs == program)
            for name in self._facts[program]:
                if name in hosts.shared:
                    surprise = unusual.of_households[name][of[columns]]
                    taken = columns[surprise >= least[columns]]
                    hosts.shared[name][taken] = donors.shared[name][taken]
                    continue
                is_taken = unusual.of_members[name][first, of[columns]] >= least[columns]
                rows, places = np.nonzero(both[:, columns] & is_taken)
                places = columns[places]
                hosts.member[name][rows, places] = donors.member[name][rows, places]
        rows, places = np.nonzero(both & (rng.random(both.shape) < TAKEN_AGES))
        for name in AGES:
            hosts.member[name][rows, places] = donors.member[name][rows, places]
        kept = np.flatnonzero(fits(hosts))
        children = hosts.take(kept)
        draw = self._city.draw
        is_possible = repair_within(children, violators, draw, rng, FEATURES, passes=2)
        sort_members(children, rng.random(len(children)) < in_order if in_order < 1 else None)
        return children.take(is_possible), kept[is_possible]

    def cross(
        self,
        hosts: Households,
        donors: Households,
        of: NDArray[np.intp],
        programs: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> Households:
        """Return the families that are possible afterwards (see `recombine`)."""
        return self.recombine(hosts, donors, of, programs, rng)[0]


def fits(households: Households) -> NDArray[np.bool_]:
    """Return where relations and ages fit: to draw these anew would undo the crossing."""
    fit = np.ones(len(households), np.bool_)
    for constraint in CONSTRAINTS.values():
        if not KEPT.isdisjoint(constraint.repaired_by):
            _, columns = violators(constraint, households)
            fit[columns] = False
    return fit
