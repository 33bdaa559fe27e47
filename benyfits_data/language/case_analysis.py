"""What propagation leaves open, case by case: a disjunction holds by one side or by the other.

A flag that is decided but does not follow from its operands yet is unjustified; its open operand is
true in one case and false in the other (the justification frontier of circuit satisfiability:
Larrabee, "Test pattern generation using Boolean satisfiability", IEEE TCAD 11, 1992).
"""

from collections.abc import Generator

from benyfits_data.language.interval_propagation import (
    AND,
    CHOOSE,
    EQUAL,
    LESS,
    OR,
    Contradiction,
    Intervals,
)


def cases(
    intervals: Intervals, entry: int, value: int, splits: int
) -> Generator[None, int | None, None]:
    """Yield once for each case in which a flag may have a value; the intervals are then narrowed.

    None is yielded where the flag cannot have it. All is as before when the iterator ends or is
    closed. Who is sent an open entry tells its smaller values apart from its larger ones next.

    Args:
        intervals: What is known.
        entry: The flag.
        value: Its value.
        splits: How often to tell cases apart at most; where more is open, the case is yielded.
    """
    left, begin = splits, intervals.mark()
    # What is told in each case left, and where it begins.
    pending: list[tuple[int, int, float, float]] = [(begin, entry, value, value)]
    try:
        while pending:
            mark, case, low, high = pending.pop()
            intervals.undo(mark)
            try:
                intervals.require([(case, low, high)])
            except Contradiction:
                continue
            split = unjustified(intervals, entry) if left else None
            if split is None:
                here = intervals.mark()
                split = yield
                intervals.undo(here)
                if split is None:
                    continue
            left -= 1
            low, high = intervals.low[split], intervals.high[split]
            middle, here = (low + high) // 2, intervals.mark()
            pending += [(here, split, low, middle), (here, split, middle + 1, high)]
    finally:
        intervals.undo(begin)


def unjustified(intervals: Intervals, root: int) -> int | None:
    """Return an open flag on which a decided flag depends, or `None` if none is left."""
    graph, low, high = intervals.graph, intervals.low, intervals.high
    stack, seen = [root], {root}
    while stack:
        entry = stack.pop()
        operation, operands = graph.operations[entry], graph.operands[entry]
        if operation in (AND, OR):
            value = low[entry]
            if value == (operation == AND):
                wanted = operands
            else:
                wanted = tuple(
                    operand for operand in operands if low[operand] == high[operand] == value
                )[:1]
                if not wanted:
                    return operands[0]
        elif operation in (LESS, EQUAL):
            if _follows(intervals, entry):
                continue
            wanted = operands
        elif operation == CHOOSE:
            if low[operands[0]] < high[operands[0]]:
                return operands[0]
            wanted = (operands[0], operands[1 if low[operands[0]] else 2])
        else:
            wanted = operands
        for operand in wanted:
            if operand not in seen and (low[operand] < high[operand] or graph.operands[operand]):
                seen.add(operand)
                stack.append(operand)
    return None


def _follows(intervals: Intervals, entry: int) -> bool:
    """Return whether a comparison has its value whatever else becomes known."""
    low, high, graph = intervals.low, intervals.high, intervals.graph
    left, right = graph.operands[entry]
    if graph.operations[entry] == LESS:
        return high[left] < low[right] if low[entry] else low[left] >= high[right]
    if low[entry]:
        return low[left] == high[left] == low[right] == high[right]
    if graph.mask[left] and low[right] == high[right]:
        return not graph.mask[left] >> (int(low[right]) + 1) & 1
    return high[left] < low[right] or high[right] < low[left]
