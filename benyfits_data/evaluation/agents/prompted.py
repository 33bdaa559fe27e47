"""Agents of one dialog model and prompts: direct prompting, and ReAct, which reasons first."""

from benyfits_data.evaluation.conversation import REASONING_TOKENS, Conversation, example_array
from benyfits_data.evaluation.players.interpreter import last_line


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
