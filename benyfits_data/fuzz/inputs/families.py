"""Who lives together: kinds of families, and ages that fit the relations.

Every relation comes up about equally often, in families that exist: a stepchild lives with the
applicant's spouse or partner, a grandchild is a generation younger.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constants import (
    ADOPTIVE_PARENT_AGE,
    ADULT_AGE,
    APPLICANT_AGE,
    FOSTER_CARE_AGE,
    FOSTER_PARENT_AGE,
    GRANDPARENT_AGE,
    LARGEST_GAP_OF_A_COUPLE,
    LARGEST_GAP_OF_A_MOTHER,
    LARGEST_GAP_OF_SIBLINGS,
    LARGEST_GAP_WITH_A_MINOR,
    MARRIAGE_AGE,
    MOST_PARENTS,
    OLDEST_AGE,
    PARENT_AGE,
    PARTNERSHIP_AGE,
    YOUTH_AGE,
)
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD

RELATIONS = list(MEMBER_FEATURES["relation"].choices)
_CHILDREN = {"child": 5, "adopted child": 4, "stepchild": 4, "foster child": 4}


@dataclass(frozen=True)
class FamilyKind:
    """A kind of family.

    Attributes:
        share: How often it is drawn, relative to the others.
        sizes: Smallest and largest number of members.
        partner: Probability that the second member is the applicant's spouse or domestic partner.
        others: Relations of the other members with their weights.
        ages: Youngest and oldest applicant.
    """

    share: float
    sizes: tuple[int, int] = (2, LARGEST_HOUSEHOLD)
    partner: float = 0.0
    others: Mapping[str, float] = field(default_factory=dict)
    ages: tuple[int, int] = (APPLICANT_AGE, OLDEST_AGE)


FAMILIES: dict[str, FamilyKind] = {
    "alone": FamilyKind(14, sizes=(1, 1)),
    "a couple": FamilyKind(9, sizes=(2, 2), partner=1),
    "a couple with children": FamilyKind(16, partner=1, others=_CHILDREN),
    "a single parent": FamilyKind(
        14, others={"child": 6, "adopted child": 4, "foster child": 3}, ages=(APPLICANT_AGE, 70)
    ),
    "a foster family": FamilyKind(5, partner=0.5, others={"foster child": 1}, ages=(21, 75)),
    "grandparents raising children": FamilyKind(
        7, partner=0.4, others={"grandchild": 6, "child": 1}, ages=(GRANDPARENT_AGE, 99)
    ),
    "three generations": FamilyKind(
        7, partner=0.5, others={"child": 3, "parent": 2, "grandparent": 1}, ages=(18, 70)
    ),
    "siblings": FamilyKind(8, others={"sibling": 4, "niece or nephew": 3, "cousin": 1}),
    "somebody living with parents": FamilyKind(
        7, others={"parent": 3, "grandparent": 2, "sibling": 3}, ages=(APPLICANT_AGE, 75)
    ),
    "friends": FamilyKind(6, others={"friend": 4, "cousin": 2, "other relative": 2}),
    "all sorts": FamilyKind(
        7,
        partner=0.3,
        others={
            relation: 1
            for relation in RELATIONS
            if relation not in {"self", "spouse", "domestic partner", "stepchild"}
        },
        ages=(GRANDPARENT_AGE, 82),
    ),
}

_PARTNERS = ("spouse", "spouse", "domestic partner")
_UNBOUNDED = 200


@dataclass(frozen=True)
class Ages:
    """Ages that a relation allows, alone and against the applicant's, and of the applicant."""

    youngest: int = 0
    oldest: int = OLDEST_AGE
    least_older: int = -_UNBOUNDED
    most_older: int = _UNBOUNDED
    youngest_applicant: int = APPLICANT_AGE


