"""Formulas as a sequence of column operations on many households.

Flags are bits, 64 households a word, so one operation on a chunk reads and writes little and stays
in the cache. A comparison of a member's feature with a number is made for all six places at once,
and so is all that is said of each member. Numbers are columns of the smallest type that holds them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.batch.bits import Bits, n_words, pack, unpack
from benyfits_data.language.formula import EACH, TRUE, Node, Position, walk

Step = tuple[Callable[[Any, Any, Any], Any], Any, Any, Any]
Family = tuple[str, str, Any]

_LOGIC: dict[str, Any] = {"and": np.bitwise_and, "or": np.bitwise_or}
_ARITHMETIC: dict[str, Any] = {"plus": np.add, "minus": np.subtract, "times": np.multiply}
_COMPARISON: dict[str, Any] = {"less": np.less, "equal": np.equal}
_PLACES = np.arange(LARGEST_HOUSEHOLD, dtype=np.int8)[:, None]
_EVERYONE = np.iinfo(np.uint64).max
_NOBODY = Households.of_defaults(0)


@dataclass
class Chunk:
    """The households that the steps now work on."""

    table: Households
    start: int = 0
    stop: int = 0

    @property
    def n(self) -> int:
        """How many there are."""
        return self.stop - self.start

    def rows(self, name: str, level: str) -> NDArray[Any]:
        """Return a feature's columns: six for members, one for the household."""
        if level == "member":
            return self.table.member[name][:, self.start : self.stop]
        return self.table.shared[name][None, self.start : self.stop]


class Memory:
    """The bits that plans work with, and how many households they work on at once.

    Plans that never run at the same time may share one: what was just used lies in the cache.

    Args:
        chunk: Largest number of households at once.
    """

    def __init__(self, chunk: int) -> None:
        self.chunk = chunk
        self.n_words = n_words(chunk)
        self._rows: dict[int, list[Bits]] = {}

    def rows(self, n_rows: int, position: int) -> Bits:
        """Return bits of shape `(n_rows, n_words)`, the same ones for the same position."""
        there = self._rows.setdefault(n_rows, [])
        while position >= len(there):
            there.append(np.zeros((n_rows, self.n_words), np.uint64))
        return there[position]


