"""Surprise of each fact, given age, sex and relation of the member, and what tells most of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.feature_arrays import CODED_MEMBER_FEATURES
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.plausibility.circumstances import (
    N_BANDS,
    N_HOUSEHOLD,
    N_INCOMES,
    N_MEMBER,
    N_SIZES,
    Binning,
    Circumstances,
)
from benyfits_data.plausibility.probability_tables import (
    Codes,
    Column,
    most_telling,
    surprise,
    surprise_table,
)

STRUCTURAL = frozenset({"age", "age_months", "relation", "sex"})
MEMBER_FACTS = [name for name in CODED_MEMBER_FEATURES if name not in STRUCTURAL]
HOUSEHOLD_FACTS = list(HOUSEHOLD_FEATURES)
LOOKED_AT = 16_000
"""Members, or households, from which is learned what tells most of a fact: from a quarter of them
learning takes a sixth less time, and other households surprise by 61,070 instead of 59,796."""
ELSEWHERE = 0.01
"""How likely a home outside New York City is taken to be: the city has none."""
_INCOMES = frozenset({"annual_work_income", "annual_investment_income"})
_PLACE = "place_of_residence"
_CITY = HOUSEHOLD_FEATURES[_PLACE].encode("New York City")
_TIED_TO_PLACE = {
    name
    for name, feature in FEATURES.items()
    if any(_PLACE in guard for guard in (*feature.when, *feature.needs))
}
"""Facts that some homes outside the city cannot have: the city cannot tell that these lack them."""
_RELATIONS = MEMBER_FEATURES["relation"].choices
_IMPLYING = {
    name: [
        place
        for place, relation in enumerate(_RELATIONS)
        if f"relation == {relation!r}" in FEATURES[name].implied_by
    ]
    for name in MEMBER_FACTS
}
"""Relations that imply a fact: that of a foster child, foster care. It surprises nobody then."""
_COARSE_MEMBER = np.arange(N_MEMBER) // 2 % N_BANDS
_COARSE_HOUSEHOLD = np.arange(N_HOUSEHOLD) // (N_HOUSEHOLD // N_SIZES)


@dataclass
class _Table:
    """Surprise of one fact in each cell; `parents` split the context."""

    parents: list[str]
    surprise: NDArray[np.int32]

    def of(self, cell: Codes, codes: Codes) -> NDArray[np.int32]:
        """Return the surprise of each value in its cell."""
        return np.asarray(self.surprise.take(cell * self.surprise.shape[1] + codes))


@dataclass
class _Coded:
    """A table of households in bins, with all that a fact may be looked at with."""

    around: Circumstances
    member: dict[str, Codes]
    shared: dict[str, Codes]
    counts: dict[str, int]
    _of_homes: dict[str, Codes] = field(default_factory=dict)

    def candidate(self, name: str, fact: str) -> Column:
        """Return a column that may tell of a member's fact."""
        homes = self.around.places[1]
        if name == "income":
            return self.around.incomes[homes], N_INCOMES
        if name == "applicant":
            return self.of_applicant(fact), self.counts[fact] + 1
        if name not in self.member and name not in self._of_homes:
            self._of_homes[name] = self.shared[name][homes]
        column = self.member[name] if name in self.member else self._of_homes[name]
        return column, self.counts[name]

    def shared_candidate(self, name: str) -> Column:
        """Return a column that may tell of a household's fact."""
        if name == "income":
            return self.around.incomes, N_INCOMES
        return self.shared[name], self.counts[name]

    def of_applicant(self, fact: str) -> Codes:
        """Return the applicant's value for every other member, 0 for the applicant."""
        rows, homes = self.around.places
        first = rows == 0
        value = np.zeros(len(self.around.table), np.int64)
        value[homes[first]] = self.member[fact][first] + 1
        return np.where(first, 0, value[homes])


