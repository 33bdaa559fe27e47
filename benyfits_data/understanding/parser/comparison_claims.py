"""Claims that hold one against another: "my mother is older than me", "he earns the most"."""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.understanding.parser.answer_words import as_asked
from benyfits_data.understanding.parser.claim_notes import ClaimNotes
from benyfits_data.understanding.parser.cover import ClausePart, is_denied
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.phrases import Found
from benyfits_data.understanding.parser.query import Evaluation, Query, evaluate
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import YOU

_INCOMES = ("annual_work_income", "income")
_MORE = frozenset(("older", "more", "higher", "larger", "longer"))
_RANKED = re.compile(
    r"^(?P<who>.+?) (?:is|are|am|makes?|earns?|gets?|has|have|brings? in|works?) "
    r"(?:by far )?(?:the )?"
    r"(?:(?P<most>more|most|older|oldest|higher|highest|bigger|biggest|eldest)|"
    r"less|least|younger|youngest|lower|lowest|fewer|fewest)"
    r"(?: (?:money|income|hours|1|earner|person|of (?:us|you|them|the 2|both of you)))?"
    r"(?: (?:from|at|in|of) [\w ]*)?$"
)


def ranked(notes: ClaimNotes, text: str) -> str:
    """Return "my husband earns the most" as "my husband does" where that was asked."""
    asked = [it for it in notes.queries if it.extreme]
    match = _RANKED.match(text)
    if match is None or len(asked) != 1 or len(notes.queries) > 1:
        return text
    (query,) = asked
    is_most = match["most"] is not None
    if query.than is not None:
        others = {True: query.than.said, False: query.people.said}
        is_first = _members_named(notes, match["who"]) == query.people.members(notes.household)
        topic = "older" if query.topic == "age" else "more"
        less = "younger" if query.topic == "age" else "less"
        return f"{match['who']} is {topic if is_most else less} than {others[is_first]}"
    if is_most == (query.extreme == "most"):
        return f"{match['who']} do" if match["who"] == "i" else f"{match['who']} does"
    return f"{match['who']} does not" if len(query.people.of) == 2 else text


def _members_named(notes: ClaimNotes, who: str) -> list[int]:
    people = find_people(as_asked(who, notes.names), 0)[:1]
    return [n for it in people for n in notes.numbers_of(it.people)]


_DIFFERENCE = re.compile(
    r"^(?:(?P<who>.+?) (?:is|am|are) )?(?:about )?(?P<n>\d+) years? "
    r"(?P<sign>older|younger)(?: than (?P<other>.+))?$"
)


_YEARS = re.compile(r"^(?:by |about |only |just )*(?P<n>\d+)(?: years?(?: apart)?)?$")
_MORE_BY = re.compile(
    r"^(?:(?P<who>.+?) (?:is|am|are) )?(?:the )?(?P<sign>older|younger)(?: 1)?,? "
    r"by (?:only |just )?(?:about )?(?P<n>\d+) years?$"
)
_SIGN = re.compile(r"^(?:(?P<who>.+?) (?:is|am|are) )?(?:the )?(?P<sign>older|younger)(?: 1)?$")
_BY = re.compile(r"^(?:(?:but |only |just |and )*by (?:only |just )?(?:about )?)(?P<n>\d+) years?$")


def _take_years_between(notes: ClaimNotes, years: int, text: str) -> bool:
    """Take in "by 9 years", where two were compared by their ages."""
    age_of = {it.member: it.value for found in notes.found for it in found.findings}
    if len(age_of) != 2 or {it.topic for it in notes.queries} != {"age"}:
        return False
    ages = list(age_of.values())
    return notes.add(text, "age", abs(ages[0] - ages[1]) == years, ages)


