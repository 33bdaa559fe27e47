"""Crossover: children that answer for the programs of two households.

A child is a copy of the host. Either a member of the donor's moves in, or everybody takes over from
the donor's members what one program asks of them. What that makes impossible is repaired as in
sampling; children that stay impossible are given up.
"""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.feature_draws import FeatureSampler
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.household.repair import KEPT, repair_within
from benyfits_data.language.numpy_backend import violators
from benyfits_data.language.source import features_read

MOVING_SHARE = 0.5
FULL = 4
"""In households of so many members whoever moves in takes somebody's place."""
PASSES = 2
"""Children that are not possible after so many passes are given up."""


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
        programs: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> Households:
        """Return the children that are possible.

        Args:
            hosts: What the children are copies of; changed in place.
            donors: From whom facts or a member come, one for each host.
            programs: The program whose facts each child takes over.
            rng: The stream to draw from.
        """
        moves = rng.random(len(programs)) < MOVING_SHARE
        moves &= donors.size > 1
        changed = set(hosts.member) if moves.any() else set()
        _move_in(hosts, donors, np.flatnonzero(moves), rng)
        for program in np.unique(programs):
            own = np.flatnonzero(programs == program)
            _take_over(hosts, donors, own, own[~moves[own]], self.facts[program])
            changed.update(self.facts[program])
        children = hosts.take(_fits(hosts))
        draws = self.draws.like(np.arange(len(children)))
        possible = np.ones(len(children), np.bool_)
        possible[repair_within(children, violators, draws, rng, sorted(changed), PASSES)] = False
        return children.take(possible)


def _fits(households: Households) -> NDArray[np.bool_]:
    """Return where relations and ages fit: to draw these anew would undo the crossing."""
    fit = np.ones(len(households), np.bool_)
    for constraint in CONSTRAINTS.values():
        if not KEPT.isdisjoint(constraint.repaired_by):
            _, columns = violators(constraint, households)
            fit[columns] = False
    return fit


def _move_in(
    hosts: Households, donors: Households, columns: NDArray[np.intp], rng: np.random.Generator
) -> None:
    """Let a member of the donors other than the applicant move in with some hosts.

    A full household would serve more programs with every member who moves in, and be read less.
    """
    n = len(columns)
    who = 1 + (rng.random(n) * (donors.size[columns] - 1)).astype(np.intp)
    size = hosts.size[columns].astype(np.intp)
    is_full = size >= FULL
    place = np.where(is_full, 1 + (rng.random(n) * (size - 1)).astype(np.intp), size)
    for name, column in hosts.member.items():
        column[place, columns] = donors.member[name][who, columns]
    hosts.size[columns] += ~is_full


def _take_over(
    hosts: Households,
    donors: Households,
    columns: NDArray[np.intp],
    of_members: NDArray[np.intp],
    facts: list[str],
) -> None:
    """Copy facts of the donors' households, and where wanted of their members, place by place."""
    both = np.minimum(hosts.size[of_members], donors.size[of_members])
    rows, places = np.nonzero(np.arange(LARGEST_HOUSEHOLD)[:, None] < both)
    there = of_members[places]
    for name in facts:
        if name in hosts.shared:
            hosts.shared[name][columns] = donors.shared[name][columns]
        else:
            hosts.member[name][rows, there] = donors.member[name][rows, there]
