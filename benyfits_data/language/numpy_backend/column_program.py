"""IRBuilder of the intermediate representation, computed for many households column by column.

The formulas become a list of NumPy calls, each on all households of a chunk, so that what two
formulas share is computed once. A member's feature is read, and compared with a number, for all six
places at once. A column is dropped after its last use.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.ir import EACH, Node, Position, walk

CHUNK = 10_240
"""Households computed at once, so few that the columns in use stay in the processor's cache."""
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
_PLACES = np.arange(LARGEST_HOUSEHOLD, dtype=np.int8)[:, None]


class ColumnProgram:
    """The NumPy calls that compute groups of formulas.

    Args:
        groups: The formulas. Values of one group are given together, and dropped before the next.
    """

    def __init__(self, groups: Sequence[Sequence[Node]]) -> None:
        self._calls: list[tuple[Callable[..., Any], tuple[int, ...]]] = []
        self._places: dict[Hashable, int] = {}
        self._groups: list[tuple[int, list[int]]] = []
        seen: set[Node] = set()
        for group in groups:
            for node in walk(group, seen):
                self._add_node(node)
            self._groups.append((len(self._calls), [self._places[node] for node in group]))
        self._unused = self._find_unused()

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
                    values[place] = (
                        call(*[values[operand] for operand in operands])
                        if operands
                        else call(households, rows)
                    )
                    for unused in self._unused[place]:
                        values[unused] = None
                yield group, rows, [values[place] for place in wanted]
                begin = end

    def _find_unused(self) -> list[list[int]]:
        """Return for each call the places whose values nobody needs after it."""
        last = {}
        for place, (_, operands) in enumerate(self._calls):
            last.update(dict.fromkeys((place, *operands), place))
        for end, wanted in self._groups:
            # What a group gives is held until the next group has computed something.
            last.update({place: max(last[place], end) for place in wanted})
        unused: list[list[int]] = [[] for _ in range(len(self._calls) + 1)]
        for place, at in last.items():
            if at > place:
                unused[at].append(place)
        return unused

    def _add(self, key: Hashable, call: Callable[..., Any], *operands: int) -> int:
        """Return the place of a call's value; calls of the same key are made once."""
        place = self._places.setdefault(key, len(self._calls))
        if place == len(self._calls):
            self._calls.append((call, operands))
        return place

    def _add_node(self, node: Node) -> None:
        operands = [self._places[operand] for operand in node.operands]
        match node.operation:
            case "constant":
                self._add(node, lambda *_: node.fact)
            case "feature":
                name, position = node.fact
                self._add_rows(node, position, name, partial(_read, name))
            case "present":
                self._add_rows(node, node.fact, "present", _read_presence)
            case "less" | "equal" as operation if _compares_with_number(node):
                feature, number = sorted(node.operands, key=lambda one: one.operation == "constant")
                name, position = feature.fact
                is_turned = feature is not node.operands[0]
                compare = partial(_compare, _CALLS[operation], number.fact, is_turned)
                key = (operation, name, number.fact, is_turned)
                self._add_rows(node, position, key, compare, self._places[name])
            case "choose":
                self._add(node, partial(_choose, column_type(node)), *operands)
            case "row":
                amounts = np.asarray(node.fact, column_type(node))
                self._add(node, partial(_look_up, amounts, int(node.operands[0].low)), *operands)
            case "plus" | "minus" | "times" as operation:
                self._add(node, partial(_CALLS[operation], dtype=column_type(node)), *operands)
            case operation:
                self._add(node, _CALLS[operation], *operands)

    def _add_rows(
        self,
        node: Node,
        position: Position | None,
        key: Hashable,
        call: Callable[..., Any],
        *operands: int,
    ) -> None:
        """Add a call that gives a row for each member, and take the node's row of it."""
        rows = self._add(key, call, *operands)
        if position is None or position == EACH:
            self._places[node] = rows
        else:
            self._add(node, itemgetter(position), rows)


def bit_sets(masks: Sequence[Any], n: int) -> NDArray[np.uint64]:
    """Return for each of `n` households the set of masks that hold for it.

    Args:
        masks: Truth values of shape `(n,)`, or one that holds for all.
        n: How many households.

    Returns:
        Shape `(n, words)`: bit `i % 64` of word `i // 64` is `masks[i]`; spare bits are 0.
    """
    octets = np.zeros((n_words(len(masks)) * WORD // 8, n), np.uint8)
    for i, mask in enumerate(masks):
        octets[i // 8] |= np.left_shift(mask, i % 8, dtype=np.uint8)
    return np.ascontiguousarray(octets.T).view(np.uint64)


def n_words(n: int) -> int:
    """Return how many words hold `n` bits."""
    return -(-n // WORD)


def _read(name: str, households: Households, rows: slice) -> NDArray[Any]:
    if name in households.shared:
        return households.shared[name][rows]
    return households.member[name][:, rows]


def _read_presence(households: Households, rows: slice) -> Any:
    return households.size[rows] > _PLACES


def _compares_with_number(node: Node) -> bool:
    kinds = {operand.operation for operand in node.operands}
    return kinds == {"feature", "constant"} and not node.operands[0].is_flag


def _compare(
    compare: Callable[..., Any], number: float, is_turned: bool, column: NDArray[Any]
) -> Any:
    return compare(number, column) if is_turned else compare(column, number)


def _choose(dtype: np.dtype[Any], condition: Any, then: Any, other: Any) -> Any:
    return np.where(condition, dtype.type(then), dtype.type(other))


def _look_up(amounts: NDArray[Any], smallest: int, size: NDArray[Any]) -> Any:
    return amounts.take(size - smallest)


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
