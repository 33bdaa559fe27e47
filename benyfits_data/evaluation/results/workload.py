"""How demanding dialogs were for people: raw NASA-TLX by agent, with intervals and paired tests."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from benyfits_data.evaluation.results.table import Table, figure, tabulate
from benyfits_data.evaluation.studies.people_sessions import SCALES

NOTE = (
    "Raw NASA-TLX: the mean of six scales from 0 to 100, lower is less demanding; 95% "
    "bootstrap intervals over participants."
)
TEST_NOTE = "p of a paired permutation test (signs of differences exchanged), two-sided."
_SMALLEST = 2
"""Participants of an interval or a test."""


def workload_tables(lines: Sequence[dict[str, str]]) -> list[Table]:
    """Return a study's workload by agent, and the agents compared within participants.

    Args:
        lines: The lines of `study.csv`.
    """
    frame = pd.DataFrame(lines).astype(dict.fromkeys(SCALES, float))
    frame["workload"] = frame[list(SCALES)].mean(axis=1)
    means = frame.pivot_table("workload", "participant", "agent")
    rows = []
    for agent, held in frame.groupby("agent"):
        values = means[agent].dropna()
        low, high = _interval(values)
        workload = f"{figure(values.mean())} [{figure(low)}, {figure(high)}]"
        scales = [figure(held[name].mean()) for name in SCALES]
        rows.append((agent, len(values), len(held), workload, *scales))
    columns = "; ".join(("agent", "participants", "dialogs", "workload", *SCALES))
    tables = [tabulate("Workload of people", columns, rows, NOTE)]
    compared = []
    for first, second in combinations(means, 2):
        differences = (means[second] - means[first]).dropna()
        if len(differences) >= _SMALLEST:
            test = stats.permutation_test(
                (differences,), np.mean, permutation_type="samples", rng=np.random.default_rng(0)
            )
            shown = f"{differences.mean():+.1f}", figure(float(test.pvalue), 3)
            compared.append((f"{second} - {first}", len(differences), *shown))
    title, columns = "Workload compared within participants", "agents; participants; difference; p"
    tables.append(tabulate(title, columns, compared, TEST_NOTE))
    return [table for table in tables if table.rows]


def _interval(values: "pd.Series[float]") -> tuple[float, float]:
    if len(values) < _SMALLEST or np.ptp(values) == 0:
        return float("nan"), float("nan")
    low, high = stats.bootstrap(
        (values,), np.mean, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    return float(low), float(high)
