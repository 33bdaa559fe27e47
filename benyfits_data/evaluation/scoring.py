"""Scores inside inspect: sums per dialog, so that its own means over trials stay exact."""

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

from benyfits_data.evaluation.record import RECORD, Dialog


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


@scorer(metrics=[micro_f1(), turns()])
def pairs() -> Scorer:
    """Return the scorer of true and false positives and negatives, and turns, of a dialog."""

    async def score(state: TaskState, target: Target) -> Score:
        dialog = Dialog.from_record(state.store.get(RECORD))
        wrong = [name for name in dialog.labels if dialog.labels[name] != dialog.verdicts[name]]
        reasons = [f"{failure.kind}: {failure.message}" for failure in dialog.failures]
        return Score(
            value=dict(dialog.counts),
            answer=", ".join(name for name, verdict in dialog.verdicts.items() if verdict),
            explanation="\n".join([f"Wrong: {', '.join(wrong) or 'none'}.", *reasons]),
        )

    return score


def _total(scores: list[SampleScore], name: str) -> float:
    return float(sum(float(item.score.as_dict()[name] or 0) for item in scores))
