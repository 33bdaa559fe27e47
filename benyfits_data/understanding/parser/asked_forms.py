"""Numbers of an answer put in the form of what was asked for: a grade, thousands, a grade average.

"Eighth" is a grade where a grade was asked for, and "twenty-nine four" is $29,400 of income.
"""

import re
from collections.abc import Sequence

from benyfits_data.understanding.parser.query import Query
from benyfits_data.understanding.parser.topics import topics

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
