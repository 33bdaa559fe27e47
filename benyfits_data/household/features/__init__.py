"""Every feature: one typed declaration each, in one file per topic.

A new fact is one more line in the topic's class; sampling, columns, profiles, questions, audit
and evaluation find it there.
"""

from dataclasses import dataclass

from benyfits_data.household.features.benefits import Benefits
from benyfits_data.household.features.family import Family
from benyfits_data.household.features.health import Health
from benyfits_data.household.features.history import History
from benyfits_data.household.features.home import Home
from benyfits_data.household.features.identity import Identity
from benyfits_data.household.features.property import Property
from benyfits_data.household.features.school import School
from benyfits_data.household.features.together import Together
from benyfits_data.household.features.work import Work
from benyfits_data.household.schema import Feature, features_of


@dataclass(frozen=True, kw_only=True)
class MemberFacts(Identity, Family, School, Work, Benefits, Health, History, Property):
    """Every member feature as a typed attribute."""


@dataclass(frozen=True, kw_only=True)
class HouseholdFacts(Home, Together):
    """Every household feature as a typed attribute."""


MEMBER_FEATURES: dict[str, Feature] = features_of(MemberFacts.__bases__, "member")
HOUSEHOLD_FEATURES: dict[str, Feature] = features_of(HouseholdFacts.__bases__, "household")
FEATURES: dict[str, Feature] = {**HOUSEHOLD_FEATURES, **MEMBER_FEATURES}
