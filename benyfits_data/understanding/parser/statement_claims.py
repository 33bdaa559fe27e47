"""Claims with a topic of their own: "my spouse has a disability"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.understanding.parser.claim_notes import ClaimNotes, is_any
from benyfits_data.understanding.parser.clauses import read_clause
from benyfits_data.understanding.parser.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.limits import fit_unit
from benyfits_data.understanding.parser.number_claims import fits, may_be, take_number
from benyfits_data.understanding.parser.numbers import Comparison
from benyfits_data.understanding.parser.query import Query, evaluate
from benyfits_data.understanding.parser.topics import Meaning, topics
from benyfits_data.understanding.parser.whom import UNKNOWN, Context

_EARNED = ("annual_work_income", "income")
_PAYS = re.compile(r"\b(?:i|we|you|they|he|she) pays?\b")
"""Whoever pays tells nothing of what is earned."""


def take_statement(
    notes: ClaimNotes,
    parts: Sequence[ClausePart],
    words: list[str],
    text: str,
    *,
    is_about: bool,
    is_only: bool = False,
) -> bool:
    """Take in a sentence with a topic of its own: "my spouse has a disability".

    With `is_only` it says so of nobody else.
    """
    of_number = [part for part in parts if part.kind == "number"]
    number = next((it.it for it in of_number if isinstance(it.it, Comparison)), None)
    bare = [
        word
        for place, word in enumerate(words)
        if not any(part.start <= place < part.end for part in of_number)
    ]
    context = Context(people=notes.people, plural=notes.people, household=notes.household)
    has_people = any(part.kind == "people" for part in parts)
    try:
        queries = read_clause(["is", *bare], context, is_claim=True, has_number=number is not None)
        claims = [
            _claim(
                notes,
                asked,
                number,
                has_people=has_people,
                is_about=is_about,
                is_not_all="not" in words[:1],
            )
            for asked in queries
        ]
    except NotUnderstoodError:
        if number is not None and len(notes.found) == 1 and notes.found[0].query.how == "count":
            return take_number(notes, number, [], text, is_about)  # "three dependents"
        return False
    told = [topics()[it.topic] for it, _, _ in claims if it.topic]
    if any(it.name == UNKNOWN.topic for it in told):
        notes.invented.append(text)  # "it's a boy": no fact bears it out, and none is against it
        return True
    is_paying = any(it.name in _EARNED for it in told) and _PAYS.search(text) is not None
    is_other = number is not None and any(it.kind == "money" for it in told)
    if is_paying or (is_other and number and not any(may_be(number, it) for it in told)):
        return number is not None and take_number(notes, number, [], text, is_about)
    for query, is_true, truth in claims:
        is_so = is_true and not (is_only and has_people and not _is_only_of(notes, query))
        answers = notes.is_related(query) and not (has_people and notes.is_of_others(query))
        answers = answers and not notes.asks_other_number(query, has_number=number is not None)
        notes.add(text, query.topic, is_so, truth, answers=answers)
        if has_people:
            notes.spoken_of |= set(query.people.members(notes.household))
        if has_people and not query.is_negated:
            notes.named |= set(query.people.members(notes.household))
        if has_people and query.people.kind != "you":
            notes.people = query.people
    return True


def _is_only_of(notes: ClaimNotes, query: Query) -> bool:
    """Return whether what is said of some is so of nobody else that was asked about."""
    if query.topic is None or not topics()[query.topic].of_member or query.people.has_ages:
        return True
    everybody = set(range(len(notes.names)))
    asked = notes.queries[0].people if notes.queries else query.people
    if asked.quantifier != "the" and asked.kind in ("members", "group"):
        everybody = set(asked.members(notes.household)) | {0}
    said = set(query.people.members(notes.household))
    holders = notes.who(replace(query, how="is", is_negated=False))
    return (everybody - holders if query.is_negated else holders & everybody) <= said


def _claim(
    notes: ClaimNotes,
    asked: Query,
    number: Comparison | None,
    *,
    has_people: bool,
    is_about: bool,
    is_not_all: bool,
) -> tuple[Query, bool, Any]:
    """Return a query that something was said of, whether it is so, and what is so."""
    query = _of_those_meant(notes, asked, is_not_all=is_not_all)
    if query.topic is None:
        people = list(evaluate(query, notes.household).people)
        limit = query.comparison
        is_so = limit.holds(len(people)) if limit is not None else bool(people)
        return query, is_so != query.is_negated, people
    query = replace(query, how="is")
    if query.topic == "insured" and any(it.topic == "health_insurance" for it in notes.queries):
        query = replace(query, topic="health_insurance")  # as it was asked
    topic = topics()[query.topic or ""]
    if not has_people and notes.queries and notes.people is not None:
        query = replace(query, people=notes.people)
    if topic.kind == "choice" and query.value is None and number is None:
        raise NotUnderstoodError("no value was said")
    found = evaluate(query, notes.household)
    if not found.is_known:
        raise NotUnderstoodError("nothing is known of it")
    if topic.of_member and not found.people:
        return query, query.is_negated and not _is_presumed(notes, query), None
    if number is None:
        truth = [it.value for it in found.findings]
        return query, bool(found.answer) != query.is_negated, truth
    return _claim_of_number(notes, query, number, is_about=is_about)


def _is_presumed(notes: ClaimNotes, query: Query) -> bool:
    """Whether a denial takes somebody for granted who is not there: "my roommate is no relation".

    Of those whom the question names it only says that there is nothing to tell.
    """
    people = query.people
    asked = {it for each in notes.queries for it in each.people.relations}
    is_one = people.kind == "members" and people.quantifier == "the" and bool(people.relations)
    return is_one and not set(people.relations) & asked


def _of_those_meant(notes: ClaimNotes, query: Query, *, is_not_all: bool) -> Query:
    """Return what is said as said of anybody where "none", "one of" or "all ... not" say so."""
    anybody = replace(query.people, quantifier="any")
    if query.people.quantifier == "none":
        return replace(query, people=anybody, is_negated=not query.is_negated)
    if is_any(query.people) and query.people.quantifier == "the":
        is_several = len(query.people.members(notes.household)) > 1
        is_one = is_several and not query.is_negated  # one of my daughters
        return replace(query, people=anybody) if is_one else query
    if query.people.quantifier == "all" and query.is_negated and not is_not_all:
        return replace(query, people=anybody)  # "everyone is without a disability"
    return query


def _claim_of_number(
    notes: ClaimNotes, query: Query, number: Comparison, *, is_about: bool
) -> tuple[Query, bool, Any]:
    topic = topics()[query.topic or ""]
    topic, _ = fit_unit(topic, Meaning(topic.name), number)
    if topic.name == "months_since_worked" != query.topic:
        if query.is_negated == query.is_opposite:
            raise NotUnderstoodError("how long work is done")
        query = replace(query, is_negated=False, is_opposite=False)
    if topic.kind not in ("number", "money"):
        raise NotUnderstoodError(f"a number of {topic.name}?")
    query = replace(query, topic=topic.name)
    truth = [it.value for it in evaluate(query, notes.household).findings]
    is_sum = {it.how for it in notes.queries} == {"sum"} or (
        topic.kind == "money" and query.people.kind == "group" and query.people.quantifier == "all"
    )
    if len(truth) > 1 and is_sum and not all(fits(it, number, query, is_about) for it in truth):
        truth = [sum(it or 0 for it in truth)]
    is_so = any(fits(value, number, query, is_about) for value in truth)
    return query, is_so != query.is_negated, truth
