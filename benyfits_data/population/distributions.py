"""How one feature is drawn: shares by condition, raked to its margins, allotted exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.errors import BenyfitsError
from benyfits_data.household.features import FEATURES
from benyfits_data.population.conditions import (
    LARGEST,
    NONE,
    Frame,
    parse_decimals,
    parse_range,
)
from benyfits_data.population.raking import Margin, allocate, rake
from benyfits_data.population.sources import FLAG_CATEGORIES, Share, Sources

_MOST_CODES = 2**18
"""Combinations of values beyond which those that occur are numbered anew."""


class DistributionError(BenyfitsError):
    """The rows of a feature do not make a distribution."""


@dataclass(frozen=True)
class Group:
    """Rows of one feature, role and condition: categories with their shares."""

    table: str
    given: str
    shares: dict[str, float]


@dataclass(frozen=True)
class Distribution:
    """Everything known about one feature.

    Attributes:
        feature: Its name.
        level: Whose fact it is.
        margins: Targets.
        draws: Probabilities by condition; the first condition that holds counts.
        odds: Factors on the drawn probabilities wherever their condition holds.
        is_rule: Whether the feature follows from others, by `flag_where` or by code.
        flag_where: Conditions of which one must hold for a flag that follows from others; `None` if
            code says what follows.
    """

    feature: str
    level: str
    margins: tuple[Group, ...]
    draws: tuple[Group, ...]
    odds: tuple[Group, ...]
    is_rule: bool
    flag_where: tuple[str, ...] | None

    @classmethod
    def of(cls, shares: Sequence[Share]) -> "Distribution":
        """Return the distribution that the rows of one feature describe.

        Raises:
            DistributionError: A margin or draw lacks a share.
        """
        groups: dict[str, dict[tuple[str, str], dict[str, float]]] = {}
        rules = [row for row in shares if row.role == "rule"]
        for row in shares:
            if row.role == "rule":
                continue
            if row.share is None:
                raise DistributionError(
                    f"{row.place}: {row.feature} has no share, expected a number. Write one.",
                    place=row.place,
                )
            by_condition = groups.setdefault(row.role, {}).setdefault((row.table, row.given), {})
            by_condition[row.category] = row.share
        margins, draws, odds = (
            tuple(Group(*key, listed) for key, listed in groups.get(role, {}).items())
            for role in ("margin", "draw", "odds")
        )
        flag_where = None
        if any(row.category for row in rules):
            flag_where = tuple(row.given for row in rules if row.category == "yes")
        first = shares[0]
        return cls(first.feature, first.level, margins, draws, odds, bool(rules), flag_where)

    def put_flag(self, frame: Frame) -> None:
        """Put a flag that follows from others."""
        holds = np.zeros(frame.size, np.bool_)
        for condition in self.flag_where or ():
            holds |= frame.mask(condition)
        frame.put(self.feature, holds)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """Every category that can be drawn."""
        names: dict[str, None] = {}
        for group in self.draws or self.margins:
            names.update(dict.fromkeys(group.shares))
        return tuple(names)

    def draw(
        self, frame: Frame, rng: np.random.Generator, score: NDArray[np.float64] | None = None
    ) -> None:
        """Draw the feature for every row of `frame` and put it there.

        Args:
            frame: People or households with the columns that the conditions name.
            rng: Random stream of this feature.
            score: Who comes first within a cell, see `allocate`.
        """
        cell, fitted, margins = self.fit(frame)
        category = allocate(cell, fitted, rng, score, margins)
        self._put(frame, category, rng)

    def fit(self, frame: Frame) -> tuple[NDArray[np.int64], NDArray[np.float64], list[Margin]]:
        """Return everybody's cell, the raked probabilities of categories by cell, the margins."""
        draws = self.draws or self.margins
        first = np.full(frame.size, len(draws), np.int32)
        for position in range(len(draws) - 1, -1, -1):
            first[frame.mask(draws[position].given)] = position
        margin_masks = [frame.mask(group.given) for group in self.margins]
        odds_masks = [frame.mask(group.given) for group in self.odds]
        # Margins come first: cells of a group lie side by side, and rounding evens out in it.
        of_draw, of_odds = len(margin_masks), len(margin_masks) + 1
        columns = [*margin_masks, first, *odds_masks]
        cell, n_cells = _cells(columns)
        rows = np.empty(n_cells, np.int64)
        # Of several writes to one place the last counts: that of the first person.
        rows[cell[::-1]] = np.arange(frame.size - 1, -1, -1)
        keys = np.stack([column[rows] for column in columns], axis=1)
        counts = np.bincount(cell, minlength=len(keys)).astype(float)
        seed = np.zeros((len(draws) + 1, len(self.categories)))
        for position, group in enumerate(draws):
            for category, share in group.shares.items():
                seed[position, self.categories.index(category)] = share
        seed[-1, self._absent] = 1.0
        table = seed[keys[:, of_draw]]
        for position, group in enumerate(self.odds):
            touched = keys[:, of_odds + position].astype(bool)
            for category, factor in group.shares.items():
                table[touched, self.categories.index(category)] *= factor
        sums = table.sum(axis=1, keepdims=True)
        empty = sums[:, 0] <= 0
        table[empty, self._absent] = 1.0
        table /= np.where(empty[:, None], 1.0, sums)
        margins = []
        for position, group in enumerate(self.margins):
            cells = keys[:, position].astype(bool)
            wanted = list(group.shares.items())
            # Of two categories one says all.
            for category, share in wanted if len(wanted) > 2 else wanted[:1]:
                members = np.array([is_within(one, category) for one in self.categories])
                if members.any() and cells.any():
                    margins.append(Margin(cells, members, share))
        return cell, rake(counts, table, margins), margins

    @cached_property
    def _absent(self) -> int:
        """The category of people for whom no condition holds."""
        for name in ("no", "none", "0"):
            if name in self.categories:
                return self.categories.index(name)
        return len(self.categories) - 1

    def _put(self, frame: Frame, category: NDArray[np.int8], rng: np.random.Generator) -> None:
        feature = FEATURES.get(self.feature)
        if set(self.categories) <= FLAG_CATEGORIES:
            is_yes = np.array([name == "yes" for name in self.categories])
            frame.put(self.feature, is_yes[category])
            return
        if feature is not None and feature.kind == "decimal":
            ends = np.array([parse_decimals(c) or (-1.0, -1.0) for c in self.categories])
            low, high = ends[category].T
            drawn = low + rng.random(frame.size) * (high - low)
            frame.put(self.feature, np.round(drawn, 1))
            return
        ranges = [(NONE, NONE) if c == "none" else parse_range(c) for c in self.categories]
        if any(ends is None for ends in ranges) or (feature and feature.kind == "choice"):
            levels = tuple(feature.choices) if feature else self.categories
            codes = [
                NONE if c == "none" and c not in levels else levels.index(c)
                for c in self.categories
            ]
            frame.put(self.feature, np.array(codes, np.int8)[category], levels)
            return
        low, high = np.array(ranges, np.int64)[category].T
        drawn = low + np.floor(rng.random(frame.size) * (high - low + 1)).astype(np.int64)
        frame.put(self.feature, drawn.astype(np.int32))


