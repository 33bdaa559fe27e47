"""Raking, and turning expected counts into whole people exactly.

Iterative proportional fitting as of Deming and Stephan (1940), written for a table of cells by
categories whose row totals are known; and generalised raking by exponential tilting (Deville and
Särndal 1992), solved by Newton's method on the dual.

Sums of products and equations are taken in one order: libraries of linear algebra choose their
loops by processor, and one that rounds otherwise can tip one household of a city.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data import rounding

Floats = NDArray[np.float64]
_ROUNDS = 400
"""At most; scaling ends before where margins are met or come no nearer."""
_TOLERANCE = 1e-5
_MOST_MOVES = 400
"""Of people between categories, at most; it ends before where no move gains."""
_NEWTON_STEPS = 200
"""At most; they end before where the gradient is nothing."""
_LEAST_GAIN = 1e-9


@dataclass(frozen=True)
class Margin:
    """A target: among these cells, this share has one of these categories.

    Attributes:
        cells: Which cells belong to the group, shape `(cells,)`.
        categories: Which categories are meant, shape `(categories,)`.
        share: Target share of the group.
    """

    cells: NDArray[np.bool_]
    categories: NDArray[np.bool_]
    share: float


def rake(counts: Floats, seed: Floats, margins: Sequence[Margin]) -> Floats:
    """Return probabilities of categories by cell that meet the margins as far as they agree.

    Args:
        counts: People in each cell, shape `(cells,)`.
        seed: Starting probabilities, rows summing to 1, shape `(cells, categories)`; what is 0
            stays 0.
        margins: Targets; a group without people, or whose target no cell can reach, is left out.

    Returns:
        Shape `(cells, categories)`, rows summing to 1.
    """
    fitted = seed.copy()
    groups = []
    for margin in margins:
        weight = counts[margin.cells]
        if total := float(weight.sum()):
            cells = run_of(np.flatnonzero(margin.cells))
            groups.append((cells, weight, total, margin.categories, margin.share))
    before = np.inf
    for _ in range(_ROUNDS):
        largest = 0.0
        for cells, weight, total, categories, share in groups:
            block = fitted[cells]
            inside = float(product(weight, block)[categories].sum())
            if inside <= 0 or inside >= total:
                continue
            largest = max(largest, abs(inside / total - share))
            outside = (1 - share) * total / (total - inside)
            block *= np.where(categories, share * total / inside, outside)
            fitted[cells] = block / np.maximum(block.sum(axis=1, keepdims=True), 1e-300)
        # Margins that contradict one another settle at a distance; more rounds do not help.
        if largest < _TOLERANCE or abs(before - largest) < _TOLERANCE / 100:
            break
        before = largest
    return fitted


def run_of(places: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    """Return ascending places as a slice where they lie side by side: it is read faster."""
    first, last = int(places[0]), int(places[-1])
    return slice(first, last + 1) if last - first < len(places) else places


def fit_margins(table: Floats, margins: Sequence[Floats], rounds: int) -> Floats:
    """Return a table scaled to sums over its axes, one margin after the other, again and again.

    Args:
        table: Starting values; what is 0 stays 0.
        margins: Wanted sums; an axis that is summed over has length 1.
        rounds: How often to go through the margins.
    """
    for _ in range(rounds):
        for wanted in margins:
            summed = tuple(axis for axis, size in enumerate(wanted.shape) if size == 1)
            sums = table.sum(axis=summed, keepdims=True)
            table = table * np.where(sums > 0, wanted / np.maximum(sums, 1e-300), 0)
    return table


def exponential_tilting(
    start: Floats, features: Floats, targets: Floats, ridge: float = 1e-7
) -> Floats:
    """Return the distribution nearest to `start` whose expectations are the targets.

    Args:
        start: Probabilities, shape `(n,)`.
        features: Value of every constrained quantity, shape `(n, k)`.
        targets: Wanted expectations, shape `(k,)`.
        ridge: Penalty that keeps the solution finite where targets contradict one another.

    Returns:
        Probabilities, shape `(n,)`.
    """
    centered = features - targets
    dual = np.zeros(len(targets))

    def state(at: Floats) -> tuple[float, Floats]:
        exponent = np.log(np.maximum(start, 1e-300)) + product(centered, at)
        top = exponent.max()
        weights = np.exp(exponent - top)
        value = top + np.log(weights.sum()) + ridge * product(at, at) / 2
        return float(value), weights / weights.sum()

    value, fitted = state(dual)
    for _ in range(_NEWTON_STEPS):
        gradient = product(fitted, centered) + ridge * dual
        if np.abs(gradient).max() < 1e-9:
            break
        mean = product(fitted, centered)
        spread = product((centered * fitted[:, None]).T, centered) - np.outer(mean, mean)
        step = solve(spread + (ridge + 1e-9) * np.eye(len(dual)), gradient)
        length = 1.0
        while length > 1e-6:
            attempt, weights = state(dual - length * step)
            if attempt < value - 1e-14:
                dual, value, fitted = dual - length * step, attempt, weights
                break
            length /= 2
        else:
            break
    return fitted


def systematic_rounding(expected: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return whole numbers whose running sums are the expected ones, rounded.

    No number is off by 1 or more, and their sum is that of `expected` rounded up or down.
    """
    running = rounding.floor(np.cumsum(expected) + rng.random())
    return np.asarray(np.diff(running, prepend=0.0), np.int64)


