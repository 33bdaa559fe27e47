"""The agent that asks nothing and tosses a coin for every program."""

from benyfits_data.evaluation.conversation import Conversation

PROBABILITY = 0.5


class RandomAgent:
    """Says eligible with a probability of one half."""

    roles = ()

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a coin's verdict on every program."""
        draws = conversation.random.random(len(conversation.programs))
        return {
            program: bool(draw < PROBABILITY)
            for program, draw in zip(conversation.programs, draws, strict=True)
        }


AGENT = RandomAgent
