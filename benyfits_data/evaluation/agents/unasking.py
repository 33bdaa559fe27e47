"""Agents that ask nothing: what they say is what a dialog shows at its start, or chance."""

from collections.abc import Callable, Mapping, Sequence

from numpy.random import Generator

from benyfits_data.evaluation.city_shares import likelier
from benyfits_data.evaluation.conversation import Conversation

Guess = Callable[[Sequence[str], int, Generator], dict[str, bool]]
"""Returns verdicts on programs of an edition, by chance where need be."""

GUESSES: Mapping[str, Guess] = {
    "always-no": lambda programs, edition, rng: dict.fromkeys(programs, False),
    "always-yes": lambda programs, edition, rng: dict.fromkeys(programs, True),
    "random": lambda programs, edition, rng: {name: bool(rng.random() < 0.5) for name in programs},
    "prior": lambda programs, edition, rng: {name: likelier(edition)[name] for name in programs},
}
"""In the order of tables; what an agent scores above `prior` it learned by asking."""


class Unasking:
    """Guesses every verdict."""

    roles = ()
    guess: Guess

    def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return a verdict on every program."""
        guess = type(self).guess
        return guess(conversation.programs, conversation.edition, conversation.random)


AGENTS: Mapping[str, type[Unasking]] = {
    name: type(name, (Unasking,), {"guess": staticmethod(guess)}) for name, guess in GUESSES.items()
}
