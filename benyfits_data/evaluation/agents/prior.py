"""The agent that asks nothing and says of every program what is likelier in the city."""

from benyfits_data.evaluation.city_shares import likelier
from benyfits_data.evaluation.conversation import Conversation


class PriorAgent:
    """Knows what a dialog shows at its start, its programs, and how many households may claim each.

    What an agent scores above this one it has learned from the user.
    """

    roles = ()

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return yes for every program that more than half of the city's households may claim."""
        says = likelier(conversation.edition)
        return {program: says[program] for program in conversation.programs}


AGENT = PriorAgent
