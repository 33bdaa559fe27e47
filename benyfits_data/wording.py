"""Numbers and lists in sentences."""

from collections.abc import Sequence, Sized


def count_of(things: Sized | int, name: str, plural: str = "") -> str:
    """Return how many there are in words: `1 program`, `82 programs`."""
    n = things if isinstance(things, int) else len(things)
    return f"{n:,} {name if n == 1 else plural or name + 's'}"


def some_of(names: Sequence[str], most: int = 5) -> str:
    """Return the first of some names, and how many there are beside them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
