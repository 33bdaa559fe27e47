"""Sums told with their parts: "$45,000: $33,000 from my job and the $12,000 that Arun gets"."""

import re
from collections.abc import Iterator

from benyfits_data.understanding.parser.answer_words import (
    ABOUT_WORDS,
    FUNCTION_WORDS,
    SMALL_TALK,
    TOLD,
    as_asked,
)
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.number_claims import SMALLEST_AMOUNT, fits
from benyfits_data.understanding.parser.numbers import Comparison, find_number
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.query import Query, evaluate
from benyfits_data.understanding.parser.whom import YOU

_SUMS = ("household_income", "income", "annual_work_income")
_WORK, _OTHER, _ADDING = (
    frozenset(TOLD["sums"][kind].split()) for kind in ("work", "other", "adding")
)
_RANGE = re.compile(r"\bbetween \$?\d|\d (?:to|or) \$?\d")
_PIECES = re.compile(r",? (?:and|plus|then|with) |, |; ")


def take_parts_of_sum(notes: ClaimNotes, text: str) -> bool:
    """Take in the parts of a sum that was asked for; return whether the text tells such parts.

    Each part must be an income of the one who is named, and what is added up must be the sum, or
    the sum must have been told before.
    """
    asked = [it for it in notes.found if it.query.topic in _SUMS and not it.query.people.has_ages]
    if len(notes.queries) != 1 or not asked or not isinstance(asked[0].answer, int | float):
        return False
    if asked[0].query.how not in ("value", "sum") or _RANGE.search(text):
        return False
    query, total = asked[0].query, asked[0].answer
    is_of_several = query.topic in ("household_income", "income") or query.how == "sum"
    pieces = list(_with_numbers(text))
    is_total = [fits(total, number, query, is_about=False) for _, number in pieces]
    told = [it for it, is_sum in zip(pieces, is_total, strict=True) if not is_sum]
    has_total = any(is_total) or any(it.topic == query.topic and it.is_true for it in notes.claims)
    if not is_of_several or len(told) < (1 if has_total and len(pieces) == len(told) else 2):
        return False
    are_known = [_is_income(notes, piece, number, query.period) for piece, number in told]
    if None in are_known:
        return False
    amounts = [_per_year(number, query.period) for _, number in told]
    are_all = abs(sum(amounts) - total) <= max(len(told), 0.02 * total)
    if not has_total or not all(are_known):
        notes.add(text, query.topic, are_all and all(are_known), total)
        return True
    return are_all and notes.add(text, query.topic, is_true=True, truth=total)


def _with_numbers(text: str) -> Iterator[tuple[str, Comparison]]:
    """Yield each piece of a text that has a number, with its number."""
    for piece in _PIECES.split(text):
        words = piece.split()
        found = [it for at in range(len(words)) if (it := find_number(words, at))]
        if not found or len(found[0].parts) > 1:
            continue
        if found[0].is_money or found[0].parts[0][1] >= SMALLEST_AMOUNT:
            yield piece, found[0]


def _per_year(number: Comparison, period: str) -> float:
    times = {"month": 12, "week": 52}.get(number.period or period, 1)
    return number.parts[0][1] * times


def _is_income(notes: ClaimNotes, piece: str, number: Comparison, period: str) -> bool | None:
    """Return whether a piece tells an income of whom it names, `None` where it is not read."""
    words = as_asked(piece, notes.names)
    people, rest, place = set(), [], 0
    while place < len(words):
        found = find_people(words, place)
        told = [it for it in found if it.people.kind in ("name", "members", "you", "pronoun")]
        if told:
            who = told[0].people
            meant = notes.people if who.kind == "pronoun" else who
            people |= set((meant or YOU).members(notes.household))
            place = told[0].end
            continue
        rest.append(words[place])
        place += 1
    for word in {"his", "he", "him", "her", "hers", "she"} & set(words) if not people else ():
        sex = "male" if word in ("his", "he", "him") else "female"
        members = enumerate(notes.household.members)
        people |= {n for n, it in members if n and it.sex == sex}
    people |= {0} if {"your", "yours", "you"} & set(words) and not people else set()
    plain = FUNCTION_WORDS | SMALL_TALK | ABOUT_WORDS | _WORK | _OTHER | _ADDING
    unread = [it for it in rest if it not in plain and not re.fullmatch(r"\$?[\d.]+|your?s?", it)]
    if unread or not (people or set(rest) & (_WORK | _OTHER)):
        return None
    topics = ["annual_work_income", "annual_investment_income", "income"]
    if set(rest) & _OTHER:
        topics = ["annual_investment_income"]
    elif set(rest) & _WORK:
        topics = ["annual_work_income"]
    for name in topics:
        for member in sorted(people) or range(len(notes.names)):
            one = Query("value", notes.one(member), name, period=period)
            value = evaluate(one, notes.household).answer
            if value and fits(value, number, one, is_about=bool(ABOUT_WORDS & set(words))):
                return True
    return False
