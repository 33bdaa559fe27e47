"""Constraints and measures of many households at once."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import LanguageError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.batch.bits import Bits, ones, unpack
from benyfits_data.language.batch.plan import Chunk, Memory, Plan
from benyfits_data.language.formula import EACH, TRUE, Formulas, Node, disjuncts, walk
from benyfits_data.language.source import Source
from benyfits_data.language.unfolding import Family, Person, Unfolder

_MEMORY = Memory(10_240)
"""Shared by all constraints and measures: they are asked one after the other."""
_NOWHERE = np.empty(0, np.intp)


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
    """Return who violates a constraint, without a truth value for each of the many who do not.

    Returns:
        Positions of the members, `None` for a constraint of the household; and positions of the
        households: the true places of `~holds(constraint, households)`, in that order.
    """
    plan, out = _planned_violators(constraint)
    out.clear()
    plan.run(households)
    rows = np.concatenate([rows for rows, _ in out] or [_NOWHERE])
    columns = np.concatenate([columns for _, columns in out] or [_NOWHERE])
    if not constraint.of_member:
        return None, columns
    if len(out) > 1:
        # Each chunk is in order of its rows.
        order = np.argsort(rows, kind="stable")
        rows, columns = rows[order], columns[order]
    return rows, columns


@lru_cache(maxsize=1024)
def is_met_by_turning(constraint: Constraint, flag: str) -> bool:
    """Return whether wherever it is violated it holds once a flag is turned over.

    So it is where it asks for something or the flag, or for something or its opposite.
    """
    asked = [
        part.operands[0] if part.operation == "not" else part
        for part in disjuncts(_unfolded(constraint.holds))
    ]
    own = {(flag, EACH), (flag, None)}
    return any(part.operation == "feature" and part.fact in own for part in asked)


@lru_cache(maxsize=1024)
def read_of_others(constraint: Constraint) -> frozenset[str]:
    """Return the features of members that it reads of others than the one it is asked about."""
    nodes = walk([_unfolded(constraint.holds)])
    facts = [node.fact for node in nodes if node.operation == "feature"]
    return frozenset(name for name, position in facts if position not in (None, EACH))


def possible(households: Households) -> NDArray[np.bool_]:
    """Return which households meet every constraint, shape `(n,)`."""
    met = np.ones(len(households), np.bool_)
    for constraint in CONSTRAINTS.values():
        found = holds(constraint, households)
        met &= found.all(axis=0) if constraint.of_member else found
    return met


def measure(function: Callable[..., Any], households: Households) -> NDArray[Any]:
    """Return a measure or constraint of every household, or of every member.

    Returns:
        Shape `(n,)` for a function of the household alone; `(6, n)` for one of a member, where the
        entries of absent members mean nothing.

    Raises:
        LanguageError: The function leaves the checker language, or is of a plain number.
    """
    if not len(households):
        return measure(function, Households.of_defaults(1))[..., :0]
    plan, out = _planned(function)
    out.clear()
    plan.run(households)
    return np.concatenate(out, axis=-1)


@lru_cache(maxsize=1024)
def _unfolded(function: Callable[..., Any]) -> Node:
    source = Source.of(function)
    owners = {"household": Family(), "member": Person(EACH)}
    if source.parameters not in (("household",), ("member",), ("household", "member")):
        raise LanguageError(
            f"{source.path}:{source.first_line}: {source.name} takes "
            f"{', '.join(source.parameters)}, expected a household, a member, or both. "
            "Measure something of these.",
            path=source.path,
            line=source.first_line,
        )
    return Unfolder().unfold(source, [owners[name] for name in source.parameters]).value


@lru_cache(maxsize=1024)
def _planned(function: Callable[..., Any]) -> tuple[Plan, list[NDArray[Any]]]:
    node = _unfolded(function)
    is_of_member = "member" in Source.of(function).parameters
    out: list[NDArray[Any]] = []

    def collect(_: int, values: list[Any], now: Chunk) -> None:
        found = unpack(values[0], now.n) if node.is_flag else values[0]
        shape = (LARGEST_HOUSEHOLD, now.n) if is_of_member else (now.n,)
        out.append(np.array(np.broadcast_to(found, shape)))

    return Plan([[node]], collect, _MEMORY), out


@lru_cache(maxsize=1024)
def _planned_violators(
    constraint: Constraint,
) -> tuple[Plan, list[tuple[NDArray[np.intp], NDArray[np.intp]]]]:
    met = _unfolded(constraint.holds)
    there = Formulas().present(EACH) if constraint.of_member else TRUE
    out: list[tuple[NDArray[np.intp], NDArray[np.intp]]] = []

    def collect(_: int, values: list[Bits], now: Chunk) -> None:
        rows, columns = ones(np.atleast_2d(~values[0] & values[1]), now.n)
        if len(rows):
            out.append((rows, columns + now.start))

    return Plan([[met, there]], collect, _MEMORY), out
