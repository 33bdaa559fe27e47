"""The fewest pairs, and for these the fewest households, with bounds that prove it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.assignment import (
    Assignment,
    element_prices,
    household_bound,
    households_of,
)
from benyfits_data.fuzz.cover_search import CoverSearch, essential_elements
from benyfits_data.fuzz.covers import Cover, Pair
from benyfits_data.fuzz.packing import Packing


def select_exactly(
    covers: Sequence[Cover], *, thorough: bool = False
) -> tuple[list[Pair], dict[str, Any]]:
    """Return pairs, fewest first and then in fewest households, and the certificate.

    Programs share no elements, so the fewest pairs are found program by program, by an integer
    program each. No household takes more than ten programs.

    Args:
        covers: What the pool covers.
        thorough: Whether a linear and an integer program shall look for fewer households and a
            sharper bound; takes a minute or more for 10,000 households.

    Returns:
        The pairs, sorted, and `{pairs: {value, bound, gap}, households: {value, bound, gap},
        solver, version}`.
    """
    fewest = [fewest_pairs(cover) for cover in covers]
    searches = [CoverSearch(cover) for cover in covers]
    prices, bound = element_prices(covers, [search.essential for search in searches])
    pairs = Assignment(covers, searches, prices).run()
    needs = [value for value, _ in fewest]
    bound = max(bound, household_bound(needs))
    if thorough:
        packing = Packing(covers, searches, needs)
        sharper, used = packing.relax()
        bound = max(bound, sharper)
        packed = packing.pack(used, households_of(pairs))
        if packed is not None and len(households_of(packed)) < len(households_of(pairs)):
            pairs = packed
    n_households = len(households_of(pairs))
    certificate = {
        "pairs": _gap(len(pairs), sum(bound for _, bound in fewest)),
        "households": _gap(n_households, bound),
        "solver": "HiGHS (scipy.optimize.milp)",
        "version": scipy.__version__,
    }
    return pairs, certificate


def fewest_pairs(cover: Cover) -> tuple[int, int]:
    """Return the fewest pairs that cover a program, and the proven bound.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    rows = np.unique(cover.classes[:, essential_elements(cover.classes)], axis=0)
    result = milp(
        np.ones(len(rows)),
        constraints=LinearConstraint(csr_array(rows.T.astype(float)), lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(rows)),
    )
    if result.x is None:
        raise SelectionError(
            f"HiGHS found no cover of {cover.program}: {result.message} Use --method greedy.",
            program=cover.program,
        )
    return round(result.fun), int(np.ceil(result.mip_dual_bound - 1e-6))


def _gap(value: int, bound: int) -> dict[str, float]:
    return {
        "value": value,
        "bound": bound,
        "gap": round((value - bound) / value, 4) if value else 0,
    }
