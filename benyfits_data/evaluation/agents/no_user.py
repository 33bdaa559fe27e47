"""No user: the dialog model reads the whole profile and decides, without one question."""

from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.planned import PlannedDialog


class NoUserAgent:
    """Predicts from the profile and the texts: what asking costs is the distance to it.

    Args:
        row: The dialog, with the profile that a user would answer from.
    """

    roles = ("dialog",)
    model_roles = ("dialog",)
    takes_row = True

    def __init__(self, row: PlannedDialog) -> None:
        self._profile = row.profile

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the dialog model's verdicts."""
        return await conversation.predict(prompt="predict_no_user", profile=self._profile)


AGENT = NoUserAgent
