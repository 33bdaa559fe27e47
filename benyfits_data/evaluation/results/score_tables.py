"""Tables of results, as plain rows that can become CSV, Markdown, HTML or terminal text."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from textwrap import shorten

from benyfits_data.dataset import to_csv
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import PaperRow, Run
from benyfits_data.evaluation.run_manifest import compare_manifests

DATASETS = ("diverse", "representative")
PUBLISHED = "published "
"""Begins the name of the sets that the paper's authors published."""
PAPER_NOTE = (
    "Published rows are as printed: other texts and households (docs/paper.md). The two F1 of "
    "their Random row look swapped: a coin on 47.9% eligible pairs (Diverse) expects about 49."
)
ERRORS = {
    "program_wrong": "generated program wrong",
    "answer_misread": "answer misread",
    "user_wrong": "user said what is not so",
    "stopped_early": "stopped before a fact that decides",
    "limit_reached": "questions used up",
    "no_verdict": "no verdict, counted as ineligible",
    "reasoned_wrong": "decided wrongly on the right facts",
}
"""Where a wrong verdict comes from, in the words of the tables."""
UNDEFINED = "-"

FAILURES = {
    "agent_failed": "dialog broke off; undecided programs counted as ineligible",
    "answer_cut": "answer too long, cut",
    "answer_not_parsed": "answer held no value",
    "code_crashed": "program crashed",
    "code_looped": "program used up time or memory",
    "code_not_boolean": "program returned no truth value",
    "code_not_parsed": "program broke the rules after all repairs",
    "limit_reached": "questions used up",
    "context_full": "prompt longer than the model's context",
    "question_missing": "model gave no question",
    "schema_refused": "server took no schema",
    "reply_cut": "reply cut off at its greatest length",
    "reply_filtered": "reply withheld by a content filter",
    "reply_not_parsed": "reply was neither yes nor no",
    "type_not_parsed": "key type not understood",
    "verdict_not_parsed": "no verdict on a program",
}
"""What each kind of failure means, in the words of the tables."""


