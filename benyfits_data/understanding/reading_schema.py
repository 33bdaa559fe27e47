"""The JSON schemas under which a model reads: facts, names and ways of asking are enums.

So a reader can say nothing else; what it says is turned into queries and claims here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import AnswerClaim, Claims
from benyfits_data.understanding.facts import FactType, fact_types
from benyfits_data.understanding.people import OTHERS, People
from benyfits_data.understanding.query import Queries, Query, QueryLimit

Json = dict[str, Any]
PEOPLE = "people"
"""Stands for no fact: people alone are asked for, or told."""
RELATIONS = tuple(FEATURES["relation"].choices)[1:]
_PERIODS = ["", "year", "month", "week"]
_SIGNS = ["<", "<=", ">", ">=", "=="]
_WAYS = ["value", "is", "who", "count", "sum", "which"]
_CLAIMED = ["each", "any", "only", "count", "sum"]
_CLAIM_SIGNS = ["=", "not", "<", "<=", ">", ">=", "about"]


@dataclass(frozen=True)
class Context:
    """What a reader may know beside the words.

    Attributes:
        names: The members' names, the applicant first.
        relations: Their relations to the applicant; "self" first.
        earlier: Earlier questions of the dialog, the last one last: "and your spouse?".
    """

    names: tuple[str, ...]
    relations: tuple[str, ...]
    earlier: tuple[str, ...] = ()

    @classmethod
    def of(cls, household: Household, earlier: Sequence[str] = ()) -> "Context":
        """Return what may be known of a household."""
        members = household.members
        return cls(
            tuple(member.name for member in members),
            tuple(member.relation for member in members),
            tuple(earlier),
        )


def query_schema(context: Context) -> Json:
    """Return the schema of what a question asks."""
    query = _object(
        how=_enum(*_WAYS),
        **_people(context),
        fact=_enum(PEOPLE, *sorted(fact_types())),
        value={"type": "string"},
        sign=_enum("", *_SIGNS),
        number={"type": "number"},
        up_to={"type": "number"},
        per=_enum(*_PERIODS),
        inverted={"type": "boolean"},
        of_all={"type": "boolean"},
        denies={"type": "boolean"},
        among=_who(context),
        than=_who(context),
        extreme=_enum("", "most", "least"),
        joint=_enum("", "and", "or"),
    )
    return _object(queries=_array(query), understood={"type": "boolean"})


def claims_schema(context: Context) -> Json:
    """Return the schema of what an answer says."""
    claim = _object(
        **_people(context),
        fact=_enum(PEOPLE, *sorted(fact_types())),
        how=_enum(*_CLAIMED),
        sign=_enum(*_CLAIM_SIGNS),
        value={"type": "string"},
        per=_enum(*_PERIODS),
    )
    return _object(
        claims=_array(claim),
        stance=_enum("", "yes", "no"),
        says_nothing={"type": "boolean"},
        adds=_array({"type": "string"}),
        understood={"type": "boolean"},
    )


def queries_of(data: Any, context: Context) -> Queries | None:
    """Return the queries of a reply under `query_schema`, `None` where it holds none."""
    try:
        if not data["understood"]:
            return None
        return tuple(_query(query, context) for query in data["queries"]) or None
    except (KeyError, TypeError, ValueError):
        return None


def claims_of(data: Any, context: Context) -> Claims | None:
    """Return the claims of a reply under `claims_schema`, `None` where it holds none."""
    try:
        if not data["understood"]:
            return None
        claims = tuple(_claim(claim, context) for claim in data["claims"])
        stance = _one_of(data["stance"], ["", "yes", "no"])
        return Claims(claims, stance, bool(data["says_nothing"]), tuple(data["adds"]))
    except (KeyError, TypeError, ValueError):
        return None


@cache
def describe_facts() -> str:
    """Return the facts, a line each with its values: the part of a prompt that never changes."""
    return "\n".join(f"{fact.name}: {_describe(fact)}" for fact in fact_types().values())


def _describe(fact: FactType) -> str:
    if fact.parts:
        return f"yes or no, {fact.verb} {fact.phrase} (any of {', '.join(fact.parts)})"
    if fact.kind == "flag":
        return f"yes or no, {fact.verb} {fact.phrase}"
    if fact.kind == "choice":
        return f"one of {', '.join(FEATURES[fact.name].choices)}"
    per = f" a {fact.period}" if fact.period else ""
    return {"date": "a day, as 2024-01-31"}.get(fact.kind, f"{fact.unit or fact.kind}s{per}")


def names_of(context: Context) -> list[str]:
    """Return a name for each member by which a reader means nobody else; the first is "you"."""
    alike = [name for name in context.names if context.names.count(name) > 1]
    return [
        "you" if not number else f"{name} ({number + 1})" if name in alike else name
        for number, name in enumerate(context.names)
    ]


def _people(context: Context) -> Json:
    return {
        "who": _who(context),
        "sex": _enum("", "female", "male"),
        "age_from": {"type": "integer"},
        "age_below": {"type": "integer"},
        "pick": _enum("", "oldest", "youngest"),
        "rank": {"type": "integer"},
    }


def _who(context: Context) -> Json:
    words = dict.fromkeys([*names_of(context), "everybody", "everybody but you", *RELATIONS])
    return _array(_enum(*words))


def _read_people(data: Mapping[str, Any], context: Context) -> People:
    who, pick = _read_who(data["who"], context), data["pick"]
    return People(
        who.numbers,
        who.relations,
        data["sex"],
        int(data["age_from"]),
        int(data["age_below"]) or None,
        pick,
        max(int(data["rank"]), 1) if pick else 1,
        without=who.without,
    )


def _read_who(words: Sequence[str], context: Context) -> People:
    names = names_of(context)
    relations = tuple(word for word in words if word in RELATIONS)
    numbers = tuple(names.index(word) for word in words if word in names)
    if "everybody" in words or not words:
        return People()
    return People(numbers, relations) if numbers or relations else OTHERS


def _query(data: Mapping[str, Any], context: Context) -> Query:
    fact = None if data["fact"] == PEOPLE else data["fact"]
    limit = None
    if _one_of(data["sign"], ["", *_SIGNS]):
        up_to = data["up_to"] if data["up_to"] > data["number"] else None
        limit = QueryLimit(data["sign"], data["number"], data["per"], up_to)
    is_choice = fact is not None and fact_types()[fact].kind in ("choice", "text")
    return Query(
        _one_of(data["how"], _WAYS),
        _read_people(data, context),
        fact,
        data["value"] or None if is_choice else None,
        limit,
        bool(data["inverted"]),
        bool(data["of_all"]),
        bool(data["denies"]),
        _read_who(data["among"], context) if data["among"] else None,
        _read_who(data["than"], context) if data["than"] else None,
        _one_of(data["extreme"], ["", "most", "least"]),
        _one_of(data["per"], _PERIODS),
        _one_of(data["joint"], ["", "and", "or"]),
    )


def _claim(data: Mapping[str, Any], context: Context) -> AnswerClaim:
    fact = None if data["fact"] == PEOPLE else data["fact"]
    value = _value(fact, data["how"], data["value"])
    people = _read_people(data, context)
    how, sign = _one_of(data["how"], _CLAIMED), _one_of(data["sign"], _CLAIM_SIGNS)
    return AnswerClaim(people, fact, how, sign, value, _one_of(data["per"], _PERIODS))


def _value(fact: str | None, how: str, text: str) -> Any:
    """Return a value that was said, as the fact has it."""
    kind = "number" if how in ("count", "sum") else fact_types()[fact].kind if fact else "flag"
    plain = text.strip().lower()
    if plain in ("yes", "no", "true", "false") and kind != "text":
        return plain in ("yes", "true")
    if kind in ("number", "money"):
        return None if plain in ("", "none", "never") else float(plain.lstrip("$").replace(",", ""))
    if kind == "flag":
        raise ValueError(f"{text!r} is no value of {fact}")
    return None if plain in ("", "never") else text.strip()


def _one_of(word: Any, words: Sequence[str]) -> Any:
    """Return a word that a schema allows: a server that takes no schema may reply another one."""
    if word not in words:
        raise ValueError(f"{word!r} is none of {words}")
    return word


def _object(**properties: Any) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: Json) -> Json:
    return {"type": "array", "items": items}


def _enum(*words: str) -> Json:
    return {"type": "string", "enum": list(words)}
