"""Claims about people: who somebody is, how old, and of whom what was asked is so."""

import re
from collections.abc import Sequence
from dataclasses import replace

from benyfits_data.understanding.parser.claim_notes import PEOPLE_TOPICS, ClaimNotes, is_any
from benyfits_data.understanding.parser.limits import all_of_age
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.query import Evaluation, Query, evaluate
from benyfits_data.understanding.parser.question_text import VERBS
from benyfits_data.understanding.parser.topics import related, topics
from benyfits_data.understanding.parser.whom import EVERYBODY, YOU

_IS_CALLED = re.compile(r"(?:i am|\w+ is|my (?:full )?name is) (?:\w+)(?: \w+)?")


def take_age(notes: ClaimNotes, people: People, text: str, *, is_negated: bool) -> bool:
    """Take in somebody's age: "my spouse is 40 years old"."""
    query = all_of_age(people)
    found = evaluate(query, notes.household)
    is_true = bool(found.people) and bool(found.answer) != is_negated
    truth = [it.value for it in found.findings]
    picked = [it.people for it in notes.found if it.query.topic is None and it.query.people.pick]
    is_other = any(not set(found.people) & set(it) for it in picked) or notes.is_of_others(query)
    is_other |= bool(notes.queries) and all(it.how == "count" for it in notes.queries)
    answers = notes.is_related(query) and not is_other
    return notes.add(text, "age", is_true, truth, answers=answers)


def take_kin(notes: ClaimNotes, people: Sequence[People], text: str, *, is_negated: bool) -> bool:
    """Take in who somebody is: "Rob is my cousin", "we are all adults"."""
    named, group = people
    if named.kind == "household":
        named = replace(EVERYBODY, quantifier="all")
    if group.kind == "name" and not group.of and _IS_CALLED.fullmatch(text):
        is_true = (named.members(notes.household) == [group.number]) != is_negated
        return notes.add(text, "relation", is_true, [group.number], answers=False)
    is_list = named.kind == "members" and group.kind == "group" and not is_negated
    if is_list and all(it.kind == "name" for it in group.of):
        there = named.members(notes.household)  # "my children are Mei and Andre"
        is_true = there == group.members(notes.household)
        return notes.add(text, "relation", is_true, there, answers=notes.asks_people())
    if group.kind == "name" and named.kind == "members":
        named, group = group, named  # "my wife is Maria"
    if group.kind != "members" or named.is_counted:
        return False
    is_none = named.quantifier == "none"
    named = replace(named, quantifier="any") if is_none else named
    if group.relations == ("parent",) and any(it.topic == "is_parent" for it in notes.queries):
        found = evaluate(Query("is", named, "is_parent"), notes.household)
        is_true = bool(found.answer) != (is_negated != is_none)  # "I am a parent" is nobody's kin
        return notes.add(text, "is_parent", is_true, found.answer)
    group = replace(group, is_other=False)
    found = evaluate(Query("is", named, among=group), notes.household)
    is_true = bool(found.people) and bool(found.answer) != (is_negated != is_none)
    if not found.people and is_negated and named == notes.people:
        is_true = not group.members(notes.household)  # "he is not my husband": there is none
    topic = "relation" if group.relations else "age" if group.has_ages else "sex"
    told = {topic, "sex" if group.sex else topic}
    answers = notes.asks_people() or any(
        it.among is not None or told & related(it.topic or "") for it in notes.queries
    )
    return notes.add(text, topic, is_true, list(found.people), answers=answers)


