"""Moving amounts of money so that sums land just below, at and just above a limit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding
from benyfits_data.fuzz.inputs.limits import Balance, Term
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import SCHOOL_LEAVING_AGE
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.numpy_backend import measure

INCOMES = ("annual_work_income", "annual_investment_income")
_MOVED = "annual_investment_income"
"""The other hangs on people's work."""
STEPS = (-1, 0, 1)
"""How far beside a limit sums are moved: with the limit alone, 7,528 of 7,564 mutants are found."""


def move_to_limits(
    households: Households,
    balances: Sequence[Balance],
    share: float,
    rng: np.random.Generator,
) -> frozenset[str]:
    """Return the features that were changed, in place, so that a share of sums meets a limit.

    Each household that takes part is given one balance and one step: its sum becomes -1, 0 or 1
    beside the limit. Incomes are scaled down first where they are too high already; then one member
    (or the rent, or what the balance is about) makes up the difference. Where nothing can, the
    household is left as it is.

    Args:
        households: Possible households.
        balances: What may be aimed at.
        share: Share of households that take part.
        rng: The stream to draw from.
    """
    n = len(households)
    if not balances:
        return frozenset()
    (columns,) = np.nonzero(rng.random(n) < share)
    which = rng.integers(0, len(balances), len(columns))
    step = np.array(STEPS)[rng.integers(0, len(STEPS), len(columns))]
    scale = rng.random(len(columns))
    # Grown members first, in any order: children have little income of their own.
    grown = households.member["age"][:, columns] >= SCHOOL_LEAVING_AGE
    turns = rng.random((LARGEST_HOUSEHOLD, len(columns))) + grown + households.present[:, columns]
    row = turns.argmax(axis=0)
    changed: set[str] = set()
    groups: dict[tuple[object, ...], list[int]] = {}
    for position, balance in enumerate(balances):
        groups.setdefault((balance.weights, balance.size), []).append(position)
    for positions in groups.values():
        (here,) = np.nonzero(np.isin(which, positions))
        if not len(here):
            continue
        part = households.take(columns[here])
        constants = np.array([balances[position].constants for position in positions])
        rows_of = np.searchsorted(positions, which[here])
        task = _MovedSum(part, balances[positions[0]], constants[rows_of])
        changed |= task.move(step[here], scale[here], row[here])
        for name in (*INCOMES, *task.moved_member):
            households.member[name][:, columns[here]] = part.member[name]
        for name in task.moved_shared:
            households.shared[name][columns[here]] = part.shared[name]
    return frozenset(changed)


class _MovedSum:
    """One sum of terms in some households, and the amounts that may move it."""

    def __init__(
        self,
        households: Households,
        balance: Balance,
        constants: NDArray[np.float64],
    ) -> None:
        self.households = households
        self.balance = balance
        self.constants = constants
        amounts = [
            term
            for term, _ in balance.weights
            if term.kind in {"household", "member"} and FEATURES[term.name].unit == "dollar"
        ]
        self.moved_shared = [term.name for term in amounts if term.kind == "household"]
        self.moved_member = [
            term.name for term in amounts if term.kind == "member" and term.name not in INCOMES
        ]

    def value(self, row: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the sum in each household, with the member at `row` for members' terms."""
        total = self._constant()
        for term, weight in self.balance.weights:
            total += weight * self._term(term, row)
        return total

    def _constant(self) -> NDArray[np.float64]:
        """Return what is added in each household of its size."""
        size = np.clip(measure(self.balance.size, self.households), 0, self.constants.shape[1] - 1)
        return np.asarray(self.constants[np.arange(len(self.households)), size.astype(np.intp)])

    def _term(self, term: Term, row: NDArray[np.intp]) -> NDArray[np.float64]:
        table = self.households
        if term.kind == "household":
            values = table.shared[term.name]
        elif term.kind == "member":
            values = table.member[term.name][row, np.arange(len(table))]
        elif term.kind == "sum":
            values = (table.member[term.name] * table.present).sum(axis=0)
        else:
            values = measure(self.balance.measures[term.name], table)
        return np.asarray(values, float)

    def move(
        self, step: NDArray[np.int64], scale: NDArray[np.float64], row: NDArray[np.intp]
    ) -> set[str]:
        """Return the features moved so that the sum becomes `step` where that is possible.

        Args:
            step: What the sum shall become.
            scale: What share of the limit the incomes keep where they exceed it.
            row: The member of each household whose amounts make up the difference.
        """
        if self.moved_shared:
            name = self.moved_shared[0]
            column = self.households.shared[name]
            # Who pays no rent goes on paying none.
            self._solve(name, column, slice(None), step, row, column > 0)
            return {name}
        if self.moved_member:
            name = self.moved_member[0]
            self._solve_member(name, step, row)
            return {name}
        self._lower_incomes(scale, row)
        self._solve_member(_MOVED, step, row)
        return set(INCOMES)

    def _lower_incomes(self, scale: NDArray[np.float64], row: NDArray[np.intp]) -> None:
        """Scale incomes where their sum is above the limit; what was earned stays above 0."""
        above = self.value(row)
        limit = -self._constant()
        with np.errstate(invalid="ignore", divide="ignore"):
            factor = np.where(above > 0, scale * limit / (above + limit), 1.0)
        factor = np.where(np.isfinite(factor), np.clip(factor, 0, 1), 1.0)
        for name in INCOMES:
            column = self.households.member[name]
            column[:] = np.maximum(rounding.floor(column * factor), column > 0)

    def _solve_member(self, name: str, step: NDArray[np.int64], row: NDArray[np.intp]) -> None:
        place = (row, np.arange(len(row)))
        allowed = self.households.present[place]
        allowed &= self.households.member["age"][place] >= SCHOOL_LEAVING_AGE
        self._solve(name, self.households.member[name], place, step, row, allowed)

    def _solve(
        self,
        name: str,
        column: NDArray[np.int32],
        place: Any,
        step: NDArray[np.int64],
        row: NDArray[np.intp],
        allowed: NDArray[np.bool_],
    ) -> None:
        """Move `column[place]`, whose share in the sum is found by adding a dollar to it."""
        before = self.value(row)
        old = column[place].copy()
        column[place] = old + 1
        slope = self.value(row) - before
        with np.errstate(invalid="ignore", divide="ignore"):
            new = rounding.nearest(old - before / slope) + step
        most = FEATURES[name].maximum or 0
        good = np.isfinite(new) & (slope != 0) & (new >= 0) & (new <= most) & allowed
        column[place] = np.where(good, new, old)
