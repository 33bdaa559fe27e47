"""The simulated user, and whether what it says is so."""

from collections.abc import Sequence

import click

from benyfits_data.evaluation import spoken_facts as facts
from benyfits_data.evaluation.agents.human import read_line
from benyfits_data.evaluation.codegen.keys import MEMBERS_KEY, Nothing
from benyfits_data.evaluation.conversation import REPLY_TOKENS, Models
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Turn
from benyfits_data.household.features import FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household

REMEMBERED_TURNS = 6
"""Earlier questions the user is reminded of, so that "and your spouse?" can be understood."""


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

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the model's answer, in the first person; it sees the latest earlier turns."""
        earlier = [(turn.question, turn.answer) for turn in turns[-REMEMBERED_TURNS:]]
        reply = await self._models.complete(
            "user", self._system, question, None, REPLY_TOKENS, earlier
        )
        return reply.text


class HumanUser:
    """A person at the terminal, who is shown the profile once.

    Args:
        profile: The profile.
    """

    def __init__(self, profile: str) -> None:
        self._profile: str | None = profile

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        """Return what the person types; earlier turns the person remembers."""
        if self._profile is not None:
            click.echo(f"\nYou are this person:\n\n{self._profile}\n", err=True)
            self._profile = None
        return await read_line(question)


def check_turns(turns: Sequence[Turn], household: Household) -> None:
    """Return nothing; each turn is marked with whether its answer holds for the household.

    The fact is the key it was asked for where that is a feature, otherwise what the question
    is understood to ask. Without a fact, or with an answer no value can be read from, the turn
    stays unidentified.

    Args:
        turns: The turns of a dialog.
        household: The household it was about.
    """
    for turn in turns:
        fact = _fact(turn, household)
        if fact is None:
            continue
        truth = facts.look_up(household, fact)
        turn.fact = f"{fact}: {truth}"
        if facts.is_no_answer(turn.answer):
            turn.faithfulness = "no_answer"
            continue
        said = facts.read_answer(fact.key, turn.answer)
        if not isinstance(said, Nothing):
            turn.faithfulness = "faithful" if said == truth else "unfaithful"


def _fact(turn: Turn, household: Household) -> facts.Fact | None:
    if turn.key == MEMBERS_KEY:
        return facts.Fact(MEMBERS_KEY)
    if turn.key in FEATURES:
        is_of_member = turn.key in MEMBER_FEATURES
        if is_of_member != (turn.member is not None):
            return None
        if turn.member is not None and turn.member >= len(household.members):
            return None
        return facts.Fact(turn.key, turn.member)
    return facts.identify(household, turn.question)