@dataclass(frozen=True)
class Table:
    """A table: a title, a header, rows of text, and what else has to be said of it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

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
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

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
        return "\n".join([*lines, *([self.note] if self.note else [])]) + "\n"


def list_runs(runs: Sequence[Run]) -> Table:
    """Return what became of every planned dialog: scored, broken off but scored, or unscored."""
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            unscored = run.unscored[name]
            why = next(iter(unscored.values()), "")
            counts = (run.planned(name), len(dialogs), run.failed(name), len(unscored))
            rows.append((run.title, name, *map(str, counts), shorten(why, 70)))
    header = _columns("run; dataset; planned; scored; of them broken off; unscored; first reason")
    return Table("Dialogs planned and scored", header, tuple(rows))


def compare_runs(
    runs: Sequence[Run], paper: Sequence[PaperRow], *, incomplete: bool = False
) -> Table:
    """Return the paper's Table 1: our runs first, with intervals, then the published rows.

    Args:
        runs: Our runs; of each, the sets that are complete.
        paper: The published rows, on the published data.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are compared too.
    """
    header = (
        *("source", "agent", "models"),
        *(f"{name} {what}" for name in DATASETS for what in ("F1", "turns", "n")),
        *("average F1", "average turns", "turn-weighted F1"),
    )
    rows = []
    for run in runs:
        for source in ("", PUBLISHED):
            both = find_sets(run, source, incomplete=incomplete)
            if not both:
                continue
            cells: list[str] = []
            for name in DATASETS:
                dialogs = both.get(name, [])
                cells += [_cell(dialogs), _cell(dialogs, metrics.mean_turns), str(len(dialogs))]
            average = [UNDEFINED] * 3
            if len(both) == len(DATASETS):
                average = [_range(interval) for interval in metrics.bootstrap_combined(both)]
            whose = f"this run, {source or run.editions + ' '}households"
            rows.append((whose, run.agent, run.models, *cells, *average))
    for row in paper:
        figures = (
            *(figure(row.diverse_f1), figure(row.diverse_turns), UNDEFINED),
            *(figure(row.representative_f1), figure(row.representative_turns), UNDEFINED),
            *map(figure, (row.average_f1, row.average_turns, row.turn_weighted_f1)),
        )
        rows.append(
            (f"published ({row.source})", row.agent, f"dialog {row.dialog_model}", *figures)
        )
    return Table("F1 and turns", header, tuple(rows), PAPER_NOTE if paper else "")


def find_sets(run: Run, source: str = "", *, incomplete: bool = False) -> dict[str, list[Dialog]]:
    """Return a run's dialogs on the benchmark's two sets, of those it may be ranked by.

    Args:
        run: A run.
        source: `PUBLISHED` for the sets that the paper's authors published, empty for ours.
        incomplete: Whether part of a set will do.
    """
    found: dict[str, list[Dialog]] = {}
    for name, dialogs in run.dialogs.items():
        told = run.data[name]
        column = told["column"] or (told["name"] if incomplete else None)
        if not dialogs or not (incomplete or run.is_complete(name)):
            continue
        for wanted in DATASETS:
            if column == source + wanted:
                found.setdefault(wanted, dialogs)
    return found


def detail_runs(runs: Sequence[Run]) -> Table:
    """Return every score of every dataset, run and trial, and of all trials, with intervals."""
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            trials = metrics.group_dialogs(dialogs, lambda dialog: dialog.trial)
            for trial, some in trials.items():
                rows.append((name, run.agent, run.models, str(trial), *_scores(some)))
            if len(trials) > 1:
                rows.append((name, run.agent, run.models, "all", *_scores(dialogs)))
    header = _columns(
        "dataset; agent; models; trial; accuracy; recall; precision; F1; turns; "
        "without clarifications; n"
    )
    return Table("All scores, 95% intervals over households", header, tuple(rows))


def list_trials(runs: Sequence[Run]) -> Table:
    """Return how much trials of the same dialogs differ, and pass^k for each k."""
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            n = len({dialog.trial for dialog in dialogs})
            if n < 2:
                continue
            spread = figure(metrics.spread(dialogs))
            for k in range(1, n + 1):
                passed = figure(metrics.pass_k(dialogs, k))
                rows.append((run.title, name, str(n), spread, str(k), passed))
    header = _columns("run; dataset; trials; standard deviation of F1; k; pass^k %")
    return Table(
        "Trials: spread, and households right in every verdict k times", header, tuple(rows)
    )


def list_errors(runs: Sequence[Run]) -> Table:
    """Return where wrong verdicts come from."""
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            counts = Counter(kind for dialog in dialogs for kind in dialog.errors.values())
            wrong = sum(counts.values())
            pairs = sum(len(dialog.labels) for dialog in dialogs)
            for kind, meaning in ERRORS.items():
                if counts[kind]:
                    share = f"{100 * counts[kind] / wrong:.0f}"
                    cells = (meaning, str(counts[kind]), share, str(wrong), str(pairs))
                    rows.append((run.title, name, *cells))
    header = _columns("run; dataset; wrong verdicts; count; % of wrong; wrong in all; n pairs")
    return Table("Error analysis", header, tuple(rows))


def list_failures(runs: Sequence[Run]) -> Table:
    """Return how often each kind of failure was recorded."""
    rows = [
        (run.title, name, FAILURES.get(kind, kind), str(count))
        for run in runs
        for name, dialogs in run.dialogs.items()
        for kind, count in metrics.count_failures(dialogs).items()
    ]
    return Table("Failures", ("run", "dataset", "kind", "count"), tuple(rows))


def list_faithfulness(runs: Sequence[Run]) -> Table:
    """Return how the users' answers held against the households."""
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            if not any(dialog.turns for dialog in dialogs):
                continue
            told = metrics.measure_faithfulness(dialogs)
            counts = ("faithful", "unfaithful", "no_answer", "unidentified")
            shares = ("unfaithful_share", "no_answer_share")
            cells = [str(int(told[count])) for count in counts]
            rows.append((run.title, name, *cells, *(figure(told[share]) for share in shares)))
    header = _columns(
        "run; dataset; faithful; unfaithful; no answer; not identified; unfaithful %; no answer %"
    )
    return Table("Faithfulness of the simulated user, in turns", header, tuple(rows))


