"""How a clause asks: for a value, whether it is so, who, how many, a sum, a list; and per what."""

import re
from collections.abc import Sequence

from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.numbers import Comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.phrases import PLAIN_VERBS
from benyfits_data.understanding.parser.query import How
from benyfits_data.understanding.parser.topics import Meaning, Topic

COUNTED = frozenset(("noncitizen", "dependent", "student", "veteran", "disabled"))
"""Flags whose nouns are people."""


_STATUS = frozenset({"employed", "student", "veteran", "insured", "disabled", "married"})
"""Flags that may be asked for by "what": "what is your employment status?"."""


def how_asked(
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
        and (comparison is None or {"how much", "what"} & set(ops))
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


def how_of(
    how: How | None, topic: Topic, whose: People, meaning: Meaning, ops: Sequence[str]
) -> How:
    """Return how a topic is asked for of those whom a clause is about.

    Raises:
        NotUnderstoodError: The topic has nothing that is asked for so.
    """
    if topic.name == "not_known":
        return "is"  # However it is asked: "how much is your mortgage?" too.
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
        if topic.name in COUNTED or is_people:
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


def period_asked(words: Sequence[str]) -> str:
    """Return the time that amounts are wanted for."""
    if re.search(r"\b(?:per|a|each|every) month\b|\bmonthly\b", " ".join(words)):
        return "month"
    if re.search(r"\b(?:per|a|each|every) year\b|\b(?:yearly|annual|annually)\b", " ".join(words)):
        return "year"
    return ""
