"""What makes no query although every word has its place: such clauses are refused, not guessed."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.clause_parts import Clause
from benyfits_data.understanding.parser.cover import AmbiguousError, ClausePart, NotUnderstoodError
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.phrases import Found
from benyfits_data.understanding.parser.query import Query, evaluate
from benyfits_data.understanding.parser.question_text import (
    COUNTED_THINGS,
    FACT_WORDS,
    OPEN_NOUNS,
    VERBS,
)
from benyfits_data.understanding.parser.topics import Meaning, Topic, related, topics
from benyfits_data.understanding.parser.whom import YOU, is_of_two_kinds


def refuse_facts(parts: Sequence[ClausePart]) -> None:
    """Refuse verbs that say something of a fact where people alone are named."""
    for part in parts:
        if part.kind == "plain" and part.it in FACT_WORDS:
            raise NotUnderstoodError(f"{part.it!r} what?")


def is_of_unknown_time(parts: Sequence[ClausePart], words: Sequence[str], topic: Topic) -> bool:
    """Whether it is asked what was or will be where only what is can be known."""
    first = words[0] if words else ""
    is_past = first == "did" or any(part.kind in ("past period", "ever") for part in parts)
    if is_past and not topic.is_past:
        return True
    return first == "will" and not topic.is_future


def refuse_misfits(
    query: Query, topic: Topic, n_topics: int, words: Sequence[str], *, has_op: bool, is_claim: bool
) -> None:
    """Refuse a query whose parts do not go together, whatever the words were."""
    is_state = words[0] in ("is", "are", "was", "were") and "there" not in words
    if query.how in ("who", "count") and (not topic.of_member or topic.name == "name"):
        raise NotUnderstoodError(f"which members, of {topic.name}?")
    if query.how == "who" and query.people.pick and (topic.kind == "flag" or query.value):
        raise NotUnderstoodError("the oldest of whom?")  # "the oldest of those who work"
    is_told = has_op or list(words[:3]) == [
        "you",
        "do",
        "not",
    ]  # "you don't pay rent?" is asked as "do you?"
    if query.how in ("value", "sum") and query.is_negated and is_told and not is_claim:
        raise NotUnderstoodError(f"what is not {topic.name}?")
    is_open = topic.kind != "flag" and query.value is None and query.comparison is None
    if query.how == "is" and topic.kind == "money" and is_open and is_state and not is_claim:
        raise NotUnderstoodError(f"what is so of {topic.name}?")  # "is your rent paid?"
    is_that = words[0] in ("is", "was") and words[1:2] in (["that"], ["this"], ["it"])
    if query.how == "is" and is_open and is_that and not is_claim:
        raise NotUnderstoodError(f"is what {topic.name}?")  # "is that your age?"
    if query.how == "is" and is_open and (n_topics > 1 or topic.name == "name") and not is_claim:
        raise NotUnderstoodError(f"is {topic.name} what?")


def refuse_bare_nouns(parts: Sequence[ClausePart], meanings: Sequence[Meaning]) -> None:
    """Refuse words that ask for a kind or detail that no topic took in."""
    for part in parts:
        if part.kind == "plain" and part.it in OPEN_NOUNS:
            if part.it in ("kind", "type", "sort", "kinds", "types") and any(
                topics()[it.topic].parts or topics()[it.topic].kind == "choice" for it in meanings
            ):
                continue
            raise NotUnderstoodError(f"{part.it!r} of what?")


def refuse_exceptions(clause: Clause) -> None:
    """Refuse a clause that leaves something out, or denies something of somebody else."""
    at_topics = [
        place
        for place, part in enumerate(clause.parts)
        if isinstance(part.it, Found) and {it.topic for it in part.it.meanings} != {"name"}
    ]
    parts = clause.parts
    if at_topics and any(part.kind == "not" for part in parts[at_topics[0] : at_topics[-1]]):
        raise AmbiguousError("what is left out?")  # "insurance, not counting Medicaid"
    after = parts[at_topics[-1] + 1 :] if at_topics and clause.is_claim else []
    if any(
        before.kind == "not" and part.kind == "people" for before, part in combinations(after, 2)
    ):
        raise NotUnderstoodError("what is denied?")  # "I am single and live without a partner"


_TOWARDS = frozenset(("with", "to", "from", "by"))


def refuse_two_parties(clause: Clause) -> None:
    """Refuse what the applicant does with somebody, or is to somebody: "rent a room to anyone"."""
    people = [
        (part, part.it)
        for part in clause.parts
        if part.kind == "people" and isinstance(part.it, People)
    ]
    if clause.is_claim or not people or people[0][1].said != "you" or not clause.topic_parts:
        return
    at_topic = clause.topic_parts[0].start
    for part, it in people:
        if it.kind not in ("members", "name"):
            continue
        before = clause.words[max(0, part.start - 3) : part.start]
        if part.start > at_topic and (before[-1] in _TOWARDS or "from" in before):
            raise NotUnderstoodError("what is between them?")
        if clause.words[0] in ("are", "were") and people[0][0].end == part.start:
            raise NotUnderstoodError("who is whose?")  # "are you the child of a veteran?"


def refuse_unclear_people(clause: Clause) -> None:
    """Refuse a clause whose people may be meant in two ways."""
    if any(is_of_two_kinds(it) for it in clause.people):
        raise AmbiguousError("two ways to be meant")  # "seniors or people with a disability"
    if any(
        one.kind == "op" and other.kind == "join" and third.kind not in ("period", "people")
        for one, other, third in zip(clause.parts, clause.parts[1:], clause.parts[2:], strict=False)
    ):
        raise NotUnderstoodError("asked of what?")  # "how many months ago, and are you ...?"
    first = next((part for part in clause.parts if part.kind != "plain"), None)
    is_noun_first = first is not None and first.kind == "topic" and not clause.is_claim
    is_of_some = any(it.has_ages or it.relations for it in clause.people)
    if is_noun_first and is_of_some and clause.words[0] in ("is", "are"):
        raise NotUnderstoodError("who is who?")  # "are all of your dependents minors?"


_OR_OF_AGE = re.compile(
    r"(?<!\bat )\bor (?:(?:is|are) )?"
    r"(?:(?:over|under|above|below|older than|younger than|at least) (?=\d)|"
    r"\d+ or (?:older|over|younger)\b)"
)


def refuse_other_age(clause: Clause) -> None:
    """Refuse "who has a job or is 65 or older?" read as of those of that age who have one."""
    text = " ".join(clause.words)
    is_limit_before = re.search(r"\d", text.partition(" or ")[0])  # "60 or over"
    if "topic" in clause.kinds and _OR_OF_AGE.search(text) and not is_limit_before:
        raise NotUnderstoodError("a fact or an age?")


def refuse_relative(clause: Clause) -> None:
    """Refuse people of whom something is said before something else is asked of them.

    `conditions` finds those people first: "do the people who work earn the minimum wage?".
    """
    for one, other in pairwise(clause.parts):
        is_relative = isinstance(other.it, People) and other.it.said in ("who", "whom")
        if one.kind == "people" and is_relative and not clause.is_claim:
            after = [part for part in clause.topic_parts if part.start > other.start]
            is_both = len(after) > 1 and clause.words[0] in VERBS
            if is_both and not set(clause.words[after[0].end : after[-1].start]) & _LISTING:
                raise NotUnderstoodError("what of those who do?")


_LISTING = frozenset(("and", "or", ","))


def refuse_unclear_owner(clause: Clause, meanings: Sequence[Meaning]) -> None:
    """Refuse topics of which it is not plain whose they are."""
    if any(it.topic == "household_income" for it in meanings) and any(
        it.quantifier == "each" or it.relations or it.kind == "name" for it in clause.people
    ):
        raise NotUnderstoodError("whose income?")
    is_owned = re.search(r"\byour? (?:own )?(?:name|age|income|job|home)\b", " ".join(clause.words))
    if (
        len(meanings) > 1
        and is_owned
        and any(it.relations or it.kind == "name" for it in clause.people)
    ):
        raise AmbiguousError("whose is what?")  # "your name, and the age of your spouse"


def refuse_it(clause: Clause, topic: Topic) -> None:
    """Refuse "is it ...?" of a member's topic where "it" is nothing that was asked before."""
    words, last = clause.words, clause.last_query
    if topic.name == "name" and "it" in words and not clause.is_claim:
        raise NotUnderstoodError("what is called so?")
    is_it = words[1:2] in (["it"], ["that"]) and not clause.is_claim
    if is_it and topic.of_member and not clause.people:
        told = related(last.topic or "") if last else set()
        if topic.name not in told - {"ac"} or (words[1] == "that" and clause.comparison is None):
            raise NotUnderstoodError("what is meant by it?")