def take_holders(
    notes: ClaimNotes,
    people: Sequence[People],
    words: Sequence[str],
    text: str,
    *,
    is_negated: bool,
    is_only: bool,
) -> bool:
    """Take in "my spouse does", "Maria and Tom", "only me": the question has the topic."""
    named = _Named(notes, people, is_negated=is_negated, is_only=is_only)
    named.is_none |= bool({"neither", "none"} & set(words[:1]))
    notes.spoken_of |= named.numbers
    has_verb = bool(set(words) & VERBS)
    if is_negated == (notes.asks_who_not() and has_verb) and not named.is_none:
        notes.named |= named.numbers
    is_bare_you = people == [YOU] and not is_only and not has_verb
    first = notes.found[0]
    is_of_one = first.query.how == "is" and first.query.people.quantifier == "the" and first.people
    is_stranger = any(it.quantifier == "any" and not it.relations for it in people)
    if is_of_one and is_stranger and not is_negated and "anybody" not in text:
        return False  # "a lady named Rosa"
    if first.query.topic in PEOPLE_TOPICS and first.query.among is None:
        return (not is_bare_you or bool(first.query.people.pick)) and _take_members(
            notes, named, first, text
        )
    if len(notes.found) == 1 and first.query.among is not None and len(people) == 1:
        (kin,) = people
        if kin.kind == "members" and kin.relations and first.query.people.kind == "name":
            return take_kin(notes, [first.query.people, kin], text, is_negated=is_negated)
    n_claims = len(notes.claims)
    for it in notes.found:
        if not it.is_known:
            notes.invented.append(text)
            notes.is_answered = True
            continue
        alone = set(it.query.among.members(notes.household)) if it.query.among else set()
        is_of_alone = bool(alone) and named.numbers == alone
        topic = topics()[it.query.topic] if it.query.topic and not is_of_alone else None
        if (
            topic is None
            and it.query.among is None
            and any(one.kind == "household" for one in people)
        ):
            continue  # "my household does not", where also asked who lives here
        if topic is not None and not topic.of_member and not _says_so(it.query, words):
            if len(notes.claims) > n_claims:
                continue
            return False
        if it.query.among is not None and it.query.how in ("is", "exists") and named.numbers:
            holders = set(it.query.among.members(notes.household))
            is_true = named.are(holders, notes.asked_of(it.query))
            notes.add(text, "relation", is_true, sorted(holders))
            continue
        if topic is None or not topic.of_member:
            notes.add(text, topic.name if topic else None, bool(it.answer) != is_negated, it.answer)
            continue
        if _is_echo(notes, named, it.query) and not has_verb:
            continue  # "is Ben working?" "Ben ..."
        if is_bare_you and not is_negated:
            return it.query.how == "who" and notes.add(text, topic.name, 0 in it.answer, it.answer)
        if topic.name == "relation" and len(people) == 1 and people[0].relations:
            return take_kin(notes, [it.query.people, people[0]], text, is_negated=is_negated)
        is_open = topic.kind != "flag" and it.query.value is None
        if is_open and it.query.comparison is None and it.query.how not in ("is", "who"):
            return False
        holders = notes.holders(it.query)
        if it.query.extreme:
            holders = {each.member or 0 for each in it.findings if each.holds}
        is_of_anybody = it.query.people.quantifier in ("any", "who") and not notes.asks_who_not()
        notes.is_denied_of_you = is_negated and named.numbers == {0} and is_of_anybody
        asked = it.query.people
        meant = notes.asked_of(it.query)
        if any("else" in one.said.split() for one in people):
            meant -= alone  # "nobody else has one" but for him who may be the only one
        if notes.asks_who_not() and not has_verb:
            holders = meant - holders  # "who doesn't work?" "Ben."
        is_of_others = asked.is_other or any(one.kind == "you" for one in asked.but)
        is_of_others |= asked.kind == "group" and 0 not in meant
        is_true = named.are(holders, meant, is_of_others=is_of_others) and not named.is_missing
        if named.is_only and named.numbers == {0} and "married" in related(topic.name):
            is_true = not holders  # "only me" leaves out a partner
        answers = is_only or not _is_of_others(notes, named, it.query)
        notes.add(text, topic.name, is_true, sorted(holders, key=str), answers=answers)
    return len(notes.claims) > n_claims or bool(notes.invented)


def _is_echo(notes: ClaimNotes, named: "_Named", query: Query) -> bool:
    """Whether nothing but the one who is asked about is named: "is Ben working?" "Ben ..."."""
    is_of_one = query.how == "is" and query.people.kind in ("name", "members")
    is_of_one = is_of_one and query.than is None and not query.people.is_plural
    is_bare = not (named.is_only or named.is_negated or named.is_none)
    return is_of_one and is_bare and named.numbers == notes.asked_of(query)


def _is_of_others(notes: ClaimNotes, named: "_Named", query: Query) -> bool:
    """Whether nobody who was asked about is named: "I have one" of your son."""
    meant = notes.asked_of(query)
    is_certain = query.how == "is" and query.people.quantifier == "the"
    if "married" in related(query.topic or ""):
        return False  # "to Ben": the other one of the two
    return is_certain and bool(meant and named.numbers) and not meant & named.numbers


