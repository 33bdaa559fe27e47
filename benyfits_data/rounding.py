"""Rounding before comparing, so that every processor decides alike.

NumPy takes exponentials, logarithms and powers by the widest instructions of a processor, and these
differ in the last bit. A product that is a whole number but for that bit would be rounded up on one
machine and down on another, and equals would be sorted otherwise.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PLACES = 6
"""Decimal places that are looked at: far more than an amount has, far fewer than a float."""


def settled(numbers: NDArray[Any], places: int = PLACES) -> Floats:
    """Return computed numbers without the bits in which processors differ, to compare or sort."""
    return np.asarray(np.round(numbers, places), np.float64)


def floor(numbers: NDArray[Any]) -> Floats:
    """Return the whole numbers below, or those that numbers are but for their last bits."""
    return np.asarray(np.floor(settled(numbers)))


def ceil(numbers: NDArray[Any]) -> Floats:
    """Return the whole numbers above, or those that numbers are but for their last bits."""
    return np.asarray(np.ceil(settled(numbers)))


def nearest(numbers: NDArray[Any]) -> Floats:
    """Return the nearest whole numbers; of two equally near ones the even one."""
    return np.asarray(np.rint(settled(numbers)))
