"""Formulas whose facts are known in part: what each part can still be, in both directions.

Each node has an interval, and a feature with choices the set of them. A node is narrowed by its
operands, and its operands by it, until nothing changes (HC4: Benhamou and others, "Revising hull
and box consistency", ICLP 1999). What is left always holds every value that is still possible; it
may hold more.
"""

import math
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from benyfits_data.household.schema import NONE_CODE
from benyfits_data.language.ir import Node, walk

MOST_STEPS = 400_000
"""Nodes revised for one question; a count, not a time, so that every machine stops alike. Two
amounts that push each other up by a dollar at a time would need millions. Telling all facts of a
household to a reader of 82 programs takes 35,000, refuting one verdict at most 4,000."""
_SLACK = 1e-9
_OPERATIONS = (
    "constant", "feature", "present", "not", "and", "or", "less", "equal", "plus", "minus",
    "times", "choose", "row", "size",
)  # fmt: skip
(_, _, PRESENT, NOT, AND, OR, LESS, EQUAL, PLUS, MINUS, TIMES, CHOOSE, ROW, SIZE) = range(14)


class Contradiction(Exception):
    """Nothing is left that a node could be."""


class FormulaGraph:
    """Formulas as lists of numbers, one entry a node, operands before what is computed from them.

    Attributes:
        place: The position of a fact's node by the feature's name and the member's position.
        low: The smallest value of each node, whatever the facts are.
        high: The largest one.
        mask: The choices that a feature has, bit `code + 1` for each; 0 for other nodes.
        parents: What is computed from each node.
        nobody: For each position, the entries of its facts with their defaults: nobody is there to
            have other values, and formulas count with these.
    """

    def __init__(self, formulas: Iterable[Node], places: int) -> None:
        nodes = list(walk(formulas))
        # The first entry is the number of members, which `present` asks for.
        self.positions = {node: position for position, node in enumerate(nodes, start=1)}
        self.low: list[float] = [1]
        self.high: list[float] = [places]
        self.mask = [0]
        self.operations = [SIZE]
        self.operands: list[tuple[int, ...]] = [()]
        self.whole = [True]
        self.least = [0]
        self.tables: list[tuple[float, ...]] = [()]
        self.place: dict[tuple[str, int | None], int] = {}
        self.nobody: list[list[tuple[int, float]]] = [[] for _ in range(places)]
        for node in nodes:
            self._add(node)
        self.parents: list[list[int]] = [[] for _ in self.low]
        for position, operands in enumerate(self.operands):
            for operand in dict.fromkeys(operands):
                self.parents[operand].append(position)

    def _add(self, node: Node) -> None:
        position = len(self.low)
        low, high = node.low, node.high
        if node.operation == "constant":
            low = high = int(node.fact) if node.is_whole else node.fact
        elif node.is_whole:
            low, high = math.ceil(low), math.floor(high)
        operands = tuple(self.positions[operand] for operand in node.operands)
        mask, least, table = 0, 0, ()
        feature = node.feature if node.operation == "feature" else None
        if feature is not None:
            self.place[node.fact] = position
            if node.fact[1] is not None:
                default = feature.encode(feature.default)
                self.nobody[node.fact[1]].append((position, default))
            if feature.kind == "choice":
                mask = sum(1 << (code + 1) for code in range(int(low), int(high) + 1))
            elif feature.optional and feature.minimum is not None and feature.minimum > 0:
                least = math.floor(feature.minimum)
        elif node.operation == "present":
            operands, least = (0,), int(node.fact)
        elif node.operation == "row":
            table, least = tuple(node.fact), int(node.operands[0].low)
        self.low.append(low)
        self.high.append(high)
        self.mask.append(mask)
        self.operations.append(_OPERATIONS.index(node.operation))
        self.operands.append(operands)
        self.whole.append(node.is_whole)
        # Where an optional number begins, the position of `present`, or a table's first size.
        self.least.append(least)
        self.tables.append(table)


