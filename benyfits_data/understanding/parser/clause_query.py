"""The query for one of the things that a clause is about."""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.clause_parts import Clause
from benyfits_data.understanding.parser.compared_people import extreme
from benyfits_data.understanding.parser.cover import (
    AmbiguousError,
    ClausePart,
    NotUnderstoodError,
    UnknownTimeError,
)
from benyfits_data.understanding.parser.how_asked import how_of
from benyfits_data.understanding.parser.limits import (
    fit_unit,
    of_unit,
)
from benyfits_data.understanding.parser.money_words import is_from_work
from benyfits_data.understanding.parser.people import People, Quantifier
from benyfits_data.understanding.parser.phrases import Found
from benyfits_data.understanding.parser.query import How, Query, evaluate
from benyfits_data.understanding.parser.question_text import PERSON_NOUNS
from benyfits_data.understanding.parser.refusals import (
    is_of_unknown_time,
    refuse_it,
    refuse_misfits,
    refuse_open_owner,
    refuse_two_sums,
)
from benyfits_data.understanding.parser.topics import Meaning, Topic, related, topics
from benyfits_data.understanding.parser.whom import (
    EVERYBODY,
    YOU,
    each_asked,
    for_household,
    whose,
)

_EARNED = ("annual_work_income", "annual_investment_income")
"""Of each member: asked of the household, they are added up."""


_EARNING = frozenset(("earn", "earns", "earning", "earned", "make", "makes", "wages", "salary"))
_OF_OTHERS = re.compile(r"\b(?:everyone|everybody|all the people|all members) else\b")


def query_for(clause: Clause, meaning: Meaning, n_meanings: int, *, is_told_each: bool) -> Query:
    """Return the query for one of the things that a clause is about."""
    words, context, home = clause.words, clause.context, clause.context.household
    topic = topics()[meaning.topic]
    if topic.name == "annual_work_income" and "all sources" in clause.kinds:
        topic = topics()["income"]
    subject = _subject(clause, topic)
    is_of_group = (subject.kind == "group" and bool(subject.of)) or subject.only is not None
    is_of_all = bool({"household", "family"} & set(words))
    if topic.name == "income" and is_of_all and not clause.people and not clause.is_claim:
        topic, meaning = topics()["household_income"], Meaning("household_income")
    if topic.name == "household_income" and is_of_group and not is_of_all:
        topic, meaning = topics()["income"], Meaning("income")
        clause.how = "sum" if clause.how in (None, "value") else clause.how
    is_of_some = subject.kind == "members" and (subject.leaves_out or subject.has_ages)
    if topic.name == "household_income" and is_of_some and not is_of_all:
        is_earned = bool(_EARNING & set(words))
        topic = topics()["annual_work_income" if is_earned else "income"]
        meaning = Meaning(topic.name)
    if topic.name == "household_income" and _OF_OTHERS.search(" ".join(words)):
        topic, meaning, clause.how = topics()["income"], Meaning("income"), "sum"
        subject = replace(EVERYBODY, quantifier="all", is_other=True)
        clause.people = [subject]
    if each := each_asked(context, words, clause.ops, clause.people, topic, clause.before):
        subject = each
        if topic.name == "household_income":
            topic, meaning = topics()["income"], Meaning("income")
    elif context.among is not None and words[1:2] in (["all"], ["any"]) and not clause.people:
        quantifier: Quantifier = "all" if words[1] == "all" else "any"
        subject = replace(context.among, quantifier=quantifier)  # "of those who work, are all ..."
    elif context.among is not None and subject.kind == "you" and not clause.people:
        raise NotUnderstoodError("which of them?")  # "of your children, what is the age?"
    if topic.name in ("income", "household_income") and n_meanings == 1 and is_from_work(words):
        if topic.name == "household_income" and subject.kind == "you":
            subject = replace(EVERYBODY, quantifier="all")
        topic, meaning = topics()["annual_work_income"], Meaning("annual_work_income")
        if subject.is_plural and clause.how in (None, "value"):
            clause.how = "sum"
    if topic.name == "employed" and "how much" in clause.ops:
        topic, meaning = topics()["annual_work_income"], Meaning("annual_work_income")
    if topic.name in _EARNED and is_of_all and not (clause.people or clause.is_claim or each):
        if clause.how in (None, "value"):
            subject, clause.how = replace(EVERYBODY, quantifier="all"), "sum"
        else:
            subject = replace(EVERYBODY, quantifier="any")
    topic, meaning = _with_limit(clause, topic, meaning)
    _refuse_open_choice(clause, topic, meaning)
    subject, is_owner_open = _others_meant(clause, topic, subject)
    if "extreme" in clause.kinds:
        is_lacked = meaning.is_opposite != (clause.is_negated or clause.is_lacking)
        return extreme(clause.parts, clause.how, subject, topic, words, is_lacked=is_lacked)
    refuse_it(clause, topic)
    if "when" in clause.ops and topic.kind == "money":
        raise NotUnderstoodError(f"when is {topic.name}?")
    if clause.unit and (topic.kind == "flag" or meaning.value):
        topic, meaning = of_unit(topic, clause.unit)
    query = Query(
        _way(clause, topic, subject, meaning),
        subject,
        topic.name,
        meaning.value,
        clause.comparison,
        clause.is_negated,
        meaning.is_opposite != clause.is_lacking,
        clause.period,
        bool(topic.parts) and bool({"what", "which", "list"} & set(clause.ops)),
    )
    query = _of_the_ac(clause, query)
    refuse_two_sums(query, words, home)
    if clause.is_lacking and topic.kind != "flag":
        raise NotUnderstoodError(f"no {topic.name}?")
    if is_owner_open:
        refuse_open_owner(query, home)
    refuse_misfits(
        query, topic, n_meanings, words, has_op=bool(clause.said_ops), is_claim=clause.is_claim
    )
    if is_of_unknown_time(clause.parts, words, topic) and not _is_so_now(query, topic, clause):
        why = f"the past or future of {topic.name} is not known"
        # Whoever asks "did you ..." often asks what is so now.
        raise NotUnderstoodError(why) if "did" in words[:3] else UnknownTimeError(why)
    if "place" in clause.kinds and topic.name in related("employed"):
        raise NotUnderstoodError("where work is done")
    if query.how == "is" and (is_told_each or (each and each == context.subject)):
        query = replace(query, how="value", is_negated=False)
    query = _with_parts_left_out(query, clause)
    query = _of_those_not(query, clause.parts)
    return for_household(_turned_round(query, topic, words, is_claim=clause.is_claim), words)


