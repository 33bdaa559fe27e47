"""Tables of results, as plain rows that can become CSV, Markdown, HTML or terminal text."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from textwrap import shorten
from typing import Any

import numpy as np

from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.baselines import UNREAD, baseline_runs
from benyfits_data.evaluation.results.leading_table import list_scores
from benyfits_data.evaluation.results.program_tables import list_micro_and_macro, right_unasked
from benyfits_data.evaluation.results.reading_tables import (
    list_contested,
    list_orders,
    list_prices,
)
from benyfits_data.evaluation.results.regret_tables import list_par, list_waste
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import (
    UNDEFINED,
    Table,
    cell,
    figure,
    range_of,
    tabulate,
)
from benyfits_data.evaluation.results.user_tables import (
    KINDS,
    USER_COLUMNS,
    describe_user,
    list_acquittals,
    list_errors,
    list_faithfulness,
    list_proofs,
    list_wrong_dialogs,
)
from benyfits_data.evaluation.run_manifest import compare_manifests, digest

DATASETS = ("diverse", "representative")
PUBLISHED = "published "
"""Begins the name of the sets that the paper's authors published."""
PAPER_DESIGN = "paper's design, "
"""Begins what is said of our set of the paper's design, `representative-25`."""
PAPER_NOTE = (
    "Published rows are as printed: other texts and households (docs/paper.md). The two F1 of "
    "their Random row look swapped: a coin on 47.9% eligible pairs (Diverse) expects about 49."
)
FAILURES: Mapping[str, str] = KINDS["failures"]
"""What each kind of failure means."""
MOST_LISTED = 5
"""Dialogs a sentence names, so that it stays one."""


def list_runs(runs: Sequence[Run]) -> Table:
    """Return what became of every planned dialog: scored, broken off but scored, or unscored."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        reasons = [*run.unscored.values(), *(failure.message for failure in run.broken_off)]
        first = shorten(reasons[0], 400) if reasons else ""
        yield run.planned, len(run.dialogs), len(run.broken_off), len(run.unscored), first

    header = "planned; scored; of them broken off; unscored; first reason"
    return tabulate("Dialogs planned and scored", header, runs, describe)


def compare_runs(
    runs: Sequence[Run], paper: Sequence[Mapping[str, str]], *, incomplete: bool = False
) -> Table:
    """Return the paper's Table 1: baselines, our runs with intervals, then the published rows.

    Args:
        runs: Our runs; of each, the sets that are complete.
        paper: The published rows, on the published data.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are compared too.
    """
    header = (
        *("source", "agent", "models"),
        *(f"{name} {what}" for name in DATASETS for what in ("F1", "turns", "n")),
        *("average F1", "average turns", "turn-weighted F1"),
        *USER_COLUMNS,
    )
    rows = []
    for source, both in find_sets([*baseline_runs(runs), *runs], incomplete=incomplete):
        cells: list[str] = []
        for name in DATASETS:
            dialogs = both[name].dialogs if name in both else []
            cells += [cell(dialogs), cell(dialogs, metrics.mean_turns), str(len(dialogs))]
        average = [UNDEFINED] * 3
        if len(both) == len(DATASETS):
            average = [range_of(interval) for interval in average_sets(both)]
        run = next(iter(both.values()))
        years = sorted({str(year) for each in both.values() for year in each.data["editions"]})
        whose = f"{source if source == PUBLISHED else source + ', '.join(years) + ' '}households"
        is_played = run.texts != UNREAD
        whose = f"this run, {whose}, {run.texts} texts" if is_played else f"baseline, {whose}"
        if run.profiles != "full":
            whose += f", {run.profiles} profiles"
        dialogs = [dialog for each in both.values() for dialog in each.dialogs]
        user = describe_user(dialogs)
        rows.append((whose, run.agent, run.models, *cells, *average, *user))
    for row in paper:
        source, agent, model, f1, turns, second_f1, second_turns, *averages = row.values()
        cells = [f1, turns, UNDEFINED, second_f1, second_turns, UNDEFINED, *averages]
        cells += [UNDEFINED] * len(USER_COLUMNS)
        rows.append((f"published ({source})", agent, f"dialog {model}", *cells))
    return Table("F1 and turns", header, tuple(rows), PAPER_NOTE if paper else "")


def average_sets(both: Mapping[str, Run]) -> list[metrics.Interval]:
    """Return F1, turns and turn-weighted F1 over both of the benchmark's sets."""
    return metrics.bootstrap_combined({name: run.dialogs for name, run in both.items()})


