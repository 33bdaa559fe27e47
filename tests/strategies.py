"""Hypothesis strategies for households, derived from the feature declarations."""

from datetime import date
from typing import Any

from hypothesis import strategies as st

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household, Member
from benyfits_data.household.schema import Feature


def values(feature: Feature) -> st.SearchStrategy[Any]:
    """Any value of a feature's domain; numbers lean towards small and round ones."""
    if feature.kind == "flag":
        return st.booleans()
    if feature.kind == "choice":
        known: st.SearchStrategy[Any] = st.sampled_from(list(feature.choices))
    elif feature.kind == "text":
        known = st.sampled_from(["Alex", "Maria", "Wei", "Amina"])
    else:
        assert feature.minimum is not None
        assert feature.maximum is not None
        low, high = int(feature.minimum), int(feature.maximum)
        if feature.kind == "number":
            known = st.integers(low, min(high, 100)) | st.integers(low, high)
        elif feature.kind == "decimal":
            known = st.integers(low * 10, high * 10).map(lambda tenths: tenths / 10)
        else:
            known = st.dates(date.fromordinal(low), date.fromordinal(high))
    return known | st.none() if feature.optional else known


@st.composite
def any_households(draw: st.DrawFn) -> Household:
    """Households with values from the domains, possible or not."""
    size = draw(st.integers(1, LARGEST_HOUSEHOLD))
    members = tuple(
        Member(**{name: draw(values(feature)) for name, feature in MEMBER_FEATURES.items()})
        for _ in range(size)
    )
    shared = {name: draw(values(feature)) for name, feature in HOUSEHOLD_FEATURES.items()}
    return Household(members=members, constrained=False, **shared)


@st.composite
def possible_households(draw: st.DrawFn) -> Household:
    """Households that violate no constraint: a few facts are told, the others completed.

    Facts that contradict the constraints are dropped from the last one on, so nothing is rejected.
    """
    size = draw(st.integers(1, 4))
    relations = list(MEMBER_FEATURES["relation"].choices)[1:]
    members: list[dict[str, Any]] = [{"relation": "self"}]
    household: dict[str, Any] = {"members": members}
    members += [{"relation": draw(st.sampled_from(relations))} for _ in range(size - 1)]
    told: list[tuple[dict[str, Any], str]] = []
    for facts, features in [
        (household, HOUSEHOLD_FEATURES),
        *((m, MEMBER_FEATURES) for m in members),
    ]:
        names = [name for name in features if name not in ("relation", "name")]
        for name in draw(st.lists(st.sampled_from(names), max_size=4, unique=True)):
            facts[name] = draw(values(features[name]))
            told.append((facts, name))
    while True:
        try:
            return Household.complete(**household)
        except ImpossibleHouseholdError:
            if told:
                facts, name = told.pop()
                del facts[name]
            else:
                members.pop()