def _is_so_now(query: Query, topic: Topic, clause: Clause) -> bool:
    """Whether it is asked if something ever was so, and it is so now: "ever in foster care?"."""
    home = clause.context.household
    if topic.kind != "flag" or clause.is_claim or home is None or "ever" not in clause.kinds:
        return False
    return evaluate(query, home).answer is True


def _turned_round(query: Query, topic: Topic, words: Sequence[str], *, is_claim: bool) -> Query:
    """Return "are you without a disability?" as the question whether the opposite is so.

    So are "do you have no permanent home?" and "do you have no income?", while "don't you have
    one?" asks whether it is so.
    """
    is_free = query.how == "is" and query.is_negated and not is_claim and "not" not in words
    is_none = "without" in words or (topic.kind in ("number", "money") and "no" in words)
    if is_free and (query.is_opposite or is_none) and query.comparison is None:
        return replace(query, is_negated=False, is_opposite=not query.is_opposite)
    return query


def _with_parts_left_out(query: Query, clause: Clause) -> Query:
    """Return a query of a group without what the clause leaves out: "benefits besides SNAP".

    Raises:
        AmbiguousError: What is left out is no part of what is asked.
    """
    named = dict.fromkeys(
        meaning.topic
        for part in clause.parts
        if part.kind == "but topic" and isinstance(part.it, Found)
        for meaning in part.it.meanings
    )
    left_out = tuple(it for it in named if it != "not_known")
    is_of_parts = query.topic == "insured" or topics()[query.topic or ""].parts
    if named and not left_out and is_of_parts:
        raise AmbiguousError("what is left out?")  # "insurance besides Medicare"
    if not set(left_out) & related(query.topic or ""):
        return query  # "apart from SNAP, does anyone get SSI?"
    if set(left_out) <= {"annual_work_income", "employed"} and query.topic in (
        "income",
        "annual_investment_income",
    ):
        return replace(query, topic="annual_investment_income")  # "income besides your wages"
    if query.topic in ("insured", "health_insurance") and left_out == ("receives_medicaid",):
        return replace(query, topic="health_insurance")  # it is insurance other than Medicaid
    if not set(left_out) < set(topics()[query.topic or ""].parts):
        raise AmbiguousError("what is left out?")
    return replace(query, without=left_out)


def _subject(clause: Clause, topic: Topic) -> People:
    """Return whom a clause asks about a topic."""
    people = clause.people
    subject = whose(people, topic, clause.words)
    is_told = len(people) > 1 and people[-1].said == "you" and subject.kind in ("name", "members")
    if is_told and not topic.of_member:
        raise AmbiguousError("what has the household to do with it?")
    return subject


