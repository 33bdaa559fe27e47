"""A clause taken apart: whom it names, what it names, the limit in it, and how it asks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from benyfits_data.understanding.parser.cover import (
    AmbiguousError,
    ClausePart,
    NotUnderstoodError,
    is_denied,
)
from benyfits_data.understanding.parser.how_asked import how_asked, period_asked
from benyfits_data.understanding.parser.numbers import Comparison
from benyfits_data.understanding.parser.people import People
from benyfits_data.understanding.parser.query import How, Query
from benyfits_data.understanding.parser.whom import (
    EVERYBODY,
    Context,
    of_any_relation,
    of_this_home,
    people_of,
)


@dataclass
class Clause:
    """The parts of a clause and what they say together.

    Attributes:
        words: The clause.
        parts: What each of its words is part of.
        context: What earlier questions left behind.
        before: The queries of earlier clauses of the sentence.
        is_follow_up: Whether it begins with "and" or "what about".
        is_claim: Whether it is a statement, read as the question whether it is so.
        people: Whom it names.
        said_ops: The words that say how it asks, with what is counted: "how many hours".
        comparison: The limit that it names.
        how: How it asks; `None` for a yes or no.
        period: The time that amounts are wanted for.
        is_negated: Whether it denies.
        is_presupposed: Whether it takes for granted what is not so: "how much SNAP do you get?".
    """

    words: list[str]
    parts: list[ClausePart]
    context: Context
    before: Sequence[Query]
    is_follow_up: bool
    is_claim: bool
    people: list[People]
    said_ops: list[str]
    comparison: Comparison | None
    how: How | None
    period: str
    is_negated: bool
    is_presupposed: bool = False

    @property
    def topic_parts(self) -> list[ClausePart]:
        """The parts that name a topic."""
        return [part for part in self.parts if part.kind == "topic"]

    @property
    def kinds(self) -> set[str]:
        """The kinds of its parts."""
        return {part.kind for part in self.parts}

    @property
    def ops(self) -> list[str]:
        """The words that say how it asks."""
        return _without_units(self.said_ops)

    @property
    def unit(self) -> str:
        """What is counted in "how many hours", empty where it is not said so."""
        units = [it.removeprefix("how many ") for it in self.said_ops if " many " in it]
        return units[0] if units else ""

    @property
    def is_lacking(self) -> bool:
        """Whether it asks who lacks something."""
        return "lack" in self.kinds

    @property
    def last(self) -> list[Query]:
        """The query that it may go on with, where it may."""
        if self.is_follow_up or self.before or not self.topic_parts:
            return list(self.before or self.context.queries)[-1:]
        return []

    @property
    def last_query(self) -> Query | None:
        """The last query of earlier questions."""
        return self.context.queries[-1] if self.context.queries else None


def take_apart(
    words: list[str],
    parts: list[ClausePart],
    context: Context,
    *,
    is_follow_up: bool,
    before: Sequence[Query],
    is_claim: bool,
) -> Clause:
    """Return a clause with its parts; the other arguments are those of `clauses.read_clause`.

    Raises:
        NotUnderstoodError: The parts do not go together.
    """
    said_ops = [str(part.it) for part in parts if part.kind == "op"]
    ops = _without_units(said_ops)
    people = _people_meant(parts, words, ops, context)
    _refuse_exception(parts)
    _refuse_other_place(parts, context)
    comparison = _only_limit(parts)
    how = how_asked(words, ops, people, comparison)
    if not _counts_people(parts):
        people, comparison = _with_age_limit(people, comparison, words)
    return Clause(
        words,
        parts,
        context,
        before,
        is_follow_up,
        is_claim,
        people,
        said_ops,
        comparison,
        how,
        period_asked(words),
        is_denied(parts),
    )


def _without_units(said_ops: Sequence[str]) -> list[str]:
    return ["how many" if it.startswith("how many") else it for it in said_ops]


def _people_meant(
    parts: Sequence[ClausePart], words: Sequence[str], ops: Sequence[str], context: Context
) -> list[People]:
    """Return whom a clause is about, as "all", "with you" and "but you" say.

    Raises:
        NotUnderstoodError: Somebody is left out of nobody that was named.
    """
    people = people_of(parts, words, context)
    if {"all", "both", "each"} & {part.it for part in parts if part.kind == "plain"}:
        people = [
            replace(it, quantifier="all")
            if it.is_plural and (it.quantifier == "the" or _is_bare(it))
            else it
            for it in people
        ]  # "are the children all at school?"
    if re.search(
        r"with you\b|\bwith who\b|\bwith whom\b|\byou (?:\w+ )?live with", " ".join(words)
    ):
        people = [
            replace(it, is_other=True)
            if it.kind == "members" and not it.said.startswith("you or")
            else it
            for it in people
        ]
    if not {"have", "has"} & set(words):
        of_home = bool({"household", "home", "house"} & set(words))
        people = [of_any_relation(it, of_home=of_home) for it in people]
    people = [of_this_home(it, context.household) for it in people]
    if any(part.kind == "but you" for part in parts):
        people = [replace(it, is_other=True) if it.kind == "members" else it for it in people]
        if not any(it.is_other for it in people) and "how many" in ops:
            people = [replace(EVERYBODY, is_other=True, is_counted=True)]
        elif not any(it.is_other for it in people):
            raise NotUnderstoodError("who but you?")
    return _without_those_left_out(parts, people, ops, context)


def _without_those_left_out(
    parts: Sequence[ClausePart], people: list[People], ops: Sequence[str], context: Context
) -> list[People]:
    """Return people without those whom "besides your spouse" names.

    Raises:
        NotUnderstoodError: They are left out of nobody.
    """
    but = tuple(
        of_this_home(part.it, context.household)
        for part in parts
        if part.kind == "but people" and isinstance(part.it, People)
    )
    if not but:
        return people
    told = [
        replace(it, but=but) if it.kind == "members" and (it.is_plural or it.is_counted) else it
        for it in people
    ]
    if any(it.but for it in told):
        return told
    if "how many" in ops and all(it.kind in ("you", "household") for it in people):
        return [replace(EVERYBODY, but=but, is_counted=True)]
    raise NotUnderstoodError("who is left out of whom?")


def _is_bare(people: People) -> bool:
    """Whether a plural stands alone: "minors", not "any minors"."""
    return (
        people.quantifier == "any"
        and people.kind == "members"
        and people.has_ages
        and (re.match(r"any|some", people.said) is None)
    )


def _refuse_exception(parts: Sequence[ClausePart]) -> None:
    """Refuse "people, not counting the children": who is left out is not read."""
    for one, other in pairwise(parts):
        if one.kind == "not" and other.it in ("counting", "including"):
            raise AmbiguousError("who is left out?")


def _refuse_other_place(parts: Sequence[ClausePart], context: Context) -> None:
    home = context.household
    if any(part.kind == "place" for part in parts) and (
        home is None or home.place_of_residence != "New York City"
    ):
        raise NotUnderstoodError("the place is not that of the household")


def _only_limit(parts: Sequence[ClausePart]) -> Comparison | None:
    limits = [part for part in parts if part.kind == "comparison"]
    comparisons = [part.it for part in limits if isinstance(part.it, Comparison)]
    if len(comparisons) > 1:
        raise NotUnderstoodError("two limits in one question")
    return comparisons[0] if comparisons else None


def _counts_people(parts: Sequence[ClausePart]) -> bool:
    """Whether a limit is how many there are: "at least two children under 18"."""
    return any(
        isinstance(part.it, Comparison) and not part.it.unit and isinstance(after.it, People)
        for part, after in pairwise(parts)
    )


def _with_age_limit(
    people: list[People], comparison: Comparison | None, words: Sequence[str]
) -> tuple[list[People], Comparison | None]:
    """Return people with a limit of age that stands apart: "boys do you have under 18"."""
    aged = [it for it in people if it.has_ages]
    if comparison and comparison.is_of_age and len(aged) == 1:
        if re.search(r"\d", aged[0].said) or len(people) > 2:
            raise NotUnderstoodError("two limits in one question")
        if comparison.unit or "have" in words or "," in words:
            narrowed = aged[0].of_ages(comparison)
            return [narrowed if it == aged[0] else it for it in people], None
    if comparison and comparison.is_of_age and any(it.has_ages for it in people):
        raise NotUnderstoodError("two limits in one question")
    return people, comparison