def find_sets(runs: Sequence[Run], *, incomplete: bool = False) -> list[tuple[str, dict[str, Run]]]:
    """Return the runs of the benchmark's sets that may be ranked, by set, for each way of playing.

    Before them stands where the sets come from: `PUBLISHED`, `PAPER_DESIGN`, or empty for ours.

    Args:
        runs: Any runs.
        incomplete: Whether part of a set, or one with unscored dialogs, will do.
    """
    found: dict[tuple[str, str], dict[str, Run]] = {}
    for run in runs:
        column = str(run.data["column"] or (run.data["name"] if incomplete else ""))
        source = PUBLISHED if column.startswith(PUBLISHED) else ""
        name = column.removeprefix(source)
        if name == "representative-25":
            source, name = PAPER_DESIGN, "representative"
        if run.dialogs and name in DATASETS and (incomplete or run.is_complete):
            found.setdefault((digest(run.settings), source), {}).setdefault(name, run)
    for (settings, source), both in found.items():
        if source == PAPER_DESIGN and "diverse" in (ours := found.get((settings, ""), {})):
            both["diverse"] = ours["diverse"]
    return [(source, both) for (_, source), both in found.items()]


def detail_runs(runs: Sequence[Run]) -> Table:
    """Return every score of baselines, of each run and trial and of all trials, with intervals."""
    statistics = (
        *(metrics.accuracy, metrics.recall, metrics.precision, metrics.f1),
        *(metrics.mean_turns, metrics.mean_first_turns),
    )
    runs = [*baseline_runs(runs), *runs]

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        trials: dict[Any, list[Dialog]] = {**_by_trial(run)}
        if len(trials) > 1:
            trials["all"] = run.dialogs
        for trial, some in trials.items():
            yield trial, *(cell(some, one) for one in statistics), len(some)

    header = "trial; accuracy; recall; precision; F1; turns; without clarifications; n"
    table = tabulate("All scores, 95% intervals over households", header, runs, describe)
    return replace(table, note="\n".join(filter(None, map(explain_limit, runs))))


def explain_limit(run: Run) -> str:
    """Return which pairs were undecided when the questions were used up; empty without any."""
    undecided: dict[str, list[str]] = {}
    wrong, others = 0, []
    for dialog in run.dialogs:
        reached = {item.program for item in dialog.failures if item.kind == "limit_reached"}
        # An agent that decides about all programs at once names none.
        names = (
            list(dialog.labels) if None in reached else [n for n in dialog.labels if n in reached]
        )
        if names:
            trial = f", trial {dialog.trial}" if dialog.trial > 1 else ""
            undecided[dialog.household + trial] = names
        wrong += sum(dialog.verdicts[name] != dialog.labels[name] for name in names)
        others.append(
            replace(dialog, labels={n: v for n, v in dialog.labels.items() if n not in names})
        )
    if not undecided:
        return ""
    pairs, of = sum(map(len, undecided.values())), sum(len(it.labels) for it in run.dialogs)
    listed = [f"{where}: {', '.join(names)}" for where, names in undecided.items()]
    more = f"; and {len(listed) - MOST_LISTED} more" if len(listed) > MOST_LISTED else ""
    return (
        f"{run.title} on {run.name}: all questions were used up in {len(undecided)} of "
        f"{len(run.dialogs)} dialogs, with {pairs} of {of} pairs undecided. They were decided "
        f"on what was known by then, {wrong} of them "
        f"wrongly; F1 of all other pairs is {figure(metrics.score(others))}. Undecided: "
        f"{'; '.join(listed[:MOST_LISTED])}{more}."
    )


def list_trials(runs: Sequence[Run]) -> Table:
    """Return how much trials of the same dialogs differ, and pass^k for each k."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        n = len(_by_trial(run))
        for k in range(1, n + 1) if n > 1 else ():
            spread, passed = metrics.spread(run.dialogs), metrics.pass_k(run.dialogs, k)
            yield n, figure(spread), k, figure(passed)

    title = "Trials: spread, and households right in every verdict k times"
    return tabulate(title, "trials; standard deviation of F1; k; pass^k %", runs, describe)


def list_failures(runs: Sequence[Run]) -> Table:
    """Return how often each kind of failure was recorded."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        kinds = (failure.kind for dialog in run.dialogs for failure in dialog.failures)
        counts = sorted(Counter(kinds).items())
        return [(FAILURES.get(kind, kind), count) for kind, count in counts]

    return tabulate("Failures", "kind; count", runs, describe)


def list_usage(
    runs: Sequence[Run], prices: Mapping[str, tuple[float, float, float]] | None = None
) -> Table:
    """Return calls, tokens and money by role, kept replies and tokens cached by servers apart.

    Args:
        runs: Our runs.
        prices: Dollars for a million tokens by model: read, written, read from the server's cache.
    """

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        n = len(run.dialogs)
        for role in sorted({role for dialog in run.dialogs for role in dialog.usage}):
            used = [dialog.usage[role] for dialog in run.dialogs if role in dialog.usage]
            names = ("calls", "cached_calls", "input_tokens", "cached_tokens", "output_tokens")
            sums = [sum(getattr(each, name) for each in used) for name in names]
            _, _, read, cached, written = sums
            price = (prices or {}).get(run.roles.get(role, ""), (math.nan,) * 3)
            cost = float(np.dot((read - cached, written, cached), price)) / 1e6
            each = (f"{(read + written) / n:.0f}", figure(cost / n, 4), figure(cost, 4))
            yield role, *sums, *each, n

    header = (
        "role; calls; kept replies; tokens read; of them cached; tokens written; tokens a dialog; "
        "dollars a dialog; dollars; n"
    )
    return tabulate("Calls, tokens, money", header, runs, describe)


