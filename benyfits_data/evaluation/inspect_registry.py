"""What inspect finds through the package's entry point: tasks, scorers, a model provider."""

from benyfits_data.evaluation.players.embedded import EmbeddedAPI
from benyfits_data.evaluation.rules.rules_task import rules
from benyfits_data.evaluation.scoring import faithfulness, pairs
from benyfits_data.evaluation.task import diverse, representative, representative_25

__all__ = [
    "EmbeddedAPI",
    "diverse",
    "faithfulness",
    "pairs",
    "representative",
    "representative_25",
    "rules",
]
