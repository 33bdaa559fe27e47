"""The sections of a profile in its two registers, full and short.

The full register states every fact that applies, and denies what is not so. The short one says
first that what it does not say is not so, and then only what is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benyfits_data.household.constraints.derived import applies, guard_of
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.household.schema import Feature
from benyfits_data.profiles.sentences import (
    ATTENDANCE,
    IDENTITY,
    SAID_TOGETHER,
    TOPICS,
    Sentence,
    deny,
    introduce,
    state,
    value_sentence,
)
from benyfits_data.profiles.verb_forms import (
    EACH,
    NOBODY,
    SOMEBODY,
    speaker_of,
    speaker_of_home,
)

ALL_OF_YOU = "All of you"
FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "ac": ("ac_age_years",),
    "can_care_for_self": ("can_manage_self",),
    "disabled": ("wheelchair", "bedridden"),
    "is_parent": ("first_time_parent",),
    "accepted_to_cuny": ("accepted_cuny_offer",),
    "served_in_military": ("conflict_veteran", "honorable_service"),
    "covid_funeral_expenses": ("covid_funeral_expense_date",),
    "is_property_owner": ("months_owned_property",),
    "receives_medicaid": ("receives_disability_medicaid",),
    "eligible_for_medicaid": ("receives_medicaid",),
    "has_received_ssi_or_ssdi": ("receives_ssi", "receives_ssdi"),
    "qualify_for_health_insurance": ("health_insurance", "eligible_for_medicaid"),
    "work_experience": ("has_worked",),
    "work_or_volunteer_experience": ("work_experience",),
    "authorized_to_work_in_us": ("age >= WORKING_AGE and citizenship == 'citizen_or_national'",),
    "lived_together_last_6_months": ("household_size == 1",),
    "in_excluded_housing_development": ("is_in_supervised_development",),
    "eligible_for_hra_shelter": ("housing_type == 'HRA shelter'",),
}
"""Flags that the short register leaves out where another fact says as much, and which these are:
conditions in the checker language, as those of declarations, each of which no household breaks."""
_JOINED = {names[0]: names for names in (ATTENDANCE, *SAID_TOGETHER)}
_LATER = {name for names in _JOINED.values() for name in names[1:]}
_UNITS = [
    tuple(MEMBER_FEATURES[fact] for fact in _JOINED.get(name, (name,)))
    for name in MEMBER_FEATURES
    if name not in IDENTITY and name not in _LATER
]
"""The facts of a member as sentences state them: mostly one, several where they belong together."""


@dataclass(frozen=True)
class Section:
    """One section of a profile.

    Attributes:
        title: Whom it is about.
        members: Their numbers; none for the household as one.
        paragraphs: Sentences, one paragraph a topic.
    """

    title: str
    members: tuple[int, ...]
    paragraphs: tuple[tuple[Sentence, ...], ...]


def full_sections(household: Household) -> list[Section]:
    """Return the home, what is the same for all members, then each of them."""
    everyone = tuple(range(len(household.members)))
    apply = [_applying(household, member) for member in household.members]
    same, nobody = _shared(household.members, apply)
    home = [feature for feature in HOUSEHOLD_FEATURES.values() if applies(feature, household)]
    sections = [_home(household, home)]
    if same or nobody:
        spoken = (
            (*state(household.applicant, EACH, _of(topic, same)), *deny(NOBODY, _of(topic, nobody)))
            for topic in TOPICS
        )
        sections.append(Section(ALL_OF_YOU, everyone, _filled(spoken)))
    for number in everyone:
        alone = [fact for fact in apply[number] if fact not in same and fact not in nobody]
        sections.append(_of_member(household, number, alone))
    return sections


def short_sections(household: Household) -> list[Section]:
    """Return the home, what is the same for all members, then each of them; no denials."""
    members = household.members
    stated = [
        [facts for facts in _UNITS if any(is_stated(fact, household, member) for fact in facts)]
        for member in members
    ]
    same = [
        facts
        for facts in stated[0]
        if len(members) > 1
        and all(facts in of_member for of_member in stated)
        and len({_values(member, facts) for member in members}) == 1
    ]
    home = [feature for feature in HOUSEHOLD_FEATURES.values() if is_stated(feature, household)]
    sections = [_home(household, home)]
    if same:
        shared = [fact for facts in same for fact in facts]
        spoken = (state(household.applicant, EACH, _of(topic, shared)) for topic in TOPICS)
        sections.append(Section(ALL_OF_YOU, tuple(range(len(members))), _filled(spoken)))
    for number, of_member in enumerate(stated):
        alone = [fact for facts in of_member if facts not in same for fact in facts]
        sections.append(_of_member(household, number, alone))
    return sections


def is_stated(feature: Feature, household: Household, member: Member | None = None) -> bool:
    """Return whether the short register states a fact, rather than leave out that it is not so.

    A flag with a denial is stated where the denial holds, and left out where the phrase does; so
    is what another fact says already.
    """
    value = getattr(member or household, feature.name)
    if feature.denial:
        return not value and applies(feature, household, member)
    return value != feature.off and not follows(feature, household, member)


def follows(feature: Feature, household: Household, member: Member | None = None) -> bool:
    """Return whether another fact says that a flag is so, by `FOLLOWS`."""
    owners = (household,) if member is None else (household, member)
    return any(
        guard_of(feature.name, condition)(*owners) for condition in FOLLOWS.get(feature.name, ())
    )


def _applying(household: Household, member: Member) -> list[Feature]:
    return [
        fact
        for facts in _UNITS
        for fact in facts
        if (fact.name in ATTENDANCE or applies(fact, household, member))
        and not (len(household.members) == 1 and fact.name == "lived_together_last_6_months")
    ]


def _shared(
    members: Sequence[Member], apply: Sequence[Sequence[Feature]]
) -> tuple[list[Feature], list[Feature]]:
    """Return the facts said of each member at once, and the flags said of nobody.

    Where a fact applies to some only, it is off for the others too, so that "nobody" is true of
    them all. What would read "each is not" is left to the members.
    """
    same: list[Feature] = []
    nobody: list[Feature] = []
    for facts in _UNITS:
        having = [member for member, of in zip(members, apply, strict=True) if facts[0] in of]
        values = {_values(member, facts) for member in having}
        if len(having) < 2 or len(values) > 1:
            continue
        is_for_all = len(having) == len(members)
        is_off = values == {tuple(fact.off for fact in facts)}
        if is_off and facts[0].kind == "flag" and not facts[0].denial:
            nobody += facts
        elif (is_for_all or (is_off and not facts[0].denial)) and not (
            is_off and _denies(facts[0])
        ):
            same += facts
    return same, nobody


def _denies(feature: Feature) -> bool:
    sentence = "" if feature.kind == "flag" else value_sentence(feature, feature.off, EACH)
    return " not " in sentence


def _values(member: Member, facts: Iterable[Feature]) -> tuple[object, ...]:
    return tuple(getattr(member, fact.name) for fact in facts)


def _home(household: Household, features: Sequence[Feature]) -> Section:
    speaker = speaker_of_home(len(household.members))
    spoken: list[list[Sentence]] = []
    for topic in TOPICS:
        spoken.append(state(household, speaker, _of(topic, features), again=any(spoken)))
    if household.tenure == "owner" and not household.applicant.is_property_owner:
        # Who reads the profile speaks for a home of somebody else's.
        owned = value_sentence(HOUSEHOLD_FEATURES["tenure"], "owner", SOMEBODY)
        spoken = [
            [
                replace(sentence, text=owned) if "tenure" in sentence.features else sentence
                for sentence in sentences
            ]
            for sentences in spoken
        ]
    return Section("Your home and household", (), _filled(spoken))


def _of_member(household: Household, number: int, features: Sequence[Feature]) -> Section:
    """Return the section of one member, who is introduced first."""
    member = household.members[number]
    speaker = speaker_of(member)
    paragraphs = []
    for topic in TOPICS:
        opening = [introduce(member)] if topic == MEMBER_FEATURES["name"].topic else []
        paragraphs.append(
            [*opening, *state(member, speaker, _of(topic, features), again=bool(opening))]
        )
    title = member.name if number else f"You, {member.name}"
    return Section(title, (number,), _filled(paragraphs))


def _of(topic: str, features: Iterable[Feature]) -> list[Feature]:
    return [feature for feature in features if feature.topic == topic]


def _filled(paragraphs: Iterable[Iterable[Sentence]]) -> tuple[tuple[Sentence, ...], ...]:
    return tuple(sentences for paragraph in paragraphs if (sentences := tuple(paragraph)))