def _cells(columns: Sequence[NDArray[Any]]) -> tuple[NDArray[np.int64], int]:
    """Return the place of everybody's values among all combinations, and how many there are."""
    cell, n_cells = np.zeros(len(columns[0]), np.int32), 1
    for column in columns:
        values = int(column.max(initial=0)) + 1
        cell, n_cells = cell * np.int32(values) + column, n_cells * values
        if n_cells > _MOST_CODES:
            numbered, n_cells = _numbered(cell, n_cells)
            cell = numbered.astype(np.int32)
    return _numbered(cell, n_cells)


def _numbered(cell: NDArray[np.int32], n_cells: int) -> tuple[NDArray[np.int64], int]:
    """Return places among the values that occur, ascending, by lookup: sorting takes longer."""
    seen = np.zeros(n_cells, np.bool_)
    seen[cell] = True
    return (np.cumsum(seen) - 1)[cell], int(seen.sum())


def is_within(category: str, target: str) -> bool:
    """Whether a drawn category is one of those that a margin's category means."""
    if category == target or category in target.split("|"):
        return True
    inner, outer = parse_range(category), parse_range(target)
    if inner is None or outer is None:
        return False
    return outer[0] <= inner[0] and min(inner[1], LARGEST) <= outer[1]


def load_distributions(sources: Sources) -> dict[str, Distribution]:
    """Return every distribution by feature, in the order of drawing."""
    return {name: Distribution.of(rows) for name, rows in sources.by_feature.items()}
