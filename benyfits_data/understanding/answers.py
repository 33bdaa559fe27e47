"""What the applicant says to a question: our own sentences, from what its queries found."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.verb_forms import (
    AFFIRMATIVE,
    ME,
    NEGATIVE,
    Speaker,
    amount,
    day,
    first_name,
    join,
    kin_of,
    named_speaker,
)
from benyfits_data.understanding.canonical import tell
from benyfits_data.understanding.facts import FactType, fact_types
from benyfits_data.understanding.query import (
    PER_YEAR,
    FactValue,
    Queries,
    Query,
    QueryEvaluation,
    evaluate,
)

UNKNOWN = "I don't know; I have no information about that."
NOBODY = "There is nobody like that in my household."
SMALL_AMOUNT = 100
"""Dollars below which cents are told: rounded, 7.33 would be 5% less."""
_MINE = {"your": "my", "you": "me", "yours": "mine", "yourself": "myself"}
_SHOWN_BY = {
    "homeless": "housing_type",
    "in_shelter": "housing_type",
    "rent_regulated": "housing_type",
    "in_new_york_state": "place_of_residence",
    "outside_the_city": "place_of_residence",
    "noncitizen": "citizenship",
    "lawfully_present": "citizenship",
    "student": "current_school_level",
    "full_time": "work_hours_per_week",
    "part_time": "work_hours_per_week",
    "single": "marital_status",
}
"""The fact that is told of somebody, or after what follows from it."""
_Told = tuple[str, str]
"""Yes, no, a number or nothing; and the sentences behind it."""


def answer(queries: Queries, household: Household) -> str:
    """Return what the applicant says to a question.

    Args:
        queries: What it asks.
        household: The household; its first member speaks.
    """
    if len(queries) == 1 and (said := tell(queries[0], household)) is not None:
        return said
    evaluations = [evaluate(query, household) for query in queries]
    answers = [_tell(evaluation, household) for evaluation in evaluations]
    if len({evaluation.is_known for evaluation in evaluations}) > 1:
        # Nothing is denied that hangs on what is not known: "Medicaid or Child Health Plus?".
        known = [it for it, of in zip(answers, evaluations, strict=True) if of.is_known]
        return _say([*known, ("", "I have no information about the rest.")])
    are_joint = len(evaluations) > 1 and all(
        evaluation.query.joint for evaluation in evaluations[1:]
    )
    if not are_joint or not all(evaluation.query.asks_whether for evaluation in evaluations):
        return _say(answers)
    # Several things asked at once: yes if one of them, or all of them, are so; then each as it is.
    is_so = [bool(evaluation.answer) for evaluation in evaluations]
    is_either = any(evaluation.query.joint == "or" for evaluation in evaluations)
    is_denied = any(
        evaluation.query.denies for evaluation in evaluations
    )  # a yes could confirm that
    is_yes = any(is_so) if is_either else all(is_so)
    lead = "No." if not is_yes else "" if is_denied else "Yes."
    return _say([(lead, ""), *(("", said) for _, said in answers)])


def _say(answers: Iterable[_Told]) -> str:
    sentences = dict.fromkeys(f"{lead} {said}".strip() for lead, said in answers)
    return " ".join(sentence for sentence in sentences if sentence)


def _tell(evaluation: QueryEvaluation, household: Household) -> _Told:
    query = evaluation.query
    if not evaluation.is_known:
        return "", UNKNOWN
    if query.fact is None:
        return _tell_people(evaluation, household)
    fact = fact_types()[query.fact]
    is_of_nobody = fact.of_member and not evaluation.people
    if is_of_nobody or (query.than is not None and not evaluation.values):
        return {"count": "0.", "is": "No.", "sum": "$0."}.get(query.how, ""), NOBODY
    word = "Yes." if evaluation.answer else "No."
    if query.how == "value" and query.than is not None:
        by = amount(evaluation.answer, "year" if query.fact == "age" else fact.unit)
        return f"By {by}.", _statements(evaluation.values, household, query)
    if query.how == "is":
        return _tell_whether(evaluation, fact, word, household)
    holders = [value for value in evaluation.values if value.holds]
    if query.how in ("who", "count"):
        lead = f"{len(holders)}:" if query.how == "count" else ""
        if not holders:
            return lead and "0.", _nobody_does(fact, query)
        names = join([_with_age(household, holder.member or 0) for holder in holders], "and")
        if fact.kind == "flag" and query.how == "count":
            return lead, f"{names}."
        who = f"{names[:1].upper()}{names[1:]}." if query.how == "who" else f"{names}."
        return lead, f"{who} {_statements(holders, household, query)}"
    if query.how == "which":
        parts = [
            part for each in evaluation.values for part in _parts(fact, each, household, query)
        ]
        return "", " ".join(dict.fromkeys(parts)) or f"None. {_nobody_does(fact, query)}"
    if query.how == "sum":
        each = (
            _statements(evaluation.values, household, query) if len(evaluation.values) > 1 else ""
        )
        return f"{_amount(fact, evaluation.answer, query.per)} in all.", each
    shown = holders if query.extreme else evaluation.values
    if not shown:
        return "", _nobody_does(fact, query)
    said = _statements(shown, household, query)
    if fact.kind == "money" and len(shown) > 1 and not query.extreme:
        total = sum(holder.value or 0 for holder in shown)
        said += f" That is {_amount(fact, total, query.per)} in all."
    return "", said


def _tell_whether(
    evaluation: QueryEvaluation, fact: FactType, word: str, household: Household
) -> _Told:
    """Tell whether something is so, and who it is so of; all of them where that matters."""
    query = evaluation.query
    lead = "" if query.denies and evaluation.answer else word
    holders = [value for value in evaluation.values if value.holds]
    if query.than is not None or query.of_all or len(evaluation.values) == 1:
        return lead, _statements(evaluation.values, household, query)
    if query.among is not None or holders:
        return lead, _statements(holders, household, query) or _nobody_does(fact, query)
    if query.people.is_everybody:
        return lead, _nobody_does(fact, query)
    return lead, _statements(evaluation.values, household, query)


def _tell_people(evaluation: QueryEvaluation, household: Household) -> _Told:
    query, numbers = evaluation.query, evaluation.people
    word = "Yes" if evaluation.answer else "No"
    if query.among is not None:
        members = [
            value.member or 0 for value in evaluation.values if len(numbers) == 1 or value.holds
        ]
        if query.how in ("who", "count"):
            names = (
                join([_with_age(household, member) for member in members], "and")
                if members
                else "nobody"
            )
            return f"{len(members)}:" if query.how == "count" else "", f"{names}."
        said = " ".join(f"{_with_age(household, member)}." for member in members)
        return f"{word}.", said if numbers else NOBODY
    if query.than is not None:
        return f"{word}:", f"{len(numbers)} and {len(query.than.members(household))}."
    if not numbers:
        lead = "0." if query.how == "count" else f"{word}." if query.how == "is" else ""
        return lead, NOBODY
    names = join([_with_age(household, number) for number in numbers], "and")
    if query.how == "count":
        return f"{len(numbers)}:", f"{names}."
    if query.how == "is":
        count = f" {len(numbers)}," if query.limit is not None else ""
        return f"{'' if query.denies and evaluation.answer else word + ':'}{count}", f"{names}."
    return "", f"{names[:1].upper()}{names[1:]}."


def _nobody_does(fact: FactType, query: Query) -> str:
    """Return that something is so of none of the people asked about."""
    who = "Nobody in my household" if query.people.is_everybody else "None of them"
    if fact.kind != "flag" or query.is_inverted:
        return f"That is so of {who[0].lower()}{who[1:]}."
    said = AFFIRMATIVE[fact.verb]
    return named_speaker(who, "their").sentence(said, list=_in_my_words(fact.phrase))


def _statements(values: Sequence[FactValue], household: Household, query: Query) -> str:
    return " ".join(dict.fromkeys(statement(value, household, query) for value in values))


def _parts(fact: FactType, of: FactValue, household: Household, query: Query) -> Iterable[str]:
    """Yield what of a group is so of a member, or of the household."""
    for part in (fact_types()[name] for name in fact.parts):
        if value := part.value(household, household.members[of.member or 0]):
            member = of.member if part.of_member else None
            yield statement(
                FactValue(member, value, True), household, replace(query, fact=part.name)
            )


def statement(fact_value: FactValue, household: Household, query: Query) -> str:
    """Return one fact of a member, or of the household, as the applicant says it."""
    fact, value = fact_types()[query.fact or ""], fact_value.value
    speaker = _speaker_of(household, fact_value.member)
    if shown := _SHOWN_BY.get(fact.name):
        of = fact_types()[shown]
        true = of.value(household, household.members[fact_value.member or 0])
        said = statement(
            FactValue(fact_value.member, true, True), household, replace(query, fact=shown)
        )
        if fact.of_member:
            return said
        return f"{_flag_sentence(speaker, fact, value)} {said}"
    if fact.parts and value:
        return " ".join(_parts(fact, fact_value, household, query))
    if fact.name == "relation" and fact_value.member and query.value is None:
        member = fact_value.member
        return f"{first_name(household.members[member])} is my {kin(household, member)}."
    if fact.name == "relation" and not fact_value.member:
        return "I am the applicant."
    if fact.name == "name" and fact_value.member:
        return f"My {kin(household, fact_value.member)}'s name is {value}."
    if fact.kind == "flag":
        return _flag_sentence(speaker, fact, value)
    if fact.name == "marital_status":
        return speaker.sentence("{subject} {is} {value}.", value=value)
    if fact.name == "household_size":
        there = "is 1 person" if value == 1 else f"are {value} people"
        return f"There {there} in my household, counting me."
    if fact.name in ("income", "household_income"):
        told_as = _amount(fact, value, query.per) if value else "nothing, $0"
        return speaker.sentence("{Possessive} income from all sources is {value}.", value=told_as)
    feature = FEATURES[fact.name]
    if value is None:
        none = feature.none_sentence or "That does not apply to {subject}."
        return speaker.sentence(_in_my_words(none))
    if value == 0 and feature.zero_sentence and fact.kind in ("number", "money"):
        return speaker.sentence(_in_my_words(feature.zero_sentence), value="0")
    template = _in_my_words(feature.sentence)
    if fact.kind == "choice":
        said = speaker.sentence(template, value=_in_my_words(feature.choices[value]))
        if query.value in (None, value) or "{is} {value}" not in template:
            return said
        denied = template.replace("{is}", "{is} not")
        other = _in_my_words(feature.choices[query.value or ""])
        return f"{speaker.sentence(denied, value=other)} {said}"
    shown = (
        day(value)
        if fact.kind == "date"
        else amount(value, feature.unit)
        if feature.unit
        else (
            ("kindergarten" if value == 0 else f"grade {value}")
            if fact.name == "current_grade"
            else str(value)
        )
    )
    said = speaker.sentence(template, value=shown, count=shown)
    is_other = bool(query.per and fact.period and query.per != fact.period and value)
    return f"{said} That is {_amount(fact, value, query.per)}." if is_other else said


def _flag_sentence(speaker: Speaker, fact: FactType, value: Any) -> str:
    phrase = fact.phrase
    if not value and fact.verb == "does":
        phrase = phrase.replace("{s}", "").replace("{ies}", "y")
    form = AFFIRMATIVE if value else NEGATIVE
    return speaker.sentence(form[fact.verb], list=_in_my_words(phrase))


def _amount(fact: FactType, value: float | None, per: str) -> str:
    """Return an amount with its unit, money with the time it is for."""
    if value is None:
        return "nothing"
    if fact.kind != "money":
        return amount(value, fact.unit)
    period: str = fact.period
    if per and period and per != period:
        value, period = value * PER_YEAR[period] / PER_YEAR[per], per
    is_small = value < SMALL_AMOUNT and value != round(value)
    dollars = f"${value:,.2f}" if is_small else f"${round(value):,}"
    return f"{dollars} a {period}" if period else dollars


def called(household: Household, number: int | None) -> str:
    """Return how the applicant speaks of a member: I, my spouse Maria; or of the household."""
    if number is None:
        return "my household"
    return (
        "I"
        if number == 0
        else f"my {kin(household, number)} {first_name(household.members[number])}"
    )


def kin(household: Household, number: int) -> str:
    """Return what a member is to the applicant, such as daughter."""
    relation = kin_of(household.members[number])
    return "relative" if relation == "other relative" else relation


def _with_age(household: Household, number: int) -> str:
    who = f"me, {household.members[0].name}" if number == 0 else called(household, number)
    return f"{who} ({household.members[number].age})"


def _speaker_of(household: Household, number: int | None) -> Speaker:
    if number == 0:
        return ME
    who = called(household, number)
    if number is None:
        return named_speaker(who, "its", "itself")
    is_male = household.members[number].sex == "male"
    return named_speaker(who, *(("his", "himself") if is_male else ("her", "herself")))


def _in_my_words(words: str) -> str:
    return " ".join(_MINE.get(word, word) for word in words.split(" "))