def take_difference(notes: ClaimNotes, text: str) -> bool:
    """Take in by how much somebody is older: "one year younger than Rob"; return whether read."""
    is_asked = notes.question[:1] == ["how"] and len(_two_asked(notes)) == 2
    by = _BY.match(text) or (_YEARS.match(text) if is_asked else None)
    if by:
        return _take_years_between(notes, int(by["n"]), text)
    match = _DIFFERENCE.match(text) or _MORE_BY.match(text)
    if match is None and len(_two_asked(notes)) == 2 and all(it.than for it in notes.queries):
        match = _SIGN.match(text)  # "older or younger?" "Older."
    if match is None:
        return False
    told = match.groupdict()
    than, who = told.get("other"), told.get("who") or ""
    who = who if who not in ("he", "she", "they", "that person") else ""
    asked = [it.people for it in notes.queries[:1]]
    meant = [it.members(notes.household) for it in (notes.people, *asked, YOU) if it]
    other = _members_named(notes, than) if than else [0]
    one = _members_named(notes, who) if who else next(it for it in meant if it != other)
    two = _two_asked(notes)
    if not than and len(one) == 1 and one[0] in two:
        other = sorted(two - set(one))
    if len(one) != 1 or len(other) != 1:
        return False
    first, second = (notes.household.members[n].age for n in (*one, *other))
    sign = 1 if match["sign"] == "older" else -1
    is_asked = any(it.topic == "age" for it in notes.queries)
    years = sign * (first - second)
    is_so = years == int(told["n"]) if "n" in told else years > 0
    return notes.add(text, "age", is_so, [first, second], answers=is_asked)


def _two_asked(notes: ClaimNotes) -> set[int]:
    """Return the two members whom a question compares or names, nobody where they are not two."""
    asked = [
        n
        for it in notes.queries
        for people in (it.people, it.than)
        if isinstance(people, People)
        for n in notes.asked_of(replace(it, people=people))
    ]
    return set(asked) if len(set(asked)) == 2 else set()


def take_comparison(notes: ClaimNotes, parts: Sequence[ClausePart], text: str) -> bool:
    """Take in a comparison of two with "than"; return whether it was understood."""
    signs = [part for part in parts if part.kind == "than"]
    if len(signs) != 1 or any(part.kind == "number" for part in parts):
        return False
    one, other = (
        _side(notes, parts[: parts.index(signs[0])]),
        _side(notes, parts[parts.index(signs[0]) :]),
    )
    word = str(signs[0].it).split()[0]
    topic = "age" if word in ("older", "younger") else _named(notes, parts)
    if topic is None or len(one) != 1 or len(other) != 1:
        return False
    found = [_value(notes, topic, number) for number in (*one, *other)]
    if not all(it.is_known for it in found):
        return False
    first, second = (it.answer or 0 for it in found)
    is_so = first > second if word in _MORE else first < second
    if topic in _INCOMES and len({_sign(notes, name, one[0], other[0]) for name in _INCOMES}) > 1:
        return False  # who "makes more" hangs on which income is meant
    is_pick = any(it.people.pick or (it.among and it.among.pick) for it in notes.queries)
    answers = is_pick or any(it.topic == topic for it in notes.queries)
    return notes.add(text, topic, is_so != is_denied(parts), [first, second], answers=answers)


def _sign(notes: ClaimNotes, topic: str, one: int, other: int) -> bool:
    """Return whether one member has more of an income than another."""
    first, second = (_value(notes, topic, number).answer or 0 for number in (one, other))
    return bool(first > second)


def _value(notes: ClaimNotes, topic: str, number: int) -> Evaluation:
    """Return what a member has of a topic."""
    return evaluate(Query("value", People("name", number=number), topic), notes.household)


def _side(notes: ClaimNotes, parts: Sequence[ClausePart]) -> list[int]:
    """Return the members that one side of a comparison names."""
    told = [part.it for part in parts if isinstance(part.it, People)]
    meant = [(notes.people or YOU) if it.kind == "pronoun" else it for it in told]
    return sorted({number for it in meant for number in notes.numbers_of(it)})


def _named(notes: ClaimNotes, parts: Sequence[ClausePart]) -> str | None:
    """Return what is compared: the number that the clause names, or that was asked about."""
    found = [it.it for it in parts if isinstance(it.it, Found)]
    named = {meaning.topic for it in found for meaning in it.meanings}
    asked = {it.topic for it in notes.queries if it.topic}
    both = named & asked or (asked if asked <= set(_INCOMES) else set())
    (topic,) = both if len(both) == 1 else (None,)
    is_number = topic is not None and topics()[topic].kind in ("number", "money")
    return topic if is_number and topic and topics()[topic].of_member else None