def allocate(
    cell: NDArray[np.int64],
    probabilities: Floats,
    rng: np.random.Generator,
    score: Floats | None = None,
    margins: Sequence[Margin] = (),
) -> NDArray[np.int8]:
    """Return a category for everybody: exactly the expected number in each cell, rounded.

    Args:
        cell: Cell of everybody, shape `(n,)`.
        probabilities: Of categories by cell, shape `(cells, categories)`.
        rng: Random stream.
        score: Within a cell, categories go from the lowest score to the highest; by default by lot.
        margins: Groups of cells in which the number is the expected one, rounded, too.

    Returns:
        Codes of categories, shape `(n,)`.
    """
    n_cells = len(probabilities)
    chosen: NDArray[np.int8] = np.argmax(rounding.settled(probabilities, 9), axis=1).astype(
        np.int8
    )[cell]
    open_cells = probabilities.max(axis=1) < 1 - 1e-12
    people = np.flatnonzero(open_cells[cell])
    if not len(people):
        return chosen
    if score is None:
        people = people[rng.permutation(len(people))]
    else:
        people = people[np.argsort(rounding.settled(score[people], 9), kind="stable")]
    narrow = np.int16 if n_cells <= np.iinfo(np.int16).max else np.int64
    people = people[np.argsort(cell[people].astype(narrow), kind="stable")]
    cells = cell[people]
    counts = np.bincount(cells, minlength=n_cells)
    rank = np.arange(len(people)) - (np.cumsum(counts) - counts)[cells]
    quotas = _rounded(counts, probabilities, rng)
    if len(margins) > 1:
        _even_out(quotas, counts[:, None] * probabilities, margins)
    reached = np.zeros(len(people), np.int8)
    for quota in np.cumsum(quotas, axis=1)[:, :-1].T:
        reached += rank >= quota[cells]
    chosen[people] = reached
    return chosen


def _rounded(
    counts: NDArray[np.int64], probabilities: Floats, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return whole numbers of each category by cell, rounded along the cells."""
    quotas = np.zeros(probabilities.shape, np.int64)
    tail = np.cumsum(probabilities[:, ::-1], axis=1)[:, ::-1]
    left = counts.copy()
    for category in range(probabilities.shape[1] - 1):
        # Each category takes its part of those the categories before it have left.
        part = probabilities[:, category] / np.maximum(tail[:, category], 1e-300)
        expected = np.asarray(left * np.minimum(part, 1.0), float)
        quotas[:, category] = np.minimum(systematic_rounding(expected, rng), left)
        left -= quotas[:, category]
    quotas[:, -1] = left
    return quotas


def _even_out(quotas: NDArray[np.int64], expected: Floats, margins: Sequence[Margin]) -> None:
    """Move people between categories of a cell, in place, until every margin is as expected.

    Greedy controlled rounding: each move takes most from the sum of squares of what the margins
    are off; where none takes anything, it ends.
    """
    cells = np.array([margin.cells for margin in margins], float)
    meant = np.array([margin.categories for margin in margins], float)
    off = (product(cells, quotas - expected) * meant).sum(axis=1)
    row, n = np.arange(len(quotas)), meant.shape[1]
    # How many margins a move from one category to another changes, by cell.
    apart = np.abs(meant.T[:, None] - meant.T).reshape(n * n, -1)
    changed = product(apart, cells).reshape(n, n, -1)
    for _ in range(_MOST_MOVES):
        pull = product(cells.T, off[:, None] * meant)
        give = np.where(quotas > 0, pull, -np.inf).argmax(axis=1)
        take = np.where(expected > 0, pull, np.inf).argmin(axis=1)
        gain = 2 * (pull[row, take] - pull[row, give]) + changed[give, take, row]
        best = int(gain.argmin())
        if gain[best] > -_LEAST_GAIN or quotas[best, give[best]] == 0:
            return
        quotas[best, give[best]] -= 1
        quotas[best, take[best]] += 1
        off += cells[:, best] * (meant[:, take[best]] - meant[:, give[best]])


def product(left: NDArray[Any], right: NDArray[Any]) -> Floats:
    """Return the product of two matrices, or of a matrix and a vector, or of two vectors."""
    rows, columns = "ab"[: left.ndim], "bc"[: right.ndim]
    if left.ndim == 1:
        rows = "b"
    kept = (rows + columns).replace("b", "")
    return np.asarray(np.einsum(f"{rows},{columns}->{kept}", left, right, optimize=False))


def solve(matrix: Floats, right: Floats) -> Floats:
    """Return the solution of linear equations by elimination, largest pivot first."""
    left = np.column_stack([matrix, right]).astype(np.float64)
    n = len(right)
    for place in range(n):
        pivot = place + int(np.abs(left[place:, place]).argmax())
        left[[place, pivot]] = left[[pivot, place]]
        factor = left[place + 1 :, place] / left[place, place]
        left[place + 1 :] -= factor[:, None] * left[place]
    solution = np.zeros(n)
    for place in reversed(range(n)):
        rest = (left[place, place + 1 : n] * solution[place + 1 :]).sum()
        solution[place] = (left[place, n] - rest) / left[place, place]
    return solution
