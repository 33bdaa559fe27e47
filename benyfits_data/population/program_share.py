"""Who may claim one program, and how sure that is: what sampling and sources leave open, and texts.

Two doubts stand apart. The interval says how far the share may be off because households are drawn
and sources err; the range of the readings says what it would be if an open question of the
program's text were answered otherwise, one question at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Program, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.reading_labels import labels_under_readings
from benyfits_data.plotting import BLUE, ORANGE, figure, to_svg
from benyfits_data.population.eligibility import Grouping, group_names, widened
from benyfits_data.population.replicates import measure_spread
from benyfits_data.population.synthesis import build_city, over_chunks, possible_households

WHOLE = ("city", "all households")
INCOMES = (25_000, 50_000, 100_000, 150_000)
"""Where one group of yearly incomes ends and the next begins, in dollars."""
_GROUPINGS: tuple[Grouping, ...] = ("borough", "age")


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


def income_groups(households: Households) -> NDArray[np.str_]:
    """Return the group of every household by its members' yearly income, shape `(households,)`."""
    here = np.arange(households.places)[:, None] < households.size
    amounts = ("annual_work_income", "annual_investment_income")
    income = sum((households.member[name] * here).sum(axis=0) for name in amounts)
    ends = [f"${amount:,}" for amount in INCOMES]
    between = [f"{low} to under {high}" for low, high in pairwise(ends)]
    names = np.array([f"under {ends[0]}", *between, f"{ends[-1]} and more"], np.str_)
    return np.asarray(names[np.searchsorted(INCOMES, income, side="right")])


def _place(group: str) -> int:
    """Where a group stands beside others: by the first number of its name, open ones outside."""
    number = int("0" + "".join(filter(str.isdigit, group.split(" to ")[0].split("-")[0])))
    return number - group.startswith("under")


Counts = dict[tuple[str, str], NDArray[np.int64]]
"""By grouping and group: households, eligible ones, then those under each option."""


def count_chunk(name: str, year: int, n: int, seed: int, chunk: int) -> tuple[Counts, int]:
    """Return the counts of one chunk of the city, and the persons of its eligible households."""
    city = build_city(n, seed, chunk)
    households = possible_households(city)[0]
    labels = labels_under_readings(load_edition(year), households, [name])
    eligible = labels.in_force[name]
    columns = np.array([np.ones(n, np.bool_), eligible, *labels.options[name].values()])
    names: dict[str, NDArray[np.str_]] = {
        **{by: group_names(by, city, households) for by in _GROUPINGS},
        "income": income_groups(households),
    }
    counts: Counts = {WHOLE: columns.sum(axis=1)}
    for by, groups in names.items():
        for group in sorted(np.unique(groups), key=_place):
            counts[by, str(group)] = columns[:, groups == group].sum(axis=1)
    return counts, int(households.size[eligible].sum())


def measure_program(
    program: Program,
    n: int,
    seed: int,
    workers: int,
    replicates: int,
    tick: Callable[[int], object] = lambda done: None,
) -> ProgramShare:
    """Return how many may claim a program, with the doubts of sampling, sources and text.

    Args:
        program: The program in its edition.
        n: Households of the city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
        replicates: Cities with redrawn sources; of 0, intervals are those of sampling alone.
        tick: Called with the households that are counted.
    """
    counts: Counts = {}
    persons = 0
    work = partial(count_chunk, program.name, program.edition)
    for part, of_eligible in over_chunks(work, n, seed, workers, tick):
        persons += of_eligible
        for key, numbers in part.items():
            counts[key] = counts.get(key, 0) + numbers
    spread = 0.0
    if replicates:
        years, names = [program.edition], [program.name]
        spreads = measure_spread(seed, workers, years, replicates, tick, names)
        spread = spreads[program.name, program.edition]
    options = [(reading.id, option.id) for reading in program.readings for option in reading.others]
    whole = counts[WHOLE]
    return ProgramShare(
        program,
        n,
        persons / n,
        tuple(_shares(counts, spread)),
        tuple((*option, whole[2 + at] / n) for at, option in enumerate(options)),
    )


def _shares(counts: Counts, spread: float) -> Iterator[GroupShare]:
    for (by, group), (number, eligible, *under) in counts.items():
        # What sources leave open was measured for all households, and taken as large in a group.
        low, high = widened(int(eligible), int(number), spread)
        among = [int(eligible), *map(int, under)]
        lowest, highest = min(among) / number, max(among) / number
        yield GroupShare(
            by, group, int(number), float(eligible / number), low, high, lowest, highest
        )


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
