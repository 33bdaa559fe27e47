"""A clause read into queries: its parts put together into whom, what and how."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Literal

from benyfits_data.household.model import Household
from benyfits_data.understanding.cover import (
    AmbiguousError,
    ClausePart,
    NotUnderstoodError,
    cover,
    is_denied,
)
from benyfits_data.understanding.numbers import Comparison
from benyfits_data.understanding.people import OWN, People, Quantifier
from benyfits_data.understanding.phrases import PLAIN_VERBS, Found
from benyfits_data.understanding.query import How, Query, evaluate
from benyfits_data.understanding.question_text import FACT_WORDS, OPEN_NOUNS, WORDING
from benyfits_data.understanding.topics import Meaning, Topic, related, topics
from benyfits_data.understanding.whom import (
    EVERYBODY,
    YOU,
    Context,
    narrowed,
    people_of,
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
    parts = cover(words, is_claim=is_claim)
    topic_parts = [part for part in parts if part.kind == "topic"]
    said_ops = [str(part.it) for part in parts if part.kind == "op"]
    units = [it.removeprefix("how many ") for it in said_ops if it.startswith("how many ")]
    ops = ["how many" if it.startswith("how many") else it for it in said_ops]
    people = people_of(parts, words, context)
    kinds = {part.kind for part in parts}
    if {"all", "both", "each"} & {part.it for part in parts if part.kind == "plain"}:
        people = [
            replace(it, quantifier="all") if it.is_plural and it.quantifier == "the" else it
            for it in people
        ]  # "are the children all at school?"
    if re.search(
        r"with you\b|\bwith who\b|\bwith whom\b|\byou (?:\w+ )?live with", " ".join(words)
    ):
        people = [
            replace(it, is_other=True)
            if it.kind == "members" and not it.said.startswith("you or")
            else it
            for it in people
        ]
    if not {"have", "has"} & set(words):
        of_home = bool({"household", "home", "house"} & set(words))
        people = [_of_any_relation(it, of_home=of_home) for it in people]
    people = [_of_this_home(it, context.household) for it in people]
    if "but you" in kinds:
        people = [replace(it, is_other=True) if it.kind == "members" else it for it in people]
        if not any(it.is_other for it in people) and "how many" in ops:
            people = [replace(EVERYBODY, is_other=True, is_counted=True)]
        elif not any(it.is_other for it in people):
            raise NotUnderstoodError("who but you?")
    if any(
        one.kind == "not" and other.it in ("counting", "including")
        for one, other in pairwise(parts)
    ):
        raise AmbiguousError("who is left out?")  # "people, not counting the children"
    home = context.household
    if "place" in kinds and (home is None or home.place_of_residence != "New York City"):
        raise NotUnderstoodError("the place is not that of the household")
    limits = [part for part in parts if part.kind == "comparison"]
    comparisons = [part.it for part in limits if isinstance(part.it, Comparison)]
    comparison = comparisons[0] if comparisons else None
    if len(comparisons) > 1:
        raise NotUnderstoodError("two limits in one question")
    is_negated = is_denied(parts)
    is_lacking = any(part.kind == "lack" for part in parts)
    how = _how(words, ops, people, comparison)
    period = _period(words)
    last = (
        (before or list(context.queries))[-1:]
        if (is_follow_up or before or not topic_parts)
        else []
    )
    if comparison and comparison.is_of_age and len(people) == 1 and people[0].has_ages:
        if re.search(r"\d", people[0].said) or "have" not in words:
            raise NotUnderstoodError("two limits in one question")
        people, comparison = [people[0].of_ages(comparison)], None  # "boys do you have under 18"
    if comparison and comparison.is_of_age and any(it.has_ages for it in people):
        raise NotUnderstoodError("two limits in one question")
    at_topics = [
        place
        for place, part in enumerate(parts)
        if isinstance(part.it, Found) and {it.topic for it in part.it.meanings} != {"name"}
    ]
    if at_topics and any(part.kind == "not" for part in parts[at_topics[0] : at_topics[-1]]):
        raise NotUnderstoodError("what is left out?")  # "insurance, not counting Medicaid"
    after = parts[at_topics[-1] + 1 :] if at_topics and is_claim else []
    if any(
        before.kind == "not" and part.kind == "people" for before, part in combinations(after, 2)
    ):
        raise NotUnderstoodError("what is denied?")  # "I am single and live without a partner"
    if either := _either(parts, people, how):
        return either
    last_query = context.queries[-1] if context.queries else None
    if (
        not is_claim
        and not before
        and topic_parts
        and not people
        and last_query is not None
        and last_query.people.kind not in ("you", "household")
        and (len(words) <= 4 or is_follow_up)
    ):
        meant = context.plural if last_query.people.is_plural else context.people
        people = [meant] if meant is not None else []
    if not is_claim and before and topic_parts and not people:
        people = _subject_before(before[-1], words)
    if any(_is_of_two_kinds(it) for it in people):
        raise AmbiguousError("two ways to be meant")  # "seniors or people with a disability"
    if any(one.kind == "op" and other.kind == "join" for one, other in pairwise(parts)):
        raise NotUnderstoodError("asked of what?")  # "how many months ago, and are you ...?"
    first = next((part for part in parts if part.kind != "plain"), None)
    is_noun_first = first in topic_parts and words[0] in ("is", "are") and not is_claim
    if is_noun_first and any(it.has_ages or it.relations for it in people):
        raise NotUnderstoodError("who is who?")  # "are all of your dependents minors?"
    if "than" in kinds:
        return [_compared(parts, people)]
    if (
        "period" in kinds
        and not topic_parts
        and not people
        and last
        and topics()[last[-1].topic or "name"].period
    ):
        return [replace(last[-1], period=period)]
    if kinds == {"with you"} and last and last[-1].how in ("value", "count"):
        return [last[-1]]
    if not topic_parts and not comparison:
        _refuse_facts(parts)
        return _without_topic(words, parts, said_ops, people, how, last, is_follow_up, is_negated)
    if _counts_people(parts, comparison, people):
        group = next(it for it in people if it.kind == "members")
        counted = replace(group, quantifier="the", is_counted=True)
        return [Query("count", counted, comparison=comparison)]
    if comparison is not None and not topic_parts:
        meanings = [Meaning(_topic_of_unit(comparison, last, people))]
    else:
        meanings = _meanings(
            topic_parts,
            how,
            words,
            has_limit=comparison is not None or has_number,
            is_claim=is_claim,
        )
    _refuse_bare_nouns(parts, meanings)
    if any(it.topic == "household_income" for it in meanings) and any(
        it.quantifier == "each" or it.relations or it.kind == "name" for it in people
    ):
        raise NotUnderstoodError("whose income?")
    sizes = [it for it in topic_parts if _is_size(it)]
    is_loose = any(isinstance(it.it, Found) and it.it.is_loose for it in topic_parts)
    is_of_you = "but you" not in kinds and all(it == YOU for it in people)
    are_counted = _are_counted(meanings) or " of you " in f" {' '.join(words)} "
    is_owned = re.search(r"\byour? (?:own )?(?:name|age|income|job|home)\b", " ".join(words))
    if len(meanings) > 1 and is_owned and any(it.relations or it.kind == "name" for it in people):
        raise AmbiguousError("whose is what?")  # "your name, and the age of your spouse"
    if how == "count" and is_of_you and are_counted and not sizes:
        people = [replace(EVERYBODY, is_counted=True)]
    if how == "count" and sizes and not people and len(sizes) < len(topic_parts):
        people = [replace(EVERYBODY, is_counted=True)]  # "how many disabled people live here"
    queries = []
    for meaning in meanings:
        topic_of, spoken_is_opposite = topics()[meaning.topic], meaning.is_opposite
        if topic_of.name == "annual_work_income" and "all sources" in kinds:
            topic_of = topics()["income"]
        subject = whose(people, topic_of, words)
        is_told = (
            len(people) > 1 and people[-1].said == "you" and subject.kind in ("name", "members")
        )
        if is_told and not topic_of.of_member:
            raise AmbiguousError("what has the household to do with it?")
        if each := _each_asked(context, words, ops, people, topic_of, before):
            subject = each
            if topic_of.name == "household_income":
                topic_of, meaning = topics()["income"], Meaning("income")
        if comparison is not None:
            spoken = topic_of
            topic_of, meaning = fit_unit(topic_of, meaning, comparison)
            comparison = comparison.in_unit(topic_of.unit)
            if topic_of.name == "months_since_worked" and spoken.name == "employed":
                if is_negated == spoken_is_opposite:
                    raise NotUnderstoodError("how long work is done")
                is_negated = False
        is_open = topic_of.kind == "choice" and meaning.value is None and comparison is None
        is_none = topic_of.name in ("current_school_level", "current_grade")
        if is_open and how == "is" and "or" not in words and not is_claim and not is_none:
            raise NotUnderstoodError(f"what of {topic_of.name}?")
        if topic_of.name == "is_relative" and subject.kind == "members":
            subject = replace(subject, is_other=True)
        if topic_of.name == "dependent" and subject == YOU and "dependents" in words:
            subject = replace(EVERYBODY, is_other=True)
        if topic_of.of_member and not people and (words[0] == "any" or words[1:2] == ["there"]):
            subject = EVERYBODY  # "any veterans in the house?"
            is_whose_open = words[0] == "any" and not is_claim
        else:
            is_whose_open = False
        if "extreme" in kinds:
            queries.append(_extreme(parts, how, subject, topic_of, words))
            continue
        if words[1:2] in (["it"], ["that"]) and topic_of.of_member and not is_claim and not people:
            told = related(last_query.topic or "") if last_query else set()
            if topic_of.name not in told - {"ac"} or (words[1] == "that" and comparison is None):
                raise NotUnderstoodError("what is meant by it?")
        if "when" in ops and topic_of.kind == "money":
            raise NotUnderstoodError(f"when is {topic_of.name}?")
        if units and (topic_of.kind == "flag" or meaning.value):
            topic_of, meaning = _of_unit(topic_of, units[0])
        try:
            way = _how_of(how, topic_of, subject, meaning, ops)
            is_bare = not {"status", "situation"} & set(words)
            if way == "value" and topic_of.kind == "flag" and not topic_of.parts and is_bare:
                raise NotUnderstoodError(f"which {topic_of.name}?")
        except NotUnderstoodError:
            is_free = is_loose or how != "value" or is_claim
            if home is None or is_free or not _is_without(subject, topic_of, meaning, home):
                raise
            way = "is"  # "which branch did you serve in?" of somebody who never served
        query = Query(
            way,
            subject,
            topic_of.name,
            meaning.value,
            comparison,
            is_negated,
            meaning.is_opposite != is_lacking,
            period,
            bool(topic_of.parts) and ({"what", "which", "list"} & set(ops) != set()),
        )
        if query.topic == "age" and "it" in words and last_query and last_query.topic == "ac":
            query = replace(query, topic="ac_age_years")
        elif topic_of.name == "age" and "it" in words and not people:
            raise NotUnderstoodError("how old is what?")
        if query.how == "sum" and topic_of.name == "annual_work_income" and "make" in words:
            of_all = replace(query, topic="income")
            if home is not None and evaluate(query, home).answer != evaluate(of_all, home).answer:
                raise AmbiguousError("made at work, or in all?")
        if is_lacking and topic_of.kind != "flag":
            raise NotUnderstoodError(f"no {topic_of.name}?")
        if is_whose_open and home is not None and _differs(replace(query, people=YOU), query, home):
            raise AmbiguousError("yours, or anybody's?")
        _check_times(parts, words, topic_of)
        _refuse_misfits(query, topic_of, len(meanings), has_op=bool(ops), is_claim=is_claim)
        if "place" in kinds and topic_of.name in related("employed"):
            raise NotUnderstoodError("where work is done")
        if query.how == "is" and (is_told_each or (each and each == context.subject)):
            query = replace(query, how="value", is_negated=False)
        queries.append(_for_household(_of_those_not(query, parts), words))
    return _with_joint(queries, words)


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


def _differs(first: Query, second: Query, household: Household) -> bool:
    """Whether two ways to mean a question have different answers."""
    return bool(evaluate(first, household).answer) != bool(evaluate(second, household).answer)


def _is_without(people: People, topic: Topic, meaning: Meaning, household: Household) -> bool:
    """Whether what a question takes for granted is not so of those it is about."""
    asked = Query("is", people, topic.name, meaning.value, is_opposite=meaning.is_opposite)
    found = evaluate(asked, household)
    return not found.people or (found.is_known and not any(it.holds for it in found.findings))


def _are_counted(meanings: Sequence[Meaning]) -> bool:
    """Whether "how many dependents do you claim" counts members, not what one of them has."""
    return all(it.topic in _COUNTED for it in meanings)


_COUNTED = frozenset(("noncitizen", "dependent", "student", "veteran", "disabled"))
"""Flags whose nouns are people."""


def _each_asked(
    context: Context,
    words: Sequence[str],
    ops: Sequence[str],
    people: Sequence[People],
    topic: Topic,
    before: Sequence[Query],
) -> People | None:
    """Return of whom a value is asked one by one though they are not named: "list all incomes".

    They are those of whom the sentence speaks already, else all members.
    """
    if any(it.kind != "household" for it in people) or (
        not topic.of_member and not ("list" in ops and "incomes" in words)
    ):
        return None
    if context.subject is not None:
        return context.subject
    is_of_found = bool(before) and before[-1].how in ("who", "list", "count") and not people
    is_of_each = bool({"each", "list"} & set(ops)) or bool(_SEVERAL & set(words))
    if is_of_found or (before and is_of_each):
        last = before[-1]
        is_several = last.topic is not None or (last.people.is_plural and not last.people.pick)
        meant = (context.plural if is_several else context.people) or EVERYBODY
        return replace(meant, quantifier="each")
    if is_of_each and not people and "list" not in ops:
        if context.is_missed:
            raise NotUnderstoodError("of whom?")
        if context.queries and context.plural is not None:
            return replace(context.plural, quantifier="each")
    return replace(EVERYBODY, quantifier="all") if is_of_each and "total" not in ops else None


_SEVERAL = frozenset(("ages", "names", "grades", "relationships"))
"""Nouns that ask for the value of each."""


def _is_size(part: ClausePart) -> bool:
    return isinstance(part.it, Found) and any(
        it.topic == "household_size" for it in part.it.meanings
    )


def _of_those_not(query: Query, parts: Sequence[ClausePart]) -> Query:
    """Return "is anyone not a citizen?" as the question whether anyone is the opposite."""
    kinds = [part.kind for part in parts if part.kind in ("people", "not")]
    if query.how == "is" and query.people.quantifier == "any" and kinds == ["people", "not"]:
        return replace(query, is_negated=False, is_opposite=not query.is_opposite)
    return query


def _of_any_relation(people: People, *, of_home: bool) -> People:
    """Return children under an age or of a home as anybody of that age, whosever child."""
    is_mine = re.search(r"\byour (?:\w+ )?(?:child|children)\b", people.said) is not None
    is_said = re.search(r"\b(?:child|children)\b", people.said) is not None
    if people.relations != OWN or is_mine or not is_said or people.pick:
        return people
    if people.below is None and not (of_home and people.at_least == 0):
        return people
    return replace(people, relations=(), below=18 if people.below is None else people.below)


def _subject_before(last: Query, words: Sequence[str]) -> list[People]:
    """Return whom a clause without a subject is about: "is any child disabled or has asthma?".

    Raises:
        NotUnderstoodError: It says something more of those who are found.
    """
    if last.people.kind in ("you", "household"):
        return []
    is_named = last.people.kind in ("name", "members") and last.people.quantifier == "the"
    if words[0] not in PLAIN_VERBS:
        return [last.people] if is_named and not last.people.is_plural else []
    if last.how not in ("is", "exists"):
        raise NotUnderstoodError("what of those?")
    return [last.people]


def _is_of_two_kinds(people: People) -> bool:
    """Whether a group joins people told apart with anybody: "seniors or people with ..."."""
    if people.kind != "group" or people.quantifier != "any":
        return False
    free = [it.kind == "members" and not (it.relations or it.has_ages) for it in people.of]
    return any(free) and not all(free) and any(it.has_ages for it in people.of)


def _of_this_home(people: People, household: Household | None) -> People:
    """Return "the children" as those of the home where the applicant has none of their own."""
    is_the = re.match(r"(?:all |both )?(?:of )?the (?:\w+ )?children\b", people.said)
    if not is_the or people.relations != OWN or household is None or people.members(household):
        return people
    return replace(people, relations=(), below=min(people.below or 18, 18))


def _with_joint(queries: Sequence[Query], words: Sequence[str]) -> list[Query]:
    joint: Literal["and", "or"] = "or" if "or" in words else "and"
    return [*queries[:1], *(replace(query, joint=joint) for query in queries[1:])]


def _refuse_facts(parts: Sequence[ClausePart]) -> None:
    """Refuse verbs that say something of a fact where people alone are named."""
    for part in parts:
        if part.kind == "plain" and part.it in FACT_WORDS:
            raise NotUnderstoodError(f"{part.it!r} what?")


def _compared(parts: Sequence[ClausePart], people: Sequence[People]) -> Query:
    """Return the query whose value is larger or smaller: "is Rob older than you?"."""
    than = next(part for part in parts if part.kind == "than")
    first = [it for it in people if it.kind in ("you", "name") or it.relations]
    if len(people) != 2 or len(first) != 2:
        raise NotUnderstoodError("who is held against whom?")
    sign: Literal["most", "least"] = (
        "most" if str(than.it).startswith(("older", "more", "higher", "larger")) else "least"
    )
    found = [part.it for part in parts if isinstance(part.it, Found)]
    if str(than.it) in ("older", "younger") and not found:
        return Query("is", first[0], "age", than=first[1], extreme=sign)
    (meaning, *more) = (_choose(it.meanings, "value") for it in found) if found else (None,)
    if meaning == Meaning("employed") and "hours" in str(than.it):
        meaning = Meaning("work_hours_per_week")
    if meaning is None or more or topics()[meaning.topic].kind not in ("number", "money"):
        raise NotUnderstoodError("what is held against what?")
    return Query("is", first[0], meaning.topic, than=first[1], extreme=sign)


def _extreme(
    parts: Sequence[ClausePart],
    how: How | None,
    people: People,
    topic: Topic,
    words: Sequence[str],
) -> Query:
    """Return the query for the largest or smallest value: "who earns the most?"."""
    said = next(str(part.it) for part in parts if part.kind == "extreme")
    is_of_work = {"earn", "earns", "work", "job", "wages", "salary"} & set(words)
    earned = "annual_work_income" if is_of_work else "income"
    swaps = {"employed": "work_hours_per_week", "household_income": earned, "income": earned}
    topic = topics()[swaps.get(topic.name, topic.name)]
    if topic.kind not in ("number", "money") or not topic.of_member or how not in ("who", "value"):
        raise NotUnderstoodError("the most of what?")
    among = EVERYBODY if people.kind in ("you", "household") else people
    if how == "who" and among.quantifier != "who":
        raise NotUnderstoodError("who of whom?")
    is_most = said in ("most", "longest", "highest", "largest", "biggest", "greatest")
    return Query(how, among, topic.name, extreme="most" if is_most else "least")


def _counts_people(
    parts: Sequence[ClausePart], comparison: Comparison | None, people: Sequence[People]
) -> bool:
    """Whether a limit is one of people: "do you have more than two children"."""
    if comparison is None or comparison.unit or comparison.is_money:
        return False
    at = next(place for place, part in enumerate(parts) if part.kind == "comparison")
    after = parts[at + 1] if at + 1 < len(parts) else None
    is_group = after is not None and after.kind == "people"
    return (
        is_group
        and not any(part.kind == "topic" for part in parts)
        and any(it.kind == "members" for it in people)
    )


def _meanings(
    topic_parts: Sequence[ClausePart],
    how: How | None,
    words: Sequence[str],
    *,
    has_limit: bool,
    is_claim: bool,
) -> list[Meaning]:
    """Return what the phrases of a clause mean; several only where they are listed."""
    wanted = "value" if has_limit else how
    chosen = [_choose(it.it.meanings, wanted) for it in topic_parts if isinstance(it.it, Found)]
    if len(set(chosen)) == 1:
        return chosen[:1]
    shared = set.intersection(*(related(it.topic) for it in chosen))
    if shared and not _are_listed(topic_parts, words) and not is_claim:
        # "How many hours do you work": the narrower of two things that say the same.
        narrow = [it for it in chosen if it.topic not in _BROAD]
        if len({it.topic for it in narrow}) == 1:
            return narrow[:1]
    if any(it.topic == "not_known" for it in chosen):
        raise NotUnderstoodError("a part of this is not known")
    for it in chosen:
        parts_of = topics()[it.topic].parts
        rest = [other for other in chosen if other != it]
        if parts_of and rest and all(other.topic in parts_of for other in rest):
            return list(dict.fromkeys(rest))  # "a disability payment, that is SSI or SSDI"
    strong = [it for it in chosen if it.value or it.is_opposite or it.topic not in _WEAK]
    weak = [it for it in chosen if it not in strong]
    if any(it.topic == "government_benefits" for it in weak) and not all(
        it.topic in topics()["government_benefits"].parts for it in strong
    ):
        raise NotUnderstoodError("benefits of a kind that is not known")
    if is_claim and len(set.intersection(*(related(it.topic) for it in chosen))):
        # One statement of two things: "I rent a rent controlled apartment".
        return list(dict.fromkeys(chosen))
    if strong and weak and not _are_listed(topic_parts, words):
        if len(strong) == 1:
            return strong
        raise NotUnderstoodError("more than one thing is asked at once")
    if not _are_listed(topic_parts, words):
        raise NotUnderstoodError("more than one thing is asked at once")
    return list(dict.fromkeys(chosen))


_WEAK = frozenset({"government_benefits", "name", "household_size"})
_BROAD = frozenset({"employed", "student", "in_shelter", "homeless", "owns_home"})


def _are_listed(topic_parts: Sequence[ClausePart], words: Sequence[str]) -> bool:
    for first, second in pairwise(topic_parts):
        between = " ".join(words[first.end : second.start])
        between = re.sub(r"\byou (?:and|or) (?:your )?\w+", "", between)
        if not re.search(r"\b(?:and|or)\b|,", between):
            return False
    return True


def _choose(options: Sequence[Meaning], how: How | None) -> Meaning:
    if len(options) == 1:
        return options[0]
    wants_value = how in ("value", "sum", "list")
    fitting = [
        option
        for option in options
        if (topics()[option.topic].kind != "flag" and option.value is None) == wants_value
    ]
    return (fitting or list(options))[0]


def _how(
    words: Sequence[str],
    ops: Sequence[str],
    people: Sequence[People],
    comparison: Comparison | None,
) -> How | None:
    """Return how it is asked, as far as the words tell; `None` for a yes or no."""
    if any(person.quantifier == "who" for person in people) and "how many" not in ops:
        return "who"
    if "how many" in ops or any(person.is_counted for person in people):
        return "count"
    if (
        "total" in ops
        and not any(it.quantifier == "each" for it in people)
        and ("how much" in ops or "what" in ops or not ops[1:])
    ):
        return "sum"
    if set(ops) & {"how much", "how old", "how long", "when", "what"}:
        return "is" if comparison is not None and "what" not in ops else "value"
    if comparison is not None:
        return "is"
    if words[0] in ("how", "what", "when", "where", "which"):
        return "value"
    if "list" in ops:
        return "list"
    if words and words[0] in PLAIN_VERBS | {"can", "could", "will", "would"}:
        return "is"
    return None


def _how_of(
    how: How | None, topic: Topic, whose: People, meaning: Meaning, ops: Sequence[str]
) -> How:
    if how == "value" and (meaning.value is not None or topic.kind == "flag") and not topic.parts:
        if "what" not in ops or (topic.name not in _STATUS and meaning.value is None):
            raise NotUnderstoodError(f"what of {topic.name}?")
        if meaning.value is not None:
            raise NotUnderstoodError(f"what of {meaning.value}?")
    if how == "count":
        is_people = whose.is_counted or whose.kind == "household" or whose.quantifier == "who"
        if topic.kind in ("number", "money") and not whose.is_counted:
            if topic.name == "age":
                raise NotUnderstoodError("how many of whom?")
            if topic.kind == "money":
                raise NotUnderstoodError("how many of what?")
            return "sum" if "total" in ops and topic.of_member else "value"
        if whose.is_counted:
            return "count"
        if topic.name in _COUNTED or is_people:
            return "count"
        raise NotUnderstoodError("how many of what?")
    if how == "sum":
        return "sum" if topic.kind in ("money", "number") and topic.of_member else "value"
    if how == "list":
        is_said_of = topic.kind == "flag" and not topic.parts
        return "who" if is_said_of or meaning.value is not None else "value"
    if how in ("who", "value", "is"):
        return how
    # A bare noun asks for the value, of a flag whether it is so: "Your age?", "Any disability?".
    is_any = whose.quantifier == "any" and whose.said.startswith("any")
    return "is" if topic.kind == "flag" or meaning.value is not None or is_any else "value"


_STATUS = frozenset({"employed", "student", "veteran", "insured", "disabled", "married"})
"""Flags that may be asked for by "what": "what is your employment status?"."""


def _without_topic(
    words: Sequence[str],
    parts: Sequence[ClausePart],
    ops: Sequence[str],
    people: Sequence[People],
    how: How | None,
    last: Sequence[Query],
    is_follow_up: bool,
    is_negated: bool,
) -> list[Query]:
    """Read a question about people alone, or one that goes on with the last topic."""
    others = [it for it in people if it.kind not in ("you", "household")]
    if is_follow_up and last and (others or people) and not ops:
        return [_of_others(last[-1], people)]
    said = {part.it for part in parts[1:] if part.kind == "plain"}
    is_ellipsis = len(words) > 1 and words[0] in ("do", "does", "is", "are", "did", "can", "has")
    if last and last[-1].topic and is_ellipsis and people and not said & _WHERE:
        return [_of_others(last[-1], people)]
    if last and not others and len(ops) == 1 and ops[0] in _GOES_ON:
        return [_goes_on(last[-1], ops[0], words)]
    if (
        last
        and [it.kind for it in others] == ["members"]
        and others[0].said in ("who", "which of you")
        and last[-1].topic
    ):
        return [replace(last[-1], how="who", people=others[0])]
    lives = bool({"live", "lives", "living"} & set(words))
    if not others:
        if how == "count" and any(it.kind == "household" for it in people):
            return [Query("value", YOU, "household_size")]
        if how == "count" and lives:
            return [Query("value", YOU, "household_size")]
        raise NotUnderstoodError("nothing is asked about")
    if words[0] in ("is", "are", "am") and len(people) == 2 and people[-1].kind == "members":
        named, group = people
        is_free = group.quantifier == "any" and not (named.kind == "members" and group.has_home)
        if not group.is_counted and (is_free or named.kind in ("you", "name")):
            return [Query("is", named, among=replace(group, is_other=False), is_negated=is_negated)]
    if len(others) > 1:
        if others[0].quantifier == "who" or others[0].is_counted:
            person = narrowed(others[0], others[1])
        else:
            raise NotUnderstoodError("more than one group of people")
    else:
        person = others[0]
    if person.kind == "name" and how != "is":
        raise NotUnderstoodError("nothing is asked about")
    if all(part.kind == "people" for part in parts) and person.has_ages and how is None:
        if person.quantifier in ("all", "each") and {"is", "are"} & set(words):
            return [all_of_age(person)]
        return [Query("exists", replace(person, quantifier="any"))]
    if person.is_counted or how == "count":
        return [Query("count", replace(person, is_counted=True))]
    if person.quantifier == "who" or how in ("who", "value", "list"):
        if how == "value" and not ({"what", "list"} & set(ops)):
            raise NotUnderstoodError("nothing is asked about")
        return [Query("list", replace(person, quantifier="who"))]
    if is_negated or person.quantifier == "none":
        person = replace(person, quantifier="any")
        return [Query("exists", person, is_negated=True)]
    if words[0] in ("do", "does") and not set(words) & _HAVING:
        raise NotUnderstoodError("do what?")
    if words[0] in ("do", "does", "is", "are", "have", "has", "got", "any"):
        if person.has_ages and words[0] in ("is", "are") and words[1] != "there":
            if person.quantifier in ("all", "the") or person.pick:
                return [all_of_age(person)]
        elif words[0] in ("is", "are") and "there" not in words and not person.has_home:
            raise NotUnderstoodError("is who what?")
        return [Query("exists", replace(person, quantifier="any"), is_negated=is_negated)]
    raise NotUnderstoodError("nothing is asked about")


_HAVING = frozenset(WORDING["having"].split())
_WHERE = _HAVING | {"there", "had", "in", "with", "under"}


def _of_others(last: Query, people: Sequence[People]) -> Query:
    """Return the last question asked of other people: "and your spouse?", "does anyone else?"."""
    if len(people) != 1 or last.among is not None or last.than is not None:
        raise NotUnderstoodError("what of them?")
    (person,) = people
    if person.is_other and not person.relations and last.people.kind != "you":
        raise NotUnderstoodError("who else?")
    if last.topic is None or (last.topic == "household_income" and person.kind != "household"):
        topic = "income" if last.topic else None
        return replace(last, people=person, topic=topic)
    how: How = "is" if last.how in ("who", "count") else last.how
    return _for_household(replace(last, how=how, people=person), ())


_GOES_ON = (
    "how many weeks",
    "how many months",
    "how much",
    "how many",
    "how long",
    "how old",
    "when",
    "what",
)
_FURTHER = {
    ("tenure", "how much"): "monthly_rent_spending",
    ("employed", "how much"): "annual_work_income",
    ("employed", "how long"): "months_since_worked",
    ("ac", "how old"): "ac_age_years",
    ("owns_home", "how long"): "months_owned_property",
    ("is_property_owner", "how long"): "months_owned_property",
    ("pregnant", "how long"): "weeks_pregnant",
    ("pregnant", "how many weeks"): "weeks_pregnant",
    ("pregnant", "how many months"): "months_pregnant",
    ("evicted_months_ago", "how many months"): "evicted_months_ago",
    ("lost_job", "when"): "months_since_worked",
    ("covid_funeral_expenses", "when"): "covid_funeral_expense_date",
}


def _goes_on(last: Query, op: str, words: Sequence[str]) -> Query:
    """Return the question that "how many?", "how much?" or "how old is it?" goes on with."""
    if op == "what" and "1" not in words and "ones" not in words:
        raise NotUnderstoodError("nothing is asked about")
    further = _FURTHER.get((last.topic or "", op))
    if further and not (op == "how long" and last.topic == "employed" and not last.is_opposite):
        people = replace(last.people, quantifier="the")
        return replace(
            last, how="value", topic=further, people=people, is_opposite=False, value=None
        )
    if last.topic is None or op == "what" or (op == "how many" and last.how in ("is", "exists")):
        if op == "how many":
            is_of_people = last.topic is None or topics()[last.topic].of_member
            counted = replace(last.people, is_counted=True)
            if is_of_people and last.people.kind == "members":
                return replace(last, how="count", people=counted, is_negated=False)
        elif op == "how old" and last.topic is None:
            return Query("value", replace(last.people, quantifier="each"), "age")
        elif op == "what" and last.people.kind in ("members", "group", "household"):
            who = replace(last.people, quantifier="who")
            return replace(last, how="who" if last.topic else "list", people=who, is_negated=False)
    kind = topics()[last.topic].kind if last.topic else ""
    if kind in ("number", "money") and (op in ("how much", "how many", "how long", "when")):
        return replace(last, how="value", people=replace(last.people, quantifier="the"))
    raise NotUnderstoodError("nothing is asked about")


def all_of_age(people: People) -> Query:
    """Return the query whether all of some people keep a limit of age."""
    parts: list[tuple[str, float]] = []
    if people.at_least:
        parts.append((">=", people.at_least))
    if people.below is not None:
        parts.append(("<", people.below))
    limit = Comparison(tuple(parts), "years old", "", is_money=False, end=0, said="")
    whose = replace(people, at_least=0, below=None)
    return Query("is", whose, "age", comparison=limit)


def _period(words: Sequence[str]) -> str:
    """Return the time that amounts are wanted for."""
    if re.search(r"\b(?:per|a|each|every) month\b|\bmonthly\b", " ".join(words)):
        return "month"
    if re.search(r"\b(?:per|a|each|every) year\b|\b(?:yearly|annual|annually)\b", " ".join(words)):
        return "year"
    return ""


def _check_times(parts: Sequence[ClausePart], words: Sequence[str], topic: Topic) -> None:
    """Refuse what was where only what is can be known."""
    if any(part.kind in ("past period", "ever") for part in parts) and not topic.is_past:
        raise NotUnderstoodError(f"the past of {topic.name} is not known")
    if words and words[0] == "did" and not topic.is_past:
        raise NotUnderstoodError(f"the past of {topic.name} is not known")
    if "will" in words and words[0] == "will":
        raise NotUnderstoodError("the future is not known")


def _refuse_misfits(
    query: Query, topic: Topic, n_topics: int, *, has_op: bool, is_claim: bool
) -> None:
    """Refuse a query whose parts do not go together, whatever the words were."""
    if query.how in ("who", "count") and (not topic.of_member or topic.name == "name"):
        raise NotUnderstoodError(f"which members, of {topic.name}?")
    if query.how in ("value", "sum") and query.is_negated and has_op and not is_claim:
        raise NotUnderstoodError(f"what is not {topic.name}?")
    is_open = topic.kind != "flag" and query.value is None and query.comparison is None
    if query.how == "is" and is_open and (n_topics > 1 or topic.name == "name") and not is_claim:
        raise NotUnderstoodError(f"is {topic.name} what?")


def _refuse_bare_nouns(parts: Sequence[ClausePart], meanings: Sequence[Meaning]) -> None:
    """Refuse words that ask for a kind or detail that no topic took in."""
    for part in parts:
        if part.kind == "plain" and part.it in OPEN_NOUNS:
            if part.it in ("kind", "type", "sort", "kinds", "types") and any(
                topics()[it.topic].parts or topics()[it.topic].kind == "choice" for it in meanings
            ):
                continue
            raise NotUnderstoodError(f"{part.it!r} of what?")


def _for_household(query: Query, words: Sequence[str]) -> Query:
    """Ask for the household's income where the question names the household."""
    is_free = query.people in (YOU, EVERYBODY) or query.people.kind == "household"
    if query.how == "sum" and query.topic == "income" and is_free and "you" not in words:
        return replace(query, topic="household_income", how="value")
    if (
        query.people.kind == "household"
        and query.topic == "income"
        and query.how in ("value", "is", "sum")
    ):
        return replace(query, topic="household_income", how="is" if query.how == "is" else "value")
    if (
        query.people.kind == "household"
        and query.topic in ("annual_work_income", "annual_investment_income")
        and query.how in ("value", "sum", "is")
    ):
        brings = {"make", "makes", "making", "bring", "brings"}
        if query.topic == "annual_work_income" and brings & set(words):
            how: How = "is" if query.how == "is" else "value"
            return replace(query, topic="household_income", how=how)
        return query if query.how == "is" else replace(query, how="sum")
    if (
        query.people.kind == "household"
        and query.how == "is"
        and topics()[query.topic or ""].of_member
    ):
        is_whole = re.search(r"\b(?:whole|entire|all)\b", query.people.said) is not None
        quantifier: Quantifier = "all" if is_whole else "any"
        everybody = replace(EVERYBODY, quantifier=quantifier, said=query.people.said)
        return replace(query, people=everybody)
    return query


