"""Names as people type them: found however spaced and capitalised, or the nearest suggested."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches


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
    names = list(dict.fromkeys(spellings[key] for key in near))[:3]
    return f"Did you mean {', '.join(names)}?" if names else otherwise