def break_down_runs(runs: Sequence[Run]) -> list[Table]:
    """Return scores by program, by household size and by number of programs."""
    ways: dict[str, Callable[[list[Dialog]], Mapping[Any, list[Dialog]]]] = {
        "program": metrics.split_programs,
        "household size": lambda some: metrics.group_dialogs(some, lambda d: d.size),
        "programs asked about": lambda some: metrics.group_dialogs(some, lambda d: len(d.labels)),
    }
    statistics = (metrics.accuracy, metrics.f1, metrics.mean_turns)

    def describe(title: str, run: Run) -> Iterable[Iterable[Any]]:
        for key, some in ways[title](run.dialogs).items():
            unasked = (right_unasked(key, some),) if title == "program" else ()
            yield key, *(cell(some, one) for one in statistics), len(some), *unasked

    header = {way: f"{way}; accuracy; F1; turns; n" for way in ways}
    header["program"] += "; prior is right in % of the city"
    return [tabulate(f"By {way}", header[way], runs, partial(describe, way)) for way in ways]


def list_differences(runs: Sequence[Run]) -> Table:
    """Return paired differences in F1 and turns of all runs that played the same households."""
    rows = []
    for first, second in combinations(runs, 2):
        played = {dialog.household for dialog in first.dialogs}
        if first.data != second.data or played != {d.household for d in second.dialogs}:
            continue
        if not played:
            continue
        differences = [
            range_of(metrics.compare(first.dialogs, second.dialogs, statistic))
            for statistic in (metrics.f1, metrics.mean_turns)
        ]
        rows.append((first.title, second.title, first.name, *differences, str(len(played))))
    header = ("first", "second", "dataset", "F1, first minus second", "turns", "n households")
    return Table("Paired differences, 95% intervals", header, tuple(rows))


def list_manifest_differences(first: Sequence[Run], second: Sequence[Run]) -> Table:
    """Return everything on which scores may depend that differs between two runs.

    Args:
        first: The run, or runs, of one log folder.
        second: Those of another.
    """
    rows = [
        (name, *map(str, values))
        for ours, theirs in product(first, second)
        for name, values in compare_manifests(ours.manifest, theirs.manifest).items()
    ]
    return Table("What differs", ("setting", "first", "second"), tuple(dict.fromkeys(rows)))


def expect_random(runs: Sequence[Run]) -> Table:
    """Return the exact expectation of tossing a coin, per dataset, beside the random runs."""
    rows = []
    for run in runs:
        alike = [replace(dialog, weights={}) for dialog in run.dialogs]
        sums = dict(zip(metrics.COLUMNS, map(int, metrics.sum_dialogs(alike)), strict=True))
        positives, negatives = sums["tp"] + sums["fn"], sums["fp"] + sums["tn"]
        expected = figure(metrics.expect_random(positives, negatives))
        found = cell(alike) if run.agent == "random" else UNDEFINED
        counts = (str(positives), str(negatives))
        rows.append((run.name, *counts, expected, found, str(len(run.dialogs))))
    header = ("dataset", "eligible", "ineligible", "expected F1 of random", "found", "n")
    return Table("What tossing a coin would score", header, tuple(dict.fromkeys(rows)))


def all_tables(
    runs: Sequence[Run],
    paper: Sequence[Mapping[str, str]],
    *,
    incomplete: bool = False,
    prices: Mapping[str, tuple[float, float, float]] | None = None,
) -> list[Table]:
    """Return every table that has rows; see `compare_runs` and `list_usage` for the settings."""
    sets = find_sets(runs, incomplete=incomplete)
    ranked = list({id(run): run for _, both in sets for run in both.values()}.values())
    tables = [
        list_scores(runs, incomplete=incomplete),
        list_runs(runs),
        list_micro_and_macro(ranked),
        compare_runs(runs, paper, incomplete=incomplete),
        list_contested(runs),
        list_prices(ranked),
        list_orders(ranked),
        detail_runs(runs),
        list_par(runs),
        list_waste(runs),
        list_trials(runs),
        list_errors(runs),
        list_wrong_dialogs(runs),
        list_faithfulness(runs),
        list_proofs(runs),
        list_acquittals(runs),
        list_failures(runs),
        list_usage(runs, prices),
        list_differences(ranked),
        expect_random(runs),
        *break_down_runs(runs),
    ]
    return [table for table in tables if table.rows]


def summarise(run: Run) -> list[Table]:
    """Return the tables to show when a run has ended."""
    tables = [list_scores([run], incomplete=True), list_failures([run])]
    tables += [expect_random([run])] if run.agent == "random" else []
    return [table for table in tables if table.rows]


def _by_trial(run: Run) -> dict[int, list[Dialog]]:
    return metrics.group_dialogs(run.dialogs, lambda dialog: dialog.trial)