class FactSurprise:
    """What the city knows of every fact.

    Args:
        city: Households of the city.
    """

    def __init__(self, city: Households) -> None:
        self._bins = {
            **{
                name: Binning(CODED_MEMBER_FEATURES[name], city.member[name][city.present])
                for name in MEMBER_FACTS
            },
            **{name: Binning(HOUSEHOLD_FEATURES[name], city.shared[name]) for name in city.shared},
        }
        around = Circumstances(city)
        coded = self._coded(around)
        self._tables: dict[str, _Table] = {}
        few = _some_of(len(city))
        for place, name in enumerate(HOUSEHOLD_FACTS):
            fact = coded.shared_candidate(name)
            context = around.households, N_HOUSEHOLD
            offered = {
                other: coded.shared_candidate(other)
                for other in [*HOUSEHOLD_FACTS[:place], "income"]
            }
            parents = most_telling(_some(fact, few), _some(context, few), _all(offered, few))
            self._tables[name] = _Table(
                parents,
                surprise_table(
                    fact,
                    (around.sizes, N_SIZES),
                    context,
                    _COARSE_HOUSEHOLD,
                    [offered[parent] for parent in parents],
                ),
            )
        self._tables[_PLACE] = _Table([], _of_places(self._bins[_PLACE].n))
        # Applicants come first: who looks at the first alone learns nothing of the others.
        few = _some_of(len(around.members))
        for place, name in enumerate(MEMBER_FACTS):
            fact = coded.candidate(name, name)
            context = around.members, N_MEMBER
            others = [*MEMBER_FACTS[:place], "applicant"]
            if name not in _INCOMES:
                others += [*HOUSEHOLD_FACTS, "income"]
            offered = {other: coded.candidate(other, name) for other in others}
            parents = most_telling(_some(fact, few), _some(context, few), _all(offered, few))
            self._tables[name] = _Table(
                parents,
                surprise_table(
                    fact,
                    (around.bands, N_BANDS),
                    context,
                    _COARSE_MEMBER,
                    [offered[parent] for parent in parents],
                ),
            )

    def examples(self, name: str) -> list[int]:
        """Return one or two codes of a fact from each class that is distinguished."""
        return self._bins[name].examples

    def items(self, around: Circumstances) -> Iterator[tuple[str, NDArray[np.int32]]]:
        """Give the surprise of each fact: of members, one after the other, then of households."""
        coded, table = self._coded(around), around.table
        homes = around.places[1]
        is_outside = table.shared[_PLACE] != _CITY
        relation = around.of_members("relation")
        # Many facts hang on the same others.
        cells: dict[tuple[str, ...], Codes] = {(): around.members}
        for name in MEMBER_FACTS:
            known, parents = self._tables[name], tuple(self._tables[name].parents)
            for place, parent in enumerate(parents):
                of = parents[: place + 1]
                if of not in cells or "applicant" in of:
                    column, n = coded.candidate(parent, name)
                    cells[of] = cells[parents[:place]] * n + column
            values = known.of(cells[parents], coded.member[name])
            if name in _TIED_TO_PLACE:
                values = self._untied(name, values, coded.member[name], is_outside[homes])
            if implying := _IMPLYING[name]:
                values = np.where(np.isin(relation, implying), 0, values).astype(np.int32)
            yield name, values
        for name in HOUSEHOLD_FACTS:
            known = self._tables[name]
            cell = around.households
            for parent in known.parents:
                column, n = coded.shared_candidate(parent)
                cell = cell * n + column
            values = known.of(cell, coded.shared[name])
            if name in _TIED_TO_PLACE:
                values = self._untied(name, values, coded.shared[name], is_outside)
            yield name, values

    def _untied(
        self, name: str, surprise: NDArray[np.int32], codes: Codes, is_outside: NDArray[np.bool_]
    ) -> NDArray[np.int32]:
        """Return surprise, but 0 where a home outside the city lacks what only the city has."""
        feature = FEATURES[name]
        off = self._bins[name](np.array([feature.encode(feature.off)]))
        return np.where(is_outside & (codes == off), 0, surprise).astype(np.int32)

    def _coded(self, around: Circumstances) -> _Coded:
        shared = around.table.shared
        return _Coded(
            around,
            {name: self._bins[name](around.of_members(name)) for name in MEMBER_FACTS},
            {name: self._bins[name](shared[name]) for name in HOUSEHOLD_FACTS},
            {name: binning.n for name, binning in self._bins.items()},
        )


def _some_of(n: int) -> slice:
    """Return which of `n` are looked at: some, evenly spread."""
    return slice(None, None, n // LOOKED_AT + 1)


def _some(column: Column, few: slice) -> Column:
    return column[0][few], column[1]


def _all(columns: dict[str, Column], few: slice) -> dict[str, Column]:
    return {name: _some(column, few) for name, column in columns.items()}


def _of_places(n: int) -> NDArray[np.int32]:
    known = surprise(np.array([1 - ELSEWHERE, *[ELSEWHERE / (n - 1)] * (n - 1)]))
    return np.tile(known, (N_HOUSEHOLD, 1))
