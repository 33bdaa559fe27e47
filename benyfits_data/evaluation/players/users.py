"""Simulated users: a model, a person, and two whose answers are true of the household."""

from collections.abc import Sequence

import anyio.to_thread
import click

from benyfits_data.evaluation.conversation import (
    REPLY_TOKENS,
    Completion,
    Models,
    User,
    clean_answer,
)
from benyfits_data.evaluation.models import GROUNDED, HUMAN, REFERENCE
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Turn, Unsent
from benyfits_data.evaluation.turn_reading import (
    BESIDE_THE_POINT,
    MANNERS,
    NOT_UNDERSTOOD,
    Style,
    TurnReader,
    style_answer,
)
from benyfits_data.household.model import Household
from benyfits_data.understanding.answers import answer
from benyfits_data.understanding.claims import Claims, judge
from benyfits_data.understanding.query import Queries, evaluate


def show(text: str) -> None:
    """Show some text to the person at the terminal."""
    click.echo(text, err=True)


async def read_line(text: str) -> str:
    """Return what the person types after some text."""

    def read() -> str:
        reply: str = click.prompt(text, default="", show_default=False, err=True)
        return reply.strip()

    return await anyio.to_thread.run_sync(read, abandon_on_cancel=True)


def make_user(
    played: str,
    profile: str,
    household: Household,
    reading: TurnReader,
    models: Models,
    prompts: Prompts,
    *,
    is_proven: bool = False,
    style: Style = "plain",
) -> User:
    """Return who answers in one dialog.

    Args:
        played: Who plays the role: `reference`, `grounded`, `human`, or a model.
        profile: What a model or a person reads.
        household: What our own users answer from.
        reading: Who reads the dialog.
        models: Who completes prompts.
        prompts: The prompts in force.
        is_proven: Whether a model's answers are held against the household before they are sent.
        style: The manner of speaking of a grounded or proven user.
    """
    if played == HUMAN:
        return HumanUser(profile)
    if played in (REFERENCE, GROUNDED):
        return GroundedUser(household, reading if played == GROUNDED else None, style)
    if not is_proven:
        return ModelUser(profile, models, prompts)
    return ProvenUser(ModelUser(profile, models, prompts, style), household, reading, style)


class ModelUser:
    """A language model that knows the profile and nothing else.

    Args:
        profile: The profile.
        models: Who completes prompts; the role `user` is asked.
        prompts: The prompts in force.
        style: The model's manner of speaking.
    """

    def __init__(
        self, profile: str, models: Models, prompts: Prompts, style: Style = "plain"
    ) -> None:
        self._models = models
        self._prompts = prompts
        self._system = prompts.render("user", profile=profile, manner=MANNERS[style])

    async def answer(self, question: str, turns: Sequence[Turn]) -> Completion:
        """Return the model's answer, in the first person; it sees the whole dialog so far."""
        return await self.say(question, [(turn.question, turn.answer) for turn in turns])

    async def say(self, prompt: str, earlier: Sequence[tuple[str, str]]) -> Completion:
        """Return what the model says next."""
        return await self._models.complete(
            "user", self._system, prompt, None, REPLY_TOKENS, earlier
        )

    async def say_again(
        self, question: str, said: str, wrong: Sequence[str], so: str, turns: Sequence[Turn]
    ) -> Completion:
        """Return the model's second answer, after it was told what was wrong with the first.

        Args:
            question: The question.
            said: The answer that is not sent.
            wrong: What is wrong with it.
            so: What is so, in our own words; empty where we do not know what was asked.
            turns: The dialog before the question.
        """
        earlier = [(turn.question, turn.answer) for turn in turns]
        prompt = self._prompts.render("user_again", question=question, wrong=list(wrong), so=so)
        return await self.say(prompt, [*earlier, (question, said)])


