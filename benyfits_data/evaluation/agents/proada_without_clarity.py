"""ProADA without its CLARITY module: every answer is made into a value at once."""

from dataclasses import dataclass

from benyfits_data.evaluation.agents.proada import ProadaAgent


@dataclass
class ProadaWithoutClarityAgent(ProadaAgent):
    """ProADA that never asks about the same fact twice."""

    clarifications: int = 0


AGENT = ProadaWithoutClarityAgent
