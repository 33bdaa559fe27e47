"""Tables of results, as plain rows that can become CSV, Markdown, HTML or terminal text."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benyfits_data.dataset import to_csv
from benyfits_data.evaluation import metrics
from benyfits_data.evaluation.dialog import Dialog
from benyfits_data.evaluation.results import PaperRow, Run, group_runs

DATASETS = ("diverse", "representative")
UNDEFINED = "-"

FAILURES = {
    "agent_failed": "the agent failed",
    "answer_cut": "answer too long, cut",
    "answer_not_parsed": "answer held no value",
    "code_crashed": "program crashed",
    "code_looped": "program used up time or memory",
    "code_not_boolean": "program returned no truth value",
    "code_not_parsed": "program broke the rules after all repairs",
    "limit_reached": "questions used up",
    "model_failed": "model did not reply",
    "question_missing": "model gave no question",
    "reply_not_parsed": "reply was neither yes nor no",
    "type_not_parsed": "key type not understood",
    "user_failed": "user model did not reply",
    "verdict_not_parsed": "no verdict on a program",
}
"""What each kind of failure means, in the words of the tables."""


@dataclass(frozen=True)
class Table:
    """A table: a title, a header, and rows of text."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_csv(self) -> str:
        """Return the table as CSV."""
        return to_csv(self.header, self.rows)

    def to_markdown(self) -> str:
        """Return the table as Markdown, with its title."""
        lines = [f"### {self.title}", "", "| " + " | ".join(self.header) + " |"]
        lines.append("|" + "---|" * len(self.header))
        lines += [
            "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows
        ]
        return "\n".join(lines) + "\n"

    def to_text(self) -> str:
        """Return the table in columns for a terminal, with its title."""
        widths = [
            max(len(row[place]) for row in (self.header, *self.rows))
            for place in range(len(self.header))
        ]
        numeric = [
            bool(self.rows) and all(_is_figure(row[place]) for row in self.rows)
            for place in range(len(self.header))
        ]
        lines = [self.title]
        for row in (self.header, *self.rows):
            cells = (
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, numeric, strict=True)
            )
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines) + "\n"


def compare_runs(runs: Sequence[Run], paper: Sequence[PaperRow]) -> Table:
    """Return the paper's Table 1: our runs first, with intervals, then the published rows.

    Args:
        runs: Our runs.
        paper: The published rows, on the published data.
    """
    header = (
        "source",
        "agent",
        "models",
        *(f"{name} {what}" for name in DATASETS for what in ("F1", "turns")),
        "average F1",
        "average turns",
        "turn-weighted F1",
    )
    rows = []
    for run in runs:
        cells: list[str] = []
        for name in DATASETS:
            dialogs = run.dialogs.get(name, [])
            cells += [_interval(dialogs), figure(metrics.score(dialogs).turns)]
        both = {name: run.dialogs[name] for name in DATASETS if name in run.dialogs}
        average = [UNDEFINED] * 3
        if len(both) == len(DATASETS):
            average = [figure(value) for value in metrics.combine(both)]
        rows.append((f"this run, {run.edition}", run.agent, run.models, *cells, *average))
    for row in paper:
        figures = (
            row.diverse_f1,
            row.diverse_turns,
            row.representative_f1,
            row.representative_turns,
            row.average_f1,
            row.average_turns,
            row.turn_weighted_f1,
        )
        told = tuple(figure(value) for value in figures)
        rows.append((f"published ({row.source})", row.agent, f"dialog {row.dialog_model}", *told))
    return Table("F1 and turns (published rows: on the published data)", header, tuple(rows))


def detail_runs(runs: Sequence[Run]) -> Table:
    """Return the detailed table: every dataset, run and trial, and the mean of several trials.

    Args:
        runs: Our runs.
    """
    header = (
        "dataset",
        "agent",
        "models",
        "trial",
        "accuracy",
        "recall",
        "precision",
        "F1",
        "turns",
        "without clarifications",
        "dialogs",
    )
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            trials = sorted({dialog.trial for dialog in dialogs})
            for trial in trials:
                some = [dialog for dialog in dialogs if dialog.trial == trial]
                rows.append((name, run.agent, run.models, str(trial), *_scores(some)))
            if len(trials) > 1:
                rows.append((name, run.agent, run.models, "mean", *_scores(dialogs)))
    return Table("All scores", header, tuple(rows))


def list_failures(runs: Sequence[Run]) -> Table:
    """Return how often each kind of failure was recorded.

    Args:
        runs: Our runs.
    """
    rows = [
        (run.title, name, FAILURES.get(kind, kind), str(count))
        for run in runs
        for name, dialogs in run.dialogs.items()
        for kind, count in metrics.count_failures(dialogs).items()
    ]
    return Table("Failures", ("run", "dataset", "kind", "count"), tuple(rows))


def list_faithfulness(runs: Sequence[Run]) -> Table:
    """Return how the users' answers held against the households.

    Args:
        runs: Our runs.
    """
    header = (
        "run",
        "dataset",
        "F1",
        "faithful",
        "unfaithful",
        "no answer",
        "not identified",
        "unfaithful %",
        "no answer %",
    )
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            if not any(dialog.turns for dialog in dialogs):
                continue
            told = metrics.measure_faithfulness(dialogs)
            counts = ("faithful", "unfaithful", "no_answer", "unidentified")
            rows.append(
                (
                    run.title,
                    name,
                    figure(metrics.score(dialogs).f1),
                    *(str(int(told[count])) for count in counts),
                    figure(told["unfaithful_share"]),
                    figure(told["no_answer_share"]),
                )
            )
    return Table("Faithfulness of the simulated user", header, tuple(rows))