AGES: dict[str, Ages] = {
    "self": Ages(youngest=APPLICANT_AGE),
    "spouse": Ages(youngest=MARRIAGE_AGE, least_older=-30, most_older=30),
    "domestic partner": Ages(youngest=PARTNERSHIP_AGE, least_older=-30, most_older=30),
    "child": Ages(least_older=-LARGEST_GAP_OF_A_MOTHER, most_older=-PARENT_AGE),
    "adopted child": Ages(
        oldest=45, most_older=-PARENT_AGE, youngest_applicant=ADOPTIVE_PARENT_AGE
    ),
    "stepchild": Ages(oldest=60, most_older=-1),
    "foster child": Ages(
        oldest=FOSTER_CARE_AGE - 1, most_older=-1, youngest_applicant=FOSTER_PARENT_AGE
    ),
    "grandchild": Ages(oldest=60, most_older=-GRANDPARENT_AGE),
    "sibling": Ages(least_older=-25, most_older=25),
    "parent": Ages(least_older=PARENT_AGE, most_older=50),
    "grandparent": Ages(least_older=GRANDPARENT_AGE, most_older=80),
    "niece or nephew": Ages(oldest=60, most_older=PARENT_AGE),
    "cousin": Ages(least_older=-40, most_older=40),
    "other relative": Ages(),
    "friend": Ages(),
}
_LIMITS = np.array(
    [
        (AGES[name].youngest, AGES[name].oldest, AGES[name].least_older, AGES[name].most_older)
        for name in RELATIONS
    ]
).T
YOUNGEST_APPLICANT = np.array(
    [
        max(AGES[name].youngest_applicant, AGES[name].youngest - AGES[name].most_older)
        for name in RELATIONS
    ]
)
"""How old an applicant must be to live with somebody of each relation."""
_YOUNG = np.array(
    [
        name in {*_CHILDREN, "grandchild", "niece or nephew", "sibling", "friend", "other relative"}
        for name in RELATIONS
    ]
)
"""Relations that are mostly children or youths here, where most limits of age lie."""


_TIES: dict[str, dict[str, tuple[int, int]]] = {
    "parent": {"parent": (-LARGEST_GAP_OF_A_COUPLE, LARGEST_GAP_OF_A_COUPLE)},
    "grandparent": {"parent": (PARENT_AGE, _UNBOUNDED)},
    "sibling": {
        "parent": (-_UNBOUNDED, -PARENT_AGE),
        "grandparent": (-_UNBOUNDED, -GRANDPARENT_AGE),
        "sibling": (-LARGEST_GAP_OF_SIBLINGS, LARGEST_GAP_OF_SIBLINGS),
    },
    "niece or nephew": {"parent": (-_UNBOUNDED, -GRANDPARENT_AGE)},
    "stepchild": {
        "spouse": (-LARGEST_GAP_OF_A_MOTHER, -PARENT_AGE),
        "domestic partner": (-LARGEST_GAP_OF_A_MOTHER, -PARENT_AGE),
    },
}
"""How much older than another member somebody is at least and at most, besides the applicant."""


