"""The agent that asks nothing and says yes to every program."""

from benyfits_data.evaluation.conversation import Conversation


class AlwaysYesAgent:
    """Says eligible of every program: misses nobody, sends everybody everywhere."""

    roles = ()

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return yes for every program."""
        return dict.fromkeys(conversation.programs, True)


AGENT = AlwaysYesAgent
