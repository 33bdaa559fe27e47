"""Results as records of Every Eval Ever, a shared format for results of evaluations.

Source: its schema 0.3.0, https://github.com/evaleval/every_eval_ever
"""

import math
import re
from collections.abc import Sequence
from typing import Any

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.version import __version__

SCHEMA_VERSION = "0.3.0"
_METRICS = (
    ("f1", "F1", "percent", False, 100.0, metrics.f1),
    ("benyfits.turns", "Turns per dialog", "turns", True, None, metrics.mean_turns),
)


def to_eval_record(run: Run, created: str) -> dict[str, Any]:
    """Return a run as one record.

    Args:
        run: A finished run.
        created: When the record is made, in seconds since 1970.
    """
    model = run.roles.get("dialog", "none")
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"benyfits/{run.name}/{run.agent}/{model}/{created}",
        "retrieved_timestamp": created,
        "source_metadata": {
            "source_name": "benyfits-data",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "benyfits-data", "version": __version__},
        "model_info": {
            "name": model,
            "id": model,
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "agent": run.agent,
                **_texts(run.roles),
            },
        },
        "evaluation_results": _results(run),
    }


def _results(run: Run) -> list[dict[str, Any]]:
    """Return each score with its interval, resampled over households."""
    results = []
    for key, name, unit, lower_is_better, most, statistic in _METRICS:
        scored = metrics.bootstrap(run.pairs, statistic)
        longest = max(len(dialog.turns) for dialog in run.dialogs)
        results.append(
            {
                "evaluation_name": f"BeNYfits {run.name}",
                "source_data": {"dataset_name": f"benyfits {run.name}", "source_type": "other"},
                "metric_config": {
                    "metric_id": key,
                    "metric_name": name,
                    "metric_unit": unit,
                    "lower_is_better": lower_is_better,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": float(longest) if most is None else most,
                },
                "score_details": {
                    "score": scored.value,
                    **_uncertainty(scored, len(run.dialogs)),
                },
            }
        )
    return results


def _uncertainty(scored: metrics.Interval, n: int) -> dict[str, Any]:
    """Return an interval where there is one: a single household has none."""
    if math.isnan(scored.low) or math.isnan(scored.high):
        return {}
    interval = {
        "lower": scored.low,
        "upper": scored.high,
        "confidence_level": 0.95,
        "method": "bootstrap over households",
    }
    return {"uncertainty": {"confidence_interval": interval, "num_samples": n}}


def _texts(roles: dict[str, str]) -> dict[str, str]:
    return {f"{role}_model": model for role, model in roles.items()}


def to_eval_records(runs: Sequence[Run], created: str) -> dict[str, dict[str, Any]]:
    """Return the records of some runs by file name."""
    records = {}
    for number, run in enumerate(one for one in runs if one.dialogs):
        name = "-".join(re.findall(r"[\w.]+", f"{run.agent} {run.data['name']}"))
        records[f"results/{number:03}-{name}.json"] = to_eval_record(run, created)
    return records
