"""The agent that asks nothing and says no to every program."""

from benyfits_data.evaluation.conversation import Conversation


class AlwaysNoAgent:
    """Says ineligible of every program: right about most, of no use to anybody."""

    roles = ()

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return no for every program."""
        return dict.fromkeys(conversation.programs, False)


AGENT = AlwaysNoAgent
