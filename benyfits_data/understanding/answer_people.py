"""People of an answer put so that each clause names its own: who "he" is, who "who" belongs to."""

import re
from collections.abc import Sequence

from benyfits_data.household.model import Household
from benyfits_data.understanding.answer_words import FUNCTION_WORDS, SWAPS
from benyfits_data.understanding.claim_notes import ClaimNotes
from benyfits_data.understanding.people import People
from benyfits_data.understanding.people_found import find_people
from benyfits_data.understanding.question_text import PLAIN_WORDS
from benyfits_data.understanding.words import plain, stem

_SEXES = {"he": "male", "him": "male", "she": "female", "her": "female"}
_SINGULAR = (
    r"(?:is|has|does|was|gets?|works?|earns?|makes?|receives?|goes|attends?|lives?|brings?|am|have)"
)
_SUBJECT = r"(?:i|he|she|it|that person|(?:my|our|the) \w+{names})"
_PRONOUN = re.compile(
    r"^(?P<lead>(?:only |just |and |not )*)(?P<who>he|she)\b|\b(?P<last>him|her)$"
)
_WHO = re.compile(r"^(?P<first>(?:.*\b)?(?P<name>(?:my )?\w+)), who (?P<rest>[^,]+)$")
_BOTH = re.compile(r"^(?P<who>.+ and .+?),? (?:the )?(?:both|all|2|all \d+) of (?:us|you|them)$")
_SAME_SUBJECT = re.compile(
    r"^(?P<first>(?P<who>\w+) (?:is|has|am|have|does) [^,]+) and "
    r"(?P<second>(?:is|has|am|have|does) .+)$"
)
_APPOSED = re.compile(r"\b(?P<lead>my|a|an|our|the|1) (?P<kin>\w+), (?P<name>\w+)\b")
RESTATED_SHARE = 2 / 3
"""Of the words that tell something: so many of a restated question are those of the question."""


def is_restated(sentence: str, notes: ClaimNotes) -> bool:
    """Return whether a sentence asks again what was asked, as some do before they answer."""
    words = [SWAPS.get(word, word) for word in plain(sentence) if word.isalnum()]
    telling = [it for it in words if it not in FUNCTION_WORDS and it not in PLAIN_WORDS]
    told = [word for word in telling or words if stem(word) in notes.asked]
    return len(words) > 2 and len(told) >= RESTATED_SHARE * len(telling or words)


def clauses_joined(text: str, names: Sequence[Sequence[str]]) -> list[str]:
    """Return clauses that "and" or "so" joins, each with a subject of its own.

    "Mei is 2 and Nadia is 1" is two, "Mei and Nadia are small" is one.
    """
    firsts = "".join(rf"|{re.escape(' '.join(name))}|{re.escape(name[0])}" for name in names)
    joint = rf",? (?:and|so) (?={_SUBJECT.format(names=firsts)} {_SINGULAR}\b)"
    if (same := _SAME_SUBJECT.match(text)) and (
        same["who"] in ("i", "he", "she") or any(same["who"] in name for name in names)
    ):
        text = f"{same['first']} and {same['who']} {same['second']}"
    pieces = re.split(joint, text)
    is_group = [re.search(rf"\b{_SINGULAR}\b|\bare\b", piece) is None for piece in pieces[:-1]]
    return [text] if any(is_group) else [piece.strip(" ,") for piece in pieces]


def with_relative_apart(text: str, notes: ClaimNotes) -> list[str]:
    """Return "me and Finn, who is my foster child" as two clauses, else the text alone."""
    match = _WHO.match(text)
    if match is None:
        return [text]
    is_member = match["name"].startswith("my ") or any(
        match["name"] in name for name in notes.names
    )
    return [match["first"], f"{match['name']} {match['rest']}"] if is_member else [text]


def with_people_named(text: str, notes: ClaimNotes) -> str:
    """Return a clause with the name of whom "he" or "she" means, where one of several is meant."""
    text = _APPOSED.sub(lambda it: _one_person(it, notes), text)
    if both := _BOTH.match(text):
        text = both["who"]
    match = _PRONOUN.search(text)
    if match is None:
        return text
    said = match["who"] or match["last"]
    number = _meant(_SEXES[said], notes)
    if number is None:
        return text
    start, end = match.span("who" if match["who"] else "last")
    return text[:start] + " ".join(notes.names[number]) + text[end:]


def _one_person(match: re.Match[str], notes: ClaimNotes) -> str:
    """Return "my husband, Arun" without its comma where Arun is the husband."""
    told = find_people(["your", match["kin"]], 0)
    meant = {n for it in told if it.end == 2 for n in it.people.members(notes.household)}
    is_one = any(match["name"] == notes.names[n][0] for n in meant)
    return f"{match['lead']} {match['kin']} {match['name']}" if is_one else match[0]


def _meant(sex: str, notes: ClaimNotes) -> int | None:
    """Return the one member of a sex that is spoken of, where others are spoken of, too."""
    now = _members(notes.people, notes.household)
    if len(now) == 1 and now != [0] and notes.household.members[now[0]].sex == sex:
        return None
    asked = [n for it in notes.queries for n in _members(it.people, notes.household)]
    everybody = range(len(notes.names))
    for several in (notes.spoken_of, now, set(asked), everybody if now == [0] else ()):
        of_sex = [n for n in several if n and notes.household.members[n].sex == sex]
        if len(of_sex) == 1:
            return of_sex[0]
    return None


def _members(people: People | None, household: Household) -> list[int]:
    return people.members(household) if people and people.kind != "pronoun" else []