def _says_so(query: Query, words: Sequence[str]) -> bool:
    """Whether people alone say that a fact of the household is so: "we do", not "my wife"."""
    last = [word for word in words if word not in ("too", "also", "now", "not")][-1:]
    return query.how in ("is", "exists") and set(last) <= VERBS


class _Named:
    """The members that a clause names, and what it says of them.

    Attributes:
        people: Whom it names.
        each: Each of them, and the numbers of the members meant.
        numbers: Their numbers.
        is_missing: Whether one of those named is not there.
        is_none: Whether it says that none of them is meant.
        is_negated: Whether it denies.
        is_only: Whether it says that there are no others.
        is_miscounted: Whether it says another number of them: "my three children" of two.
    """

    def __init__(
        self, notes: ClaimNotes, people: Sequence[People], *, is_negated: bool, is_only: bool
    ) -> None:
        each = [it for one in people for it in (one.of if one.kind == "group" else [one])]
        meant = [notes.numbers_of(it) for it in each]
        self.people = people
        self.each = list(zip(each, map(set, meant), strict=True))
        self.numbers = {number for it in meant for number in it}
        self.is_missing = any(not it for it in meant)
        self.is_none = any(person.quantifier == "none" for person in people) or (
            bool(each) and all(it.quantifier == "none" for it in each)
        )
        self.is_negated = is_negated
        self.is_only = is_only
        self.is_miscounted = any(
            it.said_number is not None and len(members) != it.said_number
            for it, members in zip(each, meant, strict=True)
        )

    def are(self, holders: set[int], asked: set[int], *, is_of_others: bool = False) -> bool:
        """Return whether what is said of them fits those of whom it is so.

        Args:
            holders: Those of whom it is so.
            asked: Those who were asked about.
            is_of_others: Whether the question leaves the applicant out.
        """
        if self.is_only:
            if asked == {0}:
                return self.numbers == holders  # "do you work?" "Only I do."
            if len(asked) > 1:
                is_of_others |= 0 not in self.numbers | asked  # "only Ben" of my children
            meant = asked if is_of_others else asked | {0}
            return self.numbers == (holders & meant if self.numbers <= meant else holders)
        if self.is_none:
            return not holders & asked
        if self.is_negated and any(is_any(person) for person in self.people):
            return not self.numbers & holders
        if not self.is_negated and any(is_any(person) for person, _ in self.each):
            return all(it & holders if is_any(one) else it <= holders for one, it in self.each)
        if self.is_negated and any(person.quantifier == "all" for person in self.people):
            return not self.numbers <= holders
        return not self.numbers & holders if self.is_negated else self.numbers <= holders


def _take_members(notes: ClaimNotes, named: _Named, asked: Evaluation, text: str) -> bool:
    """Take in people where people were asked for: "my spouse and two children", "only me"."""
    if named.people == [YOU] and asked.query.people.pick:
        is_me = (0 in asked.people) != named.is_negated  # "the oldest? That would be me"
        return notes.add(text, None, is_me, list(asked.people))
    if named.people == [YOU] and not named.is_only:
        return notes.add(text, None, bool(asked.answer) != named.is_negated, asked.answer)
    everybody = set(range(len(notes.names)))
    wanted = set(asked.people) if asked.query.topic is None else everybody
    if named.is_negated or named.is_none:
        is_true = not named.numbers & wanted - {0}
        return notes.add(text, None, is_true, sorted(wanted))
    if asked.query.how == "exists" and asked.query.people.relations and not asked.answer:
        wanted = everybody if notes.claims else wanted  # "I have no wife. My sister does."
    is_there = not named.is_missing and not named.is_miscounted
    is_true = is_there and named.numbers - {0} <= wanted
    is_alone = asked.query.topic == "lives_alone" and asked.query.how == "is"
    if is_alone and named.numbers - {0} and not named.is_only:
        is_true = is_true and not asked.answer  # "we have a son": not alone
        return notes.add(text, "lives_alone", is_true, asked.answer)
    kin = set(replace(asked.query.people, sex="").members(notes.household))
    if asked.query.how == "exists" and asked.query.people.relations and named.numbers <= kin:
        wanted = kin  # "is your father here?" "Only my mother is."
        is_true = is_there
    if named.is_only:
        is_true = is_true and named.numbers | {0} == wanted | {0}
    return notes.add(text, None, is_true, sorted(wanted))
