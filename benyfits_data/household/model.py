"""A household and its members: frozen, validated, readable from and writable to plain facts."""

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from typing import Any

from benyfits_data.errors import FeatureValueError, ImpossibleHouseholdError, UnknownFeatureError
from benyfits_data.household.declaration import Feature
from benyfits_data.household.features import (
    HOUSEHOLD_FEATURES,
    MEMBER_FEATURES,
    HouseholdFacts,
    MemberFacts,
)

LARGEST_HOUSEHOLD = 6


@dataclass(frozen=True)
class Violation:
    """One constraint that a household breaks.

    Attributes:
        constraint: Name of the constraint.
        member: Position of the member it is about; `None` when it is about the household.
        says: What the constraint demands.
    """

    constraint: str
    member: int | None
    says: str


@dataclass(frozen=True, kw_only=True)
class Member(MemberFacts):
    """One person of a household; its attributes are the member features."""

    def __post_init__(self) -> None:
        _check_domains(self, MEMBER_FEATURES)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Member":
        """Return a member from plain values; facts not given take their defaults.

        Raises:
            UnknownFeatureError: A fact is not a declared member feature.
            FeatureValueError: A value is outside its feature's domain.
        """
        return cls(**_parse(facts, MEMBER_FEATURES, "member"))

    def facts(self) -> dict[str, Any]:
        """Return the features as values that JSON can hold, in order of declaration."""
        return _plain(self, MEMBER_FEATURES)


@dataclass(frozen=True, kw_only=True)
class Household(HouseholdFacts):
    """One to six members, the applicant first, and the facts they share.

    Args:
        members: The members; the first is the applicant.
        constrained: Whether impossible households are refused.

    Raises:
        FeatureValueError: A value is outside its domain, or the members are too few or too many.
        ImpossibleHouseholdError: A constraint is violated.
    """

    members: tuple[Member, ...]
    constrained: InitVar[bool] = True

    def __post_init__(self, constrained: bool) -> None:
        if not 1 <= len(self.members) <= LARGEST_HOUSEHOLD:
            raise FeatureValueError(
                f"A household has {len(self.members)} members, expected 1 to {LARGEST_HOUSEHOLD}. "
                "Split or shorten it.",
                members=len(self.members),
            )
        _check_domains(self, HOUSEHOLD_FEATURES)
        if constrained:
            found = self.violations()
            if found:
                raise ImpossibleHouseholdError(_describe(found, self), violations=found)

    @property
    def applicant(self) -> Member:
        """The member who asks for benefits."""
        return self.members[0]

    def violations(self) -> list[Violation]:
        """Return every violation of a constraint, in the order of the constraints."""
        from benyfits_data.household.constraints import violations

        return violations(self)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], *, constrained: bool = True) -> "Household":
        """Return a household from `{"members": [{feature: value}], feature: value}`.

        Args:
            facts: Plain values; facts not given take their defaults. The first member's relation
                is `self` unless given.
            constrained: Whether impossible households are refused.

        Raises:
            UnknownFeatureError: A fact is not a declared feature.
            FeatureValueError: A value is outside its feature's domain.
            ImpossibleHouseholdError: A constraint is violated.
        """
        members = facts.get("members")
        if not isinstance(members, Sequence) or isinstance(members, str):
            raise FeatureValueError(
                f"members is {members!r}, expected a list of members. Give at least the applicant.",
                feature="members",
                value=members,
            )
        shared = {name: value for name, value in facts.items() if name != "members"}
        return cls(
            members=tuple(Member.from_facts(member) for member in members),
            constrained=constrained,
            **_parse(shared, HOUSEHOLD_FEATURES, "household"),
        )

    def facts(self) -> dict[str, Any]:
        """Return `{"members": [...], feature: value}` with values that JSON can hold."""
        return {
            "members": [member.facts() for member in self.members],
            **_plain(self, HOUSEHOLD_FEATURES),
        }


def _describe(found: list[Violation], household: Household) -> str:
    first = found[0]
    who = ""
    if first.member is not None:
        member = household.members[first.member]
        who = f" by member {first.member} ({member.relation}, age {member.age})"
    more = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return f"Impossible household: {first.constraint} is violated{who}{more}. {first.says}"


def _parse(facts: Mapping[str, Any], features: Mapping[str, Feature], level: str) -> dict[str, Any]:
    for name in facts:
        if name not in features:
            raise UnknownFeatureError(
                f"{name!r} is not a {level} feature. `benyfits-data features list` names them all.",
                feature=name,
                level=level,
            )
    return {name: features[name].parse(value) for name, value in facts.items()}


def _check_domains(owner: Any, features: Mapping[str, Feature]) -> None:
    for name, feature in features.items():
        feature.parse(getattr(owner, name))


def _plain(owner: Any, features: Mapping[str, Feature]) -> dict[str, Any]:
    return {
        name: value.isoformat()
        if features[name].kind == "date" and (value := getattr(owner, name)) is not None
        else getattr(owner, name)
        for name in features
    }
