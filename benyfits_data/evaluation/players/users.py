"""Simulated users: a model, a person, and one whose answers are true of the household."""

from collections.abc import Sequence

import anyio.to_thread
import click

from benyfits_data.evaluation.conversation import REPLY_TOKENS, Completion, Models, User
from benyfits_data.evaluation.models import GROUNDED, HUMAN, REFERENCE
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.reading import DialogReading
from benyfits_data.evaluation.record import Turn


class Terminal:
    """Where a person reads and types."""

    def show(self, text: str) -> None:
        """Show some text."""
        click.echo(text, err=True)

    def read(self, text: str) -> str:
        """Return what the person types after some text."""
        reply: str = click.prompt(text, default="", show_default=False, err=True)
        return reply.strip()


_terminals = [Terminal()]


def use_terminal(terminal: Terminal) -> None:
    """Let the person of this process read and type somewhere else, such as on a page."""
    _terminals.append(terminal)


def show(text: str) -> None:
    """Show some text to the person."""
    _terminals[-1].show(text)


async def read_line(text: str) -> str:
    """Return what the person types after some text."""
    return await anyio.to_thread.run_sync(_terminals[-1].read, text, abandon_on_cancel=True)


def make_user(
    played: str,
    profile: str,
    reading: DialogReading,
    models: Models,
    prompts: Prompts,
) -> User:
    """Return who answers in one dialog.

    Args:
        played: Who plays the role: `reference`, `grounded`, `human`, or a model.
        profile: What a model or a person reads.
        reading: Answers from the facts of the household where our own users play.
        models: Who completes prompts.
        prompts: The prompts in force.
    """
    if played == HUMAN:
        return HumanUser(profile)
    if played == REFERENCE:
        return DialogReading(reading.household)
    if played == GROUNDED:
        return reading
    return ModelUser(profile, models, prompts)


class ModelUser:
    """A language model that knows the profile and nothing else.

    Args:
        profile: The profile.
        models: Who completes prompts; the role `user` is asked.
        prompts: The prompts in force.
    """

    def __init__(self, profile: str, models: Models, prompts: Prompts) -> None:
        self._models = models
        self._system = prompts.render("user", profile=profile)

    async def answer(self, question: str, turns: Sequence[Turn]) -> Completion:
        """Return the model's answer, in the first person; it sees the whole dialog so far."""
        earlier = [(turn.question, turn.answer) for turn in turns]
        return await self._models.complete(
            "user", self._system, question, None, REPLY_TOKENS, earlier
        )


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
