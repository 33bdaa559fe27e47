"""What inspect finds through the package's entry point: tasks and scorers."""

from inspect_ai._util.registry import registry_add, registry_info, registry_unqualified_name

from benyfits_data.evaluation.rules.rules_task import proof, rules
from benyfits_data.evaluation.scoring import faithfulness, pairs
from benyfits_data.evaluation.task import diverse, representative, representative_25

__all__ = [
    "diverse",
    "faithfulness",
    "pairs",
    "proof",
    "representative",
    "representative_25",
    "rules",
]

for _scorer in (pairs, faithfulness, proof):
    # Logs name scorers without their package, and `inspect score LOG` looks for those names.
    _info = registry_info(_scorer)
    registry_add(_scorer, _info.model_copy(update={"name": registry_unqualified_name(_info)}))
