"""Whom a clause is about, from the people that it names."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from benyfits_data.understanding.cover import ClausePart, NotUnderstoodError
from benyfits_data.understanding.people import People, find_people
from benyfits_data.understanding.query import Query
from benyfits_data.understanding.topics import Topic

YOU = People("you", said="you")
EVERYBODY = People("members", "any", is_plural=True, said="anybody")


@dataclass
class Context:
    """What earlier questions leave behind: the last queries and whom they were about."""

    queries: Sequence[Query] = ()
    people: People | None = None
    plural: People | None = None


def people_of(parts: Sequence[ClausePart], words: Sequence[str], context: Context) -> list[People]:
    """Return whom a clause names, pronouns replaced by whom they mean."""
    people: list[People] = []
    found = sorted(
        [part for part in parts if part.kind == "people"] + _people_between(parts, words),
        key=lambda part: part.start,
    )
    for part in found:
        person: People = part.it  # type: ignore[assignment]
        if person.kind == "pronoun":
            others = [it for it in people if it.kind not in ("you", "household")]
            if others:
                continue
            meant = (context.plural or context.people) if person.is_plural else context.people
            if meant is None:
                raise NotUnderstoodError(f"whom does {person.said!r} mean?")
            is_several = meant.is_plural and not meant.relations
            person = replace(meant, quantifier="any" if is_several else "the", is_counted=False)
        if person.said in ("who", "whom") and people:
            if people[-1].kind == "members" and not people[-1].is_counted:
                # "all members who work"
                people[-1] = replace(people[-1], quantifier="who")
            continue
        people.append(person)
    for first, second in pairwise(found):
        if first.end == second.start and second.it.kind == "name":  # type: ignore[attr-defined]
            # "my spouse Ben" is one person.
            people = [it for it in people if it != first.it]
    # "you and your spouse", "you or your spouse"
    for first, second in pairwise(found):
        between = list(words[first.end : second.start])
        if between in (["and"], ["or"]):
            return [_union(people, first.it, second.it, between[0])]  # type: ignore[arg-type]
    return people


def _people_between(parts: Sequence[ClausePart], words: Sequence[str]) -> list[ClausePart]:
    """Return the people whose words stand inside a phrase: "how much rent do you pay"."""
    found: list[ClausePart] = []
    for part in parts:
        if part.kind != "topic":
            continue
        skipped = set(part.it.skipped)  # type: ignore[attr-defined]
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


def _union(people: Sequence[People], first: People, second: People, joint: str) -> People:
    kinds = [it for it in (first, second) if it.kind == "you"]
    members = [it for it in (first, second) if it.kind == "members"]
    if len(people) > 2:
        raise NotUnderstoodError("more than two groups of people")
    quantifier = "any" if joint == "or" else "all"
    if (
        len(kinds) == 1
        and len(members) == 1
        and members[0].relations
        and not members[0].sex
        and not members[0].below
    ):
        return replace(
            members[0],
            quantifier=quantifier,  # type: ignore[arg-type]
            relations=("self", *members[0].relations),
            is_plural=True,
        )
    if len(kinds) == 1 and len(members) == 1 and not members[0].relations:
        return replace(members[0], quantifier="any" if joint == "or" else "all", is_other=False)
    if len(members) == 2 and all(it.relations and not it.sex and not it.pick for it in members):
        return replace(
            members[0],
            quantifier=quantifier,  # type: ignore[arg-type]
            relations=(*members[0].relations, *members[1].relations),
            is_plural=True,
        )
    if first.kind == second.kind == "you":
        return YOU
    raise NotUnderstoodError("these people together")


def whose(people: Sequence[People], topic: Topic, words: Sequence[str]) -> People:
    """Return whom a question is about where it names several: you who have, and those you have."""
    others = [it for it in people if it.kind not in ("you", "household")]
    if topic.name == "relation":
        return others[0] if others else YOU
    if topic.name == "dependent" and {"claim", "claimed"} & set(words) and len(people) > 1:
        # "Can anyone claim you": whom it is about comes last.
        return people[-1]
    if len(others) > 1:
        first, second = others[0], others[1]
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


def narrowed(first: People, second: People) -> People:
    """Return the people that two groups name together: "who of your children".

    Raises:
        NotUnderstoodError: They are two different groups.
    """
    if second.kind == "members" and not first.relations and not first.sex:
        return replace(second, quantifier=first.quantifier, is_counted=first.is_counted)
    if second.kind == "members" and not second.relations:
        return first
    raise NotUnderstoodError("more than one group of people")
