"""Samples drawn with given probabilities that come out even: in order, or in rows and columns."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_TINY = 1e-9


def draw_systematically(
    chances: Floats, order: NDArray[np.intp], rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return places drawn with given chances, whose sum is a whole number.

    Any run of places in `order` whose chances add up to c is drawn from c times, rounded up or
    down (Madow 1949).
    """
    ends = np.cumsum(chances[order])
    number = round(float(ends[-1]))
    at = (rng.random() + np.arange(number)) * (ends[-1] / number)
    return np.asarray(order[np.searchsorted(ends, at, side="right").clip(max=len(order) - 1)])


def round_dependently(
    chances: Floats, columns: NDArray[np.integer], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which entries of a matrix are drawn, each with its chance, even in rows and columns.

    Rows whose chances add up to a whole number are drawn from that often; every column is drawn
    from as often as its chances add up to, rounded up or down. Entries that are still open are
    moved around cycles, one up, the next down, until all are 0 or 1 (dependent rounding: Gandhi,
    Khuller, Parthasarathy and Srinivasan 2006).

    Args:
        chances: Shape `(rows, n)`; rows add up to whole numbers.
        columns: To which column each entry counts, same shape.
        rng: Draws.
    """
    height, width = chances.shape
    n_columns = int(columns.max()) + 1
    totals = np.bincount(columns.ravel(), chances.ravel(), n_columns)
    # One more row and column take what is missing to whole numbers: then only cycles are open.
    slack = np.ceil(totals - _TINY) - totals
    value: dict[tuple[int, int], float] = {}
    for row in range(height):
        for place in range(width):
            value[row, int(columns[row, place])] = float(chances[row, place])
    value |= {(height, column): float(slack[column]) for column in range(n_columns)}
    missing = float(np.ceil(slack.sum() - _TINY) - slack.sum())
    value[height, n_columns] = missing
    value[height + 1, n_columns] = 1 - missing
    _move_around_cycles(value, height + 2, rng)
    drawn = np.zeros(chances.shape, np.bool_)
    for row in range(height):
        for place in range(width):
            drawn[row, place] = value[row, int(columns[row, place])] > 0.5
    return drawn


def _move_around_cycles(
    value: dict[tuple[int, int], float], height: int, rng: np.random.Generator
) -> None:
    """Set every entry to 0 or 1; nodes of the walk are rows, and columns after them."""
    open_at: dict[int, dict[int, None]] = {}
    for (row, column), chance in value.items():
        if _TINY < chance < 1 - _TINY:
            open_at.setdefault(row, {})[height + column] = None
            open_at.setdefault(height + column, {})[row] = None

    def key(one: int, other: int) -> tuple[int, int]:
        return (one, other - height) if one < height else (other, one - height)

    def close(one: int, other: int) -> None:
        del open_at[one][other]
        del open_at[other][one]

    for start in list(open_at):
        path = [start]
        while path:
            here = path[-1]
            before = path[-2] if len(path) > 1 else None
            there = next((node for node in open_at[here] if node != before), None)
            if there is None:
                # What rounding errors left: a single open entry, as good as 0 or 1.
                path.pop()
                if before is not None:
                    value[key(here, before)] = float(round(value[key(here, before)]))
                    close(here, before)
                continue
            if there not in path:
                path.append(there)
                continue
            nodes = [*path[path.index(there) :], there]
            cycle = list(pairwise(nodes))
            up, down = cycle[::2], cycle[1::2]
            most_up = min([1 - value[key(*it)] for it in up] + [value[key(*it)] for it in down])
            most_down = min([value[key(*it)] for it in up] + [1 - value[key(*it)] for it in down])
            is_up = rng.random() * (most_up + most_down) < most_down
            step = most_up if is_up else -most_down
            del path[path.index(there) + 1 :]
            for edges, change in ((up, step), (down, -step)):
                for edge in edges:
                    value[key(*edge)] += change
                    if not _TINY < value[key(*edge)] < 1 - _TINY:
                        close(*edge)