def refuse_two_sums(query: Query, words: Sequence[str], home: Household | None) -> None:
    """Refuse "what do you all make?" where wages and income in all are not the same."""
    if query.how == "sum" and query.topic == "annual_work_income" and "make" in words:
        of_all = replace(query, topic="income")
        if home is not None and evaluate(query, home).answer != evaluate(of_all, home).answer:
            raise AmbiguousError("made at work, or in all?")


def refuse_open_owner(query: Query, home: Household | None) -> None:
    """Refuse "any job?" where the applicant and the household have different answers."""
    of_you = replace(query, people=YOU)
    if home is not None and bool(evaluate(of_you, home).answer) != bool(
        evaluate(query, home).answer
    ):
        raise AmbiguousError("yours, or anybody's?")


def refuse_two_people(queries: Sequence[Query], home: Household | None) -> None:
    """Refuse "does anyone have a job and a disability?" where two people have one each."""
    is_any = all(it.how == "is" and it.people.quantifier == "any" for it in queries)
    if len(queries) > 1 and home is not None and all(it.how == "count" for it in queries):
        counted = [evaluate(replace(it, how="who"), home) for it in queries if it.topic]
        sets = sorted((set(it.answer or ()) for it in counted), key=len)
        if not all(one <= other for one, other in pairwise(sets)):
            raise AmbiguousError("how many in all?")  # "how many get Medicaid or SSI?"
    if home is None or len(queries) < 2 or not is_any or queries[1].joint != "and":
        return
    told = [evaluate(replace(it, how="who"), home) for it in queries if it.topic]
    who = [
        set(it.answer) for it in told if it.is_known and topics()[it.query.topic or ""].of_member
    ]
    if len(who) == len(queries) and all(who) and not set.intersection(*who):
        raise AmbiguousError("one of whom both are so?")


