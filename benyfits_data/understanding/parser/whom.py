"""Whom a clause is about, from the people that it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.money_words import is_from_work
from benyfits_data.understanding.parser.people import OWN, People, Quantifier
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.phrases import PLAIN_VERBS, Found
from benyfits_data.understanding.parser.query import How, Query, evaluate
from benyfits_data.understanding.parser.question_text import VERBS
from benyfits_data.understanding.parser.topics import Topic, topics

YOU = People("you", said="you")
UNKNOWN = Query("value", YOU, "not_known")
"""Asks for what no fact tells."""
SPOUSE = People("members", relations=("spouse", "domestic partner"), said="your spouse or partner")
EVERYBODY = People("members", "any", is_plural=True, said="anybody")


@dataclass
class Context:
    """What earlier questions leave behind: the last queries and whom they were about.

    Attributes:
        queries: The last queries.
        household: The household that is asked.
        people: Who was spoken of last.
        plural: Which several people were spoken of last.
        subject: Of whom each of a sentence's clauses asks: "for each child, ...".
        is_missed: Whether what was said before a question was not understood.
        is_lost: Whether the question before was not understood: nothing can go on with it.
        among: Those among whom "anyone" is: "of the adults, does anyone work?".
        heading: Whom words before a question named: "Now for Maria.".
        is_heading_open: Whether they named several, and so nobody that a bare question is of.
        asked: Of whom the topic of the last queries was asked by name, in this question or those
            before: "anyone else" is somebody else than they.
        said: The one thing that words before a question name: "I see Medicaid here. Who has it?".
    """

    queries: Sequence[Query] = ()
    household: Household | None = None
    people: People | None = None
    plural: People | None = None
    subject: People | None = None
    is_missed: bool = False
    is_lost: bool = False
    among: People | None = None
    heading: People | None = None
    is_heading_open: bool = False
    asked: tuple[People, ...] = ()
    said: Query | None = None

    def keep(self, queries: Sequence[Query]) -> None:
        """Keep the queries of a question, and of whom they were asked by name."""
        last = self.queries[-1].topic if self.queries else None
        told = tuple(it.people for it in queries if _is_named(it))
        is_same = all(it.topic == last for it in queries)
        if len(told) < len(queries) or any(it.topic != queries[0].topic for it in queries):
            told, is_same = (), False
        self.asked = (*self.asked, *told) if is_same else told
        self.queries = queries

    def others(self, people: People) -> People:
        """Return "anyone else" as all but those who were asked about before."""
        is_else = people.is_other and "else" in people.said.split()
        if not is_else or all(it == YOU for it in self.asked) or self.household is None:
            return people
        asked = {number for it in self.asked for number in it.members(self.household)}
        children = set(People("members", relations=OWN).members(self.household))
        if people.quantifier == "all" and asked < children:
            return people  # all other children, or everybody else?
        return replace(people, is_other=False, but=self.asked)


def _is_named(query: Query) -> bool:
    """Whether a question is asked of somebody, and not of anybody."""
    people = query.people
    is_one = people.kind in ("you", "name", "members") and people.quantifier == "the"
    is_of_them = people.kind == "group" and people.quantifier == "all"
    return bool(query.topic) and (is_one or is_of_them) and not people.is_counted


def people_of(parts: Sequence[ClausePart], words: Sequence[str], context: Context) -> list[People]:
    """Return whom a clause names, pronouns replaced by whom they mean."""
    found = sorted(
        [part for part in parts if part.kind == "people"] + _people_between(parts, words),
        key=lambda part: part.start,
    )
    told: list[tuple[ClausePart, People]] = []
    for part in found:
        person = part.it
        if not isinstance(person, People):
            continue
        if person.kind == "pronoun":
            if person.said == "they" and _is_impersonal(parts, context):
                continue
            if any(it.kind not in ("you", "household") for _, it in told):
                continue
            person = _meant(person, context)
        elif person.is_theirs and context.plural is not None:
            of_them = replace(context.plural, is_counted=False, quantifier="the")
            person = replace(of_them, pick=person.pick, rank=person.rank)
        elif person.is_theirs and _OF_TWO.search(person.said) and not told:
            raise NotUnderstoodError(f"of whom is {person.said!r}?")
        if context.among is not None and _is_free(person):
            quantifier, is_counted = person.quantifier, person.is_counted
            person = replace(context.among, quantifier=quantifier, is_counted=is_counted)
        elif context.among is not None and person.has_ages:
            person = _aged_among(context.among, person)
        if person.said in ("who", "whom") and told:
            at, last = told[-1]
            is_whether = words[0] in ("is", "are") and words[1:2] == ["there"]
            if words[0] in VERBS and last.quantifier in ("all", "each"):
                raise NotUnderstoodError("is all who do what?")  # "is everyone who works insured?"
            if last.kind == "members" and not last.is_counted and not is_whether:
                told[-1] = (at, replace(last, quantifier="who"))  # "all members who work"
            continue
        if told and told[-1][0].end == part.start and person.kind == "name":
            _, group = told.pop()  # "my spouse Ben" is one person
            person = replace(person, of=(group,)) if group.relations else person
        told.append((part, person))
    return _joined(told, words)


def _aged_among(among: People, aged: People) -> People:
    """Return "who is under 12" of those with a disability as those of them who are."""
    if not _is_free(replace(aged, at_least=0, below=None)):
        return aged
    limits = [it for it in (among.below, aged.below) if it is not None]
    return replace(
        among,
        quantifier=aged.quantifier,
        is_counted=aged.is_counted,
        at_least=max(among.at_least, aged.at_least),
        below=min(limits, default=None),
    )


_FREE = ("any", "who", "none", "all", "each")


def _is_free(people: People) -> bool:
    """Whether anybody may be meant."""
    is_bare = not (people.relations or people.has_ages or people.pick or people.leaves_out)
    return people.kind == "members" and is_bare and people.quantifier in _FREE


def _is_impersonal(parts: Sequence[ClausePart], context: Context) -> bool:
    """Whether "they" are nobody of the household: "did they turn off your heat?"."""
    found = [part.it for part in parts if isinstance(part.it, Found)]
    of_home = [not topics()[it.topic].of_member for each in found for it in each.meanings]
    return context.plural is None and context.people is None and bool(of_home) and all(of_home)


def remember(context: Context, query: Query) -> None:
    """Keep whom a query was about, so that pronouns of the next question can mean them."""
    people = query.people
    if query.topic in ("married", "single", "marital_status", "has_partner"):
        context.people = SPOUSE
    elif query.topic == "household_size" or people.kind == "household":
        context.plural = replace(EVERYBODY, quantifier="all")
    elif people.kind == "you" and query.than is not None and query.than.kind != "you":
        context.people = query.than
    elif people.kind in ("you", "pronoun"):
        return
    elif people.pick and people.kind == "members":
        # "How old is your oldest child?", "And the youngest?": of your children.
        context.people = replace(people, quantifier="the", is_plural=False)
        context.plural = replace(people, pick="", rank=1, is_plural=True)
    elif people.pick and people.is_plural and context.household is not None:
        context.people = replace(people, is_plural=False, quantifier="the")
    elif (
        query.topic
        and (people.quantifier in ("any", "who") or people.is_counted)
        and context.household is not None
    ):
        # "Does anyone work?": "they" are those who do.
        found = evaluate(replace(query, how="who", among=None), context.household)
        of = tuple(People("name", number=n) for n in found.answer or ())
        context.plural = People("group", "each", of=of, said="such person", is_plural=True)
        if len(of) != 1:
            context.people = None if of else context.plural
        elif of[0].number:
            context.people = of[0]  # nobody says "he" of whom he asks
    elif people.is_plural:
        context.plural = people
    else:
        context.people = people


_OF_TWO = re.compile(r"\b(?:younger|older|middle|next|second|third|fourth)\b")
"""Picks that must be among people spoken of before."""


def _other_of(context: Context) -> People:
    """Return "the other one": of those spoken of before, the one who was not asked of last.

    Raises:
        NotUnderstoodError: There is no such one, or there are several.
    """
    home, group, last = context.household, context.plural, context.people
    if home is None or group is None or last is None:
        raise NotUnderstoodError("the other of whom?")
    one, all_of_them = set(last.members(home)), set(group.members(home))
    rest = all_of_them - one
    if len(one) != 1 or not one <= all_of_them or len(rest) != 1:
        raise NotUnderstoodError("the other of whom?")
    return People("name", number=rest.pop(), said="the other 1")


def _meant(pronoun: People, context: Context) -> People:
    if pronoun.said == "the other 1":
        return _other_of(context)
    last = context.queries[-1].people if context.queries else None
    if pronoun.is_plural and last is not None and last.pick and not last.relations:
        raise NotUnderstoodError(f"the one picked, or all, by {pronoun.said!r}?")
    meant = (context.plural or context.people) if pronoun.is_plural else context.people
    if meant is None:
        raise NotUnderstoodError(f"whom does {pronoun.said!r} mean?")
    if pronoun.quantifier != "the" or pronoun.is_counted:
        return replace(meant, quantifier=pronoun.quantifier, is_counted=pronoun.is_counted)
    if meant.kind == "group":
        return meant
    is_several = meant.is_plural and not meant.relations
    return replace(meant, quantifier="any" if is_several else "the", is_counted=False)


def _joined(found: Sequence[tuple[ClausePart, People]], words: Sequence[str]) -> list[People]:
    """Return people with those that commas, "and" and "or" join as one group."""
    runs: list[tuple[list[People], set[str]]] = []
    end = 0
    for part, person in found:
        between = set(words[end : part.start])
        if runs and between <= _JOINS and between & {"and", "or", "nor", ","}:
            runs[-1][0].append(person)
            runs[-1][1].update(between)
        else:
            runs.append(([person], set()))
        end = part.end
    return [
        run[0] if len(run) == 1 else _group(run, "or" if {"or", "nor"} & joints else "and")
        for run, joints in runs
    ]


_JOINS = frozenset(
    ["and", "or", "nor", ",", "a", "an", "the", "any", "both", "also", "is", "are", "do", "does"]
)


def _group(people: Sequence[People], joint: str) -> People:
    if all(it == YOU for it in people):
        return YOU
    if any(it.kind == "household" for it in people):
        return EVERYBODY if joint == "or" else replace(EVERYBODY, quantifier="all")
    is_of_any = _is_free(replace(people[0], at_least=0, below=None))
    if len(people) > 2 and is_of_any and people[0].quantifier == "who":
        return narrowed(people[0], _group(people[1:], joint))  # "who is under 18, you or Ben?"
    if people[0].quantifier == "who" or people[0].is_counted:
        # "how many nephews and nieces"
        first, *others = people
        of = (replace(first, quantifier="the", is_counted=False), *others)
        free = replace(first, at_least=0, below=None, pick="", rank=1)
        return replace(free, kind="group", of=of, is_plural=True)
    return People(
        "group",
        "any" if joint == "or" or people[0].quantifier == "any" else "all",
        said=f" {joint} ".join(it.said for it in people),
        of=tuple(people),
        is_plural=True,
    )


def _people_between(parts: Sequence[ClausePart], words: Sequence[str]) -> list[ClausePart]:
    """Return the people whose words stand inside a phrase: "how much rent do you pay"."""
    found: list[ClausePart] = []
    for part in parts:
        if not isinstance(part.it, Found):
            continue
        skipped = set(part.it.skipped)
        if words[part.end - 1] == "you" and words[part.end : part.end + 1] in (
            ["and"],
            ["or"],
            [","],
        ):
            found.append(ClausePart(part.end - 1, part.end, "people", YOU))  # "ages of you and"
        for place in sorted(skipped):
            if found and place < found[-1].end:
                continue
            end = place
            while end in skipped:
                end += 1
            named = [it for it in find_people(words[:end], place) if it.end <= end]
            if named:
                found.append(ClausePart(place, named[0].end, "people", named[0].people))
    return found


def whose(people: Sequence[People], topic: Topic, words: Sequence[str]) -> People:
    """Return whom a question is about where it names several: you who have, and those you have."""
    others = [it for it in people if it.kind not in ("you", "household")]
    if topic.name == "relation":
        return others[0] if others else YOU
    if topic.name == "dependent" and {"claim", "claimed"} & set(words) and len(people) > 1:
        # "Can anyone claim you": whom it is about comes last; "whom do you claim", "is Jo claimed
        # as your dependent": first.
        is_first = people[0].quantifier == "who" or people[-1].said == "your"
        return people[0] if is_first else people[-1]
    if topic.name in _CARES_FOR and len(people) > 1:
        return people[0]
    if len(others) > 1:
        first, second = others[0], others[-1]
        if len(others) > 2:  # "which of your children is the oldest"
            first = narrowed(first, others[1])
        if first.quantifier == "who" or first.is_counted:
            return narrowed(first, second)
        raise NotUnderstoodError("more than one group of people")
    if others:
        return others[0]
    if any(it.kind == "household" for it in people) and (
        not any(it.kind == "you" for it in people) or topic.of_member
    ):
        return next(it for it in people if it.kind == "household")
    return YOU


_CARES_FOR = frozenset(("legal_guardian", "responsible_for_day_to_day"))
"""Flags that are said of somebody in view of others: "are you the guardian of Jo?"."""


def narrowed(first: People, second: People) -> People:
    """Return the people that two groups name together: "who of your children".

    Raises:
        NotUnderstoodError: They are two different groups.
    """
    is_other, but = first.is_other or second.is_other, (*first.but, *second.but)
    return replace(_narrowed(first, second), is_other=is_other, but=but)


def _narrowed(first: People, second: People) -> People:
    if (
        first.quantifier == "who"
        and second.pick
        and (not second.relations or second.relations == first.relations)
    ):
        return replace(
            first,
            pick=second.pick,
            rank=second.rank,
            said=second.said,
            sex=first.sex or second.sex,
            at_least=max(first.at_least, second.at_least),
            below=min((it for it in (first.below, second.below) if it is not None), default=None),
        )
    if first.quantifier == "who" and second.kind == "group" and not first.relations:
        return replace(second, quantifier="who", at_least=first.at_least, below=first.below)
    if second.kind == "members" and not first.relations and not first.sex:
        return replace(second, quantifier=first.quantifier, is_counted=first.is_counted)
    if second.kind == "members" and not second.relations and not second.pick:
        limits = [it for it in (first.below, second.below) if it is not None]
        return replace(
            first,
            sex=first.sex or second.sex,
            at_least=max(first.at_least, second.at_least),
            below=min(limits, default=None),
        )
    raise NotUnderstoodError("more than one group of people")


def each_asked(
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
    is_of_each = bool({"each", "list"} & set(ops)) or (
        bool(_SEVERAL & set(words)) and "total" not in ops
    )
    if is_of_found or (before and is_of_each):
        last = before[-1]
        if last.topic and last.how == "is":
            raise NotUnderstoodError("of each, or of those of whom it is so?")
        is_several = last.topic is not None or (last.people.is_plural and not last.people.pick)
        meant = (context.plural if is_several else context.people) or EVERYBODY
        return replace(meant, quantifier="each")
    if is_of_each and not people and "list" not in ops:
        if context.among is not None:
            return replace(context.among, quantifier="each")
        if context.is_missed:
            raise NotUnderstoodError("of whom?")
        if context.queries and context.plural is not None:
            return replace(context.plural, quantifier="each")
    return replace(EVERYBODY, quantifier="all") if is_of_each and "total" not in ops else None


_SEVERAL = frozenset(("ages", "names", "grades", "relationships"))
"""Nouns that ask for the value of each."""


def of_any_relation(people: People, *, of_home: bool) -> People:
    """Return children under an age or of a home as anybody of that age, whosever child."""
    mine = r"\byour (?:\w+ )?(?:child|children)\b|\b(?:child|children) of yours\b"
    is_mine = re.search(mine, people.said) is not None
    is_said = re.search(r"\b(?:child|children)\b", people.said) is not None
    if people.relations != OWN or is_mine or not is_said or people.pick:
        return people
    if people.below is None and not (of_home and people.at_least == 0):
        return people
    return replace(people, relations=(), below=18 if people.below is None else people.below)


def subject_before(last: Query, words: Sequence[str]) -> list[People]:
    """Return whom a clause without a subject is about: "is any child disabled or has asthma?".

    Raises:
        NotUnderstoodError: It says something more of those who are found.
    """
    if last.people.kind in ("you", "household"):
        return []
    is_named = last.people.kind in ("name", "members") and last.people.quantifier == "the"
    if last.how == "exists" and words[0] not in PLAIN_VERBS and last.people.kind == "members":
        quantifier: Quantifier = "each" if last.people.is_plural else "the"
        return [replace(last.people, quantifier=quantifier)]  # "your dad, how old?"
    if words[0] not in PLAIN_VERBS:
        return [last.people] if is_named and not last.people.is_plural else []
    if last.how not in ("is", "exists"):
        raise NotUnderstoodError("what of those?")
    return [last.people]


def is_of_two_kinds(people: People) -> bool:
    """Whether a group joins people told apart with anybody: "seniors or people with ..."."""
    if people.kind != "group" or people.quantifier != "any":
        return False
    free = [it.kind == "members" and not (it.relations or it.has_ages) for it in people.of]
    return any(free) and not all(free) and any(it.has_ages for it in people.of)


_BOTH = ("both of you", "you both", "either of you", "neither of you")
PAIR = 2
_GROWN = 13
"""From this age on nobody calls children "little ones"."""


def of_this_home(people: People, household: Household | None) -> People:
    """Return "the children" as those of the home where the applicant has none of their own."""
    if people.said in _BOTH and household is not None and len(household.members) != PAIR:
        raise NotUnderstoodError("which two?")
    is_only = people.said.startswith("your only ") and household is not None
    if is_only and household and len(people.members(household)) > 1:
        raise NotUnderstoodError("which of several?")
    of_all = re.match(r"all (\d+) of you\b", people.said)
    if of_all and household is not None and int(of_all[1]) != len(household.members):
        raise NotUnderstoodError("which of us?")
    is_little = re.search(r"\blittle (?:ones?|1s?)\b(?!.*\d)", people.said)
    if is_little and household is not None:
        older = replace(people, below=_GROWN)
        if people.members(household) != older.members(household):
            raise NotUnderstoodError("how little?")
    is_the = re.match(
        r"(?:all |both |any |each |either |none )?(?:of )?the (?:\w+ )?children\b", people.said
    )
    if not is_the or people.relations != OWN or household is None or people.members(household):
        return people
    return replace(people, relations=(), below=min(people.below or 18, 18))


_ANY = frozenset(("any", "anyone", "anybody", "someone", "somebody", "anything"))


def for_household(query: Query, words: Sequence[str]) -> Query:
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
        is_open = query.topic == "annual_work_income" and not is_from_work(words)
        if is_open and brings & set(words):
            how: How = "is" if query.how == "is" else "value"
            return replace(query, topic="household_income", how=how)
        return query if query.how == "is" else replace(query, how="sum")
    if (
        query.people.kind == "household"
        and query.how == "is"
        and topics()[query.topic or ""].of_member
    ):
        is_whole = re.search(r"\b(?:whole|entire|all)\b", query.people.said) is not None
        if is_whole and _ANY & set(words):
            raise NotUnderstoodError("all of you, or any?")  # "do you all have any pension?"
        quantifier: Quantifier = "all" if is_whole else "any"
        everybody = replace(EVERYBODY, quantifier=quantifier, said=query.people.said)
        return replace(query, people=everybody)
    return query
