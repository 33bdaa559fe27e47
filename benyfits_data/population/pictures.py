"""Pictures of the synthetic city: its pyramid, households, incomes, fit, and who is eligible."""

from collections.abc import Sequence

import numpy as np

from benyfits_data.drawing import BLUE, GREEN, ORANGE, PINK, RED, figure, to_svg
from benyfits_data.population.check import MARGIN_TOLERANCE, CityCheck
from benyfits_data.population.composition import age_bands
from benyfits_data.population.eligibility import Eligibility
from benyfits_data.population.joint_checks import axes, readings
from benyfits_data.population.synthesis import default_sources

_STATUS_COLOURS = {"verified": GREEN, "derived": BLUE, "assumption": ORANGE}


def draw_pyramid(check: CityCheck) -> str:
    """Return the population pyramid: people by age and sex."""
    sources = default_sources()
    bands = age_bands(sources)
    reading, joint = readings(sources)["age_sex_borough"], sources.joints["age_sex_borough"]
    labels = axes(joint, reading)
    place = {dimension: i for i, dimension in enumerate(joint.dimensions)}
    counts = np.moveaxis(
        check.joint_counts["age_sex_borough"],
        [place["borough"], place["sex"], place["age"]],
        [0, 1, 2],
    ).sum(axis=0)
    order = [labels[place["age"]].index(f"age {low}-{high}") for low, high in bands]
    women, men = (
        counts[labels[place["sex"]].index("sex female")],
        counts[labels[place["sex"]].index("sex male")],
    )
    groups = [
        (0, 9),
        (10, 19),
        (20, 29),
        (30, 39),
        (40, 49),
        (50, 59),
        (60, 69),
        (70, 79),
        (80, 110),
    ]
    total = counts.sum()

    def share(column: np.ndarray, low: int, high: int) -> float:
        inside = [o for o, (a, b) in zip(order, bands, strict=True) if low <= a and b <= high]
        return float(100 * column[inside].sum() / total)

    with figure(8, 5) as drawn:
        plot = drawn.add_subplot()
        height = np.arange(len(groups))
        left = [-share(men, *group) for group in groups]
        right = [share(women, *group) for group in groups]
        plot.barh(height, left, color=BLUE, label="men")
        plot.barh(height, right, color=ORANGE, label="women")
        names = [f"{low}-{high}" if high < 110 else f"{low}+" for low, high in groups]
        plot.set_yticks(height, names)
        widest = max(max(right), -min(left)) * 1.1
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
    sizes = [str(size) for size in range(1, 7)]
    rows = [m for m in check.margins if m.feature == "household_size"]
    people = {
        size: [(m.people, m.target, m.achieved) for m in rows if m.category == size]
        for size in sizes
    }
    total = sum(number for number, _, _ in people["1"])
    target = [100 * sum(n * t for n, t, _ in people[size]) / total for size in sizes]
    reached = [100 * sum(n * a for n, _, a in people[size]) / total for size in sizes]
    with figure(7, 4.2) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(sizes))
        plot.bar(where - 0.2, target, 0.4, color=ORANGE, label="published")
        plot.bar(where + 0.2, reached, 0.4, color=BLUE, label="synthetic")
        plot.set_xticks(where, [*sizes[:-1], "6 and more"])
        plot.set_xlabel("members of the household")
        plot.set_ylabel("share of households, percent")
        plot.set_title("How large households are")
        plot.legend()
        return to_svg(drawn)


def draw_incomes(check: CityCheck) -> str:
    """Return household incomes of owners and renters."""
    sources = default_sources()
    reading, joint = readings(sources)["tenure_income"], sources.joints["tenure_income"]
    labels = axes(joint, reading)
    counts = check.joint_counts["tenure_income"]
    if joint.dimensions[0] != "tenure":
        counts = counts.T
        labels = labels[::-1]
    names = [_band(label.split(" ", 1)[1]) for label in labels[1]]
    with figure(9, 4.6) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(names))
        for offset, tenure, colour, word in (
            (-0.2, "tenure owner", GREEN, "owners"),
            (0.2, "tenure renter|rent-free", PINK, "renters"),
        ):
            row = counts[labels[0].index(tenure)]
            plot.bar(where + offset, 100 * row / row.sum(), 0.4, color=colour, label=word)
        plot.set_xticks(where, names, rotation=30, ha="right")
        plot.set_xlabel("household income, thousand dollars of 2024 a year")
        plot.set_ylabel("share of owners or renters, percent")
        plot.set_title("Income by tenure")
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
    """Return the eligible share of households by program, both editions."""
    years = sorted({row.edition for row in found})
    shares = {(row.program, row.edition): 100 * row.share for row in found}
    titles = {row.program: row.title for row in found}
    order = sorted(titles, key=lambda name: shares[(name, years[-1])])
    with figure(10, 0.21 * len(order) + 1.5) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(order))
        first = [shares[(name, years[0])] for name in order]
        last = [shares[(name, years[-1])] for name in order]
        plot.hlines(where, first, last, color="#bbbbbb", linewidth=2)
        plot.scatter(first, where, s=26, color=ORANGE, marker="o", label=f"edition {years[0]}")
        plot.scatter(last, where, s=26, color=BLUE, marker="D", label=f"edition {years[-1]}")
        plot.set_yticks(where, [_short(titles[name]) for name in order], fontsize=8.5)
        plot.set_ylim(-1, len(order))
        plot.set_xlim(-1, 101)
        plot.set_xlabel("households of the city that are eligible, percent")
        plot.set_title("Eligible households by program")
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
