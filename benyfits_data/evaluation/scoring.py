"""Scores inside inspect: sums per dialog, so that its own means over trials stay exact.

`faithfulness` can be run again by `inspect score`, with another reader.
"""

from collections import Counter
from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from benyfits_data.evaluation.error_analysis import derive
from benyfits_data.evaluation.record import RECORD, VERDICTS, Dialog
from benyfits_data.evaluation.turn_reading import TurnReader
from benyfits_data.household.model import Household
from benyfits_data.understanding.model_reader import open_reader


@metric
def micro_f1() -> Metric:
    """Return the metric of micro F1, in percent, over the pairs of all dialogs."""

    def compute(scores: list[SampleScore]) -> float:
        tp = _total(scores, "tp")
        wrong = _total(scores, "fp") + _total(scores, "fn")
        return 200 * tp / (2 * tp + wrong) if tp or wrong else float("nan")

    return compute


@metric
def turns() -> Metric:
    """Return the metric of turns per dialog, clarifications included."""

    def compute(scores: list[SampleScore]) -> float:
        return _total(scores, "turns") / max(1, len(scores))

    return compute


@metric
def faithful() -> Metric:
    """Return the metric of faithful answers, in percent of those that were read."""

    def compute(scores: list[SampleScore]) -> float:
        read = sum(_total(scores, kind) for kind in VERDICTS[:-2])
        return 100 * _total(scores, "faithful") / read if read else float("nan")

    return compute


@scorer(metrics=[micro_f1(), turns()])
def pairs() -> Scorer:
    """Return the scorer of true and false positives and negatives, and turns, of a dialog."""

    async def score(state: TaskState, target: Target) -> Score:
        dialog = Dialog.from_record(state.store.get(RECORD))
        wrong = [
            f"{name} ({dialog.errors[name].replace('_', ' ')}; whose: {whose})"
            for name, whose in dialog.blame().items()
        ]
        reasons = [f"{failure.kind}: {failure.message}" for failure in dialog.failures]
        return Score(
            value=dict(dialog.counts),
            answer=", ".join(name for name, verdict in dialog.verdicts.items() if verdict),
            explanation="\n".join([f"Wrong: {', '.join(wrong) or 'none'}.", *reasons]),
        )

    return score


@scorer(metrics=[faithful()])
def faithfulness(reader: str | None = None) -> Scorer:
    """Return the scorer of how the user's answers hold against the household.

    Args:
        reader: A model that reads the dialog anew; what the run's own reader read unless given.
            The score then holds the dialog as it was read, and `results` goes by that.
    """

    async def score(state: TaskState, target: Target) -> Score:
        dialog = Dialog.from_record(state.store.get(RECORD))
        metadata: dict[str, Any] = {"reader": reader or dialog.roles.get("reader", "none")}
        if reader:
            household = Household.from_facts(state.metadata["household"], constrained=False)
            reading = TurnReader(household, open_reader(reader))
            for place, turn in enumerate(dialog.turns):
                await reading.read(turn, dialog.turns[:place])
            derive(dialog, household)
            dialog.roles["reader"] = reader
            metadata[RECORD] = dialog.to_record()
        counts = Counter(turn.faithfulness for turn in dialog.turns)
        return Score(value={kind: counts[kind] for kind in VERDICTS}, metadata=metadata)

    return score


def _total(scores: list[SampleScore], name: str) -> float:
    return float(sum(float(item.score.as_dict()[name] or 0) for item in scores))
