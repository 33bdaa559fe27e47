"""The planner: asks what most likely proofs of verdicts need, and stops when all are proven.

It knows the checkers and what makes a household possible, and asks nobody else which question
comes next. Without a dialog model it asks canonical questions; a model words those about one fact
and reads all answers.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation.agents.proada import CLARIFICATIONS, name_member
from benyfits_data.evaluation.codegen.checker_translation import from_key_value, key_type
from benyfits_data.evaluation.conversation import Conversation, QuestionLimitReached
from benyfits_data.evaluation.players.interpreter import Interpreter, Need
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, MOST_MEMBERS
from benyfits_data.language.partial import Fact
from benyfits_data.language.source import features_read
from benyfits_data.par.tracks import GIVEN, Track
from benyfits_data.planner import OPENINGS, Interview, Planner, Question, facts_told
from benyfits_data.understanding.canonical import ROSTER_QUESTION, ask_everybody, ask_fact
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import NOTHING, Nothing, is_no_answer, split_people


async def conduct(
    conversation: Conversation,
    begin: Callable[[int], Interview],
    ask: Callable[[Interview, Question], Awaitable[tuple[Mapping[Fact, Any], int | None]]],
) -> Interview:
    """Return an interview that has nothing left to ask, or no question left to ask it with.

    Args:
        conversation: The dialog.
        begin: Returns an interview of households of some members at most.
        ask: Returns the facts that the answer to a question tells, and the number of members.
    """
    interview = begin(LARGEST_HOUSEHOLD)
    while question := interview.next_question():
        try:
            facts, size = await ask(interview, question)
        except QuestionLimitReached:
            break
        if size and size > LARGEST_HOUSEHOLD:
            # A larger household needs rules with room for it.
            interview = begin(size).after(interview)
        interview.answer(question, facts, size)
    if not interview.is_constrained:
        conversation.fail("answers_contradict", "no possible household has all facts told")
    return interview


class PlannerAgent:
    """Knows the checkers; asks what proves most verdicts, and stops when all are proven.

    Args:
        edition: The edition whose checkers decide.
        track: What one question may ask.
        interpreter: Who phrases questions and reads answers.
    """

    roles = ("dialog", "user")
    has_tracks = True
    is_repeatable = True
    """Whether its questions and verdicts hang on nothing but answers."""

    def __init__(self, edition: int, track: Track, interpreter: Interpreter) -> None:
        self._edition = load_edition(edition)
        self._track: Track = track
        self._interpreter = interpreter

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return proven verdicts; where questions or answers run out, the most likely ones."""

        async def ask(
            interview: Interview, question: Question
        ) -> tuple[dict[Fact, Any], int | None]:
            if conversation.questions_left <= 0:
                message = f"all {conversation.limit} questions were used up"
                conversation.fail("limit_reached", message)
                raise QuestionLimitReached(message)
            return await self._ask(conversation, interview, question)

        interview = await conduct(
            conversation, lambda places: self._interview(conversation, places), ask
        )
        for program, verdict in interview.verdicts().items():
            if verdict is None:
                conversation.fail("not_proven", "decided as similar households are", program)
        return interview.guess()

    def _interview(self, conversation: Conversation, places: int) -> Interview:
        programs = conversation.programs
        return Interview(Planner(self._edition, programs, self._track, places=places))

    async def _ask(
        self, conversation: Conversation, interview: Interview, question: Question
    ) -> tuple[dict[Fact, Any], int | None]:
        """Return the facts that the answer tells, and the number of members if it does."""
        is_single = question.kind in ("size", "fact")
        need = self._need(interview, question.feature or MEMBERS_KEY, question.member)
        text = need.suggestion
        if is_single:
            text = await self._interpreter.phrase(conversation, need)
        facts: dict[Fact, Any] = {}
        size: int | None = None
        for attempt in range(min(CLARIFICATIONS + 1, conversation.questions_left)):
            answer = await conversation.ask(
                text if is_single else _ask_group(question),
                kind="clarification" if attempt else "question",
                program=need.program,
                key=need.key if is_single else None,
                member=need.member,
            )
            facts, size = await self._read(conversation, interview, question, answer)
            if facts or size or is_no_answer(answer):
                break
            text = await self._interpreter.clarify(conversation, need, text, answer)
        if not facts and not size:
            answer = conversation.turns[-1].answer
            conversation.fail("answer_not_parsed", f"{question}: {answer!r}", need.program)
        conversation.turns[-1].value = ", ".join(map(str, facts.values() if facts else [size]))
        return facts, size

    async def _read(
        self, conversation: Conversation, interview: Interview, question: Question, answer: str
    ) -> tuple[dict[Fact, Any], int | None]:
        people = split_people(answer)
        size = interview.size
        if question in OPENINGS:
            need = self._need(interview, MEMBERS_KEY, None)
            counted = len(people) or await self._extract(conversation, need, answer)
            if not isinstance(counted, int) or not 1 <= counted <= MOST_MEMBERS:
                return {}, None
            size = counted
        facts: dict[Fact, Any] = {}
        for feature, member in facts_told(question, size or 1):
            if (feature, member) == GIVEN:
                continue
            said = people[member] if member is not None and member < len(people) else answer
            need = self._need(interview, feature, member)
            value = await self._extract(conversation, need, said)
            if not isinstance(value, Nothing):
                facts[feature, member] = value
        return facts, size if question in OPENINGS else None

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
        person = name_member(member, {})
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


def _ask_group(question: Question) -> str:
    """Return the canonical question for the roster, or for a fact of everybody."""
    return ROSTER_QUESTION if question.kind == "roster" else ask_everybody(question.feature)
