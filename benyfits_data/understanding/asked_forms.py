"""Numbers of an answer put in the form of what was asked for: a grade, thousands, a grade average.

"Eighth" is a grade where a grade was asked for, "twenty-nine four" is $29,400 of income, and "one"
is a pronoun in "it's one he was born with".
"""

import re
from collections.abc import Sequence

from benyfits_data.understanding.answer_words import NUMBER_WORDS
from benyfits_data.understanding.claim_notes import PEOPLE_TOPICS, ClaimNotes
from benyfits_data.understanding.query import Query
from benyfits_data.understanding.topics import topics

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_GRADE = re.compile(
    rf"\b(?:the |grade )*(?P<n>{'|'.join(_ORDINALS)}|(?:[1-9]|1[0-2]) ?(?:st|nd|rd|th))\b"
    r"(?: graders?\b)?(?! (?:time|child|1|one|of|year|place|floor|month|week)\b)"
)
_YEARS_OF_HIGH_SCHOOL = {"freshman": 9, "sophomore": 10, "junior": 11, "senior": 12}
_HIGH_SCHOOL = re.compile(
    rf"\b(?:is |am )?(?:in )?(?:a |1 )?(?P<year>{'|'.join(_YEARS_OF_HIGH_SCHOOL)})(?: year)?"
    r"(?: (?:in|at|of) (?:a |the )?high school)?(?=$|,)"
)
_THOUSANDS_AND_HUNDREDS = re.compile(
    r"(?<![\d.$] )\b(?P<n>[1-9]\d?) (?P<m>[1-9])(?=$|,| about| a )"
)
_KINDERGARTEN = re.compile(r"(?<!pre )\b(?:in )?(?:a )?kindergarten(?:er)?\b")
_DECIMAL = re.compile(r"\b(?P<n>\d) (?:point )?(?P<m>\d)\b")
_SELF_AND = re.compile(r"\b(?:self|me|myself|i) (?:and )?(?P<n>\d+)\b,?$")
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
    are_counted = any(
        it.how in ("count", "who", "list")
        or it.topic in PEOPLE_TOPICS
        or it.people.quantifier != "the"
        for it in notes.queries
    )
    for pattern, instead in () if are_counted else _PRONOUNS:
        sentence = pattern.sub(instead, sentence)
    if notes.queries and not are_counted and _asks_of_kind(notes):
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


def in_asked_form(text: str, queries: Sequence[Query]) -> str:
    """Return a sentence in plain words with its numbers in the form of what was asked for."""
    asked = {it.topic for it in queries}
    if "current_grade" in asked:
        text = _HIGH_SCHOOL.sub(lambda it: _grade_of_year(it["year"]), text)
        text = _GRADE.sub(_grade, text)
        text = _KINDERGARTEN.sub("in grade 0", text)
    if "gpa" in asked:
        text = _DECIMAL.sub(r"\g<n>.\g<m>", text)
    if any(topics()[it].kind == "money" for it in asked if it):
        text = _THOUSANDS_AND_HUNDREDS.sub(_in_dollars, text)
    if asked & {None, "household_size"}:
        text = _SELF_AND.sub(r"\g<n> other people besides me", text)
    return text


def _grade_of_year(year: str) -> str:
    return f"in grade {_YEARS_OF_HIGH_SCHOOL[year]}"


def _grade(match: re.Match[str]) -> str:
    said = match["n"]
    number = _ORDINALS.index(said) + 1 if said in _ORDINALS else int(re.sub(r"\D", "", said))
    return f"grade {number}"


def _in_dollars(match: re.Match[str]) -> str:
    """Return "29 4" as 29400."""
    return str(1000 * int(match["n"]) + 100 * int(match["m"]))
