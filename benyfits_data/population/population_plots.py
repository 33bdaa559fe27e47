"""Pictures of the synthetic city: its pyramid, households, incomes, fit, and who is eligible."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from benyfits_data.plotting import BLUE, GREEN, ORANGE, PINK, RED, figure, to_svg
from benyfits_data.population.check import MARGIN_TOLERANCE, CityCheck
from benyfits_data.population.conditions import ends_of
from benyfits_data.population.cross_tabulations import axes, table_mappings
from benyfits_data.population.eligibility import MOVES, Eligibility
from benyfits_data.population.synthesis import default_sources

_STATUS_COLOURS = {"verified": GREEN, "derived": BLUE, "assumption": ORANGE}


def draw_pyramid(check: CityCheck) -> str:
    """Return the population pyramid: people by age and sex, in bands of ten years."""
    sources = default_sources()
    joint = sources.joints["age_sex_borough"]
    _, sexes, ages = axes(joint, table_mappings(sources)["age_sex_borough"])
    counts = check.joint_counts["age_sex_borough"].sum(axis=0)
    bands = [min(ends_of(age.split(" ")[1])[0] // 10, 8) for age in ages]
    shares = {
        sex.split(" ")[1]: 100 * np.bincount(bands, row, 9) / counts.sum()
        for sex, row in zip(sexes, counts, strict=True)
    }
    with figure(8, 5) as drawn:
        plot = drawn.add_subplot()
        height = np.arange(9)
        plot.barh(height, -shares["male"], color=BLUE, label="men")
        plot.barh(height, shares["female"], color=ORANGE, label="women")
        plot.set_yticks(height, [*(f"{low}-{low + 9}" for low in range(0, 80, 10)), "80+"])
        widest = max(shares["female"].max(), shares["male"].max()) * 1.1
        plot.set_xlim(-widest, widest)
        ticks = [tick for tick in range(-10, 11, 2) if abs(tick) <= widest]
        plot.set_xticks(ticks, [str(abs(tick)) for tick in ticks])
        plot.set_xlabel("share of the city's people, percent")
        plot.set_ylabel("age, years")
        plot.set_title(f"Who lives in the city: {check.people:,} synthetic people")
        plot.legend(loc="lower right")
        return to_svg(drawn)


def draw_sizes(check: CityCheck) -> str:
    """Return household sizes, synthetic beside published."""
    sizes: dict[str, NDArray[np.float64]] = {}
    for margin in check.margins:
        if margin.feature == "household_size":
            both = margin.people * np.array([margin.target, margin.achieved])
            sizes[margin.category] = sizes.get(margin.category, np.zeros(2)) + both
    target, reached = np.array([sizes[category] for category in sizes]).T
    return _paired_bars(
        list(sizes),
        {"published": (ORANGE, target), "synthetic": (BLUE, reached)},
        "How large households are",
        ("members of the household", "share of households, percent"),
    )


def draw_incomes(check: CityCheck) -> str:
    """Return household incomes of owners and renters."""
    sources = default_sources()
    joint = sources.joints["tenure_income"]
    labels = axes(joint, table_mappings(sources)["tenure_income"])
    counts = check.joint_counts["tenure_income"]
    return _paired_bars(
        [_band(label.split(" ", 1)[1]) for label in labels[1]],
        {
            "owners": (GREEN, counts[labels[0].index("tenure owner")]),
            "renters": (PINK, counts[labels[0].index("tenure renter|rent-free")]),
        },
        "Income by tenure",
        (
            "household income, thousand dollars of 2024 a year",
            "share of owners or renters, percent",
        ),
    )


def _paired_bars(
    names: Sequence[str],
    series: Mapping[str, tuple[str, NDArray[np.float64]]],
    title: str,
    axis_labels: tuple[str, str],
) -> str:
    """Return two series as bars side by side, each in percent of its sum."""
    with figure(9, 4.6) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(names))
        for offset, (word, (colour, counts)) in zip((-0.2, 0.2), series.items(), strict=True):
            plot.bar(where + offset, 100 * counts / counts.sum(), 0.4, color=colour, label=word)
        plot.set_xticks(where, names)
        plot.set_xlabel(axis_labels[0])
        plot.set_ylabel(axis_labels[1])
        plot.set_title(title)
        plot.legend()
        return to_svg(drawn)


def _band(text: str) -> str:
    if text.endswith("+"):
        return f"{round(int(text[:-1]) / 1000)}+"
    low, _, high = text.partition("-")
    return f"{round(int(low) / 1000)}-{round((int(high) + 1) / 1000)}"


def draw_fit(check: CityCheck) -> str:
    """Return every margin's difference from its target, by the target."""
    with figure(8.5, 4.8) as drawn:
        plot = drawn.add_subplot()
        for status, colour in _STATUS_COLOURS.items():
            rows = [m for m in check.margins if m.status == status]
            plot.scatter(
                [100 * m.target for m in rows],
                [100 * m.difference for m in rows],
                s=16,
                color=colour,
                label=f"{status} ({len(rows)})",
            )
        limit = 100 * MARGIN_TOLERANCE
        for side in (-limit, limit):
            plot.axhline(side, color=RED, linestyle="--", linewidth=1)
        plot.set_xlabel("target share, percent")
        plot.set_ylabel("synthetic less target,\npercentage points")
        plot.set_title(f"Fit of {len(check.margins)} margins; dashed: half a point")
        plot.legend(ncols=3, loc="upper center")
        low, high = plot.get_ylim()
        plot.set_ylim(min(low, -1.2 * limit), max(high, 1.7 * limit))
        return to_svg(drawn)


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


def all_pictures(check: CityCheck) -> dict[str, str]:
    """Return the pictures of a checked city, SVG by file name."""
    return {
        "population.pyramid.svg": draw_pyramid(check),
        "population.sizes.svg": draw_sizes(check),
        "population.incomes.svg": draw_incomes(check),
        "population.fit.svg": draw_fit(check),
    }
