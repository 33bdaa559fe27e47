"""A clause read into queries: its parts put together into whom, what and how."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.clause_parts import Clause, take_apart
from benyfits_data.understanding.compared_people import extreme, read_comparison
from benyfits_data.understanding.cover import (
    AmbiguousError,
    ClausePart,
    NotUnderstoodError,
    by_money,
    cover,
)
from benyfits_data.understanding.how_asked import COUNTED, how_of
from benyfits_data.understanding.limits import (
    counts_people,
    fit_unit,
    of_unit,
    topic_of_unit,
)
from benyfits_data.understanding.money_words import is_from_work
from benyfits_data.understanding.people import People
from benyfits_data.understanding.people_asked import without_topic
from benyfits_data.understanding.phrases import Found
from benyfits_data.understanding.query import How, Query, evaluate
from benyfits_data.understanding.question_text import PERSON_NOUNS, VERBS, WORDING
from benyfits_data.understanding.refusals import (
    refuse_bare_nouns,
    refuse_exceptions,
    refuse_facts,
    refuse_it,
    refuse_misfits,
    refuse_open_owner,
    refuse_relative,
    refuse_times,
    refuse_two_parties,
    refuse_two_people,
    refuse_two_sums,
    refuse_unclear_owner,
    refuse_unclear_people,
    refuse_unread,
)
from benyfits_data.understanding.topics import Meaning, Topic, related, topics
from benyfits_data.understanding.topics_named import meanings_of
from benyfits_data.understanding.whom import (
    EVERYBODY,
    YOU,
    Context,
    each_asked,
    for_household,
    subject_before,
    whose,
)


def read_clause(
    words: list[str],
    context: Context,
    *,
    is_follow_up: bool = False,
    before: Sequence[Query] = (),
    is_claim: bool = False,
    has_number: bool = False,
) -> list[Query]:
    """Return the queries of one clause; see `read_question`.

    Args:
        words: The clause.
        context: What earlier questions left behind.
        is_follow_up: Whether it begins with "and" or "what about".
        before: The queries of earlier clauses of the sentence.
        is_claim: Whether it is a statement, read as the question whether it is so.
        has_number: Whether a number was said, which has been taken out of the words.

    Raises:
        NotUnderstoodError: A word has no place, or the parts make no query.
    """
    if is_told_each := words[0] == "whether" and len(words) > 1:
        words = words[1:]  # "their ages, and whether they work"
    if not is_claim and (told := read_comparison(words, context.household)):
        return [told]

    def read(parts: list[ClausePart]) -> list[Query]:
        clause = take_apart(
            words, parts, context, is_follow_up=is_follow_up, before=before, is_claim=is_claim
        )
        queries = _queries(clause, has_number=has_number, is_told_each=is_told_each)
        refuse_unread(clause, queries)
        return queries

    try:
        return read(cover(words, is_claim=is_claim))
    except AmbiguousError:
        raise
    except NotUnderstoodError:
        if is_claim or not (parts := by_money(words)):
            raise
        return read(parts)


def _queries(clause: Clause, *, has_number: bool, is_told_each: bool) -> list[Query]:
    refuse_exceptions(clause)
    if two := _either(clause.parts, clause.people, clause.how):
        return two
    clause.people = _people_carried_over(clause)
    refuse_unclear_people(clause)
    refuse_relative(clause)
    refuse_two_parties(clause)
    if (told := _of_people(clause)) is not None:
        return told
    meanings = _meanings(clause, has_number=has_number)
    _count_everybody(clause, meanings)
    queries = [
        _query(clause, meaning, len(meanings), is_told_each=is_told_each) for meaning in meanings
    ]
    queries = _with_joint(queries, clause.words)
    refuse_two_people(queries, clause.context.household)
    return queries


def _people_carried_over(clause: Clause) -> list[People]:
    """Return whom a clause is about: where it names nobody, those of whom was spoken before."""
    if clause.is_claim or not clause.topic_parts or clause.people:
        return clause.people
    context, last = clause.context, clause.last_query
    if clause.is_follow_up and context.is_lost:
        raise NotUnderstoodError("of whom?")
    if clause.before:
        return subject_before(clause.before[-1], clause.words)
    is_short = len(clause.words) <= 4 or clause.is_follow_up
    if last is None or last.people.kind in ("you", "household") or not is_short:
        return []
    meant = context.plural if last.people.is_plural else context.people
    if meant is None and clause.is_follow_up:
        raise NotUnderstoodError("of whom?")
    return [meant] if meant is not None else []


def _of_people(clause: Clause) -> list[Query] | None:
    """Return the queries of a clause that compares people, names no topic, or counts people."""
    kinds, last = clause.kinds, clause.last
    if "than" in kinds:
        raise NotUnderstoodError("what is held against what?")
    is_bare = not clause.topic_parts
    is_time = "period" in kinds and is_bare and not clause.people
    if is_time and last and topics()[last[-1].topic or "name"].period:
        return [replace(last[-1], period=clause.period)]
    if kinds == {"with you"} and last and last[-1].how in ("value", "count"):
        return [last[-1]]
    if is_bare and not clause.comparison:
        refuse_facts(clause.parts)
        return without_topic(
            clause.words,
            clause.parts,
            clause.said_ops,
            clause.people,
            clause.how,
            last,
            clause.is_follow_up,
            clause.is_negated,
        )
    if counts_people(clause.parts, clause.comparison, clause.people):
        group = next(it for it in clause.people if it.kind == "members")
        counted = replace(group, quantifier="the", is_counted=True)
        return [Query("count", counted, comparison=clause.comparison)]
    return None


def _meanings(clause: Clause, *, has_number: bool) -> list[Meaning]:
    """Return what a clause is about; a limit alone may tell: "20 hours"."""
    if clause.comparison is not None and not clause.topic_parts:
        meanings = [Meaning(topic_of_unit(clause.comparison, clause.last, clause.people))]
    else:
        is_amount = clause.how is None and bool(clause.period)  # "rent per year?"
        meanings = meanings_of(
            clause.topic_parts,
            clause.how,
            clause.words,
            has_limit=clause.comparison is not None or has_number or is_amount,
            is_claim=clause.is_claim,
        )
    named = {it.topic for part in clause.topic_parts for it in _found(part)}
    if "name" in named - {it.topic for it in meanings} and clause.how in (None, "is"):
        clause.how = "list"  # "names of everybody on Medicaid"
    is_bare = clause.words[0] not in VERBS and clause.how in (None, "is") and not clause.is_claim
    if is_bare and _are_values_of_one(meanings):
        clause.how = None
        meanings = [Meaning(meanings[0].topic)]  # "Joseph: male, female?"
    refuse_bare_nouns(clause.parts, meanings)
    refuse_unclear_owner(clause, meanings)
    return meanings


def _are_values_of_one(meanings: Sequence[Meaning]) -> bool:
    """Whether several values of one choice are named."""
    return (
        len(meanings) > 1
        and len({it.topic for it in meanings}) == 1
        and all(it.value is not None for it in meanings)
    )


def _count_everybody(clause: Clause, meanings: Sequence[Meaning]) -> None:
    """Let "how many dependents do you claim" and "how many disabled people" count members."""
    if clause.how != "count":
        return
    if clause.context.among is not None and not clause.people:
        clause.people = [replace(clause.context.among, is_counted=True)]
        return
    if clause.comparison and clause.comparison.is_of_age and meanings == [Meaning("age")]:
        if all(it.kind in ("you", "household") for it in clause.people):
            clause.people = [replace(EVERYBODY, is_counted=True)]
        return
    sizes = [it for it in clause.topic_parts if _is_size(it)]
    is_of_you = "but you" not in clause.kinds and all(it == YOU for it in clause.people)
    are_members = all(it.topic in COUNTED for it in meanings)
    if is_of_you and (are_members or " of you " in f" {' '.join(clause.words)} ") and not sizes:
        clause.people = [replace(EVERYBODY, is_counted=True)]
    if not clause.people and _does_follow(clause.words):
        clause.people = [replace(EVERYBODY, is_counted=True)]
    if sizes and not clause.people and len(sizes) < len(clause.topic_parts):
        clause.people = [replace(EVERYBODY, is_counted=True)]


def _does_follow(words: Sequence[str]) -> bool:
    """Whether people are counted whom a verb follows: "how many work?", "how many are on SNAP?"."""
    at = next((it + 2 for it in range(len(words) - 2) if words[it : it + 2] == ["how", "many"]), 0)
    return at > 0 and words[at] in _COUNTED_DO


_COUNTED_DO = frozenset(WORDING["counted_do"].split())


def _query(clause: Clause, meaning: Meaning, n_meanings: int, *, is_told_each: bool) -> Query:
    """Return the query for one of the things that a clause is about."""
    words, context, home = clause.words, clause.context, clause.context.household
    topic = topics()[meaning.topic]
    if topic.name == "annual_work_income" and "all sources" in clause.kinds:
        topic = topics()["income"]
    subject = _subject(clause, topic)
    is_of_group = subject.kind == "group" and bool(subject.of)
    is_of_all = bool({"household", "family"} & set(words))
    if topic.name == "income" and is_of_all and not clause.people and not clause.is_claim:
        topic, meaning = topics()["household_income"], Meaning("household_income")
    if topic.name == "household_income" and is_of_group and not is_of_all:
        topic, meaning = topics()["income"], Meaning("income")
        clause.how = "sum" if clause.how in (None, "value") else clause.how
    if each := each_asked(context, words, clause.ops, clause.people, topic, clause.before):
        subject = each
        if topic.name == "household_income":
            topic, meaning = topics()["income"], Meaning("income")
    if topic.name in ("income", "household_income") and n_meanings == 1 and is_from_work(words):
        if topic.name == "household_income" and subject.kind == "you":
            subject = replace(EVERYBODY, quantifier="all")
        topic, meaning = topics()["annual_work_income"], Meaning("annual_work_income")
        if subject.is_plural and clause.how in (None, "value"):
            clause.how = "sum"
    topic, meaning = _with_limit(clause, topic, meaning)
    _refuse_open_choice(clause, topic, meaning)
    subject, is_owner_open = _others_meant(clause, topic, subject)
    if "extreme" in clause.kinds:
        return extreme(clause.parts, clause.how, subject, topic, words)
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
    refuse_times(clause.parts, words, topic)
    refuse_misfits(
        query, topic, n_meanings, words, has_op=bool(clause.said_ops), is_claim=clause.is_claim
    )
    if "place" in clause.kinds and topic.name in related("employed"):
        raise NotUnderstoodError("where work is done")
    if query.how == "is" and (is_told_each or (each and each == context.subject)):
        query = replace(query, how="value", is_negated=False)
    return for_household(_of_those_not(query, clause.parts), words)


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
    if query.topic != "age" or "it" not in clause.words:
        return query
    last = clause.before[-1] if clause.before else clause.last_query
    if last is not None and last.topic == "ac":
        return replace(query, topic="ac_age_years")
    if not clause.people:
        raise NotUnderstoodError("how old is what?")
    return query


def _either(parts: Sequence[ClausePart], people: Sequence[People], how: How | None) -> list[Query]:
    """Return the two queries of "is anyone 65 or older, or disabled?", nothing where it is one.

    Raises:
        NotUnderstoodError: An age is one of two ways to be meant, and the other is not plain.
    """
    aged = [
        place
        for place, (before, after) in enumerate(pairwise(parts))
        if after.kind == "join" and isinstance(before.it, People) and before.it.has_ages
    ]
    rest = parts[aged[0] + 1 :] if aged else []
    if not any(part.kind in ("topic", "comparison") for part in rest):
        return []
    if any(part.kind == "people" for part in rest):
        return []
    found = [part.it for part in rest if isinstance(part.it, Found)]
    meanings = [it for each in found for it in each.meanings]
    is_plain = how in (None, "is") and len(meanings) == 1 and topics()[meanings[0].topic].of_member
    is_or = any(part.kind == "join" and part.it == "or" for part in rest)
    if not is_plain or not is_or or people[0].quantifier != "any" or len(people) > 2:
        raise AmbiguousError("two ways to be meant")
    first = Query("exists", people[0])
    if len(people) == 2:
        first = Query("is", people[0], among=people[1])
    anybody = replace(people[0], at_least=0, below=None)
    (meaning,) = meanings
    other = Query("is", anybody, meaning.topic, meaning.value, joint="or")
    return [first, replace(other, is_opposite=meaning.is_opposite)]


def _is_without(people: People, topic: Topic, meaning: Meaning, household: Household) -> bool:
    """Whether what a question takes for granted is not so of those it is about."""
    asked = Query("is", people, topic.name, meaning.value, is_opposite=meaning.is_opposite)
    found = evaluate(asked, household)
    return not found.people or (found.is_known and not any(it.holds for it in found.findings))


def _found(part: ClausePart) -> Sequence[Meaning]:
    return part.it.meanings if isinstance(part.it, Found) else ()


def _is_size(part: ClausePart) -> bool:
    return isinstance(part.it, Found) and any(
        it.topic == "household_size" for it in part.it.meanings
    )


def _of_those_not(query: Query, parts: Sequence[ClausePart]) -> Query:
    """Return "is anyone not a citizen?" as the question whether anyone is the opposite."""
    kinds = [
        part.kind
        for part in parts
        if part.kind == "not" or (isinstance(part.it, People) and part.it.said != "who")
    ]
    if query.how == "is" and query.people.quantifier == "any" and kinds == ["people", "not"]:
        return replace(query, is_negated=False, is_opposite=not query.is_opposite)
    return query


def _with_joint(queries: Sequence[Query], words: Sequence[str]) -> list[Query]:
    joint: Literal["and", "or"] = "or" if "or" in words else "and"
    return [*queries[:1], *(replace(query, joint=joint) for query in queries[1:])]
