"""In which circumstances facts are looked at: relation, age and sex; size, children and age."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.household.schema import NONE_CODE, Feature
from benyfits_data.plausibility.probability_tables import Codes

RELATIONS = list(MEMBER_FEATURES["relation"].choices)
_GROUPS = (
    {"self"},
    {"spouse", "domestic partner"},
    {"child", "adopted child", "stepchild"},
    {"parent", "grandparent"},
    {"foster child", "friend"},
)
N_GROUPS = len(_GROUPS) + 1
GROUP_OF = np.array(
    [
        next((place for place, names in enumerate(_GROUPS) if name in names), N_GROUPS - 1)
        for name in RELATIONS
    ]
)
BANDS = np.array([0, 1, 3, 4, 6, 10, 14, 16, 18, 21, 25, 35, 45, 55, 65, 75, 85])
"""First ages of the bands within which facts are compared."""
N_BANDS = len(BANDS)
N_MEMBER = N_GROUPS * N_BANDS * 2
_INCOMES = np.array([1, 12_000, 25_000, 40_000, 60_000, 90_000, 140_000, 250_000])
N_INCOMES = len(_INCOMES) + 1
_HEADS = np.array([25, 45, 65])
N_SIZES = 6
N_HOUSEHOLD = N_SIZES * 2 * (len(_HEADS) + 1)
_QUANTILES = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)


def band(age: NDArray[np.generic]) -> Codes:
    """Return the band of each age."""
    return np.searchsorted(BANDS, age, side="right") - 1


@dataclass(frozen=True)
class Circumstances:
    """Contexts of households and of their members, member by member.

    Attributes:
        table: The households.
    """

    table: Households

    @cached_property
    def places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Position of each member and of the household."""
        rows, homes = np.nonzero(self.table.present)
        return rows, homes

    @cached_property
    def _flat(self) -> NDArray[np.intp]:
        rows, homes = self.places
        return rows * len(self.table) + homes

    def of_members(self, name: str) -> NDArray[Any]:
        """Return the codes of a fact, member by member."""
        return self.table.member[name].take(self._flat)

    @cached_property
    def bands(self) -> Codes:
        """The age band of each member."""
        return band(self.of_members("age"))

    @cached_property
    def members(self) -> Codes:
        """The context of each member: relation, age, sex."""
        group = GROUP_OF[self.of_members("relation")]
        sex = self.of_members("sex").astype(np.int64)
        return np.asarray((group * N_BANDS + self.bands) * 2 + sex)

    @cached_property
    def members_by_place(self) -> Codes:
        """The context of each member by place and household, 0 where nobody is."""
        context = np.zeros(self.table.present.shape, np.int64)
        context[self.places] = self.members
        return context

    @cached_property
    def sizes(self) -> Codes:
        """The size class of each household, from 0."""
        return np.asarray(np.minimum(self.table.size.astype(np.int64), N_SIZES) - 1)

    @cached_property
    def households(self) -> Codes:
        """The context of each household: size, minors, the applicant's age."""
        age = self.table.member["age"]
        minors = ((age < ADULT_AGE) & self.table.present).any(axis=0)
        heads = np.searchsorted(_HEADS, age[0], side="right")
        return np.asarray((self.sizes * 2 + minors) * (len(_HEADS) + 1) + heads)

    @cached_property
    def incomes(self) -> Codes:
        """The bracket of each household's income."""
        member = self.table.member
        income = member["annual_work_income"].astype(np.int64) + member["annual_investment_income"]
        total = (income * self.table.present).sum(axis=0)
        return np.asarray(np.searchsorted(_INCOMES, total, side="right"))


class Binning:
    """Codes of one feature, few enough to count: numbers fall between quantiles of the city.

    Args:
        feature: Which.
        column: Its codes in the city.
    """

    def __init__(self, feature: Feature, column: NDArray[np.generic]) -> None:
        self.feature = feature
        self.is_coded = feature.kind in ("flag", "choice")
        self.least = -1 if feature.optional else 0
        if self.is_coded:
            self.n = (2 if feature.kind == "flag" else len(feature.choices)) - self.least
            return
        amounts = np.sort(np.asarray(column)[np.asarray(column) > 0])
        at = (
            [int(amounts[int(share * (len(amounts) - 1))]) for share in _QUANTILES]
            if len(amounts)
            else []
        )
        # None is below 0; 0 is a bin of its own.
        self.edges = np.unique([0, 1, *at])
        self.n = len(self.edges) + 1

    @property
    def examples(self) -> list[int]:
        """Codes of every bin: all of a choice, first and last numbers of the others.

        Numbers that the feature may not have are left out, as are the bins that hold no others.
        """
        if self.is_coded:
            return list(range(self.least, self.n + self.least))
        firsts = [int(edge) for edge in self.edges]
        least, most = self.feature.minimum or 0, self.feature.maximum or 0
        codes = {int(least), *firsts, *(edge - 1 for edge in firsts if edge > 1)}
        none = [NONE_CODE] if self.feature.optional else []
        return none + sorted(code for code in codes if least <= code <= most)

    def __call__(self, column: NDArray[np.generic]) -> Codes:
        """Return the bin of each code."""
        if self.is_coded:
            codes = column.astype(np.int64)
            return codes - self.least if self.least else codes
        return np.searchsorted(self.edges, column, side="right")