_UNITS = {
    "hour": "work_hours_per_week",
    "year": "age",
    "yr": "age",
    "college": "college_credits",
    "credit": "college_credits",
}


def _topic_of_unit(comparison: Comparison, last: Sequence[Query], people: Sequence[People]) -> str:
    for unit, topic in _UNITS.items():
        if comparison.unit.startswith(unit):
            return topic
    if comparison.unit.startswith(("people", "person", "member")):
        return "household_size"
    if last and last[-1].topic and topics()[last[-1].topic].kind in ("number", "money"):
        return last[-1].topic
    is_amount = comparison.is_money or comparison.period in ("year", "month")
    if is_amount and any(it.kind == "household" for it in people):
        return "household_income"
    if comparison.is_of_age:
        return "age"
    raise NotUnderstoodError("a limit of what?")


def fit_unit(topic: Topic, meaning: Meaning, comparison: Comparison) -> tuple[Topic, Meaning]:
    """Return the topic that a limit's unit belongs to: "work 20 hours" is about hours."""
    unit = comparison.unit
    if topic.kind == "flag" or meaning.value is not None:
        return _of_unit(topic, unit)
    if topic.kind not in ("number", "money"):
        raise NotUnderstoodError(f"{topic.name} has no amount")
    stated = topic.unit or ""
    if (
        unit
        and comparison.in_unit(topic.unit) is comparison
        and topic.kind == "number"
        and not unit.startswith(stated[:4])
        and topic.name != "household_size"
    ):
        raise NotUnderstoodError(f"{topic.name} is not counted in {unit}")
    if comparison.is_money and topic.kind != "money":
        raise NotUnderstoodError(f"{topic.name} is no amount of money")
    return topic, meaning


_AMOUNTS = {
    ("employed", "hour"): "work_hours_per_week",
    ("pregnant", "week"): "weeks_pregnant",
    ("pregnant", "month"): "months_pregnant",
    ("owns_home", "month"): "months_owned_property",
    ("is_property_owner", "month"): "months_owned_property",
    ("ac", "year"): "ac_age_years",
    ("employed", "month"): "months_since_worked",
    ("employed", "year"): "months_since_worked",
    ("days_looking_for_work", "day"): "days_looking_for_work",
}
"""What is counted in a unit where a flag is named: "how many hours does she work"."""


def _of_unit(topic: Topic, unit: str) -> tuple[Topic, Meaning]:
    for (name, start), other in _AMOUNTS.items():
        if topic.name == name and unit.startswith(start):
            return topics()[other], Meaning(other)
    raise NotUnderstoodError(f"{topic.name} has no amount")
