"""Whether something is so of so many people, or of one alone: "do at least two of you work?".

It is found on the household, while the question is read, of whom it is so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.joined_conditions import Reader
from benyfits_data.understanding.parser.numbers import Comparison, find_comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.query import Query, evaluate
from benyfits_data.understanding.parser.question_text import VERBS

_PERSONS = ("people", "person", "members", "member")
_ANY = ((">=", 1),)
"""At least one is anybody."""
_RELATIVES = ("who", "that", "whom", "which")
_HAS = {"with": ["has"], "without": ["has", "no"]}


def read_counted(words: Sequence[str], household: Household, read: Reader) -> list[Query]:
    """Read a question of so many people, or of somebody alone; nothing where it is none.

    Args:
        words: The sentence.
        household: Where it is found of whom it is so.
        read: Reads words into queries.
    """
    if words[0] not in VERBS or len(words) < 4:
        return []
    if counted := _limit_of_people(words):
        limit, subject = counted
        for asked in _asked_how_many(words[0], subject):
            query = _one_query(asked, read)
            is_bare = words[1] == "there" and query is not None and query.topic is None
            is_bare = is_bare or bool(query and query.topic is None and query.comparison)
            if query and query.how == "count" and not is_bare:
                return [_held_against(query, limit, household)]
        return []
    if alone := _one_alone(words):
        one, rest = alone
        for asked in _asked_who(rest):
            query = _one_query(asked, read)
            if query and query.how in ("who", "list") and not query.extreme:
                return _of_one_alone(query, one)
    return []


def _one_query(asked: list[str], read: Reader) -> Query | None:
    """Return what is asked where it is one thing that is asked plainly."""
    try:
        (query,) = read(asked)
    except (NotUnderstoodError, ValueError):
        return None
    return None if query.among or query.than else query


def _limit_of_people(words: Sequence[str]) -> tuple[Comparison, list[str]] | None:
    """Return the limit that follows a verb, and from whom it counts on: "of you work"."""
    at = 2 if words[1] == "there" else 1
    said = list(words)
    if said[at] in ("only", "just") and said[at + 1].isdigit():
        said[at] = "exactly"
    limit = find_comparison(said, at)
    if limit is None or limit.is_money or limit.period or limit.parts == _ANY:
        return None
    if limit.unit:
        if not limit.unit.startswith(_PERSONS):
            return None
        return limit, ["people", *said[limit.end :]]
    after = said[limit.end :]
    is_of_people = after[:1] == ["of"] or (after and find_people(["how", "many", *after], 0))
    return (limit, after) if is_of_people else None


def _ends(said: Sequence[str]) -> list[int]:
    """Return where the people whom a question begins with may end, the longest first."""
    ends = {it.end for it in find_people(said, 0)}
    if list(said[:4]) == ["how", "many", "of", "you"]:
        ends.add(4)
    return sorted(ends, reverse=True)


def _asked_how_many(verb: str, subject: list[str]) -> Iterator[list[str]]:
    """Yield ways to ask how many they are."""
    said = ["how", "many", *subject]
    for end in _ends(said):
        if verb in ("do", "does"):
            yield said
        else:
            yield [*said[:end], "have" if verb in ("has", "have") else "are", *said[end:]]


def _held_against(query: Query, limit: Comparison, household: Household) -> Query:
    """Return how many there are held against how many are asked about."""
    found = evaluate(replace(query, how="who") if query.topic else query, household)
    if not found.is_known:
        return query
    numbers = found.answer if query.topic else found.people
    people = People(
        "members", said="such person", is_counted=True, is_plural=True, only=tuple(numbers)
    )
    return Query("count", people, comparison=limit)


def _one_alone(words: Sequence[str]) -> tuple[People, list[str]] | None:
    """Return who is asked about in "is he the only one who works?", and what follows "only"."""
    if words[0] not in ("is", "are") or "only" not in words:
        return None
    at = words.index("only")
    if words[at - 1] != "the" or not set(words[at + 1 :]) - {"exactly", "1"}:
        return None
    named = [it.people for it in find_people(words[: at - 1], 1) if it.end == at - 1]
    if not named or named[0].kind not in ("you", "name", "members") or named[0].is_plural:
        return None
    return named[0], ["person" if words[at + 1] == "1" else words[at + 1], *words[at + 2 :]]


def _of_one_alone(query: Query, one: People) -> list[Query]:
    """Return whether somebody is the only one whom a query finds; nothing of "the only one?"."""
    people = query.people
    if query.topic:
        return [replace(query, how="is", among=one)]
    if not (people.relations or people.sex or people.has_ages):
        return []
    everyone = replace(people, quantifier="all", is_other=False)
    return [Query("is", everyone, among=one)]


def _asked_who(rest: list[str]) -> Iterator[list[str]]:
    """Yield ways to ask of whom it is so."""
    said = ["which", *rest]
    if not _ends(said):
        yield ["who", "is", *rest]  # "the only citizen"
    for end in _ends(said):
        after = said[end:]
        if not after:
            yield said
        elif after[0] in _RELATIVES:
            yield [*said[:end], *after[1:]]
        else:
            yield [*said[:end], *(_HAS.get(after[0]) or ["is", after[0]]), *after[1:]]
