"""Conditional probability tables with back-off, and which facts to condition on.

Surprise is minus the logarithm of a probability, in whole thousandths, so that sums are the same on
every machine.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding

UNIT = 1_000
"""Parts of a natural logarithm in which surprise is counted."""
PRIOR = 8.0
"""How many observations the coarser tables weigh beside those of a cell: households of the city
that nothing was learned from surprise 59,796 with it, 59,811 with 3 and 60,323 with 20."""
LEAST_GAIN = 0.002
"""What a further fact must tell, in natural logarithms, for a table to be split by it: with ten
times as much such households surprise by 62,048, with none by 59,732, after a sixth more time."""
MOST_PARENTS = 2
"""Facts that split a table, at most. Such households surprise by 94,452 with none, by 63,160 with
one, by 59,796 with two, and by 59,067 with three, after half as much time again."""
LEAST = 1e-5
"""What is rarer in no cell: the 75,000 people who are looked at tell nothing of what is rarer."""

Codes = NDArray[np.int64]
Column = tuple[Codes, int]
"""Codes from 0 on, and how many there are."""


def surprise(probabilities: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return surprise in thousandths."""
    return np.asarray(rounding.nearest(-UNIT * np.log(np.maximum(probabilities, LEAST))), np.int32)


def most_telling(fact: Column, context: Column, candidates: Mapping[str, Column]) -> list[str]:
    """Return the candidates, two at most, that tell most of a fact beyond its context.

    What a candidate tells is how much likelier each observation is, in natural logarithms, if the
    others in its cell are known too: one that is alone there tells nothing, however many cells
    there are.
    """
    codes, n = fact
    base, n_base = context
    chosen: list[str] = []
    if not len(codes) or codes.min() == codes.max():
        return chosen
    share = np.bincount(codes, minlength=n) / len(codes)
    known = _drawn(fact, base, n_base, np.broadcast_to(share, (n_base, n)))
    for _ in range(MOST_PARENTS):
        before = _told_by_others(fact, base, n_base, known)
        likelihood = {
            name: _told_by_others(fact, base * n_parent + parent, n_base * n_parent, known)
            for name, (parent, n_parent) in candidates.items()
            if name not in chosen
        }
        best = max(likelihood, key=lambda name: likelihood[name], default=None)
        if best is None or likelihood[best] - before < LEAST_GAIN:
            break
        chosen.append(best)
        parent, n_parent = candidates[best]
        base, n_base = base * n_parent + parent, n_base * n_parent
        known = _drawn(fact, base, n_base, np.repeat(known, n_parent, axis=0))
    return chosen


def _told_by_others(fact: Column, cell: Codes, n_cells: int, coarser: NDArray[np.float64]) -> float:
    """Return the mean logarithm of how likely each observation is, given the others of its cell.

    Args:
        fact: The values observed.
        cell: The cell of each.
        n_cells: How many cells there are, as many of each coarser one.
        coarser: How likely values are in coarser cells, towards which each cell is drawn.
    """
    codes, n = fact
    counts = np.bincount(cell * n + codes, minlength=n_cells * n)
    places = np.flatnonzero(counts)
    seen, cells = counts[places], places // n
    totals = np.bincount(cell, minlength=n_cells)[cells]
    expected = PRIOR * coarser[cells // (n_cells // len(coarser)), places % n]
    likely = (seen - 1 + expected) / (totals - 1 + PRIOR)
    return round(float(seen @ np.log(likely) / len(codes)), 9)


def surprise_table(
    fact: Column, coarse: Column, context: Column, coarse_of: Codes, parents: list[Column]
) -> NDArray[np.int32]:
    """Return the surprise of each value in each cell, shape `(cells, values)`.

    Each finer table is drawn towards coarser ones: all, coarse context, context. With parents it is
    drawn to both halves of what is known, to the context without the last parent and to the parents
    in the coarse context: of a pregnancy that nobody of an age had before, the weeks follow from
    the months, and surprise nobody again.

    Args:
        fact: The values observed.
        coarse: A coarse context of each observation.
        context: Its context.
        coarse_of: The coarse context to which each context belongs.
        parents: What the cells are split by.
    """
    codes, n = fact
    share = np.bincount(codes, minlength=n) + 0.05
    of_parents = np.broadcast_to(share / share.sum(), (1, n))
    rough, n_rough = coarse
    known = _drawn(fact, rough, n_rough, np.repeat(of_parents, n_rough, axis=0))
    cell, n_cells = context
    known = _drawn(fact, cell, n_cells, known[coarse_of])
    values, n_values = np.zeros_like(codes), 1
    for parent, n_parent in parents:
        values, n_values = values * n_parent + parent, n_values * n_parent
        of_parents = _drawn(fact, values, n_values, np.repeat(of_parents, n_parent, axis=0))
        apart = np.tile(of_parents, (n_rough, 1))
        apart = _drawn(fact, rough * n_values + values, n_rough * n_values, apart)
        apart = apart.reshape(n_rough, n_values, n)[coarse_of].reshape(-1, n)
        cell, n_cells = cell * n_parent + parent, n_cells * n_parent
        known = _drawn(fact, cell, n_cells, (np.repeat(known, n_parent, axis=0) + apart) / 2)
    return surprise(known)


def _drawn(
    fact: Column, cell: Codes, n_cells: int, coarser: NDArray[np.float64]
) -> NDArray[np.float64]:
    codes, n = fact
    counts = np.bincount(cell * n + codes, minlength=n_cells * n).reshape(n_cells, n)
    return np.asarray((counts + PRIOR * coarser) / (counts.sum(axis=1, keepdims=True) + PRIOR))