_AMOUNT_WORDS = frozenset(("number", "many", "much", "amount"))
_LIST_WORDS = frozenset(("names", "incomes", "ages"))


def refuse_unread(clause: Clause, queries: Sequence[Query]) -> None:
    """Refuse queries to which something that was said makes no difference: it was not read.

    "Noncitizens: number?" is not "are you a noncitizen?", "rent per year?" not "do you rent?".
    """
    asked = [topics()[it.topic] if it.topic else None for it in queries]
    ways = {it.how for it in queries}
    is_limited = any(it.comparison or it.than or it.extreme for it in queries)
    is_not_known = all(it is not None and it.name == "not_known" for it in asked)
    plain = {str(part.it) for part in clause.parts if part.kind == "plain"}
    wants_amount = {"how many", "how much"} & set(clause.ops) or plain & _AMOUNT_WORDS
    if (
        wants_amount
        and not (is_limited or is_not_known)
        and not clause.is_presupposed
        and not ways & {"value", "count", "sum"}
    ):
        raise NotUnderstoodError("how many?")
    counted = re.search(r"\bhow many (\w+)", " ".join(clause.words))
    if counted and counted.group(1) in COUNTED_THINGS and not is_not_known:
        raise NotUnderstoodError(f"how many {counted.group(1)}?")
    if clause.unit and not any(it and _has_unit(it, clause.unit) for it in asked):
        raise NotUnderstoodError(f"how many {clause.unit}?")
    is_open = not clause.comparison and not clause.is_claim
    if is_open and "months" in clause.words and any(it and it.name == "age" for it in asked):
        raise NotUnderstoodError("age in months?")
    periods = {str(part.it) for part in clause.parts if part.kind == "period"} & set(_RATES)
    if (
        periods
        and not (clause.is_presupposed or is_not_known)
        and not any(it and (it.period or it.unit in ("hour", "day")) for it in asked)
    ):
        raise NotUnderstoodError("what of that time?")
    short = {str(part.it) for part in clause.parts if part.kind == "period"} & _SHORT_TIMES
    short |= set(_SHORT_PAY.findall(" ".join(clause.words)))  # "what is your weekly pay?"
    is_amount = any(it and it.kind == "money" for it in asked) and bool(ways & {"value", "sum"})
    if short and is_amount and not is_limited and not clause.is_claim:
        raise NotUnderstoodError("per hour, day or week?")  # amounts are told by month and year
    is_whole = any(it is None or not it.of_member for it in asked)
    if (
        "total" in clause.ops
        and not is_whole
        and "each" not in clause.words
        and not ways & {"sum", "count"}
        and not is_limited
    ):
        raise NotUnderstoodError("what is added up?")
    if (
        "total" in clause.ops
        and len(queries) > 1
        and all(it and it.kind == "money" for it in asked)
    ):
        raise NotUnderstoodError("what is added up?")  # "work and investments together"
    if any(it and it.name in _OF_WORK for it in asked) and set(clause.words) & _LIVING:
        raise NotUnderstoodError("what is full time?")  # "live with you full time"
    is_who = clause.words[0] in _WHO or clause.words[-1] in _WHO or _asks_who(clause)
    if is_who and not ways & {"who", "list", "count"} and not is_limited:
        raise NotUnderstoodError("who?")
    if clause.words[0] == "who" and _ASKED_OF_ONE.search(" ".join(clause.words)):
        raise AmbiguousError("who, or that one?")  # "who lives with you, does she work?"
    if "who" in ways and not clause.is_claim and _ASKED_OF_THEM.search(" ".join(clause.words)):
        raise NotUnderstoodError("who, or all of them?")  # "those who work: are all of them ...?"
    if "who" in ways and any(
        one.kind == "join" and other.kind == "not" for one, other in pairwise(clause.parts)
    ):
        raise AmbiguousError("who is this and not that?")
    if {"who", "value"} <= ways:
        raise NotUnderstoodError("the value of whom?")  # "list each who works and their hours"
    if (
        clause.comparison
        and "total" in clause.ops
        and any(it.people.kind == "group" for it in queries)
    ):
        raise NotUnderstoodError("what is added up?")  # "do you two together earn over $50,000?"
    last = clause.last_query
    is_of_others = last is not None and last.people.kind not in ("you", "household")
    is_else = any("else" in it.people.said.split() and not it.people.but for it in queries)
    if is_of_others and is_else and not clause.before:
        raise NotUnderstoodError("who else than whom?")
    if "which" in clause.words and "ones" in clause.words and not clause.people:
        raise NotUnderstoodError("which ones?")
    if "value" in ways and any(
        it.topic
        and not topics()[it.topic].of_member
        and topics()[it.topic].kind == "money"
        and it.topic != "household_income"
        and (it.people.relations or it.people.kind == "name")
        and it.people.kind != "group"
        for it in queries
    ):
        raise NotUnderstoodError("whose part of it?")  # "how much rent does your friend pay?"
    at_topic = min((part.start for part in clause.topic_parts), default=len(clause.words))
    if any(
        isinstance(part.it, People) and part.it.kind == "household" and part.start > at_topic
        for part in clause.parts
        if clause.words[part.start - 1 : part.start] == ["from"]
    ):
        raise NotUnderstoodError("from whom?")  # "who earns money from your family?"
    if _is_owner_lost(clause, queries):
        raise AmbiguousError("whose is what?")  # "your usual pay and the pay of your wife"
    if "but people" in clause.kinds and not any(it.people.but for it in queries):
        raise NotUnderstoodError("who is left out?")
    if "but topic" in clause.kinds and not any(it.topic for it in queries):
        raise NotUnderstoodError("what is left out?")
    if clause.words[0] in ("to", "for") and len(queries) > 1 and "," in clause.words:
        raise NotUnderstoodError("what for?")  # "to get to work, can you use the subway?"
    if clause.ops.count("what") > 1:
        raise NotUnderstoodError("what, and what?")
    if plain & _LIST_WORDS and not ways & {"value", "who", "list"}:
        raise NotUnderstoodError("whose?")