def list_usage(
    runs: Sequence[Run], prices: Mapping[str, tuple[float, float]] | None = None
) -> Table:
    """Return calls, tokens and money by role, calls answered from the cache apart.

    Args:
        runs: Our runs.
        prices: Dollars for a million tokens read and written, by model.
    """
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            for role in sorted({role for dialog in dialogs for role in dialog.usage}):
                used = [dialog.usage[role] for dialog in dialogs if role in dialog.usage]
                calls, cached, read, written = (
                    sum(getattr(item, what) for item in used)
                    for what in ("calls", "cached_calls", "input_tokens", "output_tokens")
                )
                price = (prices or {}).get(run.roles.get(role, ""))
                cost = (read * price[0] + written * price[1]) / 1e6 if price else math.nan
                n = len(dialogs)
                each = (f"{(read + written) / n:.0f}", _money(cost / n), _money(cost))
                counts = map(str, (calls, cached, read, written))
                rows.append((run.title, name, role, *counts, *each, str(n)))
    header = _columns(
        "run; dataset; role; calls; from cache; tokens read; tokens written; tokens a dialog; "
        "dollars a dialog; dollars; n"
    )
    return Table("Calls, tokens, money", header, tuple(rows))


def break_down_runs(runs: Sequence[Run]) -> list[Table]:
    """Return scores by program, by household size and by number of programs."""
    ways: tuple[tuple[str, Callable[[list[Dialog]], dict[Hashable, list[Dialog]]]], ...] = (
        ("program", metrics.split_programs),
        ("household size", lambda some: metrics.group_dialogs(some, lambda d: d.size)),
        ("programs asked about", lambda some: metrics.group_dialogs(some, lambda d: len(d.labels))),
    )
    statistics = (metrics.accuracy, metrics.f1, metrics.mean_turns)
    tables = []
    for title, group in ways:
        rows = [
            (run.title, name, str(key), *(_cell(some, one) for one in statistics), str(len(some)))
            for run in runs
            for name, dialogs in run.dialogs.items()
            for key, some in group(dialogs).items()
        ]
        header = ("run", "dataset", title, "accuracy", "F1", "turns", "n")
        tables.append(Table(f"By {title}", header, tuple(rows)))
    return tables


def list_differences(runs: Sequence[Run]) -> Table:
    """Return paired differences in F1 and turns of all runs that played the same households."""
    rows = []
    for first, second in combinations(runs, 2):
        for name, told in first.data.items():
            same = [other for other, theirs in second.data.items() if theirs == told]
            pair = [(first.dialogs[name], second.dialogs[other]) for other in same]
            if not pair or _households(pair[0][0]) != _households(pair[0][1]) or not pair[0][0]:
                continue
            f1, turns = metrics.compare(*pair[0]), metrics.compare(*pair[0], metrics.mean_turns)
            n = str(len(_households(pair[0][0])))
            rows.append((first.title, second.title, name, _range(f1), _range(turns), n))
    header = ("first", "second", "dataset", "F1, first minus second", "turns", "n households")
    return Table("Paired differences, 95% intervals", header, tuple(rows))


