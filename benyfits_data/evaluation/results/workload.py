"""How demanding dialogs were for people: raw NASA-TLX by agent, with intervals and paired tests."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import stats

from benyfits_data.evaluation.results.table import Table, figure
from benyfits_data.evaluation.studies.people_sessions import SCALES

_SMALLEST = 2
"""Participants of an interval or a test."""


def workload_tables(lines: Sequence[dict[str, str]]) -> list[Table]:
    """Return a study's workload by agent, and the agents compared within participants.

    Args:
        lines: The lines of `study.csv`.
    """
    means = _means(lines)
    rows = []
    for agent, by_person in means.items():
        values = np.array(list(by_person.values()))
        low, high = _interval(values)
        held = [line for line in lines if line["agent"] == agent]
        scales = [figure(float(np.mean([int(line[name]) for line in held]))) for name in SCALES]
        told = f"{figure(float(values.mean()))} [{figure(low)}, {figure(high)}]"
        rows.append((agent, str(len(values)), str(len(held)), told, *scales))
    header = ("agent", "participants", "dialogs", "workload", *SCALES)
    note = (
        "Raw NASA-TLX: the mean of six scales from 0 to 100, lower is less demanding; 95% "
        "bootstrap intervals over participants."
    )
    tables = [Table("Workload of people", header, tuple(rows), note)]
    compared = []
    for first, second in combinations(means, 2):
        both = sorted(means[first].keys() & means[second].keys())
        if len(both) >= _SMALLEST:
            differences = np.array([means[second][one] - means[first][one] for one in both])
            found = stats.permutation_test(
                (differences,), np.mean, permutation_type="samples", rng=np.random.default_rng(0)
            )
            told = f"{float(differences.mean()):+.1f}"
            compared.append((f"{second} - {first}", str(len(both)), told, figure(found.pvalue, 3)))
    if compared:
        tables.append(
            Table(
                "Workload compared within participants",
                ("agents", "participants", "difference", "p"),
                tuple(compared),
                "p of a paired permutation test (signs of differences exchanged), two-sided.",
            )
        )
    return tables


def _means(lines: Sequence[dict[str, str]]) -> dict[str, dict[str, float]]:
    """Return each participant's mean workload by agent."""
    found: dict[str, dict[str, list[float]]] = {}
    for line in lines:
        mean = float(np.mean([int(line[name]) for name in SCALES]))
        found.setdefault(line["agent"], {}).setdefault(line["participant"], []).append(mean)
    return {
        agent: {one: float(np.mean(values)) for one, values in by_person.items()}
        for agent, by_person in sorted(found.items())
    }


def _interval(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    if len(values) < _SMALLEST or np.ptp(values) == 0:
        return float("nan"), float("nan")
    found = stats.bootstrap(
        (values,), np.mean, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    return float(found.low), float(found.high)
