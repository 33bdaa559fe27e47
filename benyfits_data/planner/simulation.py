"""Interviews with truthful households: how many questions, and how much is settled when."""

from collections.abc import Iterable
from dataclasses import dataclass

from benyfits_data.household.model import Household
from benyfits_data.language.partial import household_facts
from benyfits_data.planner.interview import Interview, Planner
from benyfits_data.planner.track_questions import OPENINGS, Question, facts_told


@dataclass(frozen=True)
class Course:
    """One interview.

    Attributes:
        size: The number of members.
        settled: How many verdicts were proven before the first question and after each.
        n_wrong: How many of the proven verdicts differ from the checkers'.
        asked: The questions.
    """

    size: int
    settled: tuple[int, ...]
    n_wrong: int
    asked: tuple[Question, ...] = ()

    @property
    def n_questions(self) -> int:
        """How many questions were asked."""
        return len(self.settled) - 1


def simulate(planner: Planner, households: Iterable[Household]) -> list[Course]:
    """Return interviews with households that tell whatever they are asked."""
    return [_hold(planner, household) for household in households]


def _hold(planner: Planner, household: Household) -> Course:
    facts, size = household_facts(household), len(household.members)
    interview = Interview(planner)
    settled, asked = [_count(interview)], list[Question]()
    while question := interview.next_question():
        told = {fact: facts[fact] for fact in facts_told(question, size)}
        interview.answer(question, told, size if question in OPENINGS else None)
        settled.append(_count(interview))
        asked.append(question)
    n_wrong = sum(
        verdict is not None and verdict is not planner.edition.program(name).is_eligible(household)
        for name, verdict in interview.verdicts().items()
    )
    return Course(size, tuple(settled), n_wrong, tuple(asked))


def _count(interview: Interview) -> int:
    return sum(verdict is not None for verdict in interview.verdicts().values())
