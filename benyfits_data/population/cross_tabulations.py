"""How the city compares with each carried cross-tabulation, cell by cell.

A table is compared as published, and raked to the city's own margins: then what is measured is how
things go together, and not how many there are, which another year or the whole state tells wrongly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions.toml_file import read_toml
from benyfits_data.population.conditions import ends_of
from benyfits_data.population.raking import fit_margins
from benyfits_data.population.sources import JointTable, Sources
from benyfits_data.population.synthetic_city import City

MAPPINGS = "mappings.toml"
"""How each table is read off a city; lies beside the tables, and says what its keys mean."""


@dataclass(frozen=True)
class TableMapping:
    """How a joint table's dimensions are read off a city.

    Attributes:
        level: Whether it counts members or households.
        values: Value of a dimension to value of the column, where they differ.
        columns: Dimension of the table to column of the city, where the names differ.
        among: Condition that everybody counted satisfies.
        tolerance: Distance that the table may have, raked to the city's margins.
        unraked_tolerance: The same as published; `None` where it counts another place than the
            city, and only tells how things go together.
    """

    level: str
    values: Mapping[str, str]
    columns: Mapping[str, str] = field(default_factory=dict)
    among: str = "all"
    tolerance: float = 0.02
    unraked_tolerance: float | None = None

    def condition(self, dimension: str, value: str) -> str:
        """Return the condition that stands for one value of a dimension."""
        return f"{self.columns.get(dimension, dimension)} {self.values.get(value, value)}"


@lru_cache(maxsize=8)
def table_mappings(sources: Sources) -> dict[str, TableMapping]:
    """Return how to read every carried table that the city can be compared with."""
    tables = read_toml(sources.folder / "joint" / MAPPINGS)
    everywhere = tables.pop("everywhere")
    mappings = {}
    for name, keys in tables.items():
        values = everywhere | keys.pop("values", {})
        if ratio := keys.pop("dollars", None):
            values |= _dollars(sources.joints[name], ratio["city"] / ratio["table"])
        mappings[name] = TableMapping(**keys, values=values)
    return mappings


def _dollars(joint: JointTable, factor: float) -> dict[str, str]:
    """Return the ranges of household income in the city's dollars."""
    ranges = {}
    for (value,) in joint.sum("household_income"):
        first, last = ends_of(value)
        high = f"-{round((last + 1) * factor) - 1}" if not value.endswith("+") else "+"
        ranges[value] = f"{round(first * factor)}{high}"
    return ranges


def read_table(city: City, joint: JointTable, reading: TableMapping) -> NDArray[np.float64]:
    """Return the city's counts in the cells of a table, one axis a dimension."""
    frame = city.frame(reading.level)
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
    labels = []
    for position, dimension in enumerate(joint.dimensions):
        values = dict.fromkeys(key[position] for key in joint.cells)
        labels.append(list(dict.fromkeys(reading.condition(dimension, value) for value in values)))
    return labels


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
    reached = achieved / achieved.sum()
    axes_of = range(target.ndim)
    margins = [
        reached.sum(axis=tuple(other for other in axes_of if other != axis), keepdims=True)
        for axis in axes_of
    ]
    fitted = fit_margins(target / target.sum(), margins, 200)
    return float(np.abs(fitted - reached).sum() / 2)


def unraked_distance(target: NDArray[np.float64], achieved: NDArray[np.float64]) -> float:
    """Return the total variation distance of the two tables as they are."""
    return float(np.abs(target / target.sum() - achieved / achieved.sum()).sum() / 2)
