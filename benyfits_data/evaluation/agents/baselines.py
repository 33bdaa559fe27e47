"""Baselines: direct prompting and ReAct, guesses, and what a model makes of facts it is given."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from numpy.random import Generator

from benyfits_data.evaluation.conversation import (
    REASONING_TOKENS,
    Conversation,
    QuestionLimitReached,
    example_array,
)
from benyfits_data.evaluation.players.interpreter import last_line
from benyfits_data.evaluation.recorded import likelier
from benyfits_data.par.tracks import read_question
from benyfits_data.understanding.facts import MEMBERS_KEY


class DirectAgent:
    """One prompt for each step of the dialog loop."""

    roles = ("dialog", "user")
    model_roles = ("dialog",)

    async def ask(self, conversation: Conversation) -> str:
        """Return the dialog model's next question."""
        return last_line(await conversation.complete("ask"))

    async def ready(self, conversation: Conversation) -> bool:
        """Return whether the dialog model wants to stop asking; no reply means no."""
        return await conversation.judge("ready") is True

    async def predict(self, conversation: Conversation) -> dict[str, bool]:
        """Return the dialog model's verdicts."""
        return await conversation.predict()


class ReactAgent:
    """Two prompts for each decision: one to think, one to decide under constrained decoding."""

    roles = ("dialog", "user")
    model_roles = ("dialog",)

    async def ask(self, conversation: Conversation) -> str:
        """Return the question that the dialog model's reasoning ends in."""
        return last_line(await conversation.complete("ask_react", max_tokens=REASONING_TOKENS))

    async def ready(self, conversation: Conversation) -> bool:
        """Return whether the dialog model, having reasoned, wants to stop asking."""
        reasoning = await conversation.complete("ready_react", max_tokens=REASONING_TOKENS)
        return await conversation.judge("ready_constrained", reasoning=reasoning) is True

    async def predict(self, conversation: Conversation) -> dict[str, bool]:
        """Return the verdicts that the dialog model's reasoning ends in."""
        count = len(conversation.programs)
        reasoning = await conversation.complete(
            "predict_react",
            max_tokens=REASONING_TOKENS,
            num_programs=count,
            example_array=example_array(count),
        )
        return await conversation.predict(prompt="predict_constrained", reasoning=reasoning)


if TYPE_CHECKING:
    # Not above: an agent that lacks its model is refused before datasets are loaded.
    from benyfits_data.evaluation.planned import PlannedDialog

Guess = Callable[[Sequence[str], int, Generator], dict[str, bool]]
"""Returns verdicts on programs of an edition, by chance where need be."""

GUESSES: Mapping[str, Guess] = {
    "always-no": lambda programs, edition, rng: dict.fromkeys(programs, False),
    "always-yes": lambda programs, edition, rng: dict.fromkeys(programs, True),
    "random": lambda programs, edition, rng: {name: bool(rng.random() < 0.5) for name in programs},
    "prior": lambda programs, edition, rng: {name: likelier(edition)[name] for name in programs},
}
"""In the order of tables; what an agent scores above `prior` it learned by asking."""


class GuessingAgent:
    """Guesses every verdict, as the guess of its name does."""

    roles = ()
    guess: str

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a verdict on every program."""
        guess = GUESSES[self.guess]
        return guess(conversation.programs, conversation.edition, conversation.random)


class AlwaysNoAgent(GuessingAgent):
    """Says ineligible."""

    guess = "always-no"


class AlwaysYesAgent(GuessingAgent):
    """Says eligible."""

    guess = "always-yes"


class RandomAgent(GuessingAgent):
    """Says eligible with a chance of one half."""

    guess = "random"


class PriorAgent(GuessingAgent):
    """Says what is likelier in the city."""

    guess = "prior"


class NoUserAgent:
    """Predicts from the profile and the texts: what asking costs is the distance to it.

    Args:
        row: The dialog, with the profile that a user would answer from.
    """

    roles = ("dialog",)
    model_roles = ("dialog",)
    takes_row = True

    def __init__(self, row: "PlannedDialog") -> None:
        self._profile = row.profile

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the dialog model's verdicts."""
        return await conversation.predict(prompt="predict_no_user", profile=self._profile)


class OraclePlanAgent:
    """Hears the answers to the questions of par, in canonical words, and predicts.

    Args:
        row: The dialog, with its par.
    """

    roles = ("dialog",)
    model_roles = ("dialog",)
    takes_row = True
    needs_par = True

    def __init__(self, row: "PlannedDialog") -> None:
        self._plan = row.par["one"]

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the dialog model's verdicts."""
        try:
            for question in self._plan:
                name, member = read_question(question)
                await conversation.ask_fact(MEMBERS_KEY if name == "members" else name, member)
        except QuestionLimitReached as error:
            conversation.fail("limit_reached", str(error))
        return await conversation.predict()
