"""Direct prompting: the dialog model asks, says when it is ready, and predicts."""

from benyfits_data.evaluation.conversation import Conversation
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


AGENT = DirectAgent
