"""The smallest set that meets each of some sets (Karp's hitting set), by HiGHS."""

from collections.abc import Iterable, Sequence

import numpy as np

from benyfits_data.errors import ProofError


def smallest_hitting_set(sets: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return a smallest set of elements that meets every set; proven smallest.

    Raises:
        ProofError: The solver gave up, or a set is empty.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    elements = sorted(frozenset().union(*sets))
    if not elements and not sets:
        return frozenset()
    column = {element: place for place, element in enumerate(elements)}
    # A set a row, the elements it holds; order is fixed, for the solver may choose among optima.
    entries = [
        (row, column[question]) for row, held in enumerate(sets) for question in sorted(held)
    ]
    rows, columns = np.array(entries, np.int64).reshape(-1, 2).T
    matrix = csr_matrix((np.ones(len(entries)), (rows, columns)), (len(sets), len(elements)))
    result = milp(
        np.ones(len(elements)),
        constraints=LinearConstraint(matrix, 1, np.inf),
        integrality=np.ones(len(elements)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    if result.status != 0:
        raise ProofError(
            f"HiGHS found no smallest set that meets {len(sets)} sets: {result.message}. Report "
            "this as a bug.",
            sets=len(sets),
        )
    chosen = frozenset(elements[place] for place in np.flatnonzero(result.x > 0.5))
    if result.mip_dual_bound < len(chosen) - 1 + 1e-6 or not all(chosen & held for held in sets):
        raise ProofError(
            f"HiGHS left a gap: {len(chosen)} elements, bound {result.mip_dual_bound}. Report this "
            "as a bug.",
            elements=len(chosen),
        )
    return chosen


def minimal_sets(sets: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Return the sets that hold no other one, in a fixed order: whatever meets these meets all."""
    kept: list[frozenset[str]] = []
    for candidate in sorted(set(sets), key=lambda held: (len(held), sorted(held))):
        if not any(other <= candidate for other in kept):
            kept.append(candidate)
    return kept