def _is_owner_lost(clause: Clause, queries: Sequence[Query]) -> bool:
    """Whether one thing is asked for twice, first yours and then of another, who alone is meant."""
    for one, other in pairwise(clause.topic_parts):
        named = [part.it.meanings for part in (one, other) if isinstance(part.it, Found)]
        before = [it.it for it in clause.parts if it.kind == "people" and it.end <= one.start]
        is_yours = isinstance(before[-1], People) and before[-1].kind == "you" if before else False
        if "and" in clause.words[one.end : other.start] and is_yours and named[0] == named[-1]:
            return not any(it.people == YOU or YOU in it.people.of for it in queries)
    return False


_ASKED_OF_ONE = re.compile(r"\b(?:does|is|has|did|was|can) (?:he|she)\b")
_ASKED_OF_THEM = re.compile(
    r"\bwho\b.*\b(?:is|are|do|does|did|have|has|can) (?:all|any|each|both|some|none) "
    r"of (?:them|those)\b"
)
_OF_WORK = frozenset(("full_time", "part_time"))
_LIVING = frozenset(("live", "lives", "living", "lived", "stay", "stays", "staying"))
_WHO = ("who", "whom")


def _asks_who(clause: Clause) -> bool:
    """Whether "who" begins what stands after a comma: "government employee, who is it?"."""
    return any(one == "," and other in _WHO for one, other in pairwise(clause.words))


_SHORT_TIMES = frozenset(("hour", "day", "week", "weekly", "daily", "hourly"))
_SHORT_PAY = re.compile(r"\b(weekly|daily|hourly) (?:pay|wages?|income|earnings|salary|rent)\b")
_RATES = ("year", "month", "week", "day", "annual", "annually", "yearly", "monthly", "weekly")


def _has_unit(topic: Topic, unit: str) -> bool:
    counted = topic.unit or ("year" if topic.name == "age" else "")
    return bool(counted) and unit.startswith(counted)
