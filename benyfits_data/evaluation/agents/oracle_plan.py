"""Oracle plan: the facts that force all labels are given, and the dialog model decides on them."""

from benyfits_data.evaluation.conversation import Conversation, QuestionLimitReached
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.par.tracks import read_question
from benyfits_data.understanding.facts import MEMBERS_KEY


class OraclePlanAgent:
    """Hears the answers to the questions of par, in canonical words, and predicts.

    Args:
        row: The dialog, with its par.
    """

    roles = ("dialog",)
    model_roles = ("dialog",)
    takes_row = True
    needs_par = True

    def __init__(self, row: PlannedDialog) -> None:
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


AGENT = OraclePlanAgent
