"""Answers in plain words, said by the applicant, from what a query found on the household."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from benyfits_data.household.model import Household
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    amount,
    join,
)
from benyfits_data.understanding.parser.answer_sentences import (
    called,
    counted,
    in_my_words,
    name,
    reverse,
    say_value,
    speaker_of,
    statement,
    statements_of_parts,
    verb_and_phrase,
    with_age,
)
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.query import Evaluation, Query, evaluate, topic_of
from benyfits_data.understanding.parser.topics import Topic
from benyfits_data.understanding.parser.whom import YOU


def answer(queries: Sequence[Query], household: Household) -> str:
    """Return what the applicant says to a question.

    Args:
        queries: The question, as `questions.read_question` gives it.
        household: The household; its first member speaks.
    """
    found = [evaluate(query, household) for query in queries]
    if any(it.query.joint == "or" for it in found) and any(_finds_somebody(it) for it in found):
        # "Who attends school or college?": of the two, what somebody does.
        found = [it for it in found if it.query.how != "who" or _finds_somebody(it)]
    told = [_tell(it, household) for it in found]
    if len({it.is_known for it in found}) > 1:
        # Nothing is denied that hangs on what is not known: "Medicaid or Child Health Plus?".
        is_either = any(query.joint == "or" for query in queries)
        bare = [re.sub(r"^No[.:] ", "", text) if is_either else text for text in told]
        known = [text for text, it in zip(bare, found, strict=True) if it.is_known]
        return " ".join(dict.fromkeys([*known, "I have no information about the rest."]))
    whether = [it for it in found if it.query.how in ("is", "exists") and it.is_known]
    if len(whether) < 2 or len(whether) < len(found) or not all(it.query.joint for it in found[1:]):
        return " ".join(dict.fromkeys(told))
    # Several things asked at once: yes if one of them, or all of them, are so; then each as it is.
    answers = [bool(it.answer) for it in whether]
    is_so = any(answers) if any(it.query.joint == "or" for it in whether) else all(answers)
    is_denied = any(it.query.is_negated for it in whether)  # a yes could confirm that
    # One thing of several people, "are they both minors?", is denied as a whole.
    is_of_each = len({replace(it.query, people=YOU, joint="") for it in whether}) == 1
    is_open = any(answers) and not (is_of_each and not is_denied)
    lead = "Yes. " if is_so and not is_denied else "" if is_open else "No. "
    bare = [re.sub(r"^(Yes|No)[.:] ", "", text) for text in told]
    return lead + " ".join(dict.fromkeys(text[:1].upper() + text[1:] for text in bare))


def _finds_somebody(found: Evaluation) -> bool:
    return found.query.how == "who" and found.is_known and bool(found.answer)


def _tell(found: Evaluation, household: Household) -> str:
    query = found.query
    if not found.is_known:
        return "I don't know; I have no information about that."
    if missing := [it for it in _presupposed(query.people) if not it.members(household)]:
        rest = tuple(it for it in query.people.of if it not in missing)
        told = " ".join(_nobody(it, household) for it in missing)
        others = evaluate(replace(query, people=replace(query.people, of=rest)), household)
        return f"{told} {_tell(others, household)}" if rest else told
    is_of_nobody = query.than is not None and not query.than.members(household)
    is_of_one = query.topic is not None
    if is_of_one and query.than is not None and query.than.kind == "members" and is_of_nobody:
        return _nobody(query.than, household)
    if query.topic is None:
        return _tell_people(found, household)
    topic = topic_of(query)
    if query.than is not None and found.findings and query.how != "who":
        return _tell_compared(found, topic, household)
    if topic.of_member and not found.people:
        return _nobody(query.people, household)
    if query.extreme and query.than is None:
        best = [it for it in found.findings if it.holds]
        told = " ".join(statement(topic, it, household, query) for it in best)
        if not best:
            return f"That is so of {_none_of(query.people)}."
        is_mine = query.how == "who" and told.startswith("My ") and best[0].member == 0
        return f"I do. {told}" if is_mine else told
    if query.among is not None:
        return f"{'Yes' if found.answer else 'No'}. {_tell_who(found, topic, household)}"
    is_choice = topic.kind in ("choice", "text", "date") and query.value is None
    if query.how == "is" and not (is_choice and query.comparison is None and not _is_yes_no(topic)):
        told = _tell_whether(found, topic, household)
        return f"{told.rstrip('.')} besides that." if query.without and not found.answer else told
    if query.how in ("who", "count"):
        return _tell_who(found, topic, household)
    if query.how == "sum":
        total = say_value(topic, found.answer, query.period)
        if topic.name == "annual_work_income":
            total += " from work"
        if len(found.findings) == 1:
            return f"{total[0].upper()}{total[1:]}."
        each = join(
            [
                f"{called(household, it.member)}: {say_value(topic, it.value, query.period)}"
                for it in found.findings
            ],
            "and",
        )
        return f"{total} in all ({each})."
    if query.wants_parts:
        return _tell_parts(found, topic, household)
    told = " ".join(statement(topic, it, household, query) for it in found.findings)
    if topic.name in _ADDED_UP and len(found.findings) > 1:
        added_up = sum(it.value or 0 for it in found.findings)
        return f"{told} That is {say_value(topic, added_up, query.period)} in all."
    return told


_ADDED_UP = ("income", "annual_work_income", "annual_investment_income", "work_hours_per_week")


def _tell_compared(found: Evaluation, topic: Topic, household: Household) -> str:
    """Tell who has more than somebody, or by how much."""
    query, (*told, other) = found.query, found.findings
    if not told:
        return _nobody(query.people, household)
    if query.how == "value":
        unit = "year" if topic.name == "age" else topic.unit
        said = amount(found.answer, unit) if unit else str(found.answer)
        lead = f"By {said}."
    else:
        lead = "Yes." if found.answer else "No."
        if len(told) > 1 and query.people.quantifier == "any" and found.answer:
            told = [it for it in told if it.holds]
    states = (statement(topic, it, household, query) for it in (*told, other))
    return f"{lead} {' '.join(states)}"


def _presupposed(people: People) -> list[People]:
    """Return the people of a group that the question takes for granted: "you and your spouse"."""
    return [it for it in people.of if people.quantifier == "all" and it.quantifier == "the"]


def _tell_people(found: Evaluation, household: Household) -> str:
    query, numbers = found.query, found.people
    if query.how == "exists" and query.people.kind == "name":
        return f"Yes, {name(household, numbers[0])} lives with me." if numbers else "No."
    if query.among is not None:
        return _tell_among(found, household)
    if query.than is not None:
        word, others = "Yes" if found.answer else "No", query.than.members(household)
        one, other = reverse(query.people.said), reverse(query.than.said)
        return f"{word}: {counted(len(numbers), one)} and {counted(len(others), other)}."
    if query.comparison is not None:
        word = "Yes" if found.is_so else "No"
        if not numbers:
            return f"{word}. There is nobody like that."
        people = join([with_age(household, number) for number in numbers], "and")
        return f"{word}: {len(numbers)}, {people}."
    is_plain = query.how == "exists" and query.people.quantifier != "none"
    if not numbers:
        empty = _nobody(query.people, household)
        is_of_all = not (query.people.relations or query.people.has_ages or query.people.sex)
        if query.people.but and is_of_all:
            empty = "Nobody else lives with me."
        lead = "0. " if query.how == "count" else "No. " if is_plain else ""
        return lead + empty
    people = join([with_age(household, number) for number in numbers], "and")
    if is_plain and query.people.said.startswith("both ") and len(numbers) == 1:
        return f"No: only {people}."
    if query.how == "count":
        return f"{len(numbers)}: {people}."
    if is_plain:
        return f"Yes: {people}."
    return f"{people[0].upper()}{people[1:]}."


def _tell_among(found: Evaluation, household: Household) -> str:
    """Tell whether people belong to others: "is Rob your spouse?", "are all of you adults?"."""
    query = found.query
    if not found.people:
        return _nobody(query.people, household)
    told = found.findings
    if query.people.quantifier not in ("the", "each") and len(told) > 1:
        wanted = query.people.quantifier not in ("all",)
        told = tuple(it for it in told if it.holds == wanted) or told
    return f"{'Yes' if found.answer else 'No'}. " + " ".join(
        _who_it_is(it.member or 0, household) for it in told
    )


def _who_it_is(number: int, household: Household) -> str:
    who, age = name(household, number), household.members[number].age
    subject, verb = ("I", "am") if number == 0 else (household.members[number].name, "is")
    relation = "" if number == 0 else f"{who.rpartition(' ')[0]}, "
    return f"{subject} {verb} {relation}{age} year{'' if age == 1 else 's'} old."


def _tell_whether(found: Evaluation, topic: Topic, household: Household) -> str:
    query = found.query
    lead = "Yes. " if found.answer else "No. "
    is_denied = query.is_negated and not query.is_opposite
    if found.answer and (is_denied or query.people.quantifier == "none"):
        lead = ""  # "You have no job, right?": a yes could confirm that
    if (
        topic.name == "single"
        and household.applicant.relation
        and any(member.relation == "domestic partner" for member in household.members)
    ):
        lead = ""
    if not topic.of_member:
        return lead + statement(topic, found.findings[0], household, query)
    holders = [it for it in found.findings if it.holds]
    others = [it for it in found.findings if not it.holds]
    is_one = len(found.findings) == 1
    if (
        is_one
        or query.people.quantifier in ("all", "each")
        or (query.people.quantifier == "the" and query.people.kind == "members")
    ):
        if not is_one and holders and others and query.people.quantifier == "the":
            lead = "Not all. "
        return lead + " ".join(statement(topic, it, household, query) for it in found.findings)
    if holders and topic.parts:
        parts = (statements_of_parts(topic, it.member or 0, household, query) for it in holders)
        return lead + " ".join(dict.fromkeys(chain.from_iterable(parts)))
    if holders:
        return lead + " ".join(
            dict.fromkeys(statement(topic, it, household, query) for it in holders)
        )
    if (
        query.people.kind == "members"
        and not query.people.relations
        and not query.people.leaves_out
        and query.people.only is None
        and (query.people.below is None and not query.people.at_least)
    ):
        whom = "nobody in my household"
    else:
        whom = "none of them" if len(others) > 1 else name(household, others[0].member)
    if topic.kind != "flag" or query.is_opposite:
        return lead + " ".join(statement(topic, it, household, query) for it in others)
    return f"{lead}{_nobody_does(topic, query, whom)}"


def _is_yes_no(topic: Topic) -> bool:
    """Whether a choice has a value that says no, so that one may ask whether there is any."""
    return topic.name in ("current_school_level", "covid_funeral_expense_date")


def _nobody_does(topic: Topic, query: Query, whom: str) -> str:
    whom = whom[0].upper() + whom[1:]
    if topic.kind == "flag" and not query.is_opposite:
        verb, phrase = verb_and_phrase(topic)
        speaker = speaker_of(whom)
        return speaker.sentence(AFFIRMATIVE[verb], list=in_my_words(phrase))  # type: ignore[index]
    return f"That is so of {whom[0].lower()}{whom[1:]}."


def _tell_who(found: Evaluation, topic: Topic, household: Household) -> str:
    holders = [it for it in found.findings if it.holds]
    count = f"{len(holders)}: " if found.query.how == "count" else ""
    if not holders:
        whom = _none_of(found.query.people)
        lead = "0. " if found.query.how == "count" else ""
        if found.query.is_negated:
            return lead + f"That is so of {whom}."
        return lead + _nobody_does(topic, found.query, whom)
    if topic.kind == "flag" and not found.query.is_opposite:
        if found.query.how == "count":
            return f"{count}{join([with_age(household, it.member or 0) for it in holders], 'and')}."
        return " ".join(statement(topic, it, household, found.query) for it in holders)
    each = [statement(topic, it, household, found.query) for it in holders]
    if holders[0].member == 0 and each[0].startswith("My "):
        each[0] = f"I do. {each[0]}"
    return (count + " ".join(each)).strip()


def _none_of(people: People) -> str:
    """Return how to say that something is so of nobody among some people."""
    are_some = people.relations or people.sex or people.has_ages or people.leaves_out
    if people.only is not None or people.of or (people.kind == "members" and are_some):
        return "none of them"
    return "nobody in my household"


def _tell_parts(found: Evaluation, topic: Topic, household: Household) -> str:
    """Tell a group one by one: which benefits, which conditions."""
    told = dict.fromkeys(
        it
        for number in found.people
        for it in statements_of_parts(topic, number, household, found.query)
    )
    whom = "I" if len(found.people) == 1 else _none_of(found.query.people)
    return " ".join(told) or (
        "None." if whom == "I" else f"None. {_nobody_does(topic, found.query, whom)}"
    )


def _nobody(people: People, household: Household) -> str:
    """Correct a presupposition: there is no such person."""
    said = reverse(people.said) or "such person"
    said, is_here = re.subn(r" (?:(?:who )?lives?|living)(?: here| in .*)?(?: with me)?$", "", said)
    said = re.sub(r" (?:is|are) (?=under|over|aged|between|\d)", " ", said)
    said = said.removeprefix("my ").removeprefix("any of my ").removeprefix("all of my ")
    for lead in (
        "how many of my ",
        "how many ",
        "any ",
        "all ",
        "both ",
        "my ",
        "which ",
        "which of my ",
        "each of my ",
        "a ",
        "an ",
        "the ",
        "no ",
        "each ",
        "every ",
        "of my ",
        "of the ",
        "other ",
        "youngest ",
        "oldest ",
        "eldest ",
    ):
        said = said.removeprefix(lead)
    if (
        re.match(r"(?:any of |of )?(?:me|us)\b", said)
        or "anyone" in said
        or "anybody" in said
        or "everyone" in said
        or said.startswith(("nobody", "who", "someone"))
    ):
        return "There is nobody like that in my household."
    if people.relations == ("spouse",) and people.sex:
        other = [m for m in household.members if m.relation == "spouse"]
        if other:
            return f"I have no {said}; my spouse, {other[0].name}, is {other[0].sex}."
    if people.relations and people.has_home and not is_here:
        return f"I have no {said}."
    if people.of and all(it.relations for it in people.of):
        return f"I have no {said}."
    if said in ("children", "kids"):
        return f"I have no {said} in my household."
    if people.relations:
        return f"I have no {said} in my household."
    is_plural = people.is_plural and said != "such person"
    return f"There {'are' if is_plural else 'is'} no {said}."
