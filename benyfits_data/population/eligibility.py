"""How many of the city's households each program would take, beside what agencies publish.

Who is eligible is not who takes part: what an agency counts is mostly take-up or places, and stands
apart as what it is.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import to_csv
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.moved_thresholds import move_thresholds
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.intervals import wilson
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.plotting import BLUE, GREEN, ORANGE, PINK, RED, figure, to_svg
from benyfits_data.population.sensitivity import REPLICATES, measure_spread
from benyfits_data.population.synthesis import (
    build_city,
    default_sources,
    over_chunks,
    possible_households,
)
from benyfits_data.population.synthetic_city import City

COLUMNS = (
    "program",
    "title",
    "unit",
    "edition",
    "share",
    "households",
    "households_low",
    "households_high",
    "published_what",
    "published",
    "published_unit",
    "published_year",
    "published_source",
    "published_kind",
    "take_up",
    "note",
)
GROUP_COLUMNS = (
    *("program", "title", "edition", "by", "group", "share_of_group", "share_low", "share_high"),
    *("eligible_households", "households_of_group"),
)
MOVES = (0.05, -0.05)
"""How far thresholds are moved, as a share of every amount of money."""
OUTLIER = 25
"""Points of the share between two editions from which a picture says what changed."""
Grouping = Literal["borough", "age", "tenure"]
AGES = (35, 50, 65, 80)
"""Where one age group ends and the next begins."""


@dataclass(frozen=True)
class Eligibility:
    """Households of the city that are eligible for one program under one edition.

    They count if any member may receive it; `low` and `high` are the ends of the 95% interval.

    Attributes:
        gain: Share that would become eligible, by how far every amount of its rules is moved.
        lose: Share that would lose it.
        groups: Households of each group, eligible and all, by grouping and group.
    """

    program: str
    title: str
    unit: str
    edition: int
    share: float
    low: float
    high: float
    gain: Mapping[float, float] = field(default_factory=dict)
    lose: Mapping[float, float] = field(default_factory=dict)
    groups: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


Counts = Counter[tuple[str, int, str, float | str]]
"""Households by program, edition, what is counted, and how far amounts moved or of which group.

