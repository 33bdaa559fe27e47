"""Baselines: direct prompting and ReAct, guesses, a model that is given facts, and a person."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from numpy.random import Generator

from benyfits_data.evaluation.conversation import Conversation, QuestionLimitReached
from benyfits_data.evaluation.players.users import read_line, show
from benyfits_data.evaluation.replies import question_in
from benyfits_data.par.questions import read_question
from benyfits_data.recorded import likelier
from benyfits_data.understanding.facts import MEMBERS_KEY, object_schema

THOUGHTS_AND_QUESTION = object_schema(
    {"thoughts": {"type": "string"}, "question": {"type": "string"}}
)


class DirectAgent:
    """Has one prompt each to ask, to say whether it is ready, and to predict."""

    roles = ("dialog", "user")
    model_roles = ("dialog",)

    async def ask(self, conversation: Conversation) -> str:
        """Return the dialog model's next question."""
        return question_in(await conversation.complete("ask"))

    async def ready(self, conversation: Conversation) -> bool:
        """Return whether the dialog model wants to stop asking; no reply means no."""
        return await conversation.judge("ready") is True

    async def predict(self, conversation: Conversation) -> dict[str, bool]:
        """Return the dialog model's verdicts."""
        return await conversation.predict()


class ReactAgent:
    """Reasons in writing before it asks, decides whether it is ready, and predicts."""

    roles = ("dialog", "user")
    model_roles = ("dialog",)

    async def ask(self, conversation: Conversation) -> str:
        """Return the question that the dialog model's reasoning ends in; empty if it is refused."""
        asked = await conversation.complete_object("ask_react", THOUGHTS_AND_QUESTION)
        question: str = asked["question"] if asked else ""
        return question

    async def ready(self, conversation: Conversation) -> bool:
        """Return whether the dialog model, having reasoned, wants to stop asking."""
        reasoning = await conversation.complete("ready_react")
        return await conversation.judge("ready_constrained", reasoning=reasoning) is True

    async def predict(self, conversation: Conversation) -> dict[str, bool]:
        """Return the verdicts that the dialog model's reasoning ends in."""
        count = len(conversation.programs)
        reasoning = await conversation.complete("predict_react", num_programs=count)
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
    """Asks nothing; finds nobody eligible for anything."""

    guess = "always-no"


class AlwaysYesAgent(GuessingAgent):
    """Asks nothing; finds everybody eligible for everything."""

    guess = "always-yes"


class RandomAgent(GuessingAgent):
    """Asks nothing; says eligible with a chance of one half."""

    guess = "random"


class PriorAgent(GuessingAgent):
    """Asks nothing; says what is likelier in the synthetic city."""

    guess = "prior"


class NoUserAgent:
    """Asks nothing: the dialog model reads the whole profile and the texts, and predicts.

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
    """Asks the fewest questions that force all labels, then has the dialog model predict.

    Args:
        row: The dialog, with its par.
    """

    roles = ("dialog",)
    model_roles = ("dialog",)
    takes_row = True
    needs_par = True

    def __init__(self, row: "PlannedDialog") -> None:
        self._plan = row.par or ()

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the dialog model's verdicts."""
        try:
            for question in self._plan:
                name, member = read_question(question)
                await conversation.ask_fact(MEMBERS_KEY if name == "members" else name, member)
        except QuestionLimitReached as error:
            conversation.fail("limit_reached", str(error))
        return await conversation.predict()


class HumanAgent:
    """You, at the terminal; an empty question ends the dialog."""

    roles = ("user",)

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the person's verdicts."""
        show(conversation.rules)
        show("\nAsk one question at a time; an empty line when you can decide.")
        while conversation.questions_left > 0:
            question = await read_line(f"Question {len(conversation.turns) + 1}")
            if not question:
                break
            show(f"  {await conversation.ask(question)}")
        verdicts = {}
        for program in conversation.programs:
            reply = await read_line(f"{program}: eligible? (y/n)")
            while reply.lower() not in ("y", "n", "yes", "no"):
                reply = await read_line(f"{program}: please type y or n")
            verdicts[program] = reply.lower() in ("y", "yes")
        return verdicts
