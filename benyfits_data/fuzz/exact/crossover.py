"""Crossover: children that answer for the programs of two households.

A child is a copy of the host in which everybody takes over from the donor's members what one
program asks of them. What that makes impossible is repaired as in sampling; children that stay
impossible are given up.
"""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.inputs.draws import FeatureSampler
from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.household.repair import repair_once
from benyfits_data.language.numpy_backend import possible, violators
from benyfits_data.language.source import features_read


class Crossover:
    """Crosses households of one edition.

    Args:
        edition: Whose checkers' facts are taken over.
        draws: FeatureSampler anew what repair asks for; its patterns are taken in turn.
    """

    def __init__(self, edition: Edition, draws: FeatureSampler) -> None:
        self.draws = draws
        self.facts = [
            sorted(features_read(program.checker) - {"name"})
            for program in edition.programs.values()
        ]

    def cross(
        self,
        hosts: Households,
        donors: Households,
        of: NDArray[np.intp],
        programs: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> Households:
        """Return the children that are possible.

        Args:
            hosts: What the children are copies of; changed in place.
            donors: From whom facts come.
            of: The donor of each host, by position.
            programs: The program whose facts each child takes over.
            rng: The stream to draw from.
        """
        donors = donors.take(of)
        changed: set[str] = set()
        for program in np.unique(programs):
            _take_over(hosts, donors, np.flatnonzero(programs == program), self.facts[program])
            changed.update(self.facts[program])
        draws = self.draws.like(np.arange(len(hosts)))
        repair_once(hosts, violators, draws, rng, sorted(changed))
        return hosts.take(possible(hosts))


def _take_over(
    hosts: Households, donors: Households, columns: NDArray[np.intp], facts: list[str]
) -> None:
    """Copy facts of the donors' households and members, place by place."""
    both = np.minimum(hosts.size[columns], donors.size[columns])
    rows, places = np.nonzero(np.arange(LARGEST_HOUSEHOLD)[:, None] < both)
    there = columns[places]
    for name in facts:
        if name in hosts.shared:
            hosts.shared[name][columns] = donors.shared[name][columns]
        else:
            hosts.member[name][rows, there] = donors.member[name][rows, there]
