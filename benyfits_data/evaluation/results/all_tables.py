"""Which tables are shown, in which order."""

from collections.abc import Mapping, Sequence

from benyfits_data.evaluation.results import comparison_tables as comparisons
from benyfits_data.evaluation.results import dialog_tables as dialogs
from benyfits_data.evaluation.results import score_tables as scores
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import Table


def all_tables(
    runs: Sequence[Run],
    paper: Sequence[Mapping[str, str]],
    *,
    incomplete: bool = False,
    prices: Mapping[str, tuple[float, float, float]] | None = None,
) -> list[Table]:
    """Return every table that has rows.

    Args:
        runs: Our runs.
        paper: The published rows; see `compare_runs`.
        incomplete: Whether runs of part of a set, or with unscored dialogs, are ranked too.
        prices: Dollars for a million tokens by model; see `list_usage`.
    """
    sets = scores.find_sets(runs, incomplete=incomplete)
    ranked = list({id(run): run for _, both in sets for run in both.values()}.values())
    tables = [
        scores.list_scores(runs, incomplete=incomplete),
        scores.list_runs(runs),
        scores.list_micro_and_macro(ranked),
        scores.compare_runs(runs, paper, incomplete=incomplete),
        comparisons.list_contested(runs),
        comparisons.list_prices(ranked),
        comparisons.list_orders(ranked),
        scores.detail_runs(runs),
        dialogs.list_par(runs),
        dialogs.list_waste(runs),
        scores.list_trials(runs),
        dialogs.list_errors(runs),
        dialogs.list_wrong_dialogs(runs),
        dialogs.list_faithfulness(runs),
        dialogs.list_proofs(runs),
        dialogs.list_acquittals(runs),
        dialogs.list_failures(runs),
        dialogs.list_usage(runs, prices),
        comparisons.list_differences(ranked),
        scores.list_programs(runs),
    ]
    return [table for table in tables if table.rows]


def summarise(run: Run) -> list[Table]:
    """Return the tables to show when a run has ended."""
    tables = [scores.list_scores([run], incomplete=True), dialogs.list_failures([run])]
    return [table for table in tables if table.rows]