Counted are those who are `in`, who `gain`, who `lose`, and by each grouping those of a group who
are in; of no program, all of the group.
"""


def label_chunk(
    years: Sequence[int], groupings: Sequence[Grouping], n: int, seed: int, chunk: int
) -> Counts:
    """Return how many households of one chunk are eligible, would gain and would lose."""
    city = build_city(n, seed, chunk)
    households = possible_households(city)[0]
    groups = {by: group_names(by, city, households) for by in groupings}
    counts: Counts = Counter()

    def count_groups(program: str, year: int, which: NDArray[np.bool_]) -> None:
        for by, names in groups.items():
            for group, number in zip(*np.unique(names[which], return_counts=True), strict=True):
                counts[program, year, by, str(group)] = int(number)

    count_groups("", 0, np.ones(n, np.bool_))
    for year in years:
        edition = load_edition(year)
        labels = label_and_trace(edition, households).labels
        for name, own in labels.items():
            counts[name, year, "in", 0.0] = int(own.sum())
            count_groups(name, year, own)
        for move in MOVES:
            moved = label_and_trace(move_thresholds(edition, share=move), households).labels
            for name, after in moved.items():
                counts[name, year, "gain", move] = int((after & ~labels[name]).sum())
                counts[name, year, "lose", move] = int((labels[name] & ~after).sum())
    return counts


def group_names(by: Grouping, city: City, households: Households) -> NDArray[np.str_]:
    """Return the group of every household, shape `(households,)`."""
    if by == "borough":
        names = np.array(city.households.levels("borough"), np.str_)
        codes = city.households["borough"]
    elif by == "tenure":
        names = np.array([str(it) for it in FEATURES["tenure"].choices], np.str_)
        codes = households.shared["tenure"]
    else:
        ends = (f"{low}-{high - 1}" for low, high in pairwise(AGES))
        names = np.array(["under 35", *ends, f"{AGES[-1]} and older"], np.str_)
        codes = np.searchsorted(AGES, city.households["householder_age"], side="right")
    found: NDArray[np.str_] = names[codes]
    return found


def measure_eligibility(
    n: int,
    seed: int,
    workers: int = 2,
    years: Sequence[int] = EDITIONS,
    replicates: int = REPLICATES,
    groupings: Sequence[Grouping] = (),
    tick: Callable[[int], object] = lambda done: None,
) -> list[Eligibility]:
    """Return the eligible households of every program under each edition that has it.

    The interval adds what sampling `n` households leaves open (Wilson) and what the sources do:
    the spread of replicate cities whose targets and assumptions are redrawn.

    Args:
        n: Households of the city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        years: Editions.
        replicates: Cities with redrawn targets; of 0, intervals are those of sampling alone.
        groupings: What the households are grouped by besides.
        tick: Told how many households are counted, those of replicates among them.
    """
    counts: Counts = Counter()
    work = partial(label_chunk, tuple(years), tuple(groupings))
    for part in over_chunks(work, n, seed, workers, tick):
        counts.update(part)
    households = {key[2:]: number for key, number in counts.items() if not key[0]}
    spreads = measure_spread(seed, workers, years, replicates, tick=tick) if replicates else {}
    found = []
    for name, year in sorted({key[:2] for key in counts if key[0]}):
        program, count = load_edition(year).program(name), counts[name, year, "in", 0.0]
        gain, lose = (
            {move: counts[name, year, kind, move] / n for move in MOVES}
            for kind in ("gain", "lose")
        )
        ends = widened(count, n, spreads.get((name, year), 0.0))
        groups = {
            (by, str(group)): (counts[name, year, by, group], number)
            for (by, group), number in sorted(households.items())
        }
        about = name, program.title, program.unit, year
        found.append(Eligibility(*about, count / n, *ends, gain, lose, groups))
    return found


def widened(count: int, n: int, spread: float) -> tuple[float, float]:
    """Return the 95% interval of a share: what sampling leaves open, and half of what sources do.

    The two are independent; each half has the quantile of its own degrees of freedom (Zou and
    Donner, Statistics in Medicine 27, 2008).
    """
    share, (low, high) = count / n, wilson(count, n)
    below, above = np.hypot(share - low, spread), np.hypot(high - share, spread)
    return max(0.0, float(share - below)), min(1.0, float(share + above))


def eligibility_table(found: Sequence[Eligibility]) -> str:
    """Return a CSV with one line for each program and edition."""
    sources = default_sources()
    households = sources.parameter("city_households")
    published = {row.program: row for row in sources.enrollments}
    lines = []
    for row in found:
        shares = row.share, row.low, row.high
        ours = f"{row.share:.5f}", *(round(share * households) for share in shares)
        beside: tuple[str, ...] = ("",) * 8
        if told := published.get(row.program):
            value, cited = f"{told.value:.0f}", " ".join(told.sources)
            # Persons, families or vouchers are not households: no share is taken of them.
            is_comparable = told.kind == "take-up" and told.unit == "households"
            take_up = f"{told.value / (row.share * households):.2f}" if is_comparable else ""
            beside = told.what, value, told.unit, told.year, cited, told.kind, take_up, told.note
        lines.append((row.program, row.title, row.unit, row.edition, *ours, *beside))
    return to_csv(COLUMNS, lines)


def thresholds_table(found: Sequence[Eligibility]) -> str:
    """Return a CSV: households that would gain or lose if all amounts of a program moved by 5%."""
    households = default_sources().parameter("city_households")
    lines = [
        (row.program, row.edition, f"{100 * move:+.0f}", *(round(it * households) for it in both))
        for row in found
        for move in MOVES
        if any(both := (row.gain[move], row.lose[move]))
    ]
    columns = ("program", "edition", "amounts_percent", "households_gain", "households_lose")
    return to_csv(columns, lines)


def groups_table(by: Grouping, found: Sequence[Eligibility]) -> str:
    """Return a CSV: households eligible in each group, with the interval of sampling alone."""
    households = default_sources().parameter("city_households")
    lines = []
    for row in found:
        groups = {group: both for (of, group), both in row.groups.items() if of == by}
        scale = households / sum(number for _, number in groups.values())
        for group, (count, number) in groups.items():
            shares = (f"{share:.5f}" for share in (count / number, *wilson(count, number)))
            sizes = round(count * scale), round(number * scale)
            lines.append((row.program, row.title, row.edition, by, group, *shares, *sizes))
    return to_csv(GROUP_COLUMNS, lines)


def draw_eligibility(found: Sequence[Eligibility]) -> str:
    """Return the eligible share of households by program with intervals, one mark an edition."""
    years = sorted({row.edition for row in found})
    shares = {(row.program, row.edition): 100 * row.share for row in found}
    ends = {(row.program, row.edition): (100 * row.low, 100 * row.high) for row in found}
    titles = {row.program: row.title for row in found}
    latest = {name: share for (name, _), share in sorted(shares.items(), key=lambda it: it[0][1])}
    order = sorted(titles, key=lambda name: latest[name])
    with figure(11, 0.21 * len(order) + 1.5) as drawn:
        plot = drawn.add_subplot()
        where = np.arange(len(order))
        # A program that an edition does not have leaves no mark there.
        table = np.array([[shares.get((name, year), np.nan) for name in order] for year in years])
        plot.hlines(where, table[0], table[-1], color="#bbbbbb", linewidth=3)
        marks = zip((ORANGE, BLUE, GREEN, RED, PINK), "oDs^v", strict=True)
        for year, row, (colour, marker) in zip(years, table, cycle(marks), strict=False):
            low, high = np.array([ends.get((name, year), (np.nan,) * 2) for name in order]).T
            plot.hlines(where, low, high, color=colour, linewidth=1)
            plot.scatter(row, where, s=26, color=colour, marker=marker, label=f"rules of {year}")
        for at, (first, last) in enumerate(zip(table[0], table[-1], strict=True)):
            if abs(last - first) >= OUTLIER:
                why = _what_changed(order[at], years[0], years[-1])
                says = f"{first:.0f}% in {years[0]}, {last:.0f}% in {years[-1]}: {why}"
                middle = (first + last) / 2
                plot.text(middle, at + 0.1, says, fontsize=8, va="bottom", ha="center")
        plot.set_yticks(where, [_short(titles[name]) for name in order], fontsize=8.5)
        plot.set_ylim(-1, len(order))
        plot.set_xlim(-1, 101)
        plot.set_xlabel("of 100 households of the city, how many are eligible")
        plot.tick_params(top=True, labeltop=True)
        plot.set_title("Who may claim what: eligible households by program (lines: 95% intervals)")
        plot.legend(loc="upper left")
        return to_svg(drawn)


def _what_changed(name: str, first: int, last: int) -> str:
    """Return whether the conditions of a program changed between editions, or only its amounts."""
    words = [
        {
            re.sub(r"[\d,.$]+", "", text)
            for text in load_edition(year).program(name).clauses.values()
        }
        for year in (first, last)
    ]
    return "other amounts" if words[0] == words[1] else "other conditions"


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
            plot.barh(
                where,
                changes,
                color=colour,
                label=f"amounts {'raised' if move > 0 else 'lowered'} by {100 * abs(move):.0f}%",
            )
        plot.axvline(0, color="#888888", linewidth=1)
        plot.set_yticks(where, [_short(row.title) for row in rows], fontsize=8.5)
        plot.set_ylim(-1, len(rows))
        plot.tick_params(top=True, labeltop=True)
        plot.xaxis.set_major_formatter("{x:,.0f}")
        plot.set_xlabel("households that become eligible less those that lose it, in thousands")
        plot.set_title(f"If every amount of money moved by 5%: rules of {year}")
        plot.legend(loc="lower right")
        return to_svg(drawn)


def _short(title: str) -> str:
    return title if len(title) <= 58 else title[:56].rstrip() + "…"
