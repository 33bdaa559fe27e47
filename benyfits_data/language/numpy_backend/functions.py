"""Constraints and measures of many households at once."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import LanguageError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.language.ir import EACH, Node
from benyfits_data.language.numpy_backend.column_program import ColumnProgram, column_type
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic_execution import (
    HouseholdArgument,
    MemberArgument,
    SymbolicExecutor,
)


def holds(constraint: Constraint, households: Households) -> NDArray[np.bool_]:
    """Return where a constraint is met.

    Returns:
        Shape `(n,)`, or `(6, n)` for a constraint of each member; true where there is no member.
    """
    found = measure(constraint.holds, households)
    return found | ~households.present if constraint.of_member else found


def violators(
    constraint: Constraint, households: Households
) -> tuple[NDArray[np.intp] | None, NDArray[np.intp]]:
    """Return who violates a constraint.

    Returns:
        Positions of the members, `None` for a constraint of the household; and positions of the
        households: the true places of `~holds(constraint, households)`, in that order.
    """
    places = np.flatnonzero(~holds(constraint, households))
    return np.divmod(places, len(households)) if constraint.of_member else (None, places)


def possible(households: Households) -> NDArray[np.bool_]:
    """Return which households meet every constraint, shape `(n,)`."""
    met = np.ones(len(households), np.bool_)
    constraints = tuple(CONSTRAINTS.values())
    absent = ~households.present
    for place, rows, (value,) in _shared_program(constraints, households.places).run(households):
        is_of_member = constraints[place].of_member
        met[rows] &= (value | absent[:, rows]).all(axis=0) if is_of_member else value
    return met


def measure(function: Callable[..., Any], households: Households) -> NDArray[Any]:
    """Return a measure or constraint of every household, or of every member.

    Returns:
        Shape `(n,)` for a function of the household alone; `(6, n)` for one of a member, where the
        entries of absent members mean nothing.

    Raises:
        LanguageError: The function leaves the checker language, or is of a plain number.
    """
    kind, is_of_member, program = _column_program(function, households.places)
    n = len(households)
    found = np.empty((households.places, n) if is_of_member else (n,), kind)
    for _, rows, (values,) in program.run(households):
        found[..., rows] = values
    return found


@lru_cache(maxsize=1024)
def _column_program(
    function: Callable[..., Any], places: int
) -> tuple[np.dtype[Any], bool, ColumnProgram]:
    """Return the type of a function's column, whether it is of a member, and what computes it."""
    source = Source.of(function)
    node = _formula(source, SymbolicExecutor(places=places))
    return column_type(node), "member" in source.parameters, ColumnProgram([[node]])


@lru_cache(maxsize=8)
def _shared_program(constraints: tuple[Constraint, ...], places: int) -> ColumnProgram:
    """Return the calls that compute all constraints, in half as many as one by one."""
    executor = SymbolicExecutor(places=places)
    return ColumnProgram([[_formula(Source.of(it.holds), executor)] for it in constraints])


def _formula(source: Source, executor: SymbolicExecutor) -> Node:
    owners = {"household": HouseholdArgument(), "member": MemberArgument(EACH)}
    if not owners.keys() >= set(source.parameters):
        raise LanguageError(
            f"{source.path}:{source.first_line}: {source.name} takes "
            f"{', '.join(source.parameters)}, expected a household, a member, or both. "
            "Measure something of these.",
            path=source.path,
            line=source.first_line,
        )
    return executor.execute(source, [owners[name] for name in source.parameters]).value
