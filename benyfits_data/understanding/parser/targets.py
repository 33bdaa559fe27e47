"""How well the reader does on questions that nobody tuned on, and whether that will do.

The figures are those that `make user-quality` prints of the unseen half, in percent; a test holds
them against the banks.
"""

from collections.abc import Mapping

MOST: Mapping[str, float] = {"false answers": 0.5}
LEAST: Mapping[str, float] = {"questions understood": 90.0, "answers judged rightly": 98.0}
"""What the figures must reach before the reference user may answer a language model unasked: more
than that, and what is measured would be the user."""

UNSEEN: Mapping[str, float] = {
    "false answers": 1.0,
    "questions understood": 91.3,
    "answers judged rightly": 93.6,
}


def are_reached(figures: Mapping[str, float] = UNSEEN) -> bool:
    """Return whether figures reach their targets."""
    return all(figures[name] <= most for name, most in MOST.items()) and all(
        figures[name] >= least for name, least in LEAST.items()
    )
