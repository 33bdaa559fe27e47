"""The planner: asks what most likely proofs of verdicts need, and stops when all are proven.

It knows the checkers and what makes a household possible, and asks nobody else which question
comes next. Without a dialog model it asks canonical questions; a model words those about one fact
and reads all answers.
"""

from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation.agents.proada import CLARIFICATIONS
from benyfits_data.evaluation.codegen.checker_translation import from_key_value, key_type
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.players.interpreters import Interpreter, Need
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, MOST_MEMBERS
from benyfits_data.language.partial import Fact
from benyfits_data.language.source import features_read
from benyfits_data.planner import SIZE_QUESTION, Interview, Planner, Question
from benyfits_data.understanding.canonical import ask_fact, name_member
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import NOTHING, Nothing, is_no_answer


class PlannerAgent:
    """Knows the checkers; asks what proves most verdicts, and stops when all are proven.

    Args:
        edition: The edition whose checkers decide.
        interpreter: Who phrases questions and reads answers.
    """

    roles = ("dialog", "user")
    knows_checkers = True
    """It is made for an edition, whose checkers it reads."""

    def __init__(self, edition: int, interpreter: Interpreter) -> None:
        self._edition = load_edition(edition)
        self._interpreter = interpreter

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return proven verdicts; where questions or answers run out, the most likely ones."""
        interview = self._interview(conversation, LARGEST_HOUSEHOLD)
        while question := interview.next_question():
            if conversation.questions_left <= 0:
                conversation.fail(
                    "limit_reached", f"all {conversation.limit} questions were used up"
                )
                break
            facts, size = await self._ask(conversation, interview, question)
            if size and size > LARGEST_HOUSEHOLD:
                # A larger household needs rules with room for it.
                interview = self._interview(conversation, size).after(interview)
            interview.answer(question, facts, size)
        if not interview.is_constrained:
            conversation.fail("answers_contradict", "no possible household has all facts told")
        for program, verdict in interview.verdicts().items():
            if verdict is None:
                conversation.fail("not_proven", "decided as similar households are", program)
        return interview.guess()

    def _interview(self, conversation: Conversation, places: int) -> Interview:
        programs = conversation.programs
        return Interview(Planner(self._edition, programs, places=places))

    async def _ask(
        self, conversation: Conversation, interview: Interview, question: Question
    ) -> tuple[dict[Fact, Any], int | None]:
        """Return the facts that the answer tells, and the number of members if it does."""
        need = self._need(interview, question.feature or MEMBERS_KEY, question.member)
        text = await self._interpreter.phrase(conversation, need)
        facts: dict[Fact, Any] = {}
        size: int | None = None
        for attempt in range(min(CLARIFICATIONS + 1, conversation.questions_left)):
            answer = await conversation.ask(
                text,
                kind="clarification" if attempt else "question",
                program=need.program,
                key=need.key,
                member=need.member,
            )
            facts, size = await self._read(conversation, need, question, answer)
            if facts or size or is_no_answer(answer):
                break
            text = await self._interpreter.clarify(conversation, need, text, answer)
        if not facts and not size:
            answer = conversation.turns[-1].answer
            conversation.fail("answer_not_parsed", f"{question}: {answer!r}", need.program)
        conversation.turns[-1].value = ", ".join(map(str, facts.values() if facts else [size]))
        return facts, size

    async def _read(
        self, conversation: Conversation, need: Need, question: Question, answer: str
    ) -> tuple[dict[Fact, Any], int | None]:
        value = await self._extract(conversation, need, answer)
        if question == SIZE_QUESTION:
            return {}, value if isinstance(value, int) and 1 <= value <= MOST_MEMBERS else None
        return {} if isinstance(value, Nothing) else {
            (question.feature, question.member): value
        }, None

    async def _extract(self, conversation: Conversation, need: Need, answer: str) -> Any | Nothing:
        """Return the value that an answer gives, if it is one that the fact may have."""
        value = await self._interpreter.extract(
            conversation, need, need.suggestion, answer, allow_unknown=True
        )
        if isinstance(value, Nothing) or need.key == MEMBERS_KEY:
            return value
        feature = FEATURES[need.key]
        try:
            return feature.parse(from_key_value(feature, value))
        except FeatureValueError:
            return NOTHING

    def _need(self, interview: Interview, key: str, member: int | None) -> Need:
        """Return what a model is told of a fact: the first open program that reads it, and why."""
        left = [name for name, verdict in interview.verdicts().items() if verdict is None]
        reading = (
            program
            for program in left
            if key in features_read(self._edition.program(program).checker)
        )
        person = name_member(member)
        return Need(
            program=next(reading, left[0] if left else interview.planner.programs[0]),
            key=key,
            member=member,
            person=person,
            kind=key_type(key),
            line=0,
            code=key,
            suggestion=ask_fact(key, person),
        )
