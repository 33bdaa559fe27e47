"""The pronoun "one", which is no number: "it's one he's had for years", "yes, a full-time one"."""

import re

from benyfits_data.understanding.parser.answer_words import NUMBER_WORDS
from benyfits_data.understanding.parser.claim_notes import PEOPLE_TOPICS, ClaimNotes

_BE = r"\b(?:is|am|are|was|were|be|been)|'s|'m|'re"
_HAVE = r"\b(?:have|has|had|got|gets?|hold|holds|bought|need|needs)|'ve"
_SURELY = (
    r"definitely|certainly|officially|legally|surely|really|truly|indeed|for sure|in fact|"
    r"now|currently|still|already|by law|on paper"
)
_SHORT_BE = {"s": "is", "m": "am", "re": "are"}
_KIND = (
    rf"(?P<how>(?!private|personal|\d|{NUMBER_WORDS}|few|many|first|last|other|same)\w+(?:-\w+)*)"
)
"""An adjective that stays without its noun: "it is a new one", not "a private one"."""
_GROUP = r"ones|people|folks|guys|kids|lot|bunch|few|many"
_RELATIVE = (
    r"(?=(?:that|which)\b(?! is all)|(?:i|we|he|she|they|you|it|my \w+)\b"
    rf"(?! ?(?:'s|is|'m|am|'re|are) (?:\d|{NUMBER_WORDS}))(?:'\w+)? \w)"
)
_PRONOUNS = tuple(
    (re.compile(rf"(?i){pattern}"), instead)
    for pattern, instead in (
        (
            rf"(?:\b\w+(?: (?:is|am)|'[sm])|(?<=,)) one of (?:the |our |my |these )?"
            rf"(?P<n>\d+|{NUMBER_WORDS}) (?P<who>kids|children|girls|boys|people|adults)\b",
            r" there are \g<n> \g<who>",
        ),
        (
            rf"(?P<be>{_BE})(?: (?:{_SURELY}))? one(?: (?:{_SURELY}))?(?=[,.;!]|$| and | but )",
            r"\g<be> one",
        ),
        (
            rf"(?P<be>{_BE}|,) one of (?:the|those|these) {_KIND} (?:{_GROUP})\b",
            r"\g<be> \g<how>",
        ),
        (
            rf"(?P<be>{_BE}|,|\band|\bbut) an? {_KIND} one(?=[,.;!]|$| at that\b)",
            r"\g<be> \g<how>",
        ),
        (rf"(?P<have>{_HAVE}) one {_RELATIVE}", r"\g<have> one, something "),
        (rf"(?P<have>{_HAVE}) one (?=\w+ (?:year|month|week|day)s ago\b)", r"\g<have> one, "),
        (rf"(?P<before>^|{_BE}|,|\band|\bbut|\bas) ?one {_RELATIVE}", r"\g<before> something "),
        (r", (?:that|this) one(?=[.!]|$)", ""),
        (r"\b(?P<it>that|this) one(?='s|,? (?:is|has|does|works|gets)\b)", r"\g<it>"),
    )
)
"""The pronoun "one" with a clause, a kind or an adverb of its own, and the same without it."""


_IS_ONE = re.compile(
    r"(?i)\b(?P<who>he|she|i|they|you|we)(?: (?P<be>is|am|are)|'(?P<short>[sm]|re)) "
    r"one(?=[,.;!]|$| and | but )"
)


def without_pronoun_one(sentence: str, notes: ClaimNotes) -> str:
    """Return a sentence without "one" as a pronoun, which would be taken for a number.

    Where people are counted or looked for, it is the number: "one who works".
    """
    are_counted = not notes.queries or any(
        it.how in ("count", "who", "list")
        or it.topic in PEOPLE_TOPICS
        or it.people.quantifier != "the"
        for it in notes.queries
    )
    if are_counted:
        return sentence
    for pattern, instead in _PRONOUNS:
        sentence = pattern.sub(instead, sentence)
    if _asks_of_kind(notes):
        sentence = _IS_ONE.sub(
            lambda it: f"{it['who']} {it['be'] or _SHORT_BE[it['short']]}", sentence
        )
    return sentence


def _asks_of_kind(notes: ClaimNotes) -> bool:
    """Whether somebody who is not one year old may be one of a kind: "is she a student?"."""
    whether = all(it.query.how in ("is", "exists") for it in notes.found)
    asked = {n for it in notes.queries for n in notes.asked_of(it)}
    ages = {notes.household.members[n].age for n in asked}
    words = set(notes.question)
    return whether and 1 not in ages and bool({"a", "an"} & words and {"is", "are", "am"} & words)