class Plan:
    """The operations that compute some formulas for one chunk of households after the other.

    Args:
        goals: Groups of formulas, computed one group after the other.
        done: Called with a group's position, its values and the chunk when they are there; flags
            are given as bits, numbers as columns. The arrays are overwritten later.
        memory: Gives the bits to work with, and how many households at once.
    """

    def __init__(
        self,
        goals: Sequence[Sequence[Node]],
        done: Callable[[int, list[Any], Chunk], None],
        memory: Memory,
    ) -> None:
        self._memory = memory
        self._taken: Counter[int] = Counter()
        self.steps: list[Step] = []
        self._now = Chunk(_NOBODY)
        self._bits: dict[Node, Bits] = {}
        self._numbers: dict[Node, Any] = {}
        self._stacked: set[Node] = set()
        self._free: dict[bool, list[Bits]] = {True: [], False: []}
        self._families: dict[Family, Bits] = {}
        seen: set[Node] = set()
        needed = [list(walk(goal, seen)) for goal in goals]
        self._uses = Counter(
            operand
            for nodes in needed
            for node in nodes
            if _family(node) is None
            for operand in node.operands
        )
        self._uses.update(node for goal in goals for node in goal)
        for position, (goal, nodes) in enumerate(zip(goals, needed, strict=True)):
            for node in nodes:
                self._add(node)
            places = [self._bits[node] if node.is_flag else node for node in goal]
            self.steps.append((self._deliver, done, position, places))
            self._release(goal)

    def run(self, table: Households) -> None:
        """Compute all goals for all households, chunk by chunk."""
        now = self._now
        now.table = table
        chunk = self._memory.chunk
        for start in range(0, len(table), chunk):
            now.start, now.stop = start, min(start + chunk, len(table))
            for operation, first, second, third in self.steps:
                operation(first, second, third)
        now.table = _NOBODY

    def _deliver(
        self, done: Callable[[int, list[Any], Chunk], None], position: int, places: list[Any]
    ) -> None:
        values = [self._column(place) if isinstance(place, Node) else place for place in places]
        done(position, values, self._now)

    def _add(self, node: Node) -> None:
        if _position(node) == EACH or any(operand in self._stacked for operand in node.operands):
            self._stacked.add(node)
        if not node.is_flag:
            # A feature that is only compared with numbers is read in its families.
            if node.operation != "constant" and self._uses[node]:
                self._add_number(node)
                self._release(node.operands)
            return
        family = _family(node)
        if family is not None:
            self._add_family(node, family)
            return
        if node.operation == "constant":
            self._bits[node] = np.full(
                self._memory.n_words, _EVERYONE if node is TRUE else 0, np.uint64
            )
            return
        out = self._new_bits(node in self._stacked)
        if node.operation == "not":
            self.steps.append((_invert, self._bits[node.operands[0]], None, out))
        elif node.operation in _LOGIC:
            left, right = (self._bits[operand] for operand in node.operands)
            self.steps.append((_LOGIC[node.operation], left, right, out))
        elif node.operands[0].is_flag:
            left, right = (self._bits[operand] for operand in node.operands)
            self.steps.append((_same, left, right, out))
        else:
            self.steps.append((self._compare, _COMPARISON[node.operation], node.operands, out))
        self._bits[node] = out
        self._release(node.operands)

    def _new_bits(self, is_stacked: bool) -> Bits:
        free = self._free[is_stacked]
        if free:
            return free.pop()
        return self._allocate(LARGEST_HOUSEHOLD) if is_stacked else self._allocate(1)[0]

    def _allocate(self, n_rows: int) -> Bits:
        self._taken[n_rows] += 1
        return self._memory.rows(n_rows, self._taken[n_rows] - 1)

    def _release(self, nodes: Iterable[Node]) -> None:
        """Count uses down; what is used no more gives its memory to a later step."""
        for node in nodes:
            self._uses[node] -= 1
            if self._uses[node] or node.operation == "constant" or _family(node) is not None:
                continue
            if node.is_flag:
                self._free[node in self._stacked].append(self._bits[node])
            else:
                self.steps.append((self._forget, node, None, None))

    def _forget(self, node: Node, _: None, __: None) -> None:
        self._numbers.pop(node, None)

    def _add_family(self, node: Node, family: Family) -> None:
        operation, name, fact = family
        position = _position(node)
        level = "household" if position is None else "member"
        if family not in self._families:
            n_rows = LARGEST_HOUSEHOLD if level == "member" else 1
            rows = self._allocate(n_rows)
            self._families[family] = rows
            if operation == "present":
                self.steps.append((self._load_presence, None, None, rows))
            elif operation == "feature":
                self.steps.append((self._load_flags, name, level, rows))
            else:
                compare = _COMPARISON[operation]
                self.steps.append((self._load_comparison, (compare, fact), (name, level), rows))
        rows = self._families[family]
        self._bits[node] = rows if position == EACH else rows[position or 0]

    def _load_presence(self, _: None, __: None, rows: Bits) -> None:
        now = self._now
        pack(now.table.size[now.start : now.stop] > _PLACES, rows)

    def _load_flags(self, name: str, level: str, rows: Bits) -> None:
        pack(self._now.rows(name, level), rows)

    def _load_comparison(
        self, comparison: tuple[Any, float], feature: tuple[str, str], rows: Bits
    ) -> None:
        compare, number = comparison
        pack(compare(self._now.rows(*feature), number), rows)

    def _compare(self, compare: Any, operands: tuple[Node, Node], out: Bits) -> None:
        left, right = map(self._operand, operands)
        pack(compare(left, right), out)

    def _add_number(self, node: Node) -> None:
        if node.operation == "feature":
            self.steps.append((self._read_feature, node, None, None))
        elif node.operation == "choose":
            self.steps.append((self._choose, node, self._bits[node.operands[0]], _dtype(node)))
        elif node.operation == "row":
            self.steps.append((self._look_up, node, np.asarray(node.fact, _dtype(node)), None))
        else:
            self.steps.append((self._calculate, node, _dtype(node), None))

    def _read_feature(self, node: Node, _: None, __: None) -> None:
        name, position = node.fact
        rows = self._now.rows(name, "household" if position is None else "member")
        self._numbers[node] = rows if position == EACH else rows[position or 0]

    def _calculate(self, node: Node, dtype: np.dtype[Any], _: None) -> None:
        left, right = map(self._operand, node.operands)
        self._numbers[node] = _ARITHMETIC[node.operation](left, right, dtype=dtype)

    def _choose(self, node: Node, condition: Bits, dtype: np.dtype[Any]) -> None:
        then, other = map(self._operand, node.operands[1:])
        chosen = unpack(condition, self._now.n)
        if node.operands[2].operation == "constant" and node.operands[2].fact == 0:
            self._numbers[node] = np.multiply(chosen, then, dtype=dtype)
        else:
            self._numbers[node] = np.where(chosen, dtype.type(then), dtype.type(other))

    def _look_up(self, node: Node, table: NDArray[Any], _: None) -> None:
        size = node.operands[0]
        self._numbers[node] = table[self._operand(size) - int(size.low)]

    def _operand(self, node: Node) -> Any:
        return node.fact if node.operation == "constant" else self._numbers[node]

    def _column(self, node: Node) -> NDArray[Any]:
        column = np.asarray(self._operand(node))
        return column if column.ndim > 1 else np.broadcast_to(column, self._now.n)


def _invert(bits: Bits, _: None, out: Bits) -> None:
    np.bitwise_not(bits, out)


def _same(left: Bits, right: Bits, out: Bits) -> None:
    np.bitwise_xor(left, right, out)
    np.bitwise_not(out, out)


def _family(node: Node) -> Family | None:
    """Return what a flag has in common with those of the other members, if it is read at once."""
    if node.operation == "present":
        return "present", "", None
    if node.operation == "feature" and node.is_flag:
        return "feature", node.fact[0], None
    if node.operation in _COMPARISON:
        left, right = node.operands
        if left.operation == "feature" and not left.is_flag and right.operation == "constant":
            return node.operation, left.fact[0], right.fact
    return None


def _position(node: Node) -> Position | None:
    """Return whose fact a leaf reads, or a comparison of a leaf with a number compares."""
    position: Position | None = None
    if node.operation == "present":
        position = node.fact
    elif node.operation == "feature":
        position = node.fact[1]
    elif node.operation in _COMPARISON and node.operands[0].operation == "feature":
        position = node.operands[0].fact[1]
    return position


def _dtype(node: Node) -> np.dtype[Any]:
    if not node.is_whole:
        return np.dtype(np.float64)
    for kind in (np.int16, np.int32):
        limits = np.iinfo(kind)
        if limits.min <= node.low and node.high <= limits.max:
            return np.dtype(kind)
    return np.dtype(np.int64)
