"""Of many things, some that suffice and of which none can be left out."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def smallest_sufficient(things: Sequence[T], suffice: Callable[[Sequence[T]], bool]) -> list[T]:
    """Return a part of some things that suffices, and of which none can be left out.

    There may be other such parts. Halves are tried first (Junker, "QUICKXPLAIN: Preferred
    Explanations and Relaxations for Over-Constrained Problems", AAAI 2004).

    Args:
        things: The things, which suffice together.
        suffice: Tells whether some of them do; more of them do, too.
    """

    def needed(kept: list[T], some: Sequence[T], is_tried: bool) -> list[T]:
        """Return of some things those without which the kept ones do not suffice."""
        if not some or (not is_tried and suffice(kept)):
            return []
        if len(some) == 1:
            return list(some)
        first, second = some[: len(some) // 2], some[len(some) // 2 :]
        later = needed([*kept, *first], second, False)
        return needed([*kept, *later], first, is_tried=not later) + later

    return needed([], things, False)
