"""What is counted of a finished city for `check`, as sums that add up over its chunks.

What a draw adds up to within a condition is no published figure: it is the table's own expectation,
raked to the margins. That the finished city meets it says that nothing later undid the dependence.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import FULL_TIME_HOURS
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.numpy_backend import holds
from benyfits_data.population.conditions import LARGEST, Frame, parse_range
from benyfits_data.population.distributions import Distribution
from benyfits_data.population.incomes import ALL_YEAR
from benyfits_data.population.poverty import share_in_poverty
from benyfits_data.population.sources import JointTable
from benyfits_data.population.synthesis import (
    build_city,
    default_distributions,
    possible_households,
)
from benyfits_data.population.synthetic_city import City

CHANGED = frozenset(
    {
        "ac_age_years",
        "marital_status",
        "months_owned_property",
        "months_pregnant",
        "property_owner_widow",
        "receives_ssi",
    }
)
"""Changed once drawn, or drawn by what is changed then; margins are compared all the same."""
OTHERWISE = "otherwise"
"""Those for whom no condition of a draw holds."""
_ENDS = 8
"""Most ends of ranges that numbers are counted from."""
Tally = dict[tuple[str, ...], NDArray[np.float64]]


def tally_chunk(n: int, seed: int, chunk: int) -> Tally:
    """Return the counts of one chunk of the city."""
    return tally(build_city(n, seed, chunk))


def tally(city: City) -> Tally:
    """Return the counts of a finished city, by kind and what is counted.

    Those of `count_figures`; `violation`: how often; `total`: households, people, repaired
    households.
    """
    put_counted(city)
    sums = count_figures(city)
    table, repaired = possible_households(city)
    for name, constraint in CONSTRAINTS.items():
        kept = holds(constraint, table)
        broken = ~kept & table.present if kept.ndim == 2 else ~kept
        sums["violation", name] = np.array([broken.sum()], float)
    sums["total",] = np.array([city.households.size, city.people.size, repaired], float)
    return sums


def count_figures(city: City, column: str | None = None) -> Tally:
    """Return what stands beside figures, of all of them or of those that name one column.

    `margin`, `poverty` and `draw`: inside the category, in the group, expected; `joint`: cells;
    `unfitted`: inside, among, and the same by words alone; `people`: rules and rare people.

    Args:
        city: A finished city, with the columns of `tally`.
        column: Of people or households.
    """
    sums: Tally = {}

    def is_meant(*conditions: str) -> bool:
        return column is None or column in " ".join(conditions).split()

    for feature, distribution in default_distributions().items():
        frame = city.frame(distribution.level)
        groups = (*distribution.margins, *distribution.draws, *distribution.odds)
        if feature in frame and is_meant(feature, *(group.given for group in groups)):
            sums |= count_margins(frame, feature, distribution)
            if distribution.draws and not city.chunk and feature not in CHANGED:
                sums |= count_draws(frame, feature, distribution)
    for target in city.sources.poverty:
        if is_meant(target.given, "census_poverty", "family_poverty"):
            share, among = share_in_poverty(city, target)
            counts = np.array([share if among else 0.0, 1, target.share]) * among
            sums["poverty", f"{target.unit} in poverty", "", target.given, "yes"] = counts
    for name, joint in city.sources.joints.items():
        columns = (joint.columns.get(each, each) for each in joint.dimensions)
        if joint.level and is_meant(joint.among, *columns):
            sums["joint", name] = count_cells(city.frame(joint.level), joint)
    for row in city.sources.unfitted:
        if is_meant(row.condition, row.among):
            frame = city.frame(row.level)
            inside = _count(frame, row.condition, row.among)
            words = (
                _count(frame, row.words_condition, row.words_among)
                if row.words_condition
                else inside
            )
            sums["unfitted", row.what] = np.array([*inside, *words], float)
    for rule in city.sources.people:
        if is_meant(rule.condition, rule.among):
            counted = _count(city.frame(rule.level), rule.condition, rule.among)
            sums["people", rule.what] = np.array(counted, float)
    return sums


def count_cells(frame: Frame, joint: JointTable) -> NDArray[np.float64]:
    """Return the city's counts in the cells of a table, one axis a dimension."""
    known, code = frame.mask(joint.among), np.zeros(frame.size, np.int64)
    for conditions in joint.axes:
        digit = np.full(frame.size, -1, np.int64)
        for position, condition in enumerate(conditions):
            digit[frame.mask(condition)] = position
        known = known & (digit >= 0)
        code = code * len(conditions) + np.maximum(digit, 0)
    shape = [len(conditions) for conditions in joint.axes]
    counts = np.bincount(code[known], minlength=int(np.prod(shape)))
    return counts.reshape(shape).astype(float)


def _count(frame: Frame, condition: str, among: str) -> tuple[int, int]:
    """Return for how many a condition holds among those for whom another does, and these."""
    inside = frame.mask(among)
    return int((inside & frame.mask(condition)).sum()), int(inside.sum())


