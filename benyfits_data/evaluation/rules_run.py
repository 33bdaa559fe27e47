"""The task `rules`, played by `benyfits-data eval`."""

from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.rules.rules_task import rules
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
