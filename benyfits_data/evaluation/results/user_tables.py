"""What the user did to the scores: how faithful it was, and whose the wrong verdicts are."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, figure, tabulate

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
ERRORS: Mapping[str, str] = KINDS["errors"]
"""Where a wrong verdict comes from, in the words of the tables."""
USER_COLUMNS = ("unfaithful %", "over-claims %", "no answer %", "errors of the user %")
"""What stands beside the scores: shares of turns, and of wrong verdicts."""


def describe_user(dialogs: Sequence[Dialog]) -> list[str]:
    """Return what stands under `USER_COLUMNS` for some dialogs."""
    if not any(dialog.turns for dialog in dialogs):
        return [UNDEFINED] * len(USER_COLUMNS)
    told = metrics.measure_faithfulness(dialogs)
    shares = [told[f"{kind}_share"] for kind in ("unfaithful", "over_claim", "no_answer")]
    return [figure(share) for share in (*shares, metrics.measure_acquittals(dialogs)["share"])]


def list_errors(runs: Sequence[Run]) -> Table:
    """Return where wrong verdicts come from."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        counts = Counter(kind for dialog in run.dialogs for kind in dialog.errors.values())
        pairs = sum(len(dialog.labels) for dialog in run.dialogs)
        for kind, meaning in ERRORS.items():
            if count := counts[kind]:
                wrong = counts.total()
                yield meaning, count, f"{100 * count / wrong:.0f}", wrong, pairs

    header = "wrong verdicts; count; % of wrong; wrong in all; n pairs"
    return tabulate("Error analysis", header, runs, describe)


def list_faithfulness(runs: Sequence[Run]) -> Table:
    """Return how the users' answers held against the households."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        if any(dialog.turns for dialog in run.dialogs):
            told = metrics.measure_faithfulness(run.dialogs)
            yield [figure(told[key]) if "share" in key else told[key] for key in told]

    header = (
        "faithful; unfaithful; over-claims; no answer; not identified; "
        "unfaithful %; over-claims %; no answer %"
    )
    return tabulate("Faithfulness of the simulated user, in turns", header, runs, describe)


def list_acquittals(runs: Sequence[Run]) -> Table:
    """Return how many wrong verdicts turn right on proven answers to the agent's own questions."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        told = metrics.measure_acquittals(run.dialogs)
        if wrong := sum(len(dialog.errors) for dialog in run.dialogs):
            counts = [told[key] for key in ("acquitted", "not_acquitted", "unknown")]
            yield wrong, *counts, figure(told["share"])

    header = "wrong verdicts; turn right; stay wrong; unknown; errors of the user %"
    return tabulate("Wrong verdicts decided again on proven answers", header, runs, describe)
