"""How the city compares with each carried cross-tabulation, cell by cell.

A table of another year or of the whole state is first raked to the city's own margins, so that what
is measured is how things go together, and not how many there are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benyfits_data.population.conditions import ends_of
from benyfits_data.population.source_rows import JointTable
from benyfits_data.population.sources import Sources
from benyfits_data.population.synthetic_city import City

_FAMILIES = {
    "married": "married with children|married without children",
    "man": "man with children|man with relatives",
    "woman": "woman with children|woman with relatives",
    "man with family": "man with children|man with relatives",
    "woman with family": "woman with children|woman with relatives",
}
_OTHER_REGULATED = (
    "Mitchell-Lama development|limited dividend development|redevelopment company development|"
    "HDFC development|rent regulated hotel|rent regulated single room occupancy (SRO)"
)
_STATE_DOLLARS = 81_027 / 67_844
"""The city's median household income of 2020-24 over the state's of 2018, in dollars of each."""


@dataclass(frozen=True)
class TableMapping:
    """How a joint table's dimensions are read off a city.

    Attributes:
        level: Whether it counts members or households.
        columns: Dimension of the table to column of the city, where the names differ.
        values: Value of a dimension to value of the column, where they differ.
        among: Condition that everybody counted satisfies.
    """

    level: str
    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    among: str = "all"

    def condition(self, dimension: str, value: str) -> str:
        """Return the condition that stands for one value of a dimension."""
        return f"{self.columns.get(dimension, dimension)} {self.values.get(value, value)}"


def _dollars(joint: JointTable, dimension: str, factor: float) -> dict[str, str]:
    """Return the ranges of a dimension in the city's dollars."""
    position = joint.dimensions.index(dimension)
    found = {}
    for value in {key[position] for key in joint.cells}:
        first, last = ends_of(value)
        low = round(first * factor)
        high = f"-{round((last + 1) * factor) - 1}" if not value.endswith("+") else "+"
        found[value] = f"{low}{high}"
    return found


def table_mappings(sources: Sources) -> dict[str, TableMapping]:
    """Return how to read every carried table that the city can be compared with."""

    def dollars(name: str, factor: float) -> dict[str, str]:
        return _dollars(sources.joints[name], "household_income", factor)

    housed = "tenure owner|renter|rent-free"
    renter = {"renter": "renter|rent-free"}
    families = "|".join(_FAMILIES[name] for name in ("married", "man", "woman"))
    at_school = dict.fromkeys(("public", "private"), "pre-kindergarten|school|college")
    at_college = dict.fromkeys(("public", "private"), "college")
    return {
        "age_sex_borough": TableMapping("member"),
        "household_size_borough": TableMapping("household", values={"7+": "6", "7": "6"}),
        "household_type_borough": TableMapping("household", values=_FAMILIES),
        "family_children_poverty": TableMapping(
            "household",
            {"family": "household_type", "own_children": "own_minors"},
            # Six members leave no room for five children and both parents: three and more are one.
            _FAMILIES | {"0": "0-0", "3-4": "3-6", "5+": "3-6", "below": "0-99", "above": "100+"},
            f"household_type {families}",
        ),
        "living_arrangement_age": TableMapping("member", among="age 18-110"),
        "relation_borough": TableMapping(
            "member",
            values={
                "Householder": "self",
                "Spouse": "spouse",
                "Unmarried partner": "domestic partner",
                "Child": "child|adopted child|stepchild",
                "Nonrelatives": "friend|foster child",
                "Other relatives": "grandchild|sibling|parent|grandparent|niece or nephew|cousin|"
                "other relative",
            },
        ),
        "married_age_sex": TableMapping("member", {"married": "is_married"}, among="age 15-110"),
        "nonfamily_sex_age": TableMapping(
            "household", {"sex": "householder_sex"}, among="household_type alone|with nonrelatives"
        ),
        "tenure_type_age": TableMapping("household", values=_FAMILIES | renter, among=housed),
        "tenure_income": TableMapping(
            "household", values=renter | dollars("tenure_income", _STATE_DOLLARS), among=housed
        ),
        "income_householder_age": TableMapping(
            "household", values=dollars("income_householder_age", _STATE_DOLLARS)
        ),
        "income_borough": TableMapping(
            "household", values=dollars("income_borough", 81_027 / 76_828)
        ),
        "disability_age_sex": TableMapping("member"),
        "employment_age_sex": TableMapping("member", among="age 16-110"),
        "education_age_sex": TableMapping("member", among="age 18-110"),
        "school_age_sex": TableMapping(
            "member", {"enrolled_in": "current_school_level"}, at_school, "age 3-110"
        ),
        "college_age_sex": TableMapping(
            "member",
            {"enrolled_in": "current_school_level"},
            at_college | {"none": "none|pre-kindergarten|school"},
            "age 15-110",
        ),
        "snap_disability": TableMapping(
            "household", {"snap": "receives_snap", "disability": "has_disabled_member"}
        ),
        "renter_protection_borough": TableMapping(
            "household",
            {"protection_group": "housing_type"},
            {
                "public_housing": "NYCHA development",
                "rent_stabilized (no voucher)": "rent stabilized apartment",
                "section8_voucher": "Section 8",
                "rent_controlled": "rent controlled apartment",
                "other_regulated": _OTHER_REGULATED,
                "other_or_unspecified_assistance": "unregulated rental",
                "unknown_or_conflicting": "unregulated rental",
                "unassisted_market": "unregulated rental",
            },
            "tenure renter",
        ),
        "retirement_income_age": TableMapping(
            "member",
            {"social_security": "has_social_security", "pension": "has_pension"},
            {"75+": "75-110"},
            "is_householder yes",
        ),
        "investment_income_age": TableMapping(
            "member", values={"75+": "75-110"}, among="relation self"
        ),
    }


