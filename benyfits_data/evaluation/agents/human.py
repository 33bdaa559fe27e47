"""A person at the terminal plays the agent: reads the rules, asks, decides."""

import anyio.to_thread
import click

from benyfits_data.evaluation.conversation import Conversation


class HumanAgent:
    """Asks through the terminal; an empty question ends the dialog."""

    roles = ("user",)

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the person's verdicts."""
        click.echo(conversation.rules, err=True)
        click.echo("\nAsk one question at a time; an empty line when you can decide.", err=True)
        while conversation.questions_left > 0:
            question = await read_line(f"Question {len(conversation.turns) + 1}")
            if not question:
                break
            click.echo(f"  {await conversation.ask(question)}", err=True)
        verdicts = {}
        for program in conversation.programs:
            reply = await read_line(f"{program}: eligible? (y/n)")
            while reply.lower() not in ("y", "n"):
                reply = await read_line("Please type y or n")
            verdicts[program] = reply.lower() == "y"
        return verdicts


async def read_line(text: str) -> str:
    """Return what the person at the terminal types after some text."""

    def read() -> str:
        reply: str = click.prompt(text, default="", show_default=False, err=True)
        return reply.strip()

    return await anyio.to_thread.run_sync(read)


AGENT = HumanAgent
