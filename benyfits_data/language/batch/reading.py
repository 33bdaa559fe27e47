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
from benyfits_data.language.batch.plan import Chunk, Plan
from benyfits_data.language.formula import Formulas, Node
from benyfits_data.language.source import Source
from benyfits_data.language.unfolding import Family, Person, Unfolder

_CHUNKS = (1_024, 8_192)
"""Sizes of plans. Plans keep buffers for their chunk and take long to make: a few sizes serve."""

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
    plan, out = _planned_violators(constraint, _size_of_plan(len(households)))
    out.clear()
    plan.run(households)
    if not constraint.of_member:
        return None, np.concatenate([places for _, places in out] or [_NOWHERE])
    parts = sorted(out, key=lambda part: part[0])
    rows = [np.full(len(places), row, np.intp) for row, places in parts]
    columns = [places for _, places in parts]
    return np.concatenate([*rows, _NOWHERE]), np.concatenate([*columns, _NOWHERE])


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
    nodes = _unfolded(function)
    plan, out = _planned(function, _size_of_plan(len(households)))
    out.clear()
    plan.run(households)
    columns = [np.concatenate(parts) for parts in out] if out else []
    if not columns:
        dtype = np.bool_ if nodes[0].is_flag else np.int32
        columns = [np.zeros(0, dtype) for _ in nodes]
    return columns[0] if len(columns) == 1 else np.stack(columns)


def _size_of_plan(n: int) -> int:
    return next((size for size in _CHUNKS if n <= size), _CHUNKS[-1])


@lru_cache(maxsize=1024)
def _unfolded(function: Callable[..., Any]) -> tuple[Node, ...]:
    source = Source.of(function)
    unfolder = Unfolder()
    if source.parameters == ("household",):
        return (unfolder.unfold(source, [Family()]).value,)
    owners: dict[tuple[str, ...], Callable[[int], list[Any]]] = {
        ("member",): lambda position: [Person(position)],
        ("household", "member"): lambda position: [Family(), Person(position)],
    }
    if source.parameters not in owners:
        raise LanguageError(
            f"{source.path}:{source.first_line}: {source.name} takes "
            f"{', '.join(source.parameters)}, expected a household, a member, or both. "
            "Measure something of these.",
            path=source.path,
            line=source.first_line,
        )
    arguments = owners[source.parameters]
    return tuple(
        unfolder.unfold(source, arguments(position)).value for position in range(LARGEST_HOUSEHOLD)
    )


@lru_cache(maxsize=len(_CHUNKS) * 1024)
def _planned(function: Callable[..., Any], chunk: int) -> tuple[Plan, list[list[NDArray[Any]]]]:
    nodes = _unfolded(function)
    out: list[list[NDArray[Any]]] = []

    def collect(_: int, values: list[Any], now: Chunk) -> None:
        if not out:
            out.extend([] for _ in nodes)
        for node, value, parts in zip(nodes, values, out, strict=True):
            parts.append(unpack(value, now.n) if node.is_flag else np.array(value))

    return Plan([nodes], collect, chunk), out


@lru_cache(maxsize=len(_CHUNKS) * 1024)
def _planned_violators(
    constraint: Constraint, chunk: int
) -> tuple[Plan, list[tuple[int, NDArray[np.intp]]]]:
    met = _unfolded(constraint.holds)
    formulas = Formulas()
    present = [formulas.present(position) for position in range(len(met))]
    out: list[tuple[int, NDArray[np.intp]]] = []

    def collect(_: int, values: list[Bits], now: Chunk) -> None:
        for row in range(len(met)):
            broken = ~values[row] & values[row + len(met)]
            places = ones(broken, now.n)
            if len(places):
                out.append((row, places + now.start))

    return Plan([[*met, *present]], collect, chunk), out
