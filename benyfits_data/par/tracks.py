"""What one question asks for: a fact of one member, a roster, who, or everyone's value at once."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact, fact_name, household_facts

Track = Literal["one", "roster", "who", "all"]
"""What a question may ask for; each track may ask whatever those before it ask, and more:

`one`: the number of members, a fact of the household, or one fact of one member.
`roster`: the number of members with everybody's age and relation, in one question.
`who`: for a fact that is yes or no, which members it holds for.
`all`: the value that any one fact has for each member.
"""
TRACKS: tuple[Track, ...] = get_args(Track)
SIZE: Fact = ("members", None)
"""The number of members, as a fact."""
GIVEN: Fact = ("relation", 0)
"""The applicant is there and is who is spoken with: nobody has to ask."""
_ROSTER = ("members", "age", "relation")


def question_of(fact: Fact, track: Track) -> str:
    """Return the question that asks for a fact, such as `members[1].age`, `members[].age`."""
    name, position = fact
    if track != "one" and name in _ROSTER:
        return "roster"
    if position is not None and (
        track == "all" or (track == "who" and CODED_MEMBER_FEATURES[name].kind == "flag")
    ):
        return f"members[].{name}"
    return fact_name(fact)


def read_question(question: str) -> Fact:
    """Return the fact that a question of the track `one` asks for."""
    match = re.fullmatch(r"members\[(\d+)\]\.(\w+)", question)
    return (match[2], int(match[1])) if match else (question, None)


def asker(track: Track) -> Callable[[Fact], str]:
    """Return `question_of` for one track, each fact's question made once."""
    known: dict[Fact, str] = {}

    def ask(fact: Fact) -> str:
        if fact not in known:
            known[fact] = question_of(fact, track)
        return known[fact]

    return ask


@dataclass(frozen=True)
class Refutation:
    """A possible household that shows that some facts of another do not force a label.

    Attributes:
        program: Whose label differs.
        household: The possible household.
        differs: The facts of the other household that it does not have.
    """

    program: str
    household: Household
    differs: frozenset[Fact]


def differences(household: Household, other: Household) -> frozenset[Fact]:
    """Return the facts of a household that another one does not have.

    These are the facts with other values, those of members that the other lacks, and the number of
    members where it has more or fewer.
    """
    theirs = household_facts(other)
    differing = {
        fact
        for fact, value in household_facts(household).items()
        if fact not in theirs or theirs[fact] != value
    }
    if len(household.members) != len(other.members):
        differing.add(SIZE)
    return frozenset(differing)
