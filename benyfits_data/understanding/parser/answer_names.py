"""Names in an answer: those that were asked for, and those of nobody in the household."""

import re
from collections.abc import Sequence

from benyfits_data.understanding.parser.answer_words import (
    FUNCTION_WORDS,
    NO_NAMES,
    SMALL_TALK,
    plain_answer,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.composition_claims import take_composition
from benyfits_data.understanding.parser.words import plain

_NAMES_LISTED = re.compile(
    r"(?P<names>[^,]+(?:,(?: and)?(?: then)? [A-Z]\w+(?: (?:and )?[A-Z]\w+)*)+)"
    r"(?:[.,;] ?(?P<rest>.*)|$)"
)
"""Names one after the other: "Ruth, Shanice and Brandon"."""
_RANKED = frozenset(("oldest", "youngest", "eldest", "older", "younger"))


def tells_else(sentence: str) -> bool:
    """Whether a sentence tells something else than names: "my son Ben is 16", not "Ben Diaz"."""
    telling = set(re.findall(r"\b[a-z]+\b", sentence)) - {"and", "also", "then", "my", "the"}
    return bool(telling) and not re.search(
        r"\b(?:names?|named|called)\b|(?:\b(?:is|are)|'s) [A-Z]", sentence
    )


def take_names_asked(notes: ClaimNotes, sentence: str) -> str | None:
    """Take in the names that are the answer to "what is your spouse's name?".

    Return what is said behind them, or nothing where there are none.
    """
    first, _, rest = sentence.partition(",")
    if any(it.people.is_plural for it in notes.queries) and (
        listed := _NAMES_LISTED.match(sentence)
    ):
        first, rest = listed["names"], listed["rest"] or ""
    said = [
        it
        for it in re.findall(r"\b[A-Z][a-z]+\b", first)
        if it not in NO_NAMES and it.lower() not in FUNCTION_WORDS | SMALL_TALK
    ]
    if not said:
        return None
    truths = [str(it.value) for found in notes.found for it in found.findings]
    known = {word for truth in truths for word in truth.split()}
    notes.add(first, "name", set(said) <= known, truths)
    if _RANKED & set(plain(first)):
        for piece in re.split(r",? and |, ", plain_answer(first)):
            take_composition(notes, piece)
    return rest


def is_name_of_nobody(words: Sequence[str], notes: ClaimNotes, sentence: str) -> bool:
    """Return whether words stand in a sentence as the name of somebody who is no member."""
    known = {word for name in notes.names for word in name}
    return all(
        word not in known
        and word.isalpha()
        and re.search(rf"(?<=\w ){word.capitalize()}\b", sentence)
        for word in words
        if word not in ("named", "called")
    )
