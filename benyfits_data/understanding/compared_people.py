"""Clauses that hold people against one another: "is Rob older than you?", "who earns the most?"."""

from collections.abc import Sequence
from typing import Literal

from benyfits_data.understanding.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.people import People
from benyfits_data.understanding.phrases import Found
from benyfits_data.understanding.query import How, Query
from benyfits_data.understanding.topics import Meaning, Topic, topics
from benyfits_data.understanding.topics_named import choose
from benyfits_data.understanding.whom import EVERYBODY


def compared(parts: Sequence[ClausePart], people: Sequence[People]) -> Query:
    """Return the query whose value is larger or smaller: "is Rob older than you?"."""
    than = next(part for part in parts if part.kind == "than")
    first = [it for it in people if it.kind in ("you", "name") or it.relations]
    if any(part.kind == "op" and str(part.it).startswith("how") for part in parts):
        raise NotUnderstoodError("by how much?")
    if len(people) != 2 or len(first) != 2:
        raise NotUnderstoodError("who is held against whom?")
    sign: Literal["most", "least"] = (
        "most" if str(than.it).startswith(("older", "more", "higher", "larger")) else "least"
    )
    found = [part.it for part in parts if isinstance(part.it, Found)]
    if str(than.it) in ("older", "younger") and not found:
        return Query("is", first[0], "age", than=first[1], extreme=sign)
    (meaning, *more) = (choose(it.meanings, "value") for it in found) if found else (None,)
    if meaning == Meaning("employed") and "hours" in str(than.it):
        meaning = Meaning("work_hours_per_week")
    if meaning is None or more or topics()[meaning.topic].kind not in ("number", "money"):
        raise NotUnderstoodError("what is held against what?")
    return Query("is", first[0], meaning.topic, than=first[1], extreme=sign)


def extreme(
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
