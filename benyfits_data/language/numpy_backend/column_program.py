"""Formulas computed for many households column by column.

They become a list of NumPy calls, each on all households of a chunk, so that what two formulas
share is computed once. After its last use a column makes room for another.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
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
_BITS = 1 << np.arange(8, dtype=np.uint8)

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


_Call = tuple[Callable[..., Any], int, int, int, int]
"""What to call, the registers of its operands (-1 where there is none), and that of its value."""


class ColumnProgram:
    """The NumPy calls that compute groups of formulas.

    Args:
        groups: The formulas. Values of one group are given together, and dropped before the next.
    """

    def __init__(self, groups: Sequence[Sequence[Node]]) -> None:
        seen: set[Node] = set()
        parts = [(list(walk(group, seen)), group) for group in groups]
        last: dict[Node, int] = {}
        steps = count()
        for nodes, group in parts:
            for node in nodes:
                last.update(dict.fromkeys(node.operands, next(steps)))
            # What a group gives is held until it is given.
            last.update(dict.fromkeys(group, next(steps)))
        self._groups: list[tuple[list[_Call], list[int]]] = []
        self._n_registers = 0
        self._assign_registers(parts, last)

    def _assign_registers(
        self, parts: Sequence[tuple[list[Node], Sequence[Node]]], last: dict[Node, int]
    ) -> None:
        """Say where the value of each node is kept: where one was that is needed no more."""
        unused: dict[int, list[Node]] = {}
        for node, step in last.items():
            unused.setdefault(step, []).append(node)
        register: dict[Node, int] = {}
        free: list[int] = []
        steps = count()
        for nodes, group in parts:
            calls: list[_Call] = []
            for node in nodes:
                operands = [register[operand] for operand in node.operands]
                free += [register[unused_node] for unused_node in unused.get(next(steps), ())]
                if not free:
                    free.append(self._n_registers)
                    self._n_registers += 1
                register[node] = free.pop()
                first, second, third = (*operands, -1, -1, -1)[:3]
                calls.append((_call(node), first, second, third, register[node]))
            self._groups.append((calls, [register[node] for node in group]))
            free += [register[unused_node] for unused_node in unused.get(next(steps), ())]

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
            values: list[Any] = [None] * self._n_registers
            for group, (calls, wanted) in enumerate(self._groups):
                # For few households this loop takes longer than what it calls.
                for call, first, second, third, register in calls:
                    if third >= 0:
                        values[register] = call(values[first], values[second], values[third])
                    elif second >= 0:
                        values[register] = call(values[first], values[second])
                    elif first >= 0:
                        values[register] = call(values[first])
                    else:
                        values[register] = call(households, rows)
                yield group, rows, [values[register] for register in wanted]


def bit_sets(masks: Sequence[Any], n: int) -> NDArray[np.uint64]:
    """Return for each of `n` households the set of masks that hold for it.

    Args:
        masks: Truth values of shape `(n,)`, or one that holds for all.
        n: How many households.

    Returns:
        Shape `(n, words)`: bit `i % 64` of word `i // 64` is `masks[i]`; spare bits are 0.
    """
    bits = np.zeros((n_words(len(masks)) * WORD, n), np.uint8)
    for bit, mask in enumerate(masks):
        bits[bit] = mask
    # From 300 households on twice to ten times as fast as `np.packbits` along the first axis.
    octets = np.einsum("obn,b->on", bits.reshape(-1, 8, n), _BITS)
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
