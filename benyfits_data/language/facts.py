"""Which features a function of the checker language reads, through its measures too."""

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

from benyfits_data.household.features import FEATURES


def features_read(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names of the features that a checker, measure or constraint depends on."""
    assert isinstance(function, FunctionType)
    return _names(function) & FEATURES.keys()


@lru_cache(maxsize=1024)
def _names(function: FunctionType) -> frozenset[str]:
    # In the checker language attributes are facts or thresholds and globals are measures or
    # constants; both stand in co_names.
    found = set(function.__code__.co_names)
    for name in tuple(found):
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and called is not function:
            found |= _names(called)
    return frozenset(found)