def list_usage(runs: Sequence[Run]) -> Table:
    """Return calls and tokens by role, calls answered from the cache apart.

    Args:
        runs: Our runs.
    """
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            for role in sorted({role for dialog in dialogs for role in dialog.usage}):
                used = [dialog.usage[role] for dialog in dialogs if role in dialog.usage]
                totals = (
                    sum(getattr(item, what) for item in used)
                    for what in ("calls", "cached_calls", "input_tokens", "output_tokens")
                )
                rows.append((run.title, name, role, *map(str, totals)))
    header = ("run", "dataset", "role", "calls", "from cache", "tokens read", "tokens written")
    return Table("Calls and tokens", header, tuple(rows))


def break_down_runs(runs: Sequence[Run]) -> list[Table]:
    """Return F1 by program, by household size and by number of programs.

    Args:
        runs: Our runs.
    """
    ways = (
        ("program", metrics.score_programs),
        ("household size", lambda dialogs: metrics.break_down(dialogs, lambda d: d.size)),
        (
            "programs asked about",
            lambda dialogs: metrics.break_down(dialogs, lambda d: len(d.labels)),
        ),
    )
    tables = []
    for title, group in ways:
        rows = [
            (run.title, name, str(key), *_figures(scores), str(scores.pairs))
            for run in runs
            for name, dialogs in run.dialogs.items()
            for key, scores in group(dialogs).items()
        ]
        header = ("run", "dataset", title, "accuracy", "F1", "turns", "pairs")
        tables.append(Table(f"By {title}", header, tuple(rows)))
    return tables


def list_differences(runs: Sequence[Run]) -> Table:
    """Return paired differences in F1 and turns of all runs that played the same households.

    Args:
        runs: Our runs.
    """
    rows = []
    for place, first in enumerate(runs):
        for second in runs[place + 1 :]:
            for name in first.dialogs:
                pair = first.dialogs[name], second.dialogs.get(name, [])
                if _households(pair[0]) != _households(pair[1]) or first.edition != second.edition:
                    continue
                f1 = metrics.compare(*pair)
                turns = metrics.compare(*pair, metrics.mean_turns)
                rows.append((first.title, second.title, name, _range(f1), _range(turns)))
    header = ("first", "second", "dataset", "F1, first minus second", "turns")
    return Table("Paired differences, 95% intervals", header, tuple(rows))


def expect_random(runs: Sequence[Run]) -> Table:
    """Return the exact expectation of tossing a coin, per dataset, beside the random runs.

    Args:
        runs: Our runs.
    """
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            sums = metrics.sum_dialogs(dialogs)
            positives, negatives = int(sums[0] + sums[2]), int(sums[1] + sums[3])
            expected = figure(metrics.expect_random(positives, negatives))
            found = _interval(dialogs) if run.agent == "random" else UNDEFINED
            rows.append((name, str(run.edition), str(positives), str(negatives), expected, found))
    header = ("dataset", "edition", "eligible", "ineligible", "expected F1 of random", "found")
    return Table("What tossing a coin would score", header, tuple(dict.fromkeys(rows)))


def all_tables(runs: Sequence[Run], paper: Sequence[PaperRow]) -> list[Table]:
    """Return every table that has rows.

    Args:
        runs: Our runs.
        paper: The published rows.
    """
    tables = [
        compare_runs(runs, paper),
        detail_runs(runs),
        list_faithfulness(runs),
        list_failures(runs),
        list_usage(runs),
        list_differences(runs),
        expect_random(runs),
        *break_down_runs(runs),
    ]
    return [table for table in tables if table.rows]


def summarise(dialogs: Iterable[Dialog]) -> list[str]:
    """Return what to say when a run has ended.

    Args:
        dialogs: Its dialogs.
    """
    runs = group_runs(dialogs)
    tables = [detail_runs(runs), list_faithfulness(runs), list_failures(runs), list_usage(runs)]
    if any(run.agent == "random" for run in runs):
        tables.append(expect_random(runs))
    return [table.to_text() for table in tables if table.rows]


def figure(value: float) -> str:
    """Return a figure with one decimal, or a dash where there is none.

    Args:
        value: The figure.
    """
    return UNDEFINED if math.isnan(value) else f"{value:.1f}"


def _scores(dialogs: Sequence[Dialog]) -> tuple[str, ...]:
    scores = metrics.score(dialogs)
    figures = (
        scores.accuracy,
        scores.recall,
        scores.precision,
        scores.f1,
        scores.turns,
        scores.turns_without_clarifications,
    )
    return (*map(figure, figures), str(scores.dialogs))


def _figures(scores: metrics.Scores) -> tuple[str, ...]:
    return tuple(map(figure, (scores.accuracy, scores.f1, scores.turns)))


def _interval(dialogs: Sequence[Dialog]) -> str:
    return _range(metrics.bootstrap(dialogs)) if dialogs else UNDEFINED


def _range(interval: metrics.Interval) -> str:
    if math.isnan(interval.value):
        return UNDEFINED
    return f"{figure(interval.value)} ({figure(interval.low)} to {figure(interval.high)})"


def _households(dialogs: Sequence[Dialog]) -> set[str]:
    return {dialog.household for dialog in dialogs}


def _is_figure(cell: str) -> bool:
    try:
        float(cell.split(" ")[0])
    except ValueError:
        return cell == UNDEFINED
    return True
