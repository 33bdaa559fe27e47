"""Health, disability, care and pregnancy."""

from dataclasses import dataclass

from benyfits_data.household.schema import flag, number


@dataclass(frozen=True, kw_only=True)
class Health:
    """Conditions, what they prevent, treatment, pregnancy."""

    disabled: bool = flag("has", "a disability")
    chronic_health_condition: bool = flag(
        "has", "a known or suspected long-term or serious health condition"
    )
    developmental_condition: bool = flag("has", "a known or suspected developmental condition")
    emotional_behavioral_condition: bool = flag(
        "has", "emotional or behavioral challenges or a risk of them"
    )
    mental_health_condition: bool = flag(
        "has",
        "a mental health condition that badly interferes with daily life",
    )
    mental_impairment: bool = flag("has", "a mental impairment", published=None)
    hiv_aids: bool = flag("has done", "been diagnosed with HIV or AIDS")
    heat_exacerbated_condition: bool = flag(
        "has", "a documented medical condition that extreme heat makes worse"
    )
    recovering_from_surgery: bool = flag("is", "recovering from surgery")
    wheelchair: bool = flag("does", "use{s} a wheelchair at all times", when="disabled")
    bedridden: bool = flag("is", "confined to bed", when="disabled", needs="not wheelchair")
    can_care_for_self: bool = flag(
        "can",
        "care for {reflexive} physically and mentally",
        default=True,
        note="Nobody under 6 can.",
        when="age >= SELF_CARE_AGE",
        needs="not bedridden",
    )
    can_manage_self: bool = flag(
        "can",
        "manage {possessive} own affairs, carry out daily activities and stay safe without help",
        default=True,
        note="False when any one of the three is out of reach.",
        when="age >= SELF_MANAGEMENT_AGE",
        needs="can_care_for_self",
    )
    has_family_to_help: bool = flag(
        "has",
        "a responsible person who is willing and able to help",
        default=True,
        note="Family or not.",
    )
    needs_semi_protective_care: bool = flag(
        "does",
        "need{s} semi-protective care in order to live outside an institution",
        published=None,
        when="age >= ADULT_AGE",
        needs=("not can_manage_self", "annual_work_income <= LARGEST_PAY_IN_DAY_TREATMENT"),
    )
    needs_extra_health_care: bool = flag(
        "does", "need{s} more health care and assistance than others of that age", published=None
    )
    developmental_mental_day_treatment: bool = flag(
        "does",
        "attend{s} a day treatment program",
        needs=(
            "has_reason_for_day_treatment",
            "annual_work_income <= LARGEST_PAY_IN_DAY_TREATMENT",
        ),
    )
    serious_classroom_difficulty: bool = flag(
        "has", "serious difficulties in a regular classroom", published=None, when="is_in_classroom"
    )
    can_access_subway_or_bus: bool = flag(
        "can",
        "ride the subway or bus, alone or with somebody",
        default=True,
        note="False for somebody who can use neither for any trip.",
        needs="not bedridden",
    )
    disability_prevents_some_transit_trips: bool = flag(
        "has",
        "a disability that rules out accessible buses or subways for at least some trips",
        published=None,
        when="disabled",
        implied_by="disabled and not can_access_subway_or_bus",
    )
    visitor_needing_paratransit: bool = flag(
        "is",
        "a visitor to the city who needs paratransit during the visit",
        published=None,
        when="place_of_residence != 'New York City'",
    )
    temporarily_unable_to_use_transit: bool = flag(
        "is",
        "temporarily unable to use public transit",
        published=None,
        when="has_reason_to_be_off_transit",
        implied_by=(
            "recovering_from_surgery and not can_access_subway_or_bus",
            "chronic_health_condition and not can_access_subway_or_bus",
        ),
    )
    receiving_treatment_for_substance_abuse: bool = flag(
        "is", "in treatment for substance abuse", when="years_sober"
    )
    years_sober: int | None = number(
        "{subject} {has} a history of substance abuse and {has} been sober for {count}.",
        ask="For how many years {has} {subject} been sober, if there is a history of substance "
        "abuse?",
        unit="year",
        maximum=60,
        default=None,
        none="{subject} {has} no history of substance abuse.",
        zero="{subject} {has} a history of substance abuse and {has} been sober for less than a "
        "year.",
        note="None without a history; the published data say -1.",
        when="age >= SUBSTANCE_AGE",
    )
    medication_treatment_non_compliance: bool = flag(
        "has", "a history of not following medication or treatment"
    )
    months_pregnant: int | None = number(
        "{subject} {has} completed {count} of pregnancy.",
        ask="How many months pregnant {is} {subject}, if at all?",
        unit="month",
        maximum=9,
        default=None,
        none="{subject} {has} no months of pregnancy to count.",
        zero="{subject} {is} in the first month of pregnancy.",
        note="Completed months; None when not pregnant. The published data say 0.",
        when="weeks_pregnant",
        always=True,
    )
    weeks_pregnant: int | None = number(
        "{subject} {is} {count} pregnant.",
        ask="How many weeks pregnant {is} {subject}, if at all?",
        unit="week",
        minimum=4,
        maximum=42,
        default=None,
        none="{subject} {is} not pregnant.",
        note="Counted from the last period, so known from the fourth week on.",
        published=None,
        when=("sex == 'female'", "age >= PREGNANCY_AGE", "age <= OLDEST_PREGNANCY_AGE"),
    )
    expecting_first_baby: bool = flag(
        "is",
        "expecting {possessive} first baby",
        published=None,
        when="weeks_pregnant",
        needs="has_no_child_here",
    )
    breastfeeding: bool = flag(
        "is",
        "breastfeeding",
        when=("sex == 'female'", "is_parent"),
        needs=("age <= OLDEST_PREGNANCY_AGE", "lives_with_nursling"),
    )
