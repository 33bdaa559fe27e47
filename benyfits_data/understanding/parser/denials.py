"""What a denial inside a sentence denies: how, a name of the thing, or less than it seems."""

import re

AFTER_DENIAL = re.compile(
    r",? but (?!not )|, (?=(?:just|only) )|,? and (?=(?:none|neither|nobody|no 1)\b)"
)
"""Where what is said after "no job" begins: ", just a pension"."""
DENIED_WITHIN = re.compile(
    r"^(?P<said>.+?),? (?:and|but|so) no,? (?P<denied>(?:i|we|he|she|they|it|that|this|my \w+) "
    r"\w+ not\b.*)$"
)
"""A no inside a sentence that goes with the denial behind it: "..., and no, it isn't mine"."""
_NOT_THAT = re.compile(r"(?:and |but |though )?not that (?:i|we|he|she|it|they|this|my \w+) \w")
"""Begins a comment: "yes, not that they go far"."""
_ONLY_INSTEAD = re.compile(
    r"^(?P<denied>.*\b(?:not|no|never)\b[^,]*), (?P<rest>(?:only|just) (?:an?|the|my|his|her) .+)$"
)
"""What is not so, and what is so in its place: "he has no number, only an ITIN"."""
_CLASSED = re.compile(
    r"^(?:it|that|this) is (?:no|not (?:just |only |really |exactly )?(?:a|an|the|any)) [^,]+"
    r"(?:, (?:it|that|this) is |,? but )(?P<what>.+)$"
)
"""What a thing is not called and what it is: "that's no job, that's a calling"."""


def with_denials_put(text: str, *, is_answered: bool) -> list[str]:
    """Return a text as the texts that say the same without a denial of something else.

    Args:
        text: A sentence or a clause, as `plain_answer` gives it.
        is_answered: Whether what was asked is answered: then a comment says nothing more.
    """
    if is_answered and _NOT_THAT.match(text):
        return []
    if is_answered and (classed := _CLASSED.match(text)):
        return [f"it is {classed['what']}"]
    if instead := _ONLY_INSTEAD.match(text):
        return [instead["denied"], instead["rest"]]
    return [text]
