"""A clause read into queries: its parts put together into whom, what and how."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from benyfits_data.understanding.cover import ClausePart, NotUnderstoodError, cover
from benyfits_data.understanding.numbers import Comparison
from benyfits_data.understanding.people import People
from benyfits_data.understanding.phrases import PLAIN_VERBS, Found
from benyfits_data.understanding.query import How, Query
from benyfits_data.understanding.question_text import OPEN_NOUNS
from benyfits_data.understanding.topics import GOVERNMENT_BENEFITS, Meaning, Topic, related, topics
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
    parts = cover(words, is_claim=is_claim)
    topic_parts = [part for part in parts if part.kind == "topic"]
    ops = [str(part.it) for part in parts if part.kind == "op"]
    people = people_of(parts, words, context)
    limits = [part for part in parts if part.kind == "comparison"]
    comparisons = [part.it for part in limits if isinstance(part.it, Comparison)]
    comparison = comparisons[0] if comparisons else None
    if len(comparisons) > 1:
        raise NotUnderstoodError("two limits in one question")
    is_negated = sum(part.kind == "not" for part in parts) % 2 == 1
    is_lacking = any(part.kind == "lack" for part in parts)
    how = _how(words, ops, people, comparison)
    period = _period(words)
    last = (
        (before or list(context.queries))[-1:]
        if (is_follow_up or before or not topic_parts)
        else []
    )
    if not topic_parts and not comparison:
        return _without_topic(words, ops, people, how, last, is_follow_up, is_negated)
    if _counts_people(parts, comparison, people):
        group = next(it for it in people if it.kind == "members")
        counted = replace(group, quantifier="the", is_counted=True)
        return [Query("count", counted, comparison=comparison)]
    if comparison is not None and not topic_parts:
        meanings = [Meaning(_topic_of_unit(comparison, last))]
    else:
        meanings = _meanings(
            topic_parts,
            how,
            words,
            has_limit=comparison is not None or has_number,
            is_claim=is_claim,
        )
    _refuse_bare_nouns(parts, meanings)
    queries = []
    for meaning in meanings:
        topic_of = topics()[meaning.topic]
        subject = whose(people, topic_of, words)
        if comparison is not None:
            topic_of, meaning = fit_unit(topic_of, meaning, comparison)
        query = Query(
            _how_of(how, topic_of, subject, meaning),
            subject,
            topic_of.name,
            meaning.value,
            comparison,
            is_negated,
            meaning.is_opposite != is_lacking,
            period,
            bool(topic_of.parts) and ({"what", "which", "list"} & set(ops) != set()),
        )
        if topic_of.name == "age" and "it" in words and not people:
            raise NotUnderstoodError("how old is what?")
        _check_times(parts, words, topic_of)
        queries.append(_for_household(query, words))
    return queries


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
    strong = [it for it in chosen if it.value or it.is_opposite or it.topic not in _WEAK]
    weak = [it for it in chosen if it not in strong]
    if any(it.topic == "government_benefits" for it in weak) and not all(
        it.topic in GOVERNMENT_BENEFITS for it in strong
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
        between = words[first.end : second.start]
        if not any(word in ("and", "or", ",") for word in between):
            return False
    return True


def _choose(options: Sequence[Meaning], how: How | None) -> Meaning:
    if len(options) == 1:
        return options[0]
    wants_value = how in ("value", "sum")
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
    if "total" in ops and ("how much" in ops or "what" in ops or not ops[1:]):
        return "sum"
    if set(ops) & {"how much", "how old", "how long", "when", "what"}:
        return "is" if comparison is not None and "what" not in ops else "value"
    if "list" in ops:
        return "list"
    if words and words[0] in PLAIN_VERBS | {"can", "could", "will", "would"}:
        return "is"
    return None


def _how_of(how: How | None, topic: Topic, whose: People, meaning: Meaning) -> How:
    if how == "count":
        is_people = whose.is_counted or whose.kind == "household" or whose.quantifier == "who"
        if topic.kind in ("number", "money") and not whose.is_counted:
            return "value"
        if whose.is_counted:
            return "count"
        if topic.name in ("dependent", "student", "veteran", "disabled") or is_people:
            return "count"
        raise NotUnderstoodError("how many of what?")
    if how == "sum":
        return "sum" if topic.kind in ("money", "number") and topic.of_member else "value"
    if how in ("who", "value", "list", "is"):
        return "value" if how == "list" else how
    # A bare noun asks for the value, of a flag whether it is so: "Your age?", "Any disability?".
    return "is" if topic.kind == "flag" or meaning.value is not None else "value"


def _without_topic(
    words: Sequence[str],
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
        person = (others or list(people))[0]
        return [replace(last[-1], people=person)]
    if last and last[-1].topic == "tenure" and not others and ops == ["how much"]:
        return [Query("value", YOU, "monthly_rent_spending", period=_period(words))]
    if (
        last
        and not others
        and ops in (["how much"], ["how many"], ["how long"], ["how old"])
        and last[-1].topic
    ):
        return [replace(last[-1], how="value", people=replace(last[-1].people, quantifier="the"))]
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
    if words[0] in ("is", "are") and people and people[0].kind in ("you", "name"):
        named, group = people[0], people[-1]
        if group.kind == "members" and len(people) == 2 and not group.is_counted:
            only = 0 if named.kind == "you" else named.number
            return [Query("exists", replace(group, only=only, quantifier="any"))]
    if len(others) > 1:
        if others[0].quantifier == "who" or others[0].is_counted:
            person = narrowed(others[0], others[1])
        else:
            raise NotUnderstoodError("more than one group of people")
    else:
        person = others[0]
    if person.kind == "name" and how != "is":
        raise NotUnderstoodError("nothing is asked about")
    if "with you" in " ".join(words):
        person = replace(person, is_other=True)
    if person.is_counted or how == "count":
        return [Query("count", replace(person, is_counted=True))]
    if person.quantifier == "who" or how in ("who", "value", "list"):
        if how == "value" and not ({"what", "list"} & set(ops)):
            raise NotUnderstoodError("nothing is asked about")
        return [Query("list", replace(person, quantifier="who"))]
    if words[0] in ("you", "there") and (is_negated or person.quantifier == "none"):
        person = replace(person, quantifier="any")
        return [Query("exists", person, is_negated=True)]
    if words[0] in ("do", "does", "is", "are", "have", "has", "got", "any"):
        if person.quantifier == "all" and (person.at_least or person.below is not None):
            return [_all_of_age(person)]
        return [Query("exists", replace(person, quantifier="any"), is_negated=is_negated)]
    raise NotUnderstoodError("nothing is asked about")


def _all_of_age(people: People) -> Query:
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
    if query.how == "sum" and query.topic == "income" and query.people.kind == "you":
        return replace(query, topic="household_income", how="value")
    if (
        query.people.kind == "household"
        and query.topic == "income"
        and query.how in ("value", "is", "sum")
    ):
        return replace(query, topic="household_income", how="is" if query.how == "is" else "value")
    if (
        query.people.kind == "household"
        and query.topic == "annual_work_income"
        and query.how in ("value", "sum", "is")
    ):
        if {"make", "makes", "making", "bring", "brings"} & set(words):
            how: How = "is" if query.how == "is" else "value"
            return replace(query, topic="household_income", how=how)
        return query if query.how == "is" else replace(query, how="sum")
    if (
        query.people.kind == "household"
        and query.how == "is"
        and topics()[query.topic or ""].of_member
    ):
        return replace(query, people=replace(EVERYBODY, said=query.people.said))
    return query


_UNITS = {
    "hour": "work_hours_per_week",
    "year": "age",
    "yr": "age",
    "college": "college_credits",
    "credit": "college_credits",
}


def _topic_of_unit(comparison: Comparison, last: Sequence[Query]) -> str:
    for unit, topic in _UNITS.items():
        if comparison.unit.startswith(unit):
            return topic
    if comparison.unit.startswith(("people", "person", "member")):
        return "household_size"
    if last and last[-1].topic and topics()[last[-1].topic].kind in ("number", "money"):
        return last[-1].topic
    if comparison.is_of_age:
        return "age"
    raise NotUnderstoodError("a limit of what?")


def fit_unit(topic: Topic, meaning: Meaning, comparison: Comparison) -> tuple[Topic, Meaning]:
    """Return the topic that a limit's unit belongs to: "work 20 hours" is about hours."""
    unit = comparison.unit
    if topic.kind == "flag" or meaning.value is not None:
        swaps = {
            ("employed", "hour"): "work_hours_per_week",
            ("pregnant", "week"): "weeks_pregnant",
            ("pregnant", "month"): "months_pregnant",
            ("owns_home", "month"): "months_owned_property",
        }
        for (name, start), other in swaps.items():
            if topic.name == name and unit.startswith(start):
                return topics()[other], Meaning(other)
        raise NotUnderstoodError(f"{topic.name} has no amount")
    if topic.kind not in ("number", "money"):
        raise NotUnderstoodError(f"{topic.name} has no amount")
    stated = topic.unit or ""
    if (
        unit
        and topic.kind == "number"
        and not unit.startswith(stated[:4])
        and topic.name != "household_size"
    ):
        raise NotUnderstoodError(f"{topic.name} is not counted in {unit}")
    if comparison.is_money and topic.kind != "money":
        raise NotUnderstoodError(f"{topic.name} is no amount of money")
    return topic, meaning
