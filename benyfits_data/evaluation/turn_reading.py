"""What questions ask and answers say: our own words are read exactly, others by a reader."""

import json
import re
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args

from inspect_ai.util import LimitExceededError

from benyfits_data.evaluation.conversation import InfrastructureError, Models
from benyfits_data.evaluation.models import NO_READER
from benyfits_data.evaluation.record import CANONICAL, Turn
from benyfits_data.evaluation.replies import clean_text, read_json
from benyfits_data.household.model import Household
from benyfits_data.understanding import canonical
from benyfits_data.understanding.answers import UNKNOWN, answer, claims_of_answer
from benyfits_data.understanding.claims import Claims
from benyfits_data.understanding.model_reader import ModelReader
from benyfits_data.understanding.query import Queries, Query
from benyfits_data.understanding.reading_schema import Context

Style = Literal["plain", "terse", "talkative", "beside-the-point"]
STYLES: tuple[Style, ...] = get_args(Style)

BESIDE_THE_POINT = "Sorry, could you wait a moment? Somebody is at the door."
"""What is said to the first question of a dialog by a user who is beside the point once."""

MANNERS: dict[Style, str] = {
    "plain": "",
    "terse": "You are in a hurry: answer in as few words as you can, a bare yes or no where that "
    "is an answer.",
    "talkative": "You like to talk: put a few words before and after what you have to say, such as "
    "how you feel about being asked, but tell nothing else of yourself or your household.",
    "beside-the-point": "",
}
"""What a model that plays the user is told of its manner."""

LEADS = ("Oh, let me think.", "Well, that is easy.", "Right, thanks for asking.", "Let me see.")
TAILS = ("I hope that helps.", "Do take your time.", "It is nice to talk.", "Please go on.")
"""What a talkative user of ours puts before and after an answer, in turn."""


def style_answer(text: str, style: Style, place: int) -> str:
    """Return one of our own answers in a style.

    Args:
        text: The answer.
        style: The style.
        place: How many questions were answered before.
    """
    if style == "beside-the-point" and place == 0:
        return BESIDE_THE_POINT
    if style == "talkative":
        return f"{LEADS[place % len(LEADS)]} {text} {TAILS[place % len(TAILS)]}"
    if style == "terse":
        bare = re.match(r"(Yes|No)[,.:]", text)
        return f"{bare[1]}." if bare else text
    return text


def without_manner(text: str) -> str:
    """Return an answer without what a talkative user of ours puts around it."""
    for lead in LEADS:
        text = text.removeprefix(f"{lead} ")
    for tail in TAILS:
        text = text.removesuffix(f" {tail}")
    return text


READ_TOKENS = 2048
"""Greatest length of what is read, thoughts included; queries and claims take some 50 to 300."""
REMEMBERED_TURNS = 6
"""Earlier questions a question may go on with, as in "and your spouse?"."""
AGAIN, CHOICES = "I did not understand. ", " Possible answers:"
"""What our own interpreter puts before and after a question that it puts again."""
BARE: dict[str, Literal["yes", "no"]] = {"Yes.": "yes", "No.": "no"}
"""What a terse user of ours says to a question that yes or no answers."""
NOT_UNDERSTOOD = "I am not sure what you mean."
"""What a user of ours says to a question that was not understood."""

Read = TypeVar("Read")


def make_reader(name: str, models: Models) -> ModelReader | None:
    """Return who reads English in a run; nobody where no model does.

    Args:
        name: A model's name, or `none`.
        models: Who completes prompts; the role `reader` is asked.
    """
    if name == NO_READER:
        return None

    async def complete(system: str, prompt: str, schema: dict[str, Any]) -> str:
        reply = await models.complete("reader", system, prompt, schema, READ_TOKENS)
        # A server that takes no schema may put words around the JSON.
        return json.dumps(read_json(clean_text(reply.text)))

    return ModelReader(name, complete)


class TurnReader:
    """Reads the turns of one dialog, and remembers what it read.

    Args:
        household: The household that is spoken of.
        reader: Who reads what is not in our own words; nobody unless given.
        known: Questions in other words of which it is known what they ask.
    """

    def __init__(
        self,
        household: Household,
        reader: ModelReader | None = None,
        known: Mapping[str, Query] | None = None,
    ) -> None:
        self._household = household
        self._reader = reader
        self._known = known or {}
        self._questions: dict[str, Queries | None] = {}
        self._answers: dict[tuple[str, str], Claims | None] = {}

    async def read(self, turn: Turn, earlier: Sequence[Turn]) -> None:
        """Return nothing; the turn is given what its question asks and its answer says."""
        queries = await self.read_question(turn.question, earlier)
        claims = await self.read_answer(turn.question, turn.answer, earlier)
        is_ours = self.is_canonical(turn.question)
        if queries is not None or self._reader:
            turn.queries = [query.to_record() for query in queries or ()]
        turn.claims = None if claims is None else claims.to_record()
        if is_ours and self._read_exactly(queries or (), turn.answer) is not None:
            turn.reader = CANONICAL
        elif self._reader:
            turn.reader = self._reader.name

    def is_canonical(self, question: str) -> bool:
        """Return whether a question is in our own words, or known."""
        return self._read_question_exactly(question) is not None

    async def read_question(self, question: str, earlier: Sequence[Turn]) -> Queries | None:
        """Return what a question asks; nothing where nobody could tell.

        Raises:
            InfrastructureError: The reader cannot be reached.
        """
        exact = self._read_question_exactly(question)
        if exact is None and self._reader and question not in self._questions:
            context = self._context(earlier)
            self._questions[question] = await _ask(self._reader.read_question(question, context))
        return exact or self._questions.get(question)

    async def read_answer(
        self, question: str, answer: str, earlier: Sequence[Turn]
    ) -> Claims | None:
        """Return what an answer to a question says; nothing where nobody could tell.

        Raises:
            InfrastructureError: The reader cannot be reached.
        """
        queries = await self.read_question(question, earlier) or ()
        exact, key = self._read_exactly(queries, answer), (question, answer)
        if exact is None and self._reader and key not in self._answers:
            context = self._context(earlier)
            reading = self._reader.read_answer(question, queries, answer, context)
            self._answers[key] = await _ask(reading)
        return exact or self._answers.get(key)

    def _read_question_exactly(self, question: str) -> Queries | None:
        if question in self._known:
            return (self._known[question],)
        plain = question.removeprefix(AGAIN).partition(CHOICES)[0]
        return canonical.read_question(plain, self._household)

    def _read_exactly(self, queries: Queries, said: str) -> Claims | None:
        """Return what an answer says that is word for word ours; nothing of any other."""
        text = without_manner(said)
        if text in (NOT_UNDERSTOOD, BESIDE_THE_POINT, UNKNOWN):
            return Claims(says_nothing=True)
        if text in BARE:
            return Claims(stance=BARE[text])
        if queries and text == answer(queries, self._household):
            return claims_of_answer(queries, self._household)
        return None

    def _context(self, earlier: Sequence[Turn]) -> Context:
        questions = [turn.question for turn in earlier[-REMEMBERED_TURNS:]]
        return Context.of(self._household, questions)


async def _ask(reading: Awaitable[Read]) -> Read:
    """Return what a reader read; whatever else it does is no fault of the agent."""
    try:
        return await reading
    except (InfrastructureError, LimitExceededError):
        raise
    except Exception as error:
        raise InfrastructureError(f"reader: {type(error).__name__}: {error}") from error
