"""The integer program that chooses households: the cheapest that fill all slots within limits."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, eye_array, hstack, vstack
from scipy.sparse.csgraph import maximum_bipartite_matching

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.search.candidates import Candidates, Index
from benyfits_data.fuzz.search.set_limits import (
    Limit,
    limit_on_number,
    limits_on_families,
    limits_on_people,
)

PENALTY = 5_000
"""What a household costs beyond a limit: as much as five at the 99th percentile."""
TOO_MANY = 20
"""How many times as much one household too many costs: at first, all cost more than a penalty."""
GAP = 0.01
"""How much dearer than the cheapest set the chosen one may be, as a share."""
_NODES = 200
"""After so many branches the best set is taken: a limit of time would not repeat."""


@dataclass(frozen=True)
class CoverProgram:
    """Chooses the cheapest households that fill all slots.

    Attributes:
        percentile: At which the median household may stay; `None` where nobody is compared with
            the city.
        groups: Slots that need several households, since each has room for ten (Hall's condition);
            grows as they are met.
    """

    percentile: float | None
    groups: list[Index] = field(default_factory=list)

    def limits(self, some: Candidates) -> list[Limit]:
        """Return the limits on a set of these candidates, that on their number first."""
        limits = [limit_on_number(len(some), len(some.fills))]
        if self.percentile is not None:
            limits += limits_on_people(some.homes, some.percentile, self.percentile)
            limits += limits_on_families(some.homes)
        return limits

    def cheapest(self, some: Candidates) -> Candidates:
        """Return the cheapest candidates that fill all slots, ten each at most.

        What is beyond a limit costs a penalty.

        Raises:
            SelectionError: These candidates cannot fill all slots.
        """
        limits, n = self.limits(some), len(some)
        counts = hstack(
            [csr_array(np.stack([one.counts for one in limits])), -eye_array(len(limits))]
        )
        penalties = np.full(len(limits), PENALTY)
        penalties[0] *= TOO_MANY
        while True:
            fills, least = self._rows(some.fills)
            beside = csr_array((len(least), len(limits)))
            solved = milp(
                np.append(some.cost + 1.0, penalties),
                constraints=[
                    LinearConstraint(csr_array(hstack([fills, beside])), lb=least),
                    LinearConstraint(csr_array(counts), ub=[one.most for one in limits]),
                ],
                bounds=Bounds(0, np.append(np.ones(n), np.full(len(limits), np.inf))),
                integrality=np.append(np.ones(n), np.zeros(len(limits))),
                options={"mip_rel_gap": GAP, "node_limit": _NODES},
            )
            if solved.x is None:
                raise SelectionError(
                    "These households cannot fill all slots: one is alone with more than ten. Use "
                    "--method greedy, or sample more with --households."
                )
            chosen = some.take(np.flatnonzero(solved.x[:n] > 1 / 2))
            left = unfilled(chosen.fills)
            if not len(left):
                return chosen
            self.groups.append(left)

    def _rows(self, fills: NDArray[np.bool_]) -> tuple[csr_array, NDArray[np.float64]]:
        """Return how much each candidate fills of each slot and group, and what these need."""
        rooms = [np.minimum(fills[group].sum(axis=0), MOST_PROGRAMS)[None] for group in self.groups]
        least = np.append(np.ones(len(fills)), [len(group) for group in self.groups])
        return csr_array(vstack([csr_array(one.astype(float)) for one in (fills, *rooms)])), least


def unfilled(fills: NDArray[np.bool_]) -> Index:
    """Return slots that these households cannot fill with ten each, none if they fill all."""
    filler = fillers_of_slots(fills)
    slots, before = np.flatnonzero(filler < 0), -1
    while len(slots) > before:
        before = len(slots)
        homes = np.flatnonzero(fills[slots].any(axis=0))
        slots = np.union1d(slots, np.flatnonzero(np.isin(filler, homes)))
    return slots


def fillers_of_slots(fills: NDArray[np.bool_]) -> Index:
    """Return the household that fills each slot, ten each at most; -1 where none is left."""
    rooms = csr_array(np.repeat(fills, MOST_PROGRAMS, axis=1))
    room = maximum_bipartite_matching(rooms, perm_type="column")
    return np.where(room < 0, -1, room // MOST_PROGRAMS).astype(np.intp)


def shared_out(fills: NDArray[np.bool_], filler: Index) -> Index:
    """Return the fillers of slots, where whoever fills none takes over a slot of who has several.

    Args:
        fills: Which households can fill which slots, shape `(slots, households)`.
        filler: Who fills each slot.
    """
    shared = filler.copy()
    for home in np.setdiff1d(np.arange(fills.shape[1]), filler):
        has_several = np.bincount(shared, minlength=fills.shape[1])[shared] > 1
        shared[np.flatnonzero(fills[:, home] & has_several)[:1]] = home
    return shared
