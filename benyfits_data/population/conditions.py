"""The language of conditions: `age 18-64 & disabled yes & borough Bronx`.

Atoms joined by ` & ` all hold. An atom is a column and what it must be: `yes` or `no` for flags, a
range (`18-64`, `200+`, `-15--6`) or `none` for numbers, values parted by `|` for choices. `all`
holds for everybody.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import BenyfitsError

NONE = -1
_RANGE = re.compile(r"(-?\d+)(?:(\+)|-(-?\d+))?")
_DECIMALS = re.compile(r"(\d+\.\d+)(?:-(\d+\.\d+))?")
LARGEST = 2**31 - 1


class ConditionError(BenyfitsError):
    """A condition names an unknown column or value, or cannot be read."""


@dataclass(frozen=True)
class Atom:
    """One column and what it must be."""

    column: str
    value: str


@lru_cache(maxsize=4096)
def parse_condition(text: str) -> tuple[Atom, ...]:
    """Return the atoms of a condition; none for `all`.

    Raises:
        ConditionError: An atom has no value.
    """
    if text == "all":
        return ()
    atoms = []
    for part in text.split(" & "):
        column, _, value = part.partition(" ")
        if not value:
            raise ConditionError(
                f"Condition {text!r} has {part!r}, expected a column and a value such as "
                "'age 18-64'. Write both.",
                condition=text,
            )
        atoms.append(Atom(column, value))
    return tuple(atoms)


@lru_cache(maxsize=4096)
def parse_range(text: str) -> tuple[int, int] | None:
    """Return the ends of a range of whole numbers, both inside; `None` if it is no range."""
    if match := _RANGE.fullmatch(text):
        return int(match[1]), LARGEST if match[2] else int(match[3] or match[1])
    return None


def parse_decimals(text: str) -> tuple[float, float] | None:
    """Return the ends of a range of numbers with or without decimals; `None` if it is no range."""
    if match := _DECIMALS.fullmatch(text):
        return float(match[1]), float(match[2] or match[1])
    return parse_range(text)


def ends_of(text: str) -> tuple[int, int]:
    """Return the ends of a range of whole numbers, both inside.

    Raises:
        ConditionError: It is no range.
    """
    ends = parse_range(text)
    if ends is None:
        raise ConditionError(f"{text!r} is no range, expected e.g. 18-64 or 65+.", condition=text)
    return ends


class Frame:
    """Columns of people or households, with the households' columns seen by their members.

    Attributes:
        size: Number of rows.
        parent: The households' frame, for members.
        index: Household of every member.
    """

    def __init__(
        self, size: int, parent: "Frame | None" = None, index: NDArray[np.int64] | None = None
    ) -> None:
        self.size = size
        self.parent = parent
        self.index = index
        self._columns: dict[str, NDArray[Any]] = {}
        self._levels: dict[str, tuple[str, ...]] = {}
        self._spread: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {}

    def put(self, name: str, column: NDArray[Any], levels: Sequence[str] | None = None) -> None:
        """Set a column; `levels` are the values that the codes of a choice stand for."""
        self._columns[name] = column
        if levels is not None:
            self._levels[name] = tuple(levels)

    def __contains__(self, name: str) -> bool:
        return name in self._columns or (self.parent is not None and name in self.parent)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the frame's own columns by name."""
        return self._columns

    def levels(self, name: str) -> tuple[str, ...] | None:
        """Return the values of a choice, or `None` for numbers and flags."""
        if name in self._columns or self.parent is None:
            return self._levels.get(name)
        return self.parent.levels(name)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name in self._columns:
            return self._columns[name]
        if self.parent is not None and name in self.parent:
            column = self.parent[name]
            if name not in self._spread or self._spread[name][0] is not column:
                self._spread[name] = column, column[self.index]
            return self._spread[name][1]
        raise ConditionError(
            f"No column {name!r} has been drawn yet. Move the feature that uses it further down.",
            column=name,
        )

    def mask(self, condition: str) -> NDArray[np.bool_]:
        """Return for which rows a condition holds, shape `(size,)`.

        Raises:
            ConditionError: A column is missing or a value is not one of its values.
        """
        holding: NDArray[np.bool_] | None = None
        for atom in parse_condition(condition):
            part = self._atom(atom)
            holding = part if holding is None else holding & part
        return np.ones(self.size, np.bool_) if holding is None else holding

    def _atom(self, atom: Atom) -> NDArray[np.bool_]:
        column = self[atom.column]
        levels = self.levels(atom.column)
        if levels is not None:
            allowed = np.zeros(len(levels) + 1, np.bool_)
            codes = {"none": NONE} | {level: code for code, level in enumerate(levels)}
            for value in atom.value.split("|"):
                if value not in codes:
                    raise ConditionError(
                        f"{atom.column} is never {value!r}, expected one of {', '.join(levels)}.",
                        column=atom.column,
                        value=value,
                    )
                allowed[codes[value]] = True
            return np.asarray(allowed[column])
        if column.dtype == np.bool_:
            if atom.value not in ("yes", "no"):
                raise ConditionError(
                    f"{atom.column} is a flag, found {atom.value!r}, expected yes or no.",
                    column=atom.column,
                )
            return np.asarray(column if atom.value == "yes" else ~column)
        if atom.value == "none":
            return np.asarray(column == NONE)
        ends = parse_decimals(atom.value) if column.dtype.kind == "f" else parse_range(atom.value)
        if ends is None:
            raise ConditionError(
                f"{atom.column} is a number, found {atom.value!r}, expected a range.",
                column=atom.column,
            )
        low, high = ends
        return np.asarray((column >= low) & (column <= high))
