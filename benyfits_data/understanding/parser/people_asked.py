"""Clauses without a topic: they ask for people alone, or go on with what was asked before."""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.cover import AmbiguousError, ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.limits import all_of_age
from benyfits_data.understanding.parser.people import OWN, People
from benyfits_data.understanding.parser.phrases import find_phrases
from benyfits_data.understanding.parser.query import How, Query, evaluate
from benyfits_data.understanding.parser.question_text import WORDING
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import YOU, Context, for_household, narrowed

_HAVING = frozenset(WORDING["having"].split())
_WHERE = _HAVING | {"there", "had", "in", "with", "under"}
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
    ("employed", "how many months"): "months_since_worked",
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


def without_topic(
    words: Sequence[str],
    parts: Sequence[ClausePart],
    ops: Sequence[str],
    people: Sequence[People],
    how: How | None,
    last: Sequence[Query],
    is_follow_up: bool,
    is_negated: bool,
    spoken: Query | None,
) -> list[Query]:
    """Read a question about people alone, or one that goes on with the last topic."""
    others = [it for it in people if it.kind not in ("you", "household")]
    if words[-1] == "yours" and words[0] in ("is", "are") and len(others) == 1:
        raise NotUnderstoodError("what is yours?")
    if any(part.kind == "extreme" for part in parts):
        raise NotUnderstoodError("the most of what?")  # "who has lived here the longest?"
    if _IN_A_HOME.search(" ".join(words)):
        raise NotUnderstoodError("what kind of home?")  # "do you both live in an apartment?"
    is_else = bool(others) and others[0].leaves_out
    may_do = _DOING if is_else and "else" in others[0].said.split() else frozenset()
    is_else = is_else and all(it.kind == "people" or it.it in may_do for it in parts)
    if (is_follow_up or is_else) and last and (others or people) and not ops:
        return [_of_others(last[-1], people)]
    said = {part.it for part in parts[1:] if part.kind == "plain"}
    if not last and _HAS_IT.search(" ".join(words)):
        if spoken is None or len(others) != 1:
            raise NotUnderstoodError("has what?")
        asked: How = "who" if others[0].quantifier == "who" else "is"
        return [replace(spoken, how=asked, people=others[0], is_negated=is_negated)]
    is_ellipsis = len(words) > 1 and words[0] in ("do", "does", "is", "are", "did", "can", "has")
    is_somewhere = bool(said & _WHERE) or any(it.said.endswith("with you") for it in people)
    if last and last[-1].topic and is_ellipsis and people and not is_somewhere:
        return [_of_others(last[-1], people)]
    if "along" in words and len(people) == 1 and ("pregnant", ops[0] if ops else "") in _FURTHER:
        return [Query("value", people[0], _FURTHER["pregnant", ops[0]])]
    if last and not others and len(ops) == 1 and ops[0] in _GOES_ON:
        return [_goes_on(last[-1], ops[0], words)]
    if (
        last
        and [it.kind for it in others] == ["members"]
        and others[0].said in ("who", "which of you")
        and (last[-1].topic or last[-1].people.kind == "members")
    ):
        if is_negated and last[-1].how not in ("is", "who"):
            raise NotUnderstoodError("who is not what?")
        meant = others[0]
        if meant.said == "who" and last[-1].people.kind == "members":
            # "Any kids in school? Who?"
            meant = replace(last[-1].people, quantifier="who", is_counted=False)
        if last[-1].topic is None:
            if is_negated or len(words) > 1:
                raise NotUnderstoodError("who of them?")
            return [Query("list", meant)]
        turned = last[-1].is_opposite != is_negated
        return [replace(last[-1], how="who", people=meant, is_opposite=turned)]
    if {"is", "are"} & set(words[:1]) and [it.kind for it in people] == ["group"]:
        return [_all_of_ages(people[0], is_negated=is_negated)]
    lives = bool({"live", "lives", "living"} & set(words))
    if not others:
        if how == "count" and any(it.kind == "household" for it in people):
            return [Query("value", YOU, "household_size")]
        if how == "count" and lives:
            return [Query("value", YOU, "household_size")]
        raise NotUnderstoodError("nothing is asked about")
    if {"is", "are", "am"} & set(words[:2]) and len(people) == 2 and people[-1].kind == "members":
        named, group = people
        if group.sex and named.relations:
            group = replace(group, at_least=0, below=None)  # sons of any age are "boys"
        is_of_them = named.kind == "group" and group.relations and group.relations != OWN
        if is_of_them and not _YOURS.search(group.said):
            raise AmbiguousError("whose?")  # "are Amy and Ben siblings?"
        if named.kind == "you" and group.relations:
            if group.relations != ("parent",):
                raise NotUnderstoodError("whose?")  # "are you a grandparent?"
            return [Query("is", YOU, "is_parent", is_negated=is_negated)]
        is_free = group.quantifier == "any" and not (named.kind == "members" and group.has_home)
        if not group.is_counted and (is_free or named.kind in ("you", "name")):
            return [Query("is", named, among=replace(group, is_other=False), is_negated=is_negated)]
    if is_of_parents(words, others):
        how_many: How = "count" if others[0].is_counted else "is"
        asked = "who" if others[0].quantifier == "who" else how_many
        return [Query(asked, others[0], "is_parent", is_negated=is_negated)]
    if is_negated and re.search(
        r"\b(?:who|that) (?:do|does|is|are|have|has|can) not\b", " ".join(words)
    ):
        raise NotUnderstoodError("who do not what?")  # "children who do not live with you"
    if len(others) > 1:
        if others[0].quantifier == "who" or others[0].is_counted:
            person = narrowed(others[0], others[1])
            for it in others[2:]:
                person = narrowed(person, it)  # "which of your children is the oldest?"
        else:
            raise NotUnderstoodError("more than one group of people")
    else:
        person = others[0]
    if person.kind == "name" and how != "is":
        raise NotUnderstoodError("nothing is asked about")
    if all(part.kind == "people" for part in parts) and person.has_ages and how is None:
        if person.quantifier in ("all", "each") and {"is", "are"} & set(words):
            return [all_of_age(person)]
        if person.quantifier in ("all", "each") and not person.relations:
            return [Query("list", replace(person, quantifier="who"))]  # "everybody 62 or up"
        return [Query("exists", replace(person, quantifier="any"))]
    if {"boy", "boys", "girl", "girls"} & set(person.said.split()) and _ARE_OWN.search(
        " ".join(words)
    ):
        person = replace(person, relations=OWN)
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
    if all(part.kind in ("people", "plain") for part in parts) and person.kind == "members":
        if person.pick:
            return [Query("list", replace(person, quantifier="who"))]
        if person.relations and (len(words) <= 4 or person.has_home):
            if last and last[-1].topic:
                raise NotUnderstoodError("what of them?")
            return [Query("exists", replace(person, quantifier="any"))]
    raise NotUnderstoodError("nothing is asked about")