def draw_families(households: Households, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the kind of family of each household; sizes and relations are set in place."""
    n = len(households)
    families = list(FAMILIES.values())
    shares = np.array([family.share for family in families])
    kind = rng.choice(len(families), size=n, p=shares / shares.sum())
    smallest, largest = np.array([family.sizes for family in families]).T
    households.size[:] = rng.integers(smallest[kind], largest[kind] + 1)
    relation = households.member["relation"]
    relation[:] = MEMBER_FEATURES["relation"].encode("self")
    present = households.present
    for position, family in enumerate(families):
        (columns,) = np.nonzero(kind == position)
        if not family.others:
            continue
        weights = np.array(list(family.others.values()), float)
        codes = np.array([RELATIONS.index(name) for name in family.others])
        drawn = rng.choice(
            codes, size=(LARGEST_HOUSEHOLD - 1, len(columns)), p=weights / weights.sum()
        )
        relation[1:, columns] = drawn
    chance = np.array([family.partner for family in families])[kind]
    has_partner = (rng.random(n) < chance) & (households.size > 1)
    partner = np.array([RELATIONS.index(name) for name in _PARTNERS])
    relation[1, has_partner] = rng.choice(partner, size=int(has_partner.sum()))
    parent, relative = RELATIONS.index("parent"), RELATIONS.index("other relative")
    is_parent = relation == parent
    relation[is_parent & (np.cumsum(is_parent, axis=0) > MOST_PARENTS)] = relative
    relation[~present] = MEMBER_FEATURES["relation"].encode(MEMBER_FEATURES["relation"].default)
    return kind


class AgeTable:
    """Draws ages: often around a limit of some program, always within what a relation allows.

    Args:
        limits: Ages at which the answer of some program may change.
    """

    def __init__(self, limits: NDArray[np.float64]) -> None:
        weights = np.ones((2, OLDEST_AGE + 1))
        weights[0, YOUTH_AGE + 1 :] = 0.05
        for limit in limits:
            for age in (int(limit) - 1, int(limit), int(limit) + 1):
                if 0 <= age <= OLDEST_AGE:
                    weights[:, age] += (3.0, 6.0)
        # Under 4, months are told: each year holds several limits.
        weights[0, :4] += 4.0
        self._below = np.concatenate([np.zeros((2, 1)), np.cumsum(weights, axis=1)], axis=1)

    def draw_family(
        self, households: Households, kind: NDArray[np.intp], rng: np.random.Generator
    ) -> None:
        """Draw everybody's age, in place: the applicant's, then each within all that are known.

        Args:
            households: With sizes and relations.
            kind: The kind of each family.
            rng: The stream to draw from.
        """
        relation, age = households.member["relation"], households.member["age"]
        age[0] = self.draw(relation[0], None, rng, within=_applicant_ages(households, kind))
        known = np.zeros(age.shape, np.bool_)
        others = [code for code, name in enumerate(RELATIONS) if name not in _TIES]
        for codes in (others, *([RELATIONS.index(name)] for name in _TIES)):
            for row in range(1, households.places):
                (columns,) = np.nonzero(np.isin(relation[row], codes) & households.present[row])
                within = _within(relation[:, columns], age[:, columns], known[:, columns], row)
                age[row, columns] = self.draw(
                    relation[row, columns], age[0, columns], rng, within=within
                )
                known[row, columns] = True

    def draw(
        self,
        relation: NDArray[np.int8],
        applicant: NDArray[np.int16] | None,
        rng: np.random.Generator,
        within: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None,
    ) -> NDArray[np.int16]:
        """Return an age for each place, shape of `relation`.

        Args:
            relation: Codes of the relations.
            applicant: The applicant's age in each place; `None` when the applicants are drawn.
            rng: The stream to draw from.
            within: Narrower youngest and oldest ages, if any.
        """
        low, high, least, most = _LIMITS[:, relation]
        if applicant is not None:
            low = np.maximum(low, applicant + least)
            high = np.minimum(high, applicant + most)
        if within is not None:
            low, high = np.maximum(low, within[0]), np.minimum(high, within[1])
        low = np.clip(low, 0, OLDEST_AGE)
        high = np.clip(high, low, OLDEST_AGE)
        group = np.where(_YOUNG[relation], 0, 1)
        floor, ceiling = self._below[group, low], self._below[group, high + 1]
        aim = floor + rng.random(relation.shape) * (ceiling - floor)
        ages = np.empty(relation.shape, np.int16)
        for index in (0, 1):
            here = group == index
            ages[here] = np.searchsorted(self._below[index], aim[here], side="right") - 1
        return np.clip(ages, low, high).astype(np.int16)


def _within(
    relation: NDArray[np.int8], age: NDArray[np.int16], known: NDArray[np.bool_], row: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the youngest and oldest age that the known ages leave to one member of each."""
    youngest = np.zeros(age.shape[1], np.intp)
    oldest = np.full(age.shape[1], OLDEST_AGE)
    partner = np.isin(relation[row], [RELATIONS.index(name) for name in set(_PARTNERS)])
    minor = partner & (age[0] < ADULT_AGE)
    oldest = np.where(minor, age[0] + LARGEST_GAP_WITH_A_MINOR, oldest)
    near = np.minimum(age[0] - LARGEST_GAP_WITH_A_MINOR, ADULT_AGE)
    youngest = np.where(partner & ~minor, near, youngest)
    for name, ties in _TIES.items():
        mine = relation[row] == RELATIONS.index(name)
        for other, (least, most) in ties.items() if mine.any() else ():
            there = known & (relation == RELATIONS.index(other)) & mine
            youngest = np.maximum(youngest, np.where(there, age + least, 0).max(axis=0))
            oldest = np.minimum(oldest, np.where(there, age + most, OLDEST_AGE).min(axis=0))
    return youngest, oldest


def _applicant_ages(
    households: Households, kind: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the youngest and oldest age that each applicant may have in that family."""
    youngest, oldest = np.array([family.ages for family in FAMILIES.values()])[kind].T
    for row in range(1, LARGEST_HOUSEHOLD):
        relation = households.member["relation"][row]
        _, high, least, _ = _LIMITS[:, relation]
        there = households.present[row]
        youngest = np.where(there, np.maximum(youngest, YOUNGEST_APPLICANT[relation]), youngest)
        oldest = np.where(there, np.minimum(oldest, high - least), oldest)
    return youngest, oldest
