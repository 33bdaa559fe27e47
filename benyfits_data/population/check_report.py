"""Tables of a checked city: margins, joint tables, correlations."""

from benyfits_data.dataset import to_csv
from benyfits_data.population.check import CityCheck
from benyfits_data.population.correlations import (
    Moments,
    correlations,
    published_correlations,
)
from benyfits_data.population.synthesis import default_sources


def margins_table(check: CityCheck) -> str:
    """Return a CSV of every margin with target, achieved share and sources; worst first."""
    rows = sorted(check.margins, key=lambda m: (-abs(m.difference), m.feature, m.given, m.category))
    columns = "feature given category target_percent achieved_percent difference_points counted"
    return to_csv(
        (*columns.split(), "status", "sources"),
        (
            (
                m.feature,
                m.given,
                m.category,
                f"{100 * m.target:.3f}",
                f"{100 * m.achieved:.3f}",
                f"{100 * m.difference:+.3f}",
                m.people,
                m.status,
                " ".join(m.sources),
            )
            for m in rows
        ),
    )


def joints_table(check: CityCheck) -> str:
    """Return a CSV of every joint table with its total variation distance; worst first."""
    sources, rows = default_sources(), []
    for name, distance in sorted(check.distances.items(), key=lambda item: -item[1]):
        source = sources.registry[sources.joints[name].source]
        cells = check.joint_counts[name].size
        rows.append((name, cells, f"{distance:.4f}", source.id, source.year, source.geography))
    return to_csv(("table", "cells", "distance", "source", "year", "geography"), rows)


def validations_table(check: CityCheck) -> str:
    """Return a CSV of published shares that nothing was fitted to, beside the city's."""
    columns = ("what", "published_percent", "city_percent", "source", "note")
    rows = []
    for row, achieved in check.validations:
        percents = f"{100 * row.published:.1f}", f"{100 * achieved:.1f}"
        rows.append((row.what, *percents, " ".join(row.sources), row.note))
    return to_csv(columns, rows)


def correlations_table(ours: Moments, independent: Moments) -> str:
    """Return a CSV of named correlations: ours, of independent draws, of the source."""
    mine, theirs = correlations(ours), correlations(independent)
    rows = []
    for name, value in published_correlations(default_sources()).items():
        seen = "no table seen" if value is None else f"{value:.3f}"
        rows.append((name, f"{mine[name]:.3f}", f"{theirs[name]:.3f}", seen))
    return to_csv(("correlation", "correlated", "independent", "source"), rows)
