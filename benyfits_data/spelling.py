"""Names as people type them: found however spaced and capitalised, or the nearest suggested."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

_FEWEST_PARTS = 4
"""Pairs of letters that a name must have to be looked for by them: most names hold any two."""
_LIKE = 0.7
"""The share of them that a key must hold."""


def fold(name: str) -> str:
    """Return the letters and digits of a name in lower case: `fair_fares` is `Fair Fares`."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def suggest(name: str, spellings: Mapping[str, str] | Iterable[str], otherwise: str) -> str:
    """Return a sentence that asks for the nearest names, or another one if none is near.

    Args:
        name: A name that stands for nothing.
        spellings: What each folded spelling stands for, or the known names.
        otherwise: What to say when nothing is near.
    """
    if not isinstance(spellings, Mapping):
        spellings = {fold(known): known for known in spellings}
    wanted = fold(name)
    near = get_close_matches(wanted, spellings, n=3, cutoff=0.6)
    near += [key for key in spellings if wanted and wanted in key]
    near = near or _of_like_parts(wanted, spellings)
    names = list(dict.fromkeys(spellings[key] for key in near))[:3]
    return f"Did you mean {', '.join(names)}?" if names else otherwise


def _of_like_parts(wanted: str, spellings: Iterable[str]) -> list[str]:
    """Return the keys that hold most pairs of neighbouring letters of a name, wherever they stand.

    So are found names of which a part was typed, with a mistake.
    """
    parts = {wanted[at : at + 2] for at in range(len(wanted) - 1)}
    if len(parts) < _FEWEST_PARTS:
        return []
    shares = {key: sum(part in key for part in parts) / len(parts) for key in spellings}
    likely = sorted(shares, key=lambda key: -shares[key])
    return [key for key in likely if shares[key] >= _LIKE]
