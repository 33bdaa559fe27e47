"""A household and its members: frozen, validated, readable from and writable to plain facts."""

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from datetime import date
from typing import Any

from benyfits_data.errors import FeatureValueError, ImpossibleHouseholdError, UnknownFeatureError
from benyfits_data.household.constants import LARGEST_HOUSEHOLD, MOST_MEMBERS
from benyfits_data.household.feature_arrays import FeatureArrays
from benyfits_data.household.features import (
    FEATURES,
    HOUSEHOLD_FEATURES,
    MEMBER_FEATURES,
    HouseholdFacts,
    MemberFacts,
)
from benyfits_data.household.registry import CONSTRAINTS, Violation
from benyfits_data.household.repair import complete_columns
from benyfits_data.household.schema import Feature
from benyfits_data.spelling import suggest

__all__ = ["LARGEST_HOUSEHOLD", "MOST_MEMBERS", "Household", "Member", "most_members"]

_WHO = ("name", "relation", "age")
_REPR_LENGTH = 200
"""A household prints on two or three lines of a notebook; whole, six members take 4,000 letters."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Member(MemberFacts):
    """One person of a household; its attributes are the member features."""

    def __post_init__(self) -> None:
        _parse(self, MEMBER_FEATURES)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> "Member":
        """Return a member from plain values; facts not given take their defaults.

        Raises:
            UnknownFeatureError: A fact is not a declared member feature.
            FeatureValueError: A value is outside its feature's domain.
        """
        return cls(**_known(facts, MEMBER_FEATURES, "member"))

    def __repr__(self) -> str:
        stated = {name: feature for name, feature in MEMBER_FEATURES.items() if name not in _WHO}
        return _short(f"Member {self.relation} {self.age}", self, stated)

    def facts(self) -> dict[str, Any]:
        """Return the features as values that JSON can hold, in order of declaration."""
        return _plain(self, MEMBER_FEATURES)


@dataclass(frozen=True, kw_only=True, repr=False)
class Household(HouseholdFacts):
    """One to twenty members, the applicant first, and the facts they share.

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
        if not 1 <= len(self.members) <= MOST_MEMBERS:
            raise FeatureValueError(
                f"A household has {len(self.members)} members, expected 1 to {MOST_MEMBERS}. "
                "Split or shorten it.",
                members=len(self.members),
            )
        _parse(self, HOUSEHOLD_FEATURES)
        if constrained and (violations := self.violations()):
            raise ImpossibleHouseholdError(_describe(violations, self), violations=violations)

    @property
    def applicant(self) -> Member:
        """The member who asks for benefits."""
        return self.members[0]

    def violations(self) -> list[Violation]:
        """Return every violation of a constraint, in the order of the constraints."""
        return [
            Violation(constraint.name, position, constraint.says)
            for constraint in CONSTRAINTS.values()
            for position, owners in constraint.asked_of(self)
            if not constraint.holds(*owners)
        ]

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
            **_known(shared, HOUSEHOLD_FEATURES, "household"),
        )

    @classmethod
    def complete(cls, members: Sequence[Mapping[str, Any]], **facts: Any) -> "Household":
        """Return a possible household that has all the given facts; the rest is filled in.

        Args:
            members: Facts of each member, the applicant first; the others need a `relation`.
            facts: What the members share, such as `tenure="renter"`.

        Raises:
            UnknownFeatureError: A fact is not a declared feature.
            FeatureValueError: A value is outside its feature's domain.
            ImpossibleHouseholdError: The given facts contradict a constraint.
        """
        household = cls.fill_in({"members": members, **facts})
        if violations := household.violations():
            raise ImpossibleHouseholdError(
                f"No possible household has these facts. {_describe(violations, household)} "
                "Change the facts that contradict it.",
                violations=violations,
            )
        return household

    @classmethod
    def fill_in(cls, facts: Mapping[str, Any]) -> "Household":
        """Return a household with all the given facts, the others changed until it is possible.

        Where no possible household has the given facts, it violates a constraint.

        Args:
            facts: As for `from_facts`; what is not given starts at its default.

        Raises:
            UnknownFeatureError: A fact is not a declared feature.
            FeatureValueError: A value is outside its feature's domain.
        """
        plain = cls.from_facts(facts, constrained=False)
        if not (violated := plain.violations()):
            return plain
        table = FeatureArrays.from_households([plain])
        complete_columns(table, facts, {each.constraint for each in violated})
        return cls.from_facts(table.facts(0), constrained=False)

    def __repr__(self) -> str:
        who = ", ".join(f"{member.relation} {member.age}" for member in self.members)
        return _short(f"Household of {len(self.members)} ({who})", self, HOUSEHOLD_FEATURES)

    def facts(self) -> dict[str, Any]:
        """Return `{"members": [...], feature: value}` with values that JSON can hold."""
        return {
            "members": [member.facts() for member in self.members],
            **_plain(self, HOUSEHOLD_FEATURES),
        }


def most_members(household: Household) -> int:
    """Return how many members readers make room for: those of a household, and six at least."""
    return max(LARGEST_HOUSEHOLD, len(household.members))


def _describe(violations: list[Violation], household: Household) -> str:
    first = violations[0]
    who = ""
    if first.member is not None:
        member = household.members[first.member]
        who = f" by member {first.member} ({member.relation}, age {member.age})"
    more = f" and {len(violations) - 1} more" if len(violations) > 1 else ""
    return f"Impossible household: {first.constraint} is violated{who}{more}. {first.says}"


def _short(who: str, owner: Any, features: Mapping[str, Feature]) -> str:
    """Return who it is and the facts that differ from their defaults, as far as there is room."""
    text = who
    for name, feature in features.items():
        value = getattr(owner, name)
        if value != feature.default:
            more = f"{':' if text == who else ','} {name}={value!r}"
            if len(text) + len(more) > _REPR_LENGTH - 6:
                return f"<{text}, ...>"
            text += more
    return f"<{text}>"


def _known(facts: Mapping[str, Any], features: Mapping[str, Feature], level: str) -> Any:
    if not isinstance(facts, Mapping):
        raise FeatureValueError(
            f"A member is {facts!r}, expected facts by name. Write {{'age': 30}}.", value=facts
        )
    for name in facts:
        if name not in features:
            if name in FEATURES:
                hint = f"It is one of the {FEATURES[name].level}: tell it there."
            else:
                hint = suggest(
                    str(name), list(features), "`benyfits-data features list` names them all."
                )
            raise UnknownFeatureError(
                f"{name!r} is not a {level} feature. {hint}", feature=name, level=level
            )
    return facts


def _parse(owner: Any, features: Mapping[str, Feature]) -> None:
    """Refuse values outside their domains, and read dates that are text."""
    for name, feature in features.items():
        value = getattr(owner, name)
        parsed = feature.parse(value)
        if parsed is not value:
            object.__setattr__(owner, name, parsed)


def _plain(owner: Any, features: Mapping[str, Feature]) -> dict[str, Any]:
    values = {name: getattr(owner, name) for name in features}
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
    }
