"""The task `rules`, played by `benyfits-data eval`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.rules.rules_task import RECORD, describe_household, rules
from benyfits_data.evaluation.run import LOGS
from benyfits_data.evaluation.run_options import Options, make_models


def play_rules(options: Options, **settings: Any) -> Path:
    """Return the log of a played run.

    Args:
        options: Who plays the role `code`, and how often; our checkers where nobody does.
        settings: Arguments of `rules`.

    Raises:
        EvaluationError: A program could not be asked for, as where a server fails.
    """
    models = make_models(options)
    player = None if "code" in models else "reference"
    (log,) = inspect_eval(
        rules(player=player, **settings),
        model=None,
        model_roles=models or None,
        epochs=options.trials,
        log_dir=str(options.log_dir or LOGS / "rules"),
        max_samples=options.concurrency,
        display="none",
        log_level="error",
        fail_on_error=True,
    )
    if log.status != "success":
        why = log.error.message if log.error else log.status
        raise EvaluationError(f"The run ended early: {why}. Its log is {log.location}.")
    return Path(log.location)


def read_records(log: Path) -> list[dict[str, Any]]:
    """Return the records that a run left, a program each; see `RuleRecord`."""
    samples = read_eval_log(str(log)).samples or []
    return [sample.store[RECORD] for sample in samples if RECORD in sample.store]


def describe_change(record: Mapping[str, Any]) -> str:
    """Return how a program differs from the edition's checker, and for whom, as text."""
    verdict = record["verdict"]
    lines = [f"Beside {record['program']} of {record['edition']}: "]
    lines[0] += verdict["status"].replace("_", " ")
    lines += [f"{key}: {verdict[key]}" for key in ("reading", "failure") if verdict[key]]
    if verdict["city_share"] is not None:
        low, high = verdict["city_interval"]
        share = f"{verdict['city_share']:.2%} ({low:.2%} to {high:.2%})"
        lines.append(f"share of the city decided otherwise: {share}")
    if verdict["household"]:
        clauses = ", ".join(verdict["clauses"]) or "none"
        lines.append(f"the edition says {verdict['label']}, by clauses {clauses}; ")
        lines[-1] += f"the draft says {verdict['answer']}, at line {verdict['line']}, of"
        lines.append(describe_household(verdict["household"]))
    return "\n".join(lines)
