"""Agents that ask nothing: what they say is what a dialog shows at its start, or chance."""

from collections.abc import Mapping

from benyfits_data.evaluation.city_shares import likelier
from benyfits_data.evaluation.conversation import Conversation


class AlwaysNo:
    """Says ineligible of every program: right about most, of no use to anybody."""

    roles = ()

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a verdict on every program."""
        return dict.fromkeys(conversation.programs, False)


class AlwaysYes(AlwaysNo):
    """Says eligible of every program."""

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a verdict on every program."""
        return dict.fromkeys(conversation.programs, True)


class Random(AlwaysNo):
    """Tosses a coin for every program."""

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a verdict on every program."""
        draws = conversation.random.random(len(conversation.programs))
        return dict(zip(conversation.programs, (draws < 0.5).tolist(), strict=True))


class Prior(AlwaysNo):
    """Says what is likelier in the city: what an agent scores above it was learned by asking."""

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a verdict on every program."""
        says = likelier(conversation.edition)
        return {program: says[program] for program in conversation.programs}


AGENTS: Mapping[str, type[AlwaysNo]] = {
    "always-no": AlwaysNo,
    "always-yes": AlwaysYes,
    "prior": Prior,
    "random": Random,
}
