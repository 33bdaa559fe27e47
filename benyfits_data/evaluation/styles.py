"""Manners of speaking: a style changes the words of an answer, never what it says.

Models that play users are more cooperative than people: they answer at once, in full, and nothing
else. A style says otherwise. Our own sentences are turned here; a model is told its manner.
"""

import re
from typing import Literal, get_args

Style = Literal["plain", "terse", "talkative", "beside-the-point"]
STYLES: tuple[Style, ...] = get_args(Style)

BESIDE_THE_POINT = "Sorry, could you wait a moment? Somebody is at the door."
"""What is said to the first question of a dialog by a user who is beside the point once."""

MANNERS: dict[Style, str] = {
    "plain": "",
    "terse": "You are in a hurry: answer in as few words as you can, a bare yes or no where that "
    "is an answer.",
    "talkative": "You like to talk: put a few words before and after what you have to say, such as "
    "how you feel about being asked, but tell nothing else of yourself or your household.",
    "beside-the-point": "",
}
"""What a model that plays the user is told of its manner."""

LEADS = ("Oh, let me think.", "Well, that is easy.", "Right, thanks for asking.", "Let me see.")
TAILS = ("I hope that helps.", "Do take your time.", "It is nice to talk.", "Please go on.")
"""What a talkative user of ours puts before and after an answer, in turn."""


def style_answer(text: str, style: Style, place: int) -> str:
    """Return one of our own answers in a style.

    Args:
        text: The answer.
        style: The style.
        place: How many questions were answered before.
    """
    if style == "beside-the-point" and place == 0:
        return BESIDE_THE_POINT
    if style == "talkative":
        return f"{LEADS[place % len(LEADS)]} {text} {TAILS[place % len(TAILS)]}"
    if style == "terse":
        bare = re.match(r"(Yes|No)[,.:]", text)
        return f"{bare[1]}." if bare else text
    return text


def without_manner(text: str) -> str:
    """Return an answer without what a talkative user of ours puts around it."""
    for lead in LEADS:
        text = text.removeprefix(f"{lead} ")
    for tail in TAILS:
        text = text.removesuffix(f" {tail}")
    return text