_HAS_IT = re.compile(
    r"\b(?:has|have|had|gets?|receives?|do|does) (?:it|that|this|1|any)$"
    r"|^who (?:else )?(?:does|do|did)$"
)


def thing_said(words: Sequence[str]) -> Query | None:
    """Return whether the one thing is so that words name: "I see Medicaid on the file"."""
    named = {
        meaning
        for place in range(len(words))
        for it in find_phrases(words, place)
        if not it.skipped
        for meaning in it.meanings
    }
    if len(named) != 1 or _NOT & set(words):
        return None
    (it,) = named
    is_one = topics()[it.topic].kind == "flag" and topics()[it.topic].of_member
    return Query("is", YOU, it.topic, is_opposite=it.is_opposite) if is_one else None


_NOT = frozenset(("not", "no", "never", "without"))
_DOING = frozenset(("do", "does", "did"))
_IN_A_HOME = re.compile(r"\bliv(?:e|es|ing) in an? (?:apartment|house|home|place|building)\b")
_ARE_OWN = re.compile(r"\b(?:do|have) you have\b(?!.*\b(?:home|house|household|here|there)\b)")


def is_of_parents(words: Sequence[str], people: Sequence[People]) -> bool:
    """Return whether it is asked who has children: "does your sister have any children?"."""
    if len(people) != 2 or not {"have", "has"} & set(words):
        return False
    parent, child = people
    is_free = re.fullmatch(r"(?:any |a )?(?:children|child)", child.said) is not None
    return is_free and not (child.has_home or child.pick or parent.is_other)


_YOURS = re.compile(r"\byour (?!household\b|home\b|house\b|family\b)|\byours\b|\bwith you\b")
_HOW_OF_PARENTS: dict[How, How] = {"list": "who", "count": "count", "exists": "is"}


def of_any_parents(query: Query, household: Household | None) -> Query:
    """Return "who are the parents?" as asked of all who have children, not of the applicant's own.

    Raises:
        AmbiguousError: Both may be meant, and they are not the same.
    """
    how = _HOW_OF_PARENTS.get(query.how)
    is_theirs = _YOURS.search(query.people.said) is None
    is_open = query.topic is None and query.among is None and query.than is None
    if not (household and how and is_open and is_theirs and query.people.relations == ("parent",)):
        return query
    people = replace(query.people, relations=())
    asked = replace(query, how=how, people=people, topic="is_parent")
    if evaluate(asked, household).answer == evaluate(query, household).answer:
        return query
    if how != "who":
        raise AmbiguousError("whose parents?")
    return asked


def of_those_found(query: Query, last: Sequence[Query], context: Context) -> Query:
    """Return "who is pregnant, and how many weeks?" as asked of those of whom it is so."""
    is_further = bool(last) and last[-1].how == "who" and query.topic not in (None, last[-1].topic)
    if not is_further or query.how != "value" or query.people.said != last[-1].people.said:
        return query
    found = context.plural or context.people
    return replace(query, people=replace(found, quantifier="each")) if found else query


def _all_of_ages(group: People, *, is_negated: bool) -> Query:
    """Return "are you or your spouse 65 or older?" as asked of each: the age is said of both."""
    *before, last = group.of
    if not last.has_ages or any(it.has_ages for it in before) or not re.search(r"\d", last.said):
        raise NotUnderstoodError("is who what?")
    is_either = re.search(
        r"\bor\b(?! (?:older|over|younger|under|above|below|up|more|less))", group.said
    )
    named = replace(
        group,
        of=(*before, replace(last, at_least=0, below=None)),
        quantifier="any" if is_either else "all",
    )
    aged = People("members", "any", at_least=last.at_least, below=last.below, said="of that age")
    return Query("is", named, among=aged, is_negated=is_negated)


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
    if person.quantifier == "who" and how == "is":
        how = "who"
    return for_household(replace(last, how=how, people=person), ())


def _goes_on(last: Query, op: str, words: Sequence[str]) -> Query:
    """Return the question that "how many?", "how much?" or "how old is it?" goes on with."""
    if op == "what" and "1" not in words and "ones" not in words:
        raise NotUnderstoodError("nothing is asked about")
    further = _FURTHER.get((last.topic or "", op))
    is_of_work = last.topic == "employed" and op in ("how long", "how many months")
    if further and not (is_of_work and not last.is_opposite):
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
