"""Choosing the Diverse set's pairs: greedily as in the paper, or provably fewest."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.covers import Cover, Pair
from benyfits_data.fuzz.exact import choose
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


def select(covers: Sequence[Cover], method: Method) -> Selection:
    """Return pairs that cover every element of every program, from a pool as it is.

    Raises:
        SelectionError: An element is missed, or an exact selection found no solution.
    """
    if method == "greedy":
        selection = Selection(select_greedily(covers))
    else:
        choice = choose(covers)
        selection = Selection(choice.pairs, choice.certificate(covers))
    return checked(covers, selection)


def checked(covers: Sequence[Cover], selection: Selection) -> Selection:
    """Return the selection if it covers every element of every program.

    Raises:
        SelectionError: It does not.
    """
    missed = uncovered(covers, selection.pairs)
    if missed:
        raise SelectionError(
            f"The selection misses elements of {', '.join(missed)}. Report this as a bug.",
            missed=missed,
        )
    return selection
