"""Pictures of who is eligible in the city, and who would gain or lose if amounts moved."""

from collections.abc import Sequence
from itertools import cycle

import numpy as np

from benyfits_data.plotting import BLUE, GREEN, ORANGE, PINK, RED, figure, to_svg
from benyfits_data.population.eligibility import MOVES, Eligibility
from benyfits_data.population.synthesis import default_sources


def draw_eligibility(found: Sequence[Eligibility]) -> str:
    """Return the eligible share of households by program with intervals, one mark an edition."""
    years = sorted({row.edition for row in found})
    shares = {(row.program, row.edition): 100 * row.share for row in found}
    ends = {(row.program, row.edition): (100 * row.low, 100 * row.high) for row in found}
    titles = {row.program: row.title for row in found}
    latest = {name: share for (name, _), share in sorted(shares.items(), key=lambda it: it[0][1])}
    order = sorted(titles, key=lambda name: latest[name])
    with figure(10, 0.21 * len(order) + 1.5) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(order))
        # A program that an edition does not have leaves no mark there.
        table = np.array([[shares.get((name, year), np.nan) for name in order] for year in years])
        plot.hlines(where, table[0], table[-1], color="#bbbbbb", linewidth=3)
        marks = zip((ORANGE, BLUE, GREEN, RED, PINK), "oDs^v", strict=True)
        for year, row, (colour, marker) in zip(years, table, cycle(marks), strict=False):
            low, high = np.array([ends.get((name, year), (np.nan,) * 2) for name in order]).T
            plot.hlines(where, low, high, color=colour, linewidth=1)
            plot.scatter(row, where, s=26, color=colour, marker=marker, label=f"edition {year}")
        plot.set_yticks(where, [_short(titles[name]) for name in order], fontsize=8.5)
        plot.set_ylim(-1, len(order))
        plot.set_xlim(-1, 101)
        plot.set_xlabel("households of the city that are eligible, percent")
        plot.set_title("Eligible households by program; thin lines are 95% intervals")
        plot.legend(loc="lower right")
        return to_svg(drawn)


def draw_thresholds(found: Sequence[Eligibility]) -> str:
    """Return who would gain and lose if amounts moved, households by program, latest edition."""
    year = max(row.edition for row in found)
    per = default_sources().parameter("city_households") / 1000
    rows = [row for row in found if row.edition == year and any(row.gain.values())]
    rows.sort(key=lambda row: max(row.gain.values()))
    with figure(10, 0.24 * len(rows) + 1.6) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(rows))
        for move, colour in zip(sorted(MOVES, reverse=True), (GREEN, ORANGE), strict=True):
            changes = [per * (row.gain[move] - row.lose[move]) for row in rows]
            plot.barh(where, changes, color=colour, label=f"all amounts {100 * move:+.0f}%")
        plot.axvline(0, color="#888888", linewidth=1)
        plot.set_yticks(where, [_short(row.title) for row in rows], fontsize=8.5)
        plot.set_ylim(-1, len(rows))
        plot.set_xlabel("thousands of households that gain less those that lose")
        plot.set_title(f"Near a limit: who would gain or lose, edition {year}")
        plot.legend(loc="lower right")
        return to_svg(drawn)


def _short(title: str) -> str:
    return title if len(title) <= 58 else title[:56].rstrip() + "…"
