"""A whole household from a few facts: what is not told is filled in so that it is possible.

Examples and hand-made households tell what matters. Every other fact starts at its default; where
a constraint is violated, the features it settles, or else the others it reads, take the first value
that satisfies it, unless they were told.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.constraints.registry import Constraint
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household, Member

_LARGEST_RANGE = 128
_PASSES = 12


def complete(facts: Mapping[str, Any]) -> Household:
    """Return a possible household that has all the given facts.

    Args:
        facts: `{"members": [{feature: value}], feature: value}`; members after the first need a
            relation, everything else may be left out.

    Raises:
        UnknownFeatureError: A fact is not a declared feature.
        FeatureValueError: A value is outside its feature's domain.
        ImpossibleHouseholdError: The given facts contradict a constraint.
    """
    household = fill_in(facts)
    found = household.violations()
    if found:
        first = found[0]
        who = "" if first.member is None else f" (member {first.member})"
        raise ImpossibleHouseholdError(
            f"The facts told leave no possible household: {first.constraint}{who}. {first.says} "
            "Change the facts that contradict it.",
            violations=found,
        )
    return household


def fill_in(facts: Mapping[str, Any]) -> Household:
    """Return a household that has all the given facts, as possible as they leave it.

    Raises:
        UnknownFeatureError: A fact is not a declared feature.
        FeatureValueError: A value is outside its feature's domain.
    """
    household = Household.from_facts(facts, constrained=False)
    told = [set(member) for member in facts["members"]]
    told_together = set(facts) - {"members"}
    for _ in range(_PASSES):
        if not household.violations():
            break
        before = household
        for constraint in CONSTRAINTS.values():
            household = _settle(household, constraint, told, told_together)
        if household == before:
            break
    return household


def _settle(
    household: Household, constraint: Constraint, told: list[set[str]], told_together: set[str]
) -> Household:
    for position in range(len(household.members)):
        if _holds(constraint, household, position):
            continue
        for name in _features_to_change(constraint):
            if name in HOUSEHOLD_FEATURES:
                if name not in told_together:
                    household = _first_that_holds(household, constraint, name, None, position)
            else:
                targets = [position] if constraint.of_member else range(len(household.members))
                for target in targets:
                    if name not in told[target]:
                        household = _first_that_holds(household, constraint, name, target, position)
            if _holds(constraint, household, position):
                break
        if not constraint.of_member:
            break
    return household


def _features_to_change(constraint: Constraint) -> list[str]:
    """Return what a constraint settles, then what else it reads, in case the former is told."""
    read = [name for name in constraint.holds.__code__.co_names if name in FEATURES]
    return list(dict.fromkeys([*constraint.settles, *read]))


def _holds(constraint: Constraint, household: Household, position: int) -> bool:
    if constraint.of_member:
        return constraint.holds(household, household.members[position])
    return constraint.holds(household)


def _first_that_holds(
    household: Household, constraint: Constraint, name: str, target: int | None, position: int
) -> Household:
    features = HOUSEHOLD_FEATURES if target is None else MEMBER_FEATURES
    related = [other for other in CONSTRAINTS.values() if name in other.settles]
    second_best = household
    for value in _candidates(features[name]):
        changed = _with_value(household, name, target, value)
        if not _holds(constraint, changed, position):
            continue
        if all(_holds(other, changed, position) for other in related):
            return changed
        if second_best is household:
            second_best = changed
    return second_best


def _with_value(household: Household, name: str, target: int | None, value: Any) -> Household:
    shared = {feature: getattr(household, feature) for feature in HOUSEHOLD_FEATURES}
    members = household.members
    if target is None:
        shared[name] = value
    else:
        facts = {feature: getattr(members[target], feature) for feature in MEMBER_FEATURES}
        facts[name] = value
        members = (*members[:target], Member(**facts), *members[target + 1 :])
    return Household(members=members, constrained=False, **shared)


def _candidates(feature: Feature) -> Iterator[Any]:
    yield feature.default
    if feature.kind == "flag":
        yield not feature.default
        return
    if feature.optional:
        yield None
    if feature.kind == "choice":
        yield from feature.choices
    if feature.minimum is None or feature.maximum is None:
        return
    first, last = int(feature.minimum), int(feature.maximum)
    codes = range(first, min(last, first + _LARGEST_RANGE) + 1)
    if feature.kind == "number":
        yield from codes
        yield from (code for code in (1000, 1500, 12_000, last) if first <= code <= last)
    elif feature.kind == "decimal":
        yield from (float(code) for code in codes)
    else:
        yield from (feature.decode(code) for code in (last, first))