def _with_limit(clause: Clause, topic: Topic, meaning: Meaning) -> tuple[Topic, Meaning]:
    """Return the topic that a clause's limit is one of, and put the limit in its unit."""
    if clause.comparison is None:
        return topic, meaning
    spoken, is_opposite = topic, meaning.is_opposite
    topic, meaning = fit_unit(topic, meaning, clause.comparison)
    clause.comparison = clause.comparison.in_unit(topic.unit)
    if topic.name == "months_since_worked" and spoken.name == "employed":
        if clause.is_negated == is_opposite:
            raise NotUnderstoodError("how long work is done")
        clause.is_negated = False
    return topic, meaning


def _refuse_open_choice(clause: Clause, topic: Topic, meaning: Meaning) -> None:
    """Refuse to be asked whether a choice is so that names no value of it."""
    is_open = topic.kind == "choice" and meaning.value is None and clause.comparison is None
    is_none = topic.name in ("current_school_level", "current_grade")
    is_whether = clause.how == "is" and "or" not in clause.words and not clause.is_claim
    if is_open and is_whether and not is_none:
        raise NotUnderstoodError(f"what of {topic.name}?")


def _others_meant(clause: Clause, topic: Topic, subject: People) -> tuple[People, bool]:
    """Return whom a topic is said of where that is not "you", and whether it might be.

    "Any veterans in the house?" asks of anybody, "who are your dependents?" of the others.
    """
    words = clause.words
    if topic.of_member and clause.how == "sum" and not clause.people and not clause.is_claim:
        return replace(EVERYBODY, quantifier="all"), False  # "all the wages put together"
    if topic.name in ("married", "single", "marital_status") and YOU in subject.of:
        return YOU, False  # "are the two of you married?"
    if topic.name == "is_relative" and subject.kind == "members":
        subject = replace(subject, is_other=True)
    if topic.name == "dependent" and subject == YOU and "dependents" in words:
        subject = replace(EVERYBODY, is_other=True)
    is_any = words[0] == "any"
    if topic.of_member and not clause.people and PERSON_NOUNS & set(words):
        return EVERYBODY, False
    if topic.of_member and not clause.people and (is_any or words[1:2] == ["there"]):
        return EVERYBODY, is_any and not clause.is_claim
    return subject, False


def _way(clause: Clause, topic: Topic, subject: People, meaning: Meaning) -> How:
    """Return how a clause asks for a topic.

    "Which branch did you serve in?" of somebody who never served asks whether they did.
    """
    try:
        way = how_of(clause.how, topic, subject, meaning, clause.ops)
        is_bare = not {"status", "situation"} & set(clause.words)
        if way == "value" and topic.kind == "flag" and not topic.parts and is_bare:
            raise NotUnderstoodError(f"which {topic.name}?")
    except NotUnderstoodError:
        home = clause.context.household
        is_loose = any(isinstance(it.it, Found) and it.it.is_loose for it in clause.topic_parts)
        is_free = (
            is_loose or topic.name == "pays_for_care" or clause.how != "value" or clause.is_claim
        )
        if home is None or is_free or not _is_without(subject, topic, meaning, home):
            raise
        clause.is_presupposed = True
        way = "is"
    return way


def _of_the_ac(clause: Clause, query: Query) -> Query:
    """Return "is it older than 5 years?" as asked of the air conditioner spoken of before."""
    last = clause.before[-1] if clause.before else clause.last_query
    is_bare = not clause.people and last is not None and last.topic == "ac"
    if query.topic != "age" or not (is_bare or "it" in clause.words):
        return query
    if last is not None and last.topic == "ac":
        return replace(query, topic="ac_age_years")
    if not clause.people:
        raise NotUnderstoodError("how old is what?")
    return query


def _is_without(people: People, topic: Topic, meaning: Meaning, household: Household) -> bool:
    """Whether what a question takes for granted is not so of those it is about."""
    asked = Query("is", people, topic.name, meaning.value, is_opposite=meaning.is_opposite)
    found = evaluate(asked, household)
    return not found.people or (found.is_known and not any(it.holds for it in found.findings))


def _of_those_not(query: Query, parts: Sequence[ClausePart]) -> Query:
    """Return "is anyone not a citizen?" as the question whether anyone is the opposite."""
    kinds = [
        part.kind
        for part in parts
        if part.kind == "not"
        or (
            isinstance(part.it, People)
            and part.it.said not in ("who", "your")
            and part.it.kind != "household"
        )
    ]
    if query.how == "is" and query.people.quantifier == "any" and kinds == ["not", "people", "not"]:
        return replace(query, is_negated=True, is_opposite=not query.is_opposite)
    if query.how == "is" and query.people.quantifier == "any" and kinds == ["people", "not"]:
        return replace(query, is_negated=False, is_opposite=not query.is_opposite)
    return query
