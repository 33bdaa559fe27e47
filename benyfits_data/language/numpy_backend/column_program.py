"""Formulas computed for many households column by column.

They become a list of NumPy calls, each on all households of a chunk, so that what two formulas
share is computed once. A column is dropped after its last use.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.language.ir import EACH, Node, Position, walk

CHUNK = 40_960
"""Households computed at once, which bounds the memory: 306,000 households a second are labelled,
with 10,240 at once 216,000 to 258,000, with 163,840 358,000."""
WORD = 64
"""Bits in one word of a trace."""

_CALLS: dict[str, Callable[..., Any]] = {
    "not": np.logical_not,
    "and": np.logical_and,
    "or": np.logical_or,
    "less": np.less,
    "equal": np.equal,
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
}


class ColumnProgram:
    """The NumPy calls that compute groups of formulas.

    Args:
        groups: The formulas. Values of one group are given together, and dropped before the next.
    """

    def __init__(self, groups: Sequence[Sequence[Node]]) -> None:
        self._calls: list[tuple[Callable[..., Any], list[int]]] = []
        self._groups: list[tuple[int, list[int]]] = []
        places: dict[Node, int] = {}
        last: dict[int, int] = {}
        seen: set[Node] = set()
        for group in groups:
            for node in walk(group, seen):
                place = places[node] = len(self._calls)
                operands = [places[operand] for operand in node.operands]
                self._calls.append((_call(node), operands))
                last.update(dict.fromkeys((place, *operands), place))
            wanted = [places[node] for node in group]
            # What a group gives is held until the next group has computed something.
            last.update(dict.fromkeys(wanted, len(self._calls)))
            self._groups.append((len(self._calls), wanted))
        self._unused: list[list[int]] = [[] for _ in range(len(self._calls) + 1)]
        for place, at in last.items():
            self._unused[at].append(place)

    def run(
        self, households: Households, chunk: int = CHUNK
    ) -> Iterator[tuple[int, slice, list[Any]]]:
        """Compute all formulas, group by group, for one chunk of households after the other.

        Args:
            households: Whom to compute them for.
            chunk: How many at once; bounds the memory.

        Yields:
            The group's position; which households; and for each formula an array of shape `(n,)`,
            `(6, n)` if it is about each member, or a single value that holds for all.
        """
        for start in range(0, len(households), chunk):
            rows = slice(start, min(start + chunk, len(households)))
            values: list[Any] = [None] * len(self._calls)
            begin = 0
            for group, (end, wanted) in enumerate(self._groups):
                for place in range(begin, end):
                    call, operands = self._calls[place]
                    given = [values[operand] for operand in operands]
                    values[place] = call(*given) if given else call(households, rows)
                    for unused in self._unused[place]:
                        values[unused] = None
                yield group, rows, [values[place] for place in wanted]
                begin = end


def bit_sets(masks: Sequence[Any], n: int) -> NDArray[np.uint64]:
    """Return for each of `n` households the set of masks that hold for it.

    Args:
        masks: Truth values of shape `(n,)`, or one that holds for all.
        n: How many households.

    Returns:
        Shape `(n, words)`: bit `i % 64` of word `i // 64` is `masks[i]`; spare bits are 0.
    """
    octets = np.zeros((n_words(len(masks)) * WORD // 8, n), np.uint8)
    for i, mask in enumerate(masks):  # Three times as fast as `np.packbits` along the first axis.
        octets[i // 8] |= np.left_shift(mask, i % 8, dtype=np.uint8)
    return np.ascontiguousarray(octets.T).view(np.uint64)


def n_words(n: int) -> int:
    """Return how many words hold `n` bits."""
    return -(-n // WORD)


def column_type(node: Node) -> np.dtype[Any]:
    """Return the type of a formula's column: for whole numbers the smallest that is sure to do."""
    if node.is_flag:
        return np.dtype(np.bool_)
    if not node.is_whole:
        return np.dtype(np.float64)
    for kind in (np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= node.low and node.high <= limits.max:
            return np.dtype(kind)
    return np.dtype(np.int64)


def _call(node: Node) -> Callable[..., Any]:
    """Return what computes a node from its operands, or from a chunk of households."""
    kind = column_type(node)
    match node.operation:
        case "constant":
            return lambda *_: kind.type(node.fact)
        case "feature":
            return partial(_read, *node.fact)
        case "present":
            return partial(_read_presence, node.fact)
        case "choose":
            return partial(_choose, kind)
        case "row":
            amounts, smallest = np.asarray(node.fact, kind), int(node.operands[0].low)
            return lambda size: amounts.take(size - smallest)
        case "plus" | "minus" | "times" as operation:
            return partial(_CALLS[operation], dtype=kind)
        case operation:
            return _CALLS[operation]


def _read(name: str, position: Position | None, households: Households, rows: slice) -> Any:
    if position is None:
        return households.shared[name][rows]
    return households.member[name][slice(None) if position == EACH else position, rows]


def _choose(kind: np.dtype[Any], condition: Any, then: Any, other: Any) -> Any:
    return np.where(condition, kind.type(then), kind.type(other))


def _read_presence(position: Position, households: Households, rows: slice) -> Any:
    places = np.arange(households.places)[:, None] if position == EACH else position
    return households.size[rows] > places
