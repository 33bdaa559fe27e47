"""Questions about all members at once, in canonical words, and answers that number the people."""

import re
from functools import cache

from benyfits_data.evaluation.spoken_wording import answer_fact, ask_plainly
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.planner import Question
from benyfits_data.planner.track_questions import ROSTER_FEATURES

ROSTER_QUESTION = (
    "Who lives in your household? Please number the people, yourself first, and say how old each "
    "is and how each is related to you."
)
_PERSON = re.compile(r"\bPerson (\d+)\b[^:]{0,60}:", re.IGNORECASE)


def ask_group(question: Question) -> str:
    """Return the canonical question for the roster, or for a fact of everybody."""
    if question.kind == "roster":
        return ROSTER_QUESTION
    asked = ask_plainly(question.feature)
    return f"For each person in your household, numbered as before: {asked}"


def group_asked(text: str) -> Question | None:
    """Return what a canonical question about all members asks for, `None` of any other."""
    return _canonical().get(text)


@cache
def _canonical() -> dict[str, Question]:
    groups = [Question("everybody", name) for name in MEMBER_FEATURES]
    return {ask_group(question): question for question in [Question("roster"), *groups]}


def tell_group(household: Household, question: Question) -> str:
    """Return the answer of a household's first member."""
    wanted = ROSTER_FEATURES if question.kind == "roster" else (question.feature,)
    return " ".join(
        f"Person {number}: " + " ".join(_tell(member, number, name) for name in wanted)
        for number, member in enumerate(household.members, start=1)
    )


def _tell(member: Member, number: int, feature: str) -> str:
    return answer_fact(feature, getattr(member, feature), "you" if number == 1 else member.name)


def split_people(answer: str) -> list[str]:
    """Return what an answer says of each person, in order; empty where it numbers nobody.

    Numbers have to count up from one.
    """
    pieces = _PERSON.split(answer)
    numbers, texts = pieces[1::2], pieces[2::2]
    if [int(number) for number in numbers] != list(range(1, len(numbers) + 1)):
        return []
    return [text.strip() for text in texts]