class HumanUser:
    """A person, who is shown the profile once.

    Args:
        profile: The profile.
    """

    def __init__(self, profile: str) -> None:
        self._profile: str | None = profile

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return what the person types; earlier turns the person remembers."""
        if self._profile is not None:
            show(f"\nYou are this person:\n\n{self._profile}\n")
            self._profile = None
        return await read_line(question)


class GroundedUser:
    """Answers from the facts whatever was read in a question, in sentences of our own.

    Without a reader it is the reference user, who understands canonical questions alone.

    Args:
        household: The household; its first member speaks.
        reading: Who reads the questions; canonical reading unless given.
        style: The manner of speaking.
    """

    def __init__(
        self, household: Household, reading: TurnReader | None = None, style: Style = "plain"
    ) -> None:
        self._household = household
        self._reading = reading or TurnReader(household)
        self._style: Style = style

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return what a question asks for, and say so where that was not understood."""
        if self._style == "beside-the-point" and not turns:
            return BESIDE_THE_POINT
        queries = await self._reading.read_question(question, turns)
        text = answer(queries, self._household) if queries else NOT_UNDERSTOOD
        return style_answer(text, self._style, len(turns))


class ProvenUser:
    """Speaks in a model's words, which are held against the household before they are sent.

    What is not proven is said once more, told what was wrong with it; then our own sentence stands
    in. What was not sent goes with the answer.

    Args:
        speaker: The model that speaks from the profile.
        household: The household; its first member speaks.
        reading: Who reads questions and answers.
        style: The manner of speaking.
    """

    def __init__(
        self,
        speaker: ModelUser,
        household: Household,
        reading: TurnReader,
        style: Style = "plain",
    ) -> None:
        self._speaker = speaker
        self._household = household
        self._reading = reading
        self._grounded = GroundedUser(household, reading, style)
        self._style: Style = style

    async def answer(self, question: str, turns: Sequence[Turn]) -> Completion:
        """Return an answer of which nothing is known to be wrong."""
        if self._style == "beside-the-point" and not turns:
            return Completion(BESIDE_THE_POINT)
        reply = await self._speaker.answer(question, turns)
        first = await self._hold(question, reply, turns)
        if first is None:
            return reply
        queries = await self._reading.read_question(question, turns)
        so = answer(queries, self._household) if queries else ""
        reply = await self._speaker.say_again(question, first.text, first.wrong, so, turns)
        second = await self._hold(question, reply, turns)
        if second is None:
            return Completion(reply.text, reply.stop, unsent=(first,))
        text = await self._grounded.answer(question, turns)
        return Completion(text, unsent=(first, second), is_replaced=True)

    async def _hold(self, question: str, reply: Completion, turns: Sequence[Turn]) -> Unsent | None:
        """Return what is wrong with a reply; nothing where it may be sent."""
        # Held is what would be sent, to the letter.
        text = clean_answer(reply.text)
        queries = await self._reading.read_question(question, turns) or ()
        claims = await self._reading.read_answer(question, text, turns)
        wrong = find_unproven(queries, claims, self._household)
        if not wrong:
            return None
        return Unsent(text, None if claims is None else claims.to_record(), wrong)


def find_unproven(queries: Queries, claims: Claims | None, household: Household) -> list[str]:
    """Return why an answer must not be sent, in plain words; empty where it may be.

    It may be where it is faithful, and where it says that it does not know what our facts do not
    tell or what was not understood.

    Args:
        queries: What was asked; empty where that was not understood.
        claims: What the answer says; nothing where that was not understood.
        household: The household.
    """
    if claims is None:
        return ["It cannot be understood."]
    judgment = judge(queries, claims, household)
    wrong = [
        *judgment.wrong,
        *(f"Nothing is known of this: {addition}" for addition in claims.adds),
    ]
    if not queries and claims.stance:
        wrong.append("It says yes or no, but it is not clear to what.")
    is_known = any(evaluate(query, household).is_known for query in queries)
    if judgment.verdict == "no_answer" and is_known:
        wrong.append("It does not answer the question.")
    if judgment.verdict in ("unfaithful", "over_claim") and not wrong:
        wrong.append("It says what is not so.")
    return wrong