def read_table(city: City, joint: JointTable, reading: TableMapping) -> NDArray[np.float64]:
    """Return the city's counts in the cells of a table, one axis a dimension."""
    frame = city.households if reading.level == "household" else city.people
    among = frame.mask(reading.among)
    labels = axes(joint, reading)
    code = np.zeros(frame.size, np.int64)
    known = among.copy()
    for conditions in labels:
        digit = np.full(frame.size, -1, np.int64)
        for position, condition in enumerate(conditions):
            digit[frame.mask(condition)] = position
        known &= digit >= 0
        code = code * len(conditions) + np.maximum(digit, 0)
    shape = [len(conditions) for conditions in labels]
    counts = np.bincount(code[known], minlength=int(np.prod(shape)))
    return counts.reshape(shape).astype(float)


def axes(joint: JointTable, reading: TableMapping) -> list[list[str]]:
    """Return the distinct conditions along every dimension of a table."""
    found = []
    for position, dimension in enumerate(joint.dimensions):
        values = dict.fromkeys(key[position] for key in joint.cells)
        found.append(list(dict.fromkeys(reading.condition(dimension, value) for value in values)))
    return found


def published(joint: JointTable, reading: TableMapping) -> NDArray[np.float64]:
    """Return the table's counts, one axis a dimension, values that mean the same added up."""
    labels = axes(joint, reading)
    counts = np.zeros([len(conditions) for conditions in labels])
    for key, count in joint.cells.items():
        place = tuple(
            conditions.index(reading.condition(dimension, value))
            for dimension, value, conditions in zip(joint.dimensions, key, labels, strict=True)
        )
        counts[place] += count
    return counts


def distance(target: NDArray[np.float64], achieved: NDArray[np.float64]) -> float:
    """Return the total variation distance, the target raked to the achieved one-way margins."""
    fitted = target / target.sum()
    reached = achieved / achieved.sum()
    for _ in range(200):
        for axis in range(fitted.ndim):
            others = tuple(other for other in range(fitted.ndim) if other != axis)
            sums = fitted.sum(axis=others, keepdims=True)
            wanted = reached.sum(axis=others, keepdims=True)
            fitted = fitted * np.where(sums > 0, wanted / np.maximum(sums, 1e-300), 0)
    return float(np.abs(fitted - reached).sum() / 2)
