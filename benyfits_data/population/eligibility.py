"""How many of the city's households programs would take, and how sure that is.

Who is eligible is not who takes part: what an agency counts is mostly take-up or places, and stands
apart as what it is. Two doubts stand apart, too. The interval says how far a share may be off
because households are drawn and sources err; the range of the readings says what it would be if an
open question of a program's text were answered otherwise, one question at a time.

What sources leave open is seen in replicate cities, which redraw every share: one that a source
prints has a margin of error, one that follows by arithmetic more, one that is assumed a range;
`redraw_spread` in `parameters.csv` says how far each moves, as the standard deviation of its
logarithm. Sizes, kinds, ages and sexes of households stay: they are counted best.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import to_csv
from benyfits_data.editions import EDITIONS, Program, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.intervals import half_width, wilson
from benyfits_data.language.numpy_backend import label_households
from benyfits_data.language.reading_labels import labels_under_readings, options_of
from benyfits_data.parallel import run_tasks
from benyfits_data.plotting import BLUE, ORANGE, figure, to_svg
from benyfits_data.population.household_structure import BOROUGHS
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthesis import (
    BUILT_WITH_STRUCTURE,
    build_city,
    default_sources,
    possible_households,
    sum_over_chunks,
)
from benyfits_data.population.synthetic_city import City
from benyfits_data.rng import stream

COLUMNS = (
    *("program", "title", "unit", "edition", "share"),
    *("households", "households_low", "households_high"),
    *("published_what", "published", "published_unit", "published_year", "published_source"),
    *("published_kind", "take_up", "note"),
)
GROUP_COLUMNS = (
    *("program", "title", "edition", "by", "group", "share_of_group", "share_low", "share_high"),
    *("eligible_households", "households_of_group"),
)
REPLICATES = 12
"""Cities with other targets: the standard deviation is then known to some 21 percent."""
REPLICATE_HOUSEHOLDS = 20_000
"""Of each of them. They draw from the same random streams: what sampling adds is mostly common."""

Grouping = Literal["city", "borough", "age", "income", "tenure"]
AGES = (35, 50, 65, 80)
"""Where one age group ends and the next begins."""
INCOMES = (25_000, 50_000, 100_000, 150_000)
"""Where one group of yearly incomes ends and the next begins, in dollars."""
_DOLLARS = [f"${amount:,}" for amount in INCOMES]


def _classes(ends: Sequence[object], between: Iterable[str], last: str) -> list[str]:
    return [f"under {ends[0]}", *between, f"{ends[-1]} and {last}"]


GROUPINGS: dict[
    Grouping, tuple[Sequence[object], Callable[[City, Households], NDArray[np.integer]]]
] = {
    "city": (["all households"], lambda city, homes: np.zeros(len(homes), np.int64)),
    "borough": (BOROUGHS, lambda city, homes: city.households["borough"]),
    "age": (
        _classes(AGES, (f"{low}-{high - 1}" for low, high in pairwise(AGES)), "older"),
        lambda city, homes: np.searchsorted(AGES, city.households["householder_age"], "right"),
    ),
    "income": (
        _classes(_DOLLARS, (f"{low} to under {high}" for low, high in pairwise(_DOLLARS)), "more"),
        lambda city, homes: np.searchsorted(INCOMES, incomes(homes), "right"),
    ),
    "tenure": (tuple(FEATURES["tenure"].choices), lambda city, homes: homes.shared["tenure"]),
}
"""The groups of households, and how the group of each is read off a city, shape `(households,)`."""

Counts = dict[Grouping | Literal["persons"], NDArray[np.int64]]
"""By grouping: households of each group, then those of whom something holds, `(1 + k, groups)`."""


def incomes(households: Households) -> NDArray[np.int64]:
    """Return what all members of each household have in a year, shape `(households,)`."""
    amounts = ("annual_work_income", "annual_investment_income")
    return np.asarray(
        sum((households.member[name] * households.present).sum(axis=0) for name in amounts)
    )


def count_groups(
    by: Sequence[Grouping],
    holding: Sequence[NDArray[np.bool_]],
    city: City,
    households: Households,
) -> Counts:
    """Return how many households are in each group, and how many of whom each column holds."""
    counts: Counts = {}
    for grouping in by:
        groups, code_of = GROUPINGS[grouping]
        codes = code_of(city, households)
        parts = [codes, *(codes[column] for column in holding)]
        counts[grouping] = np.array([np.bincount(part, minlength=len(groups)) for part in parts])
    return counts


Asked = Sequence[tuple[str, int]]
"""Programs and their editions."""


def count_eligible(
    asked: Asked,
    by: Sequence[Grouping],
    n: int,
    seed: int,
    chunk: int = 0,
    sources: Sources | None = None,
) -> Counts:
    """Return how many households of one chunk are eligible for each program, by group."""
    city = build_city(n, seed, chunk, sources)
    households = possible_households(city)[0]
    labels = {}
    for year in dict.fromkeys(year for _, year in asked):
        programs = [name for name, edition in asked if edition == year]
        labels[year] = label_households(load_edition(year), households, programs)
    return count_groups(by, [labels[year][name] for name, year in asked], city, households)


@dataclass(frozen=True)
class Eligibility:
    """Households of the city that are eligible for one program under one edition.

    They count if any member may receive it; `low` and `high` are the ends of the 95% interval.

    Attributes:
        groups: Households of each group, eligible and all, by grouping and group.
    """

    program: str
    title: str
    unit: str
    edition: int
    share: float
    low: float
    high: float
    groups: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)


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
    asked = sorted((name, year) for year in years for name in load_edition(year).programs)
    work = partial(count_eligible, asked, ("city", *groupings))
    counts = sum_over_chunks(work, n, seed, workers, tick)
    spreads = measure_spread(asked, seed, workers, replicates, tick)
    rows = []
    for at, (name, year) in enumerate(asked, start=1):
        program, count = load_edition(year).program(name), int(counts["city"][at, 0])
        ends = widened(count, n, spreads.get((name, year), 0.0))
        groups: dict[tuple[str, str], tuple[int, int]] = {
            (by, group): (int(eligible), int(number))
            for by in groupings
            for group, number, eligible in _groups_of(by, counts[by][[0, at]])
        }
        rows.append(Eligibility(name, program.title, program.unit, year, count / n, *ends, groups))
    return rows


def _groups_of(by: Grouping, counts: NDArray[np.int64]) -> Iterator[tuple[Any, ...]]:
    """Yield each group that has households, and its counts."""
    for group, of_group in zip(GROUPINGS[by][0], counts.T.tolist(), strict=True):
        if of_group[0]:
            yield str(group), *of_group


def widened(count: int, n: int, spread: float) -> tuple[float, float]:
    """Return the 95% interval of a share: what sampling leaves open, and half of what sources do.

    The two are independent; each half has the quantile of its own degrees of freedom (Zou and
    Donner, Statistics in Medicine 27, 2008).
    """
    share, (low, high) = count / n, wilson(count, n)
    below, above = np.hypot(share - low, spread), np.hypot(high - share, spread)
    return max(0.0, float(share - below)), min(1.0, float(share + above))


def eligibility_table(rows: Sequence[Eligibility]) -> str:
    """Return a CSV with one line for each program and edition."""
    sources = default_sources()
    households = sources.parameter("city_households")
    enrollments = {row.program: row for row in sources.enrollments}
    lines = []
    for row in rows:
        shares = row.share, row.low, row.high
        ours = f"{row.share:.5f}", *(round(share * households) for share in shares)
        beside: tuple[str, ...] = ("",) * 8
        if of := enrollments.get(row.program):
            # Persons, families or vouchers are not households: no share is taken of them.
            is_comparable = of.kind == "take-up" and of.unit == "households"
            take_up = f"{of.value / (row.share * households):.2f}" if is_comparable else ""
            published = of.what, f"{of.value:.0f}", of.unit, of.year, " ".join(of.sources)
            beside = *published, of.kind, take_up, of.note
        lines.append((row.program, row.title, row.unit, row.edition, *ours, *beside))
    return to_csv(COLUMNS, lines)


def groups_table(by: Grouping, rows: Sequence[Eligibility]) -> str:
    """Return a CSV: households eligible in each group, with the interval of sampling alone."""
    households = default_sources().parameter("city_households")
    lines = []
    for row in rows:
        groups = sorted((group, each) for (of, group), each in row.groups.items() if of == by)
        scale = households / sum(number for _, (_, number) in groups)
        for group, (count, number) in groups:
            shares = (f"{share:.5f}" for share in (count / number, *wilson(count, number)))
            sizes = round(count * scale), round(number * scale)
            lines.append((row.program, row.title, row.edition, by, group, *shares, *sizes))
    return to_csv(GROUP_COLUMNS, lines)


@dataclass(frozen=True)
class GroupShare:
    """The eligible households of a group.

    Attributes:
        by: What the households are grouped by; `city` for all of them.
        group: The group.
        n: Households drawn.
        share: Eligible share of them, from 0 to 1.
        low: Lower end of its 95% interval.
        high: Upper end.
        lowest: The lowest share that one option of a declared reading gives.
        highest: The highest.
    """

    by: str
    group: str
    n: int
    share: float
    low: float
    high: float
    lowest: float
    highest: float

    @property
    def shares(self) -> tuple[float, ...]:
        """The share, its interval and the range of the readings."""
        return self.share, self.low, self.high, self.lowest, self.highest


@dataclass(frozen=True)
class ProgramShare:
    """How many may claim a program.

    Attributes:
        program: The program.
        n: Households drawn.
        persons: Persons of the households that may claim it, for each household drawn.
        groups: The shares of all households, then of boroughs, ages and incomes.
        options: The share under each option not in force: reading, option, share.
    """

    program: Program
    n: int
    persons: float
    groups: tuple[GroupShare, ...]
    options: tuple[tuple[str, str, float], ...]

    def says(self, n_households: float) -> str:
        """Return the share in words, beside the number of households in the city."""
        whole = self.groups[0]
        share, low, high, lowest, highest = map(as_percent, whole.shares)
        return (
            f"{self.program.title} ({self.program.edition}): {share}% of households may claim, "
            f"{round(whole.share * n_households, -3):,.0f} of {n_households:,.0f}; "
            f"{round(self.persons * n_households, -3):,.0f} persons live in them.\n"
            f"  Sampling and sources leave open {low} to {high}% (95%).\n"
            f"  Other readings of its text give {lowest} to {highest}%.\n"
        )


def as_percent(share: float) -> str:
    """Return a share as a number of percent."""
    return f"{100 * share:.1f}"


_GROUPINGS_OF_ONE: tuple[Grouping, ...] = ("city", "borough", "age", "income")


def count_readings(name: str, year: int, n: int, seed: int, chunk: int) -> Counts:
    """Return the eligible households of one chunk, those under each option, and their persons."""
    city = build_city(n, seed, chunk)
    households = possible_households(city)[0]
    labels = labels_under_readings(load_edition(year), households, [name])
    eligible = labels.in_force[name]
    holding = [eligible, *labels.options[name].values()]
    counts = count_groups(_GROUPINGS_OF_ONE, holding, city, households)
    counts["persons"] = np.asarray(households.size[eligible].sum(), np.int64)
    return counts


def measure_program(
    program: Program,
    n: int,
    seed: int,
    workers: int,
    replicates: int,
    tick: Callable[[int], object] = lambda done: None,
) -> ProgramShare:
    """Return how many may claim a program, with the doubts of sampling, sources and text.

    The arguments are those of `measure_eligibility`.
    """
    asked = [(program.name, program.edition)]
    counts = sum_over_chunks(partial(count_readings, *asked[0]), n, seed, workers, tick)
    # What sources leave open is measured for all households, and taken as large in a group.
    spread = measure_spread(asked, seed, workers, replicates, tick).get(asked[0], 0.0)
    groups = []
    for by in _GROUPINGS_OF_ONE:
        for group, number, *among in _groups_of(by, counts[by]):
            shares = [count / number for count in among]
            ends = widened(among[0], number, spread)
            lowest, highest = min(shares), max(shares)
            groups.append(GroupShare(by, group, number, shares[0], *ends, lowest, highest))
    under = counts["city"][2:, 0].tolist()
    options = tuple(
        (reading.id, option.id, count / n)
        for (reading, option), count in zip(options_of(program), under, strict=True)
    )
    return ProgramShare(program, n, int(counts["persons"]) / n, tuple(groups), options)


def draw_shares(measured: ProgramShare) -> str:
    """Return a picture as SVG: thick are sampling and sources, thin are readings of the text."""
    groups: Sequence[GroupShare] = measured.groups
    with figure(7, 1 + len(groups) / 3) as drawn:
        axes = drawn.add_subplot()
        rows = range(len(groups))
        for ends, color, width, label in (
            (("lowest", "highest"), ORANGE, 2, "other readings of the text"),
            (("low", "high"), BLUE, 7, "sampling and sources, 95%"),
        ):
            low, high = ([100 * getattr(group, end) for group in groups] for end in ends)
            axes.hlines(rows, low, high, colors=color, linewidth=width, label=label)
        axes.plot([100 * group.share for group in groups], rows, "o", color="black", markersize=4)
        names = [f"{group.by}: {group.group}".replace("$", r"\$") for group in groups]
        axes.set_yticks(list(rows), names)
        axes.invert_yaxis()
        axes.set_xlim(left=0)
        axes.set_xlabel("eligible households, in %")
        axes.set_title(f"{measured.program.title} ({measured.program.edition})")
        drawn.legend(loc="outside lower center", ncols=2)
        return to_svg(drawn)


def measure_spread(
    asked: Asked,
    seed: int,
    workers: int,
    replicates: int = REPLICATES,
    tick: Callable[[int], object] = lambda done: None,
) -> dict[tuple[str, int], float]:
    """Return half the 95% interval that the sources leave open, by program and edition.

    The arguments are those of `measure_eligibility`; of 0 replicates, nothing is returned.
    """
    if not replicates:
        return {}
    shares = []
    for each in run_tasks(partial(_eligible_shares, asked, seed), range(replicates), workers):
        shares.append(each)
        tick(REPLICATE_HOUSEHOLDS)
    return dict(zip(asked, map(half_width, zip(*shares, strict=True)), strict=True))


def _eligible_shares(asked: Asked, seed: int, replicate: int) -> list[float]:
    """Return the eligible shares in the city of redrawn sources."""
    sources, n = redrawn(default_sources(), seed, replicate), REPLICATE_HOUSEHOLDS
    counts = count_eligible(asked, ["city"], n, seed, sources=sources)["city"]
    return [count / n for count in counts[1:, 0].tolist()]


def redrawn(sources: Sources, seed: int, replicate: int) -> Sources:
    """Return the sources with every share redrawn within what is open about it.

    Shares of one condition are moved and scaled to their sum again; what is 0 or 1 stays.
    """
    spreads = sources.values_of("redraw_spread")
    rng = stream(seed, "population", "replicate", replicate)
    shares = list(sources.shares)
    conditions: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(shares):
        if row.share is not None:
            conditions.setdefault((row.feature, row.role, row.table, row.given), []).append(at)
    for (feature, role, *_), places in conditions.items():
        if feature in BUILT_WITH_STRUCTURE:
            continue
        old = np.array([shares[at].share for at in places], float)
        new = old * np.exp(rng.normal(0, spreads[shares[places[0]].status], len(old)))
        if role != "odds" and new.sum() > 0:
            new *= old.sum() / new.sum()
        for at, share in zip(places, new.tolist(), strict=True):
            shares[at] = replace(shares[at], share=share)
    poverty = tuple(
        replace(row, share=min(row.share * float(np.exp(rng.normal(0, spreads[row.status]))), 1.0))
        for row in sources.poverty
    )
    return replace(sources, shares=tuple(shares), poverty=poverty)
