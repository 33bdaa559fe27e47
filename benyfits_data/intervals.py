"""95% intervals: of a share that was counted, and of what differs between a few draws."""

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 1.959964
"""Standard deviations of a normal distribution that 95% lie within."""


def wilson(count: int, n: int) -> tuple[float, float]:
    """Return the 95% interval of a share, never empty (Wilson, JASA 22, 1927)."""
    share, z = count / n, CONFIDENCE
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, float(middle - half)), min(1.0, float(middle + half))


def half_width(draws: Sequence[float]) -> float:
    """Return half the 95% interval of one more draw around its mean, by Student's t.

    The standard deviation of few draws is itself uncertain: 12 have 11 degrees of freedom, and the
    interval is 2.20 of them wide instead of 1.96.
    """
    return float(stdtrit(len(draws) - 1, 0.975) * np.std(draws, ddof=1))
