"""Choosing the Diverse set's pairs: greedily as in the paper, or provably fewest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.covers import Cover, Pair
from benyfits_data.fuzz.exact import select_exactly
from benyfits_data.fuzz.greedy import select_greedily, uncovered

Method = Literal["greedy", "exact"]
METHODS: tuple[Method, ...] = ("greedy", "exact")


@dataclass(frozen=True)
class Selection:
    """Chosen pairs.

    Attributes:
        pairs: Household and program by position, sorted.
        certificate: Bounds and solver of an exact selection; empty for a greedy one.
    """

    pairs: list[Pair]
    certificate: dict[str, Any] = field(default_factory=dict)


def select(covers: Sequence[Cover], method: Method, *, thorough: bool = False) -> Selection:
    """Return pairs that cover every element of every program.

    Raises:
        SelectionError: An element is missed, or an exact selection found no solution.
    """
    selection = (
        Selection(select_greedily(covers)) if method == "greedy" else exact(covers, thorough)
    )
    missed = uncovered(covers, selection.pairs)
    if missed:
        raise SelectionError(
            f"The {method} selection misses elements of {', '.join(missed)}. Report this as a bug.",
            missed=missed,
        )
    return selection


def exact(covers: Sequence[Cover], thorough: bool = False) -> Selection:
    """Return the fewest pairs, and for these the fewest households, with the certificate."""
    pairs, certificate = select_exactly(covers, thorough=thorough)
    return Selection(pairs, certificate)