class Intervals:
    """What the nodes of a graph can still be; narrowed by what becomes known, and widened again.

    Attributes:
        low: The smallest value left of each node.
        high: The largest one.
        mask: The choices left.
    """

    def __init__(self, graph: FormulaGraph, start: "Intervals | None" = None) -> None:
        self.graph = graph
        source = graph if start is None else start
        self.low: list[float] = source.low.copy()
        self.high: list[float] = source.high.copy()
        self.mask: list[int] = source.mask.copy()
        self._trail: list[tuple[int, float, float, int]] = []
        # Entries to revise, the first first; one that waits already keeps its place.
        self._queue: OrderedDict[int, None] = OrderedDict()

    def copy(self) -> "Intervals":
        """Return the same intervals, which may be narrowed and widened by themselves."""
        other = Intervals(self.graph, self)
        other._trail = self._trail.copy()
        return other

    def narrowed_since(self, mark: int) -> list[tuple[int, float, float, int]]:
        """Return the entries narrowed since a point, with what each can still be."""
        narrowed = dict.fromkeys(entry for entry, *_ in self._trail[mark:])
        return [(entry, self.low[entry], self.high[entry], self.mask[entry]) for entry in narrowed]

    def mark(self) -> int:
        """Return a point to go back to."""
        return len(self._trail)

    def undo(self, mark: int) -> None:
        """Go back to how it was at a point."""
        for entry, low, high, mask in reversed(self._trail[mark:]):
            self.low[entry], self.high[entry], self.mask[entry] = low, high, mask
        del self._trail[mark:]

    def require(self, values: Sequence[tuple[int, float, float]]) -> None:
        """Narrow some entries to what is given and everything else to what follows.

        Raises:
            Contradiction: No household is left. Nothing is narrowed then.
        """
        mark = self.mark()
        try:
            for entry, low, high in values:
                self._narrow(entry, low, high)
            self._propagate()
        except Contradiction:
            self._queue.clear()
            self.undo(mark)
            raise

    def settle(self) -> None:
        """Narrow everything by everything, to begin with.

        Raises:
            Contradiction: No household is left.
        """
        for entry, operation in enumerate(self.graph.operations):
            if operation > 1:
                self._queue[entry] = None
        self._propagate()

    def _propagate(self) -> None:
        queue, operations = self._queue, self.graph.operations
        for _ in range(MOST_STEPS):
            if not queue:
                return
            entry, _ = queue.popitem(last=False)
            _REVISE[operations[entry]](self, entry)
        queue.clear()

    def _narrow(self, entry: int, low: float, high: float, mask: int | None = None) -> None:
        """Narrow one entry; whoever depends on it is revised later."""
        graph, old_low, old_high = self.graph, self.low[entry], self.high[entry]
        if low <= old_low and high >= old_high and mask is None:
            return
        if graph.whole[entry]:
            low, high = math.ceil(low), math.floor(high)
        low, high = max(low, old_low), min(high, old_high)
        choices = self.mask[entry] if mask is None else mask
        if choices:
            while low <= high and not choices >> (int(low) + 1) & 1:
                low += 1
            while low <= high and not choices >> (int(high) + 1) & 1:
                high -= 1
            if low <= high:
                choices &= (1 << (int(high) + 2)) - (1 << (int(low) + 1))
        elif graph.operations[entry] == 1 and graph.least[entry]:
            # An optional number is none, or from its minimum on: nothing lies between.
            least = graph.least[entry]
            low = least if NONE_CODE < low < least else low
            high = NONE_CODE if NONE_CODE < high < least else high
        if low > high or (mask is not None and not choices):
            raise Contradiction
        if low == old_low and high == old_high and choices == self.mask[entry]:
            return
        self._trail.append((entry, old_low, old_high, self.mask[entry]))
        self.low[entry], self.high[entry], self.mask[entry] = low, high, choices
        if graph.operations[entry] > 1:
            self._queue[entry] = None
        for parent in graph.parents[entry]:
            self._queue[parent] = None

    def _size(self, entry: int) -> None:
        for position in range(int(self.high[entry]), len(self.graph.nobody)):
            for fact, default in self.graph.nobody[position]:
                self._narrow(fact, default, default)

    def _present(self, entry: int) -> None:
        position = self.graph.least[entry]
        self._narrow(entry, int(self.low[0] > position), int(self.high[0] > position))
        if self.low[entry]:
            self._narrow(0, position + 1, self.high[0])
        elif not self.high[entry]:
            self._narrow(0, self.low[0], position)

    def _decide(self, flag: int, value: float) -> None:
        """Narrow a flag; most of what is narrowed are flags, so this is short."""
        low, high = self.low, self.high
        if low[flag] == high[flag]:
            if low[flag] != value:
                raise Contradiction
            return
        self._trail.append((flag, 0, 1, 0))
        low[flag] = high[flag] = value
        if self.graph.operands[flag]:
            self._queue[flag] = None
        for parent in self.graph.parents[flag]:
            self._queue[parent] = None

    def _not(self, entry: int) -> None:
        low, high = self.low, self.high
        [flag] = self.graph.operands[entry]
        if low[entry] == high[entry]:
            self._decide(flag, 1 - int(low[entry]))
        elif low[flag] == high[flag]:
            self._decide(entry, not low[flag])

    def _and(self, entry: int) -> None:
        self._join(entry, absorbing=0)

    def _or(self, entry: int) -> None:
        self._join(entry, absorbing=1)

    def _join(self, entry: int, absorbing: int) -> None:
        """Revise a conjunction, which one false part makes false, or a disjunction."""
        low, high, neutral = self.low, self.high, 1 - absorbing
        left, right = self.graph.operands[entry]
        left_value = low[left] if low[left] == high[left] else None
        right_value = low[right] if low[right] == high[right] else None
        if low[entry] == high[entry] == neutral:
            self._decide(left, neutral)
            self._decide(right, neutral)
        elif low[entry] == high[entry]:
            if left_value == neutral:
                self._decide(right, absorbing)
            elif right_value == neutral:
                self._decide(left, absorbing)
        elif absorbing in (left_value, right_value):
            self._decide(entry, absorbing)
        elif left_value == right_value == neutral:
            self._decide(entry, neutral)

    def _less(self, entry: int) -> None:
        low, high, whole = self.low, self.high, self.graph.whole
        left, right = self.graph.operands[entry]
        if low[entry] < high[entry]:
            if high[left] < low[right]:
                self._decide(entry, True)
            elif low[left] >= high[right]:
                self._decide(entry, False)
        elif low[entry]:
            most = math.ceil(high[right]) - 1 if whole[left] else high[right]
            self._narrow(left, low[left], most)
            least = math.floor(low[left]) + 1 if whole[right] else low[left]
            self._narrow(right, least, high[right])
            if low[left] >= high[right]:
                raise Contradiction
        else:
            self._narrow(left, low[right], high[left])
            self._narrow(right, low[right], high[left])

    def _equal(self, entry: int) -> None:
        low, high = self.low, self.high
        left, right = self.graph.operands[entry]
        is_fixed = low[left] == high[left] == low[right] == high[right]
        can_be = low[left] <= high[right] and low[right] <= high[left]
        for operand, other in ((left, right), (right, left)):
            if self.mask[operand] and low[other] == high[other]:
                can_be = can_be and bool(self.mask[operand] >> (int(low[other]) + 1) & 1)
        if low[entry] < high[entry]:
            if is_fixed or not can_be:
                self._decide(entry, is_fixed)
        elif low[entry]:
            if not can_be:
                raise Contradiction
            self._narrow(left, low[right], high[right])
            self._narrow(right, low[left], high[left])
        else:
            if is_fixed:
                raise Contradiction
            self._differ(left, right)
            self._differ(right, left)

    def _differ(self, operand: int, other: int) -> None:
        """Take the one value of `other` out of `operand`."""
        value = self.low[other]
        if value != self.high[other] or not self.graph.whole[operand]:
            return
        if (
            self.mask[operand]
            and value == int(value)
            and self.mask[operand] >> (int(value) + 1) & 1
        ):
            left = self.mask[operand] & ~(1 << (int(value) + 1))
            self._narrow(operand, self.low[operand], self.high[operand], left)
        elif not self.mask[operand]:
            low, high = self.low[operand], self.high[operand]
            self._narrow(operand, low + (low == value), high - (high == value))

    def _plus(self, entry: int) -> None:
        low, high = self.low, self.high
        left, right = self.graph.operands[entry]
        self._narrow(entry, low[left] + low[right], high[left] + high[right])
        self._back(entry, left, low[entry] - high[right], high[entry] - low[right])
        self._back(entry, right, low[entry] - high[left], high[entry] - low[left])

    def _minus(self, entry: int) -> None:
        low, high = self.low, self.high
        left, right = self.graph.operands[entry]
        self._narrow(entry, low[left] - high[right], high[left] - low[right])
        self._back(entry, left, low[entry] + low[right], high[entry] + high[right])
        self._back(entry, right, low[left] - high[entry], high[left] - low[entry])

    def _times(self, entry: int) -> None:
        low, high = self.low, self.high
        left, right = self.graph.operands[entry]
        corners = [a * b for a in (low[left], high[left]) for b in (low[right], high[right])]
        self._narrow(entry, min(corners), max(corners))
        for operand, other in ((left, right), (right, left)):
            factor = low[other]
            if factor == high[other] and factor > 0:
                self._back(entry, operand, low[entry] / factor, high[entry] / factor, rounded=True)

    def _back(
        self, entry: int, operand: int, low: float, high: float, *, rounded: bool = False
    ) -> None:
        """Narrow an operand by a result; fractions are rounded, so a little more is left."""
        whole = self.graph.whole
        if rounded or not (
            whole[entry] and all(whole[node] for node in self.graph.operands[entry])
        ):
            low, high = low - _SLACK * (1 + abs(low)), high + _SLACK * (1 + abs(high))
        self._narrow(operand, low, high)

    def _choose(self, entry: int) -> None:
        low, high = self.low, self.high
        condition, then, other = self.graph.operands[entry]
        if low[condition] or not high[condition]:
            taken = then if low[condition] else other
            self._narrow(entry, low[taken], high[taken])
            self._narrow(taken, low[entry], high[entry])
            return
        self._narrow(entry, min(low[then], low[other]), max(high[then], high[other]))
        if high[entry] < low[then] or low[entry] > high[then]:
            self._narrow(condition, 0, 0)
        elif high[entry] < low[other] or low[entry] > high[other]:
            self._narrow(condition, 1, 1)

    def _row(self, entry: int) -> None:
        [size] = self.graph.operands[entry]
        table, first = self.graph.tables[entry], self.graph.least[entry]
        last = len(table) - 1
        start = min(max(int(self.low[size]) - first, 0), last)
        end = min(max(int(self.high[size]) - first, 0), last)
        amounts = table[start : end + 1]
        self._narrow(entry, min(amounts), max(amounts))


_REVISE = {
    PRESENT: Intervals._present,
    NOT: Intervals._not,
    AND: Intervals._and,
    OR: Intervals._or,
    LESS: Intervals._less,
    EQUAL: Intervals._equal,
    PLUS: Intervals._plus,
    MINUS: Intervals._minus,
    TIMES: Intervals._times,
    CHOOSE: Intervals._choose,
    ROW: Intervals._row,
    SIZE: Intervals._size,
}