def put_counted(city: City) -> None:
    """Put columns that figures name and nothing is drawn from."""
    people, households = city.people, city.households
    # The table of earnings has its own dollars, and asks for full time all year.
    factor = city.sources.parameter("earnings_factor")
    earned = np.maximum(np.round(people["annual_work_income"] / factor), 1)
    people.put("earnings_of_table", earned.astype(np.int64))
    is_full = people["work_hours_per_week"] >= FULL_TIME_HOURS
    people.put("full_time", is_full & (people["consecutive_work_weeks"] >= ALL_YEAR))
    hours = people["work_hours_per_week"] * np.maximum(people["consecutive_work_weeks"], 0)
    cents = 100 * people["annual_work_income"].astype(np.int64) // np.maximum(hours, 1)
    people.put("hourly_cents", cents)
    income = people["annual_work_income"] + people["annual_investment_income"]
    people.put("own_income", income.astype(np.int64))
    responsible = city.count(people["responsible_for_day_to_day"]) > 0
    people.put("someone_responsible", responsible[city.household])
    holder_sex = city.of_householder(people["sex"])[city.household]
    people.put("like_householder", people["sex"] == holder_sex)
    households.put("owners", city.count(people["is_property_owner"]))
    older, children, grandchildren = (
        city.count(people.mask(f"relation {names}")) > 0
        for names in ("parent|grandparent", "child|adopted child|stepchild", "grandchild")
    )
    levels = 1 + older.astype(np.int32) + children + (children & grandchildren)
    households.put("generations", levels.astype(np.int32))


def count_margins(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return, by published margin, who has the category, who counts, who should have it."""
    sums: Tally = {}
    for group in distribution.margins:
        inside = frame.mask(group.given)
        for category, share in group.shares.items():
            has = inside & frame.mask(f"{feature} {category}")
            counts = has.sum(), inside.sum(), share * inside.sum()
            sums["margin", feature, group.table, group.given, category] = np.array(counts, float)
    return sums


def count_draws(frame: Frame, feature: str, distribution: Distribution) -> Tally:
    """Return, by condition and category, who has it, who counts, who was expected, the variance.

    Whole people are allotted to every cell, so that what rounding leaves open is all that chance
    may do, and of numbers where in its range each lies.

    Args:
        frame: Finished households or people.
        feature: A feature that is drawn.
        distribution: What it is drawn from.
    """
    sums: Tally = {}
    cell, fitted, _ = distribution.fit(frame)
    categories = countable(distribution.categories)
    has = {category: frame.mask(f"{feature} {category}") for category in categories}
    masks = {"all": frame.mask("all")}
    masks |= {group.given: frame.mask(group.given) for group in distribution.odds}
    left = masks["all"]
    for group in distribution.draws:
        # Of several conditions the first that holds counts.
        inside = frame.mask(group.given)
        masks[f"first {group.given}"] = left & inside
        left = left & ~inside
    masks[OTHERWISE] = left
    for condition, inside in masks.items():
        quota = np.bincount(cell[inside], minlength=len(fitted))[:, None] * fitted
        drawn = quota.sum(axis=0)
        for category, parts in categories.items():
            expected = sum(drawn[place] * part for place, part in parts)
            rest = quota[:, [place for place, _ in parts]] % 1
            # A category rounds what those before it have left, rounded too.
            rounding = 2 * (rest * (1 - rest)).sum()
            spread = sum(drawn[place] * part * (1 - part) for place, part in parts)
            counts = (has[category] & inside).sum(), inside.sum(), expected, rounding + spread
            sums["draw", feature, "", condition, category] = np.array(counts, float)
    return sums


def countable(categories: Sequence[str]) -> dict[str, list[tuple[int, float]]]:
    """Return categories that can be counted, and what part of each drawn one they take.

    Ranges of numbers become `none` and numbers from some of their ends on: the ranges of different
    groups overlap.
    """
    ranges = [None if category == "none" else parse_range(category) for category in categories]
    if all(ends is None for ends in ranges):
        return {category: [(place, 1.0)] for place, category in enumerate(categories)}
    counted = {
        "none": [(place, 1.0) for place, ends in enumerate(ranges) if ends is None],
        "0-0": [(place, _part(ends, 0, 0)) for place, ends in enumerate(ranges) if ends],
    }
    lows = sorted({ends[0] for ends in ranges if ends and ends[0] > 0})
    for low in lows[:: -(-len(lows) // _ENDS) or 1]:
        parts = [(place, _part(ends, low, LARGEST)) for place, ends in enumerate(ranges) if ends]
        counted[f"{low}+"] = parts
    return {category: parts for category, parts in counted.items() if parts}


def _part(ends: tuple[int, int], low: int, high: int) -> float:
    """Return what part of a range, drawn from evenly, lies between two numbers."""
    inside = min(ends[1], high) - max(ends[0], low) + 1
    return max(inside, 0) / (ends[1] - ends[0] + 1)
