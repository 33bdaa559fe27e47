"""Who reads English: a question into queries, an answer into claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from benyfits_data.household.model import Household
from benyfits_data.understanding.claims import Claims
from benyfits_data.understanding.query import Queries


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


@dataclass(frozen=True)
class ReaderFigures:
    """How good a reader is on the unseen banks, in percent; see `study reader`.

    Attributes:
        right: Questions read so that the answer is right.
        false: Questions read so that it is another one; the rest was not understood.
        judged_rightly: Answers whose verdict is right.
        falsely_accepted: Answers held to be faithful that are not.
    """

    right: float
    false: float
    judged_rightly: float
    falsely_accepted: float

    def __str__(self) -> str:
        return (
            f"{self.right:.1f}% of questions right, {self.false:.1f}% false; "
            f"{self.judged_rightly:.1f}% of answers judged rightly, "
            f"{self.falsely_accepted:.1f}% falsely accepted"
        )


class Reader(Protocol):
    """Reads English; `None` is returned for what is not understood.

    Attributes:
        name: What results call it.
        figures: Its measured figures; `None`: unmeasured.
    """

    name: str
    figures: ReaderFigures | None

    async def read_question(self, text: str, context: Context) -> Queries | None:
        """Return what a question asks."""

    async def read_answer(
        self, question: str, queries: Queries, text: str, context: Context
    ) -> Claims | None:
        """Return what an answer says.

        Args:
            question: The question's words.
            queries: What it asks; empty where it was not understood.
            text: The answer.
            context: Names and relations.
        """


MEASURED: Mapping[str, ReaderFigures] = {}
"""What `study reader` measured of readers, by name."""


def figures_of(name: str) -> ReaderFigures | None:
    """Return how good a reader was found to be; nothing of one that nobody measured."""
    return MEASURED.get(name)
