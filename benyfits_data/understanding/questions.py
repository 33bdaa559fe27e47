"""Questions read into queries: whom, what and how, over the household.

A question is covered by phrases of the lexicon, people, limits and plain words; a word that
nothing covers means that something unknown is asked. So the reader may fail to understand, but
seldom misunderstands.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.household.model import Household
from benyfits_data.understanding.clauses import read_clause
from benyfits_data.understanding.cover import AmbiguousError, NotUnderstoodError, cover
from benyfits_data.understanding.people import People, mark_names
from benyfits_data.understanding.phrases import MEMBER
from benyfits_data.understanding.query import Query
from benyfits_data.understanding.question_text import (
    sentences,
    strip_courtesies,
    take_condition,
    ways_to_part,
    ways_to_say,
)
from benyfits_data.understanding.whom import Context, remember
from benyfits_data.understanding.words import plain

_LIMIT = (
    r"(?:the )?(?:age of |aged? )?(?:under|over|below|above|older than|younger than)"
    r"(?: the age of)? \d+"
)
_TWO_LIMITS = re.compile(
    rf"^(?P<start>(?:is|are|does|do) (?!all|every).+?) (?P<one>{_LIMIT}) or (?P<other>{_LIMIT})$"
)
_ABOUT = re.compile(r"This is about (?P<who>.+?)\.")


def read_question(question: str, household: Household, earlier: Sequence[str] = ()) -> list[Query]:
    """Return the queries that a question asks.

    Args:
        question: The question, which may hold several.
        household: Whose members it may name.
        earlier: Earlier questions, the last one last, for pronouns and "and your spouse?".

    Raises:
        NotUnderstoodError: A word has no place, or the parts make no query.
    """
    names = [plain(member.name) for member in household.members]
    context = Context(household=household)
    for before in earlier:
        try:
            _read(before, names, context)
        except NotUnderstoodError:
            continue
    return _read(question, names, context)


def _read(question: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    queries: list[Query] = []
    errors: list[NotUnderstoodError] = []
    for sentence, is_question in sentences(question):
        about = _ABOUT.fullmatch(sentence)
        if about and queries:
            queries = _about(queries, about.group("who"), names)
            continue
        try:
            found = _read_sentence(sentence, names, context)
        except NotUnderstoodError as error:
            if is_question:
                errors.append(error)
            context.is_missed = not is_question
            continue
        if not is_question and "?" in question:
            _remember(context, found)
            continue
        queries += found
        _remember(context, found)
    if errors or not queries:
        raise errors[0] if errors else NotUnderstoodError("no question")
    context.queries = queries
    return queries


def _about(queries: Sequence[Query], who: str, names: Sequence[Sequence[str]]) -> list[Query]:
    """Return queries with the people whom "This is about Maria Lopez." names."""
    parts = cover(mark_names(plain(who), names))
    people = [part.it for part in parts if isinstance(part.it, People)]
    if len(people) != 1:
        raise NotUnderstoodError(f"who is {who!r}?")
    return [replace(query, people=people[0]) for query in queries]


def _remember(context: Context, queries: Sequence[Query]) -> None:
    for query in queries:
        remember(context, query)


def _read_sentence(sentence: str, names: Sequence[Sequence[str]], context: Context) -> list[Query]:
    text, is_follow_up = strip_courtesies(sentence)
    given, text, is_each = take_condition(text)
    if given:
        context = replace(context)
        _take_people(given, names, context, is_each=is_each)
    if limits := _TWO_LIMITS.match(text):
        one, other = (f"{limits['start']} {limits[it]}" for it in ("one", "other"))
        first_of = _read_sentence(one, names, context)
        return [
            *first_of,
            *(replace(it, joint="or") for it in _read_sentence(other, names, context)),
        ]
    first: NotUnderstoodError | None = None
    for way in ways_to_say(text):
        words = mark_names(re.findall(r"[^\s,]+|,", way), names)
        if words[:2] == ["who", "is"] and len(words) == 3 and words[2].startswith(MEMBER):
            words = ["how", "is", words[2], "related", "to", "you"]
        for clauses in ways_to_part(words) if words else ():
            try:
                return _read_clauses(clauses, context, is_follow_up=is_follow_up)
            except AmbiguousError:
                raise
            except NotUnderstoodError as error:
                first = first or error
    raise first or NotUnderstoodError("no question")


def _read_clauses(
    clauses: Sequence[list[str]], context: Context, *, is_follow_up: bool
) -> list[Query]:
    context = replace(context)
    queries: list[Query] = []
    for clause in clauses:
        found = read_clause(clause, context, is_follow_up=is_follow_up, before=queries)
        _remember(context, found)
        queries += found
    return queries


def _take_people(
    given: str, names: Sequence[Sequence[str]], context: Context, *, is_each: bool
) -> None:
    """Remember whom a condition names: "if you have a spouse, what is their income?".

    "For each child, which grade?" is asked of each.
    """
    try:
        parts = cover(mark_names(given.split(), names))
    except NotUnderstoodError:
        return
    for part in parts:
        if isinstance(part.it, People) and part.it.kind not in ("you", "household"):
            people = replace(part.it, quantifier="the")
            context.people = context.plural = people
            if is_each:
                context.subject = replace(people, quantifier="each")
