"""The linear program that prices slots, and the integer program that chooses households.

Both take columns that fill all slots at the least cost, with two limits: on how many are chosen,
and that at most half are above a percentile. Whoever is over a limit costs a penalty.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array, hstack, vstack

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.candidates import Columns, Index
from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.exact.assignment import Assignment, bits, worth_of

PENALTY = 5_000
"""What a household costs above the median's limit: as much as five at the 99th percentile."""
TOO_MANY = 20
"""How many times more one household too many costs where households are chosen, and a fifth of that
in prices: with a fifth in both the first program stopped at 61, within its gap."""
_NODES = 200
"""After so many branches the best set is taken: a limit of time would not repeat."""


@dataclass(frozen=True)
class Prices:
    """What a linear program says of columns, in whole numbers, the same on every machine.

    Attributes:
        slots: What each slot is worth, shape `(slots,)`.
        limits: What one household less would save, and one less above the percentile.
        programs: The program of each slot, ascending.
    """

    slots: NDArray[np.int32]
    limits: NDArray[np.int64]
    programs: Index

    def profit(self, columns: Columns) -> NDArray[np.int64]:
        """Return how much more each column is worth than it costs, shape `(n,)`."""
        limits = self.limits[0] + self.limits[1] * (columns.is_over - 1 / 2)
        worth = worth_of(columns.fills, self.programs, self.slots)
        return np.asarray(worth - columns.cost - np.rint(limits).astype(np.int64))


@dataclass(frozen=True)
class CoverPrograms:
    """Fills slots by columns.

    Attributes:
        programs: The program of each slot, ascending.
        groups: Slots that need several households, since each has room for ten (Hall's condition);
            grows as they are met.
    """

    programs: Index
    groups: list[Index] = field(default_factory=list)

    def prices(self, columns: Columns, most: int) -> Prices:
        """Return what slots are worth where so many households may be chosen."""
        solved = linprog(
            np.append(columns.cost + 1.0, _PENALTIES),
            A_ub=_rows(columns.fills, columns),
            b_ub=np.append(-np.ones(len(columns.fills)), _limits(most)),
            method="highs",
        )
        if solved.x is None:
            raise SelectionError(
                f"HiGHS found no prices: {solved.message} Use --plausible off, or sample more with "
                "--households."
            )
        duals = np.rint(-solved.ineqlin.marginals).astype(np.int64)
        slots = duals[: len(self.programs)].astype(np.int32)
        return Prices(slots, duals[len(slots) :], self.programs)

    def cheapest(self, columns: Columns, most: int, gap: float) -> Columns:
        """Return the cheapest columns that fill all slots, ten each at most.

        Args:
            columns: Among which to choose.
            most: How many households may be chosen.
            gap: How much dearer than the cheapest ones they may be, as a share.

        Raises:
            SelectionError: These columns cannot fill all slots.
        """
        n = len(columns)
        while True:
            rooms = [
                np.minimum(columns.fills[group].sum(axis=0), MOST_PROGRAMS) for group in self.groups
            ]
            fill = np.concatenate([columns.fills, *(room[None] for room in rooms)])
            least = np.append(np.ones(len(columns.fills)), [len(group) for group in self.groups])
            solved = milp(
                np.append(columns.cost + 1.0, PENALTY * np.array([TOO_MANY, 1])),
                constraints=LinearConstraint(
                    _rows(fill, columns), ub=np.append(-least, _limits(most))
                ),
                bounds=Bounds(0, np.append(np.ones(n), np.full(len(_PENALTIES), np.inf))),
                integrality=np.append(np.ones(n), np.zeros(len(_PENALTIES))),
                options={"mip_rel_gap": gap, "node_limit": _NODES},
            )
            if solved.x is None:
                raise SelectionError(
                    "Believable households cannot fill all slots: one is alone with more than ten. "
                    "Use --plausible off, or sample more with --households."
                )
            chosen = columns.take(np.flatnonzero(solved.x[:n] > 1 / 2))
            left = unfilled(chosen.fills)
            if not len(left):
                return chosen
            self.groups.append(left)


_PENALTIES = PENALTY * np.array([TOO_MANY / 5, 1])


def _limits(most: int) -> NDArray[np.float64]:
    # With one household less in the worse half, the median is not of two on either side.
    return np.array([most, -1 / 2])


def _rows(fill: NDArray[np.generic], columns: Columns) -> csr_array:
    """Return rows of slots and of limits; these with a column each that takes what is over."""
    limits = np.stack([np.ones(len(columns)), columns.is_over - 1 / 2])
    above = hstack([csr_array(-fill.astype(np.float64)), csr_array((len(fill), len(limits)))])
    return csr_array(vstack([above, hstack([csr_array(limits), csr_array(-np.eye(len(limits)))])]))


def unfilled(fills: NDArray[np.bool_]) -> Index:
    """Return slots that these columns cannot fill with ten each, none if they fill all."""
    assigned = assignment(fills)
    slots, before = set(bits(assigned.left)), -1
    while len(slots) > before:
        before = len(slots)
        homes = {home for slot in slots for home in np.flatnonzero(fills[slot]).tolist()}
        slots |= {slot for home in homes for slot in bits(assigned.held[home])}
    return np.array(sorted(slots), np.intp)


def assignment(fills: NDArray[np.bool_]) -> Assignment:
    """Return which columns fill which slots, ten each at most."""
    assigned = Assignment(fills)
    for home in range(fills.shape[1]):
        assigned.add(home)
    return assigned
