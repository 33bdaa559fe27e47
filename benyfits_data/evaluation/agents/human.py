"""A person plays the agent: reads the rules, asks, decides."""

from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.players.users import read_line, show


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