def list_manifest_differences(first: Sequence[Run], second: Sequence[Run]) -> Table:
    """Return everything on which scores may depend that differs between two runs.

    Args:
        first: The run, or runs, of one log folder.
        second: Those of another.
    """
    rows = []
    for ours, theirs in product(first, second):
        pairs = [("", ours.settings, theirs.settings)]
        pairs += [("dataset.", *each) for each in product(ours.data.values(), theirs.data.values())]
        for prefix, one, other in pairs:
            for name, values in compare_manifests(one, other).items():
                rows.append((prefix + name, *map(str, values)))
    return Table("What differs", ("setting", "first", "second"), tuple(dict.fromkeys(rows)))


def expect_random(runs: Sequence[Run]) -> Table:
    """Return the exact expectation of tossing a coin, per dataset, beside the random runs."""
    rows = []
    for run in runs:
        for name, dialogs in run.dialogs.items():
            sums = metrics.sum_dialogs(dialogs)
            positives, negatives = int(sums[0] + sums[2]), int(sums[1] + sums[3])
            expected = figure(metrics.expect_random(positives, negatives))
            found = _cell(dialogs) if run.agent == "random" else UNDEFINED
            rows.append((name, str(positives), str(negatives), expected, found, str(len(dialogs))))
    header = ("dataset", "eligible", "ineligible", "expected F1 of random", "found", "n")
    return Table("What tossing a coin would score", header, tuple(dict.fromkeys(rows)))


def all_tables(
    runs: Sequence[Run],
    paper: Sequence[PaperRow],
    *,
    incomplete: bool = False,
    prices: Mapping[str, tuple[float, float]] | None = None,
) -> list[Table]:
    """Return every table that has rows; see `compare_runs` and `list_usage` for the settings."""
    ranked = [run for run in runs if incomplete or find_sets(run) or find_sets(run, PUBLISHED)]
    tables = [
        list_runs(runs),
        compare_runs(runs, paper, incomplete=incomplete),
        detail_runs(runs),
        list_trials(runs),
        list_errors(runs),
        list_faithfulness(runs),
        list_failures(runs),
        list_usage(runs, prices),
        list_differences(ranked),
        expect_random(runs),
        *break_down_runs(runs),
    ]
    return [table for table in tables if table.rows]


def summarise(runs: Sequence[Run]) -> list[str]:
    """Return what to say when a run has ended."""
    tables = [
        list_runs(runs),
        detail_runs(runs),
        list_errors(runs),
        list_faithfulness(runs),
        list_failures(runs),
        list_usage(runs),
    ]
    if any(run.agent == "random" for run in runs):
        tables.append(expect_random(runs))
    return [table.to_text() for table in tables if table.rows]


def figure(value: float) -> str:
    """Return a figure with one decimal, or a dash where there is none."""
    return UNDEFINED if math.isnan(value) else f"{value:.1f}"


def _columns(names: str) -> tuple[str, ...]:
    return tuple(names.split("; "))


def _scores(dialogs: Sequence[Dialog]) -> tuple[str, ...]:
    statistics = (
        metrics.accuracy,
        metrics.recall,
        metrics.precision,
        metrics.f1,
        metrics.mean_turns,
        metrics.mean_first_turns,
    )
    return (*(_cell(dialogs, one) for one in statistics), str(len(dialogs)))


def _cell(dialogs: Sequence[Dialog], statistic: metrics.Statistic = metrics.f1) -> str:
    return _range(metrics.bootstrap(dialogs, statistic)) if dialogs else UNDEFINED


def _range(interval: metrics.Interval) -> str:
    if math.isnan(interval.value) or math.isnan(interval.low):
        return figure(interval.value)
    return f"{figure(interval.value)} ({figure(interval.low)} to {figure(interval.high)})"


def _money(dollars: float) -> str:
    return UNDEFINED if math.isnan(dollars) else f"{dollars:.4f}"


def _households(dialogs: Sequence[Dialog]) -> set[str]:
    return {dialog.household for dialog in dialogs}


def _is_figure(cell: str) -> bool:
    try:
        float(cell.split(" ")[0])
    except ValueError:
        return cell == UNDEFINED
    return True
