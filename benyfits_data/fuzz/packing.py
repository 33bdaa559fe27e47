"""Fewer households for the fewest pairs, by a linear and an integer program (`--thorough`).

The linear program may use every household in part: its value bounds every selection from below,
with the number of pairs of each program fixed, which a plain cover leaves open. The integer program
chooses among the households that the linear one uses most and those of a known selection.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_array

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.cover_search import CoverSearch
from benyfits_data.fuzz.covers import MOST_PROGRAMS, Cover, Pair

_COMMON = 1000
"""Elements that so many households cover are left out of the linear program."""
_CANDIDATES = 120
_MOST_NODES = 500
_CLOSE_ENOUGH = 0.02
_TOLERANCE = 1e-6


@dataclass
class _Rows:
    """Constraints `low <= sum(value * variable) <= high`, row by row."""

    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)

    def add(self, columns: Sequence[int], values: Sequence[float], low: float, high: float) -> None:
        self.rows += [len(self.low)] * len(columns)
        self.columns += columns
        self.values += values
        self.low.append(low)
        self.high.append(high)

    def matrix(self, n_columns: int) -> csr_array:
        shape = (len(self.low), n_columns)
        return csr_array((self.values, (self.rows, self.columns)), shape=shape)


class Packing:
    """The programs over households and their pairs.

    Args:
        covers: What the pool covers.
        searches: Their searches for smallest covers.
        needs: The smallest number of pairs of each program.
    """

    def __init__(
        self, covers: Sequence[Cover], searches: Sequence[CoverSearch], needs: Sequence[int]
    ) -> None:
        self.covers = covers
        self.searches = searches
        self.needs = needs
        # Only classes of some smallest cover can be part of a selection with the fewest pairs.
        self.useful = [
            np.array(
                [
                    bool(mask) and search.least(search.full & ~mask) == need - 1
                    for mask in search.mask_of_class
                ]
            )
            for search, need in zip(searches, needs, strict=True)
        ]

    def relax(self) -> tuple[int, NDArray[np.intp]]:
        """Return a bound on the households, and households in order of their use, most first.

        Raises:
            SelectionError: The solver stopped without a solution.
        """
        kinds = np.zeros((len(self.covers[0].class_of), len(self.covers)), np.int32)
        masks: list[list[int]] = []
        wanted: list[int] = []
        for program, (cover, search) in enumerate(zip(self.covers, self.searches, strict=True)):
            elements = cover.classes[:, search.essential]
            is_rare = elements[cover.class_of].sum(axis=0) < _COMMON
            rare = sum(1 << int(bit) for bit in np.flatnonzero(is_rare))
            known: dict[int, int] = {}
            label = np.zeros(len(cover.classes), np.int32)
            for position, mask in enumerate(search.mask_of_class):
                if self.useful[program][position] and mask & rare:
                    label[position] = known.setdefault(mask & rare, len(known) + 1)
            kinds[:, program] = label[cover.class_of]
            masks.append([0, *known])
            wanted.append(rare)
        patterns, first = np.unique(kinds, axis=0, return_index=True)
        rows = _Rows()
        own: list[dict[int, list[int]]] = [{} for _ in self.covers]
        n_columns = len(patterns)
        for household, pattern in enumerate(patterns):
            pairs = []
            for program in np.flatnonzero(pattern).tolist():
                own[program].setdefault(int(pattern[program]), []).append(n_columns)
                rows.add([n_columns, household], [1, -1], -np.inf, 0)
                pairs.append(n_columns)
                n_columns += 1
            rows.add([*pairs, household], [*[1] * len(pairs), -MOST_PROGRAMS], -np.inf, 0)
        for program, need in enumerate(self.needs):
            every = [column for columns in own[program].values() for column in columns]
            rows.add(every, [1] * len(every), -np.inf, need)
            for bit in range(wanted[program].bit_length()):
                if wanted[program] >> bit & 1:
                    covering = [
                        column
                        for kind, columns in own[program].items()
                        if masks[program][kind] >> bit & 1
                        for column in columns
                    ]
                    rows.add(covering, [-1] * len(covering), -np.inf, -1)
        cost = np.zeros(n_columns)
        cost[: len(patterns)] = 1
        result = linprog(
            cost, A_ub=rows.matrix(n_columns), b_ub=rows.high, bounds=(0, 1), method="highs-ipm"
        )
        if result.x is None:
            raise SelectionError(
                f"HiGHS could not solve the linear program of {len(patterns)} households: "
                f"{result.message} Leave --thorough out.",
                households=len(patterns),
            )
        order = np.argsort(-result.x[: len(patterns)], kind="stable")
        return int(np.ceil(result.fun - _TOLERANCE)), first[order]

    def pack(self, used: NDArray[np.intp], known: NDArray[np.intp]) -> list[Pair] | None:
        """Return pairs in as few of some households as possible; `None` if none were found.

        Args:
            used: Households in order of their use by the linear program.
            known: The households of a known selection.
        """
        households = np.unique(np.concatenate([used[:_CANDIDATES], known]))
        rows = _Rows()
        n_columns = len(households)
        pairs: list[tuple[int, int]] = []
        of_household: list[list[int]] = [[] for _ in households]
        for program, (cover, search) in enumerate(zip(self.covers, self.searches, strict=True)):
            classes = cover.class_of[households]
            places = np.flatnonzero(self.useful[program][classes]).tolist()
            columns = list(range(n_columns, n_columns + len(places)))
            n_columns += len(places)
            pairs += [(place, program) for place in places]
            rows.add(columns, [1] * len(columns), self.needs[program], self.needs[program])
            for bit in range(search.full.bit_length()):
                covering = [
                    column
                    for column, place in zip(columns, places, strict=True)
                    if search.mask_of_class[classes[place]] >> bit & 1
                ]
                rows.add(covering, [1] * len(covering), 1, np.inf)
            for column, place in zip(columns, places, strict=True):
                of_household[place].append(column)
                rows.add([column, place], [1, -1], -np.inf, 0)
        for place, columns in enumerate(of_household):
            rows.add([*columns, place], [*[1] * len(columns), -MOST_PROGRAMS], -np.inf, 0)
        cost = np.zeros(n_columns)
        cost[: len(households)] = 1
        result = milp(
            cost,
            constraints=LinearConstraint(rows.matrix(n_columns), rows.low, rows.high),
            bounds=Bounds(0, 1),
            integrality=np.ones(n_columns),
            # Limits by nodes, not by time: the same on every machine.
            options={"node_limit": _MOST_NODES, "mip_rel_gap": _CLOSE_ENOUGH},
        )
        if result.x is None:
            return None
        chosen = result.x[len(households) :] > 1 / 2
        return sorted(
            (int(households[place]), program)
            for (place, program), taken in zip(pairs, chosen, strict=True)
            if taken
        )
