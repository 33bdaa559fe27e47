"""A clause read into queries: its parts put together into whom, what and how."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.clause_parts import Clause, take_apart
from benyfits_data.understanding.parser.clause_query import query_for
from benyfits_data.understanding.parser.compared_people import read_comparison
from benyfits_data.understanding.parser.cover import (
    AmbiguousError,
    ClausePart,
    NotUnderstoodError,
    by_money,
    cover,
)
from benyfits_data.understanding.parser.how_asked import COUNTED
from benyfits_data.understanding.parser.joined_conditions import of_both, of_either
from benyfits_data.understanding.parser.limits import (
    at_work,
    counts_people,
    topic_of_unit,
)
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.people_asked import (
    of_any_parents,
    of_those_found,
    without_topic,
)
from benyfits_data.understanding.parser.phrases import ADDRESSED, Found
from benyfits_data.understanding.parser.query import How, Query
from benyfits_data.understanding.parser.question_text import VERBS, WORDING
from benyfits_data.understanding.parser.refusals import (
    refuse_bare_nouns,
    refuse_exceptions,
    refuse_facts,
    refuse_other_age,
    refuse_relative,
    refuse_two_parties,
    refuse_two_people,
    refuse_unclear_owner,
    refuse_unclear_people,
    refuse_unread,
)
from benyfits_data.understanding.parser.topics import Meaning, topics
from benyfits_data.understanding.parser.topics_named import meanings_of
from benyfits_data.understanding.parser.whom import (
    EVERYBODY,
    YOU,
    Context,
    subject_before,
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
    among = clause.context.among
    if among is not None and clause.how == "count" and not (clause.people or clause.topic_parts):
        clause.people = [replace(among, is_counted=True)]  # "of the adults, how many are there?"
    refuse_unclear_people(clause)
    refuse_relative(clause)
    refuse_other_age(clause)
    refuse_two_parties(clause)
    if (told := _of_people(clause)) is not None:
        return told
    meanings = at_work(clause, _meanings(clause, has_number=has_number))
    _count_everybody(clause, meanings)
    queries = [
        query_for(clause, meaning, len(meanings), is_told_each=is_told_each) for meaning in meanings
    ]
    queries = [_of_others_than_asked(_asked_alike(it, clause), clause) for it in queries]
    queries = _of_whom_both(_with_joint(queries, clause.words), clause)
    refuse_two_people(queries, clause.context.household)
    return queries


def _of_others_than_asked(query: Query, clause: Clause) -> Query:
    """Return "who else works?" after "does Ben work?" as asked of all but him."""
    last = clause.last_query
    if last is None or last.topic != query.topic or clause.before:
        return query
    return replace(query, people=clause.context.others(query.people))


_MOST_WORDS_ALIKE = 4


def _asked_alike(query: Query, clause: Clause) -> Query:
    """Return "and SSI?" after "who gets Medicaid?" as asking who gets that."""
    last, words = clause.last_query, clause.words
    is_short = clause.is_follow_up and len(words) <= _MOST_WORDS_ALIKE and not clause.ops
    if not is_short or clause.before or last is None or last.how not in ("who", "count"):
        return query
    is_named = "people" in clause.kinds or clause.comparison is not None or words[0] in VERBS
    if is_named or query.how != "is" or last.extreme or last.than or not last.topic:
        return query
    kinds = {FEATURES[it].topic if it in FEATURES else it for it in (last.topic, query.topic)}
    if len(kinds) > 1:
        raise NotUnderstoodError("of whom?")  # "who has a disability?", "and a job?"
    return replace(query, how=last.how, people=last.people)


def _of_whom_both(queries: list[Query], clause: Clause) -> list[Query]:
    """Return "who has a job and a disability?" as asked of those of whom both are so."""
    home = clause.context.household
    if home is None or len(queries) < 2 or clause.is_claim:
        return queries
    is_neither = all(it.is_negated for it in queries)  # "who has no job or disability?"
    if queries[-1].joint == "or" and {it.how for it in queries} == {"count"} and not is_neither:
        either = of_either(queries, home)
        return [either] if either else queries
    if len(queries) != 2 or (queries[1].joint != "and" and not is_neither):
        return queries
    first, second = queries
    is_of_some = first.how == second.how and first.how in ("who", "count")
    is_open = any(
        topics()[it.topic or "name"].kind != "flag" and not (it.value or it.comparison)
        for it in queries
    )  # "those with a disability, and their age"
    is_open = is_open or not {"and", "or"} & set(clause.words)
    if is_open or not is_of_some or first.people != second.people or "each" in clause.words:
        return queries
    both = of_both(queries, home)
    return [both] if both else queries


def _people_carried_over(clause: Clause) -> list[People]:
    """Return whom a clause is about: where it names nobody, those of whom was spoken before."""
    if clause.is_claim or clause.people:
        return clause.people
    if not clause.topic_parts and not (clause.comparison and clause.before):
        return clause.people
    context, last = clause.context, clause.last_query
    if clause.is_follow_up and context.is_lost:
        raise NotUnderstoodError("of whom?")
    if clause.before:
        return subject_before(clause.before[-1], clause.words)
    is_short = len(clause.words) <= 4 or clause.is_follow_up or not ADDRESSED & set(clause.words)
    if last is None or last.people.kind in ("you", "household") or not is_short:
        return []
    is_several = last.people.is_plural and not last.people.pick
    meant = context.plural if is_several else context.people
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
    if is_bare and clause.context.is_lost and len(clause.words) <= 2:
        raise NotUnderstoodError("of whom?")
    if is_bare and not clause.comparison:
        refuse_facts(clause.parts)
        is_short = all(part.kind == "people" or part.it in VERBS for part in clause.parts)
        told = without_topic(
            clause.words,
            clause.parts,
            clause.said_ops,
            [clause.context.others(it) if is_short else it for it in clause.people],
            clause.how,
            last,
            clause.is_follow_up,
            clause.is_negated,
            clause.context.said,
        )
        told = [of_those_found(it, last, clause.context) for it in told]
        if not _NAMING & set(clause.words[:3]):
            return told
        return [of_any_parents(it, clause.context.household) for it in told]
    if counts_people(clause.parts, clause.comparison, clause.people):
        group = next(it for it in clause.people if it.kind == "members")
        counted = replace(group, quantifier="the", is_counted=True)
        return [Query("count", counted, comparison=clause.comparison)]
    return None


_NAMING = frozenset(("is", "are", "list", "which", "many"))
"""With one of these parents are asked for themselves, not who lives with one."""


def _meanings(clause: Clause, *, has_number: bool) -> list[Meaning]:
    """Return what a clause is about; a limit alone may tell: "20 hours"."""
    if clause.comparison is not None and not clause.topic_parts:
        if not clause.people and clause.last and clause.last[-1].people.has_ages:
            raise NotUnderstoodError("who of that age?")  # "any kids under 5?", "and under 13?"
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
    is_called = re.search(r"\bnames?\b(?! (?:is|are)\b)", " ".join(clause.words)) is not None
    if "name" in named - {it.topic for it in meanings} and clause.how in (None, "is") and is_called:
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
    if (
        sizes
        and "total" in clause.ops
        and any(topics()[it.topic].unit == "hour" for it in meanings)
    ):
        clause.people = [replace(EVERYBODY, quantifier="all")]  # "hours do the people ... work"
        return
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
    if any(isinstance(part.it, People) and _is_member(part.it) for part in rest):
        return []
    people = [it for it in people if _is_member(it)]
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


def _is_member(people: People) -> bool:
    """Whether people are named that are not only whose home it is: "in your home"."""
    return people.kind not in ("you", "household")


def _found(part: ClausePart) -> Sequence[Meaning]:
    return part.it.meanings if isinstance(part.it, Found) else ()


def _is_size(part: ClausePart) -> bool:
    return isinstance(part.it, Found) and any(
        it.topic == "household_size" for it in part.it.meanings
    )


def _with_joint(queries: Sequence[Query], words: Sequence[str]) -> list[Query]:
    joint: Literal["and", "or"] = "or" if "or" in words else "and"
    return [*queries[:1], *(replace(query, joint=joint) for query in queries[1:])]
