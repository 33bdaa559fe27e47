"""Agents that tests talk with."""

from benyfits_data.evaluation.conversation import InfrastructureError


class AsksOnce:
    """Asks one question, and holds every program for the answer."""

    roles = ("user",)

    async def run(self, conversation):
        said = await conversation.ask("Do you rent your home?")
        return dict.fromkeys(conversation.programs, said.lower().startswith("y"))


class Dies:
    """Asks one question; then its model cannot be reached."""

    roles = ("user",)

    async def run(self, conversation):
        await conversation.ask("How are you?")
        raise InfrastructureError("the server is down")
