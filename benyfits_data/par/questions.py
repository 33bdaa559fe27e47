"""What one question asks for: the number of members, or one fact of one member or the household."""

import re
from dataclasses import dataclass

from benyfits_data.household.model import Household
from benyfits_data.language.partial import Fact, household_facts

SIZE: Fact = ("members", None)
"""The number of members, as a fact."""
GIVEN: Fact = ("relation", 0)
"""The applicant is there and is who is spoken with: nobody has to ask."""


def read_question(question: str) -> Fact:
    """Return the fact that a question asks for: what `fact_name` writes, read back."""
    match = re.fullmatch(r"members\[(\d+)\]\.(\w+)", question)
    return (match[2], int(match[1])) if match else (question, None)


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
