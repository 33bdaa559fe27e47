"""The first table of results: who scored what, in 80 columns."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.baselines import baseline_runs
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import Table, figure

TITLE = "F1 and turns of each agent"
HEADER = ("agent", "set", "n", "F1 (95%)", "turns", "x par", "unscored")
NOTE = (
    "F1 is over all pairs of a household and a program, in %, with its 95% interval\n"
    "over households; n counts dialogs, a turn is a question and its answer; x par:\n"
    "turns by the fewest questions that force the labels.{}"
)


@dataclass(frozen=True)
class RunScores:
    """What one run scored.

    Attributes:
        agent: The agent and who played for it.
        dataset: The set and the edition.
        n: Scored dialogs.
        f1: F1 over pairs in %, with its interval.
        turns: Turns a dialog.
        times_par: All turns by the par of all dialogs; nan where no par is known.
        unscored: Planned dialogs that are not scored.
        unranked: Why the run is not compared with others; empty if it is.
    """

    agent: str
    dataset: str
    n: int
    f1: metrics.Interval
    turns: float
    times_par: float
    unscored: int
    unranked: str = ""


def score_run(run: Run) -> RunScores:
    """Return what a run scored; nan where nothing is scored."""
    unranked = ""
    if run.is_broken:
        unranked = "broken off"
    elif not run.is_complete:
        unranked = "partial"
    years = "+".join(map(str, run.data["editions"]))
    f1, turns = metrics.Interval(math.nan, math.nan, math.nan), math.nan
    if run.dialogs:
        f1 = metrics.bootstrap(run.dialogs, metrics.f1)
        turns = metrics.score(run.dialogs, metrics.mean_turns)
    known = [(len(dialog.turns), dialog.par) for dialog in run.dialogs if dialog.par is not None]
    par = sum(par for _, par in known)
    return RunScores(
        agent=run.title if run.roles else run.agent,
        dataset=f"{run.name} {years}",
        n=len(run.dialogs),
        f1=f1,
        turns=turns,
        times_par=sum(turns for turns, _ in known) / par if par else math.nan,
        unscored=len(run.unscored),
        unranked=unranked,
    )


def rank_runs(runs: Iterable[Run], *, incomplete: bool = False) -> list[RunScores]:
    """Return the scores of runs, set by set and the best first; after them those not ranked.

    Args:
        runs: Any runs.
        incomplete: Whether partial and broken runs are ranked too.
    """
    scores = [score_run(run) for run in runs]

    def place(each: RunScores) -> tuple[bool, str, float]:
        is_last = bool(each.unranked) and not incomplete
        return is_last, each.dataset, -each.f1.value if not math.isnan(each.f1.value) else 1.0

    return sorted(scores, key=place)


def list_scores(runs: Sequence[Run], *, incomplete: bool = False) -> Table:
    """Return the first table of results, baselines among the runs; see `rank_runs`."""
    compared = [run for run in runs if incomplete or run.is_complete]
    scores = rank_runs([*baseline_runs(compared), *runs], incomplete=incomplete)
    rows = []
    for each in scores:
        is_ranked = incomplete or not each.unranked
        f1 = _short(each.f1) if is_ranked else each.unranked
        cells = (figure(each.turns), figure(each.times_par, 2), str(each.unscored))
        rows.append((each.agent, each.dataset, str(each.n), f1, *cells))
    more = "\nPartial and broken runs are not ranked." if any(it.unranked for it in scores) else ""
    return Table(TITLE, HEADER, tuple(rows), NOTE.format(more), width=80)


def _short(interval: metrics.Interval) -> str:
    if math.isnan(interval.low):
        return figure(interval.value)
    return f"{figure(interval.value)} ({interval.low:.0f}-{interval.high:.0f})"
