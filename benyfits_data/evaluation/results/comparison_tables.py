"""Tables that hold runs against one another: paired differences, and what readings decide."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pandas as pd

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import (
    Rows,
    Table,
    cell,
    figure,
    per_run,
    range_of,
    tabulate,
)
from benyfits_data.evaluation.run_manifest import compare_manifests
from benyfits_data.evaluation.run_options import DECIDED, PLAIN


@per_run(
    "F1 without contested pairs",
    "texts; pairs; contested; F1, all pairs; F1, uncontested pairs",
)
def list_contested(run: Run) -> Rows:
    """Return F1 on all pairs and on those whose label no unscored reading changes."""
    if run.dialogs:
        pairs = run.pairs
        sure = pairs.assign(weight=pairs.weight * ~pairs.contested)
        yield run.texts, len(pairs), sum(pairs.contested), cell(pairs), cell(sure)


def list_differences(runs: Sequence[Run]) -> Table:
    """Return paired differences in F1 and turns of all runs that played the same households."""
    rows = [
        (first.title, second.title, first.name, *_differences(first, second), _n(first))
        for first, second in combinations(runs, 2)
        if first.data == second.data and _are_paired(first, second)
    ]
    columns = "first; second; dataset; F1, first minus second; turns; n households"
    return tabulate("Paired differences, 95% intervals", columns, rows)


def list_prices(runs: Sequence[Run]) -> Table:
    """Return what plain texts cost: F1 with decided texts minus F1 with plain ones, paired."""

    def alike(run: Run) -> tuple[Any, ...]:
        return {**run.settings, "texts": ""}, {**run.data, "texts": ""}

    rows = [
        (
            *(first.agent, first.players, first.name, cell(first.pairs), cell(second.pairs)),
            *_differences(first, second),
        )
        for first, second in product(runs, runs)
        if (first.texts, second.texts) == (DECIDED, PLAIN)
        if alike(first) == alike(second) and _are_paired(first, second)
    ]
    columns = (
        "agent; models; dataset; F1, decided texts; F1, plain texts; F1, decided minus plain; "
        "turns, decided minus plain"
    )
    return tabulate("Price of ambiguity", columns, rows)


def list_orders(runs: Sequence[Run]) -> Table:
    """Return which agents change places in F1 under another option of a reading.

    Compared are runs that played the same data with the same texts; all other readings keep the
    option in force.
    """

    def lead(both: Sequence[pd.DataFrame]) -> float:
        return metrics.score(both[0]) - metrics.score(both[1])

    def under(pairs: pd.DataFrame, program: str, option: str) -> pd.DataFrame:
        has_option = pairs.flips.map(lambda options: option in options)
        return pairs.assign(label=pairs.label ^ (has_option & (pairs.program == program)))

    rows = []
    for first, second in combinations(runs, 2):
        if first.data != second.data or first.texts != second.texts:
            continue
        if not _are_paired(first, second):
            continue
        both = [first.pairs, second.pairs]
        before = lead(both)
        flips = both[0][["program", "flips"]].explode("flips").dropna().drop_duplicates()
        for program, option in sorted(flips.itertuples(index=False, name=None)):
            after = lead([under(pairs, program, option) for pairs in both])
            if after * before < 0:
                which, leads = f"{program} {option}", (figure(before), figure(after))
                rows.append((first.title, second.title, first.name, which, *leads))
    columns = "first; second; dataset; under; F1, first minus second; under it"
    return tabulate("Orders that a reading would change", columns, rows)


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
    return tabulate("What differs", "setting; first; second", dict.fromkeys(rows))


def _are_paired(first: Run, second: Run) -> bool:
    played = [{dialog.household for dialog in run.dialogs} for run in (first, second)]
    return bool(played[0]) and played[0] == played[1]


def _n(run: Run) -> int:
    return len({dialog.household for dialog in run.dialogs})


def _differences(first: Run, second: Run) -> list[str]:
    return [
        range_of(metrics.compare(first.pairs, second.pairs, statistic))
        for statistic in (metrics.f1, metrics.mean_turns)
    ]
