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
from benyfits_data.language.batch.bits import WORD, n_words, unpack
from benyfits_data.language.batch.plan import Chunk, Plan
from benyfits_data.language.formula import Node
from benyfits_data.language.source import Source
from benyfits_data.language.unfolding import Family, Person, Unfolder

_SMALLEST_CHUNK = 64
_LARGEST_CHUNK = 32_768


def holds(constraint: Constraint, households: Households) -> NDArray[np.bool_]:
    """Return where a constraint is met.

    Returns:
        Shape `(n,)`, or `(6, n)` for a constraint of each member; true where there is no member.
    """
    found = measure(constraint.holds, households)
    return found | ~households.present if constraint.of_member else found


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
    n = len(households)
    chunk = min(max(n_words(n) * WORD, _SMALLEST_CHUNK), _LARGEST_CHUNK)
    # Plans keep buffers for their chunk, so sizes are rounded up to few different ones.
    plan, out = _planned(function, 1 << (chunk - 1).bit_length())
    out.clear()
    plan.run(households)
    columns = [np.concatenate(parts) for parts in out] if out else []
    if not columns:
        dtype = np.bool_ if nodes[0].is_flag else np.int32
        columns = [np.zeros(0, dtype) for _ in nodes]
    return columns[0] if len(columns) == 1 else np.stack(columns)


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


@lru_cache(maxsize=512)
def _planned(function: Callable[..., Any], chunk: int) -> tuple[Plan, list[list[NDArray[Any]]]]:
    nodes = _unfolded(function)
    out: list[list[NDArray[Any]]] = []

    def collect(_: int, values: list[Any], now: Chunk) -> None:
        if not out:
            out.extend([] for _ in nodes)
        for node, value, parts in zip(nodes, values, out, strict=True):
            parts.append(unpack(value, now.n) if node.is_flag else np.array(value))

    return Plan([nodes], collect, chunk), out
