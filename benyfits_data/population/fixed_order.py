"""Products and equations whose sums are taken in one order, so that every processor rounds alike.

Libraries of linear algebra choose their loops by processor; one that rounds otherwise can tip one
household of a city.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
    found = np.zeros(n)
    for place in reversed(range(n)):
        rest = (left[place, place + 1 : n] * found[place + 1 :]).sum()
        found[place] = (left[place, n] - rest) / left[place, place]
    return found
