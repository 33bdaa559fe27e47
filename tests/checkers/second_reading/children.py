"""Care, school and health of children."""

from benyfits_data.household.model import Household, Member
from tests.checkers.second_reading.terms import (
    HIGH_SCHOOL,
    HOMELESS,
    IN_CARE,
    KIN_CHILD,
    OWN_CHILD,
    anybody_gets_cash,
    anybody_gets_ssi,
    both_of_the_couple,
    decides,
    family_income,
    gross,
    in_city,
    in_state,
    is_foster,
    parents_family,
    row,
    spouse,
)


@decides("BeaconPrograms")
def beacon(h: Household) -> bool:
    return any(5 <= m.age <= 21 and m.current_school_level != "none" for m in h.members)


@decides("CareerAndTechnicalEducation")
@decides("HighSchool")
def high_school_next(h: Household) -> bool:
    return in_city(h) and any(
        m.current_grade == 8 or (m.current_grade == 9 and not m.repeating_grade) for m in h.members
    )


@decides("MiddleSchool")
def middle_school_next(h: Household) -> bool:
    return in_city(h) and any(m.current_grade == 5 for m in h.members)


@decides("KindergartenAndElementarySchool")
def kindergarten(h: Household) -> bool:
    return in_city(h) and any(m.age in (4, 5) for m in h.members)


@decides("PreKForAll")
def pre_k(h: Household) -> bool:
    return in_city(h) and any(m.age in (3, 4) for m in h.members)


@decides("ThreeK")
def three_k(h: Household) -> bool:
    return in_city(h) and any(m.age < 4 for m in h.members)


@decides("TheEarlyInterventionProgram")
def early_intervention(h: Household) -> bool:
    return in_city(h) and any(m.age <= 3 for m in h.members)


@decides("SummerMeals")
def summer_meals(h: Household) -> bool:
    return any(m.age <= 18 for m in h.members)


@decides("ComprehensiveAfterSchoolSystemOfNYC")
def after_school(h: Household) -> bool:
    return in_city(h) and any(m.current_grade in range(0, 13) for m in h.members)


@decides("STEMMattersNYC")
def stem_matters(h: Household) -> bool:
    return in_city(h) and any(
        m.current_grade in range(0, 12) and m.school_type in ("public", "charter")
        for m in h.members
    )


@decides("ChildHealthPlusAndChildrensMedicaid")
def child_health_plus(h: Household) -> bool:
    return in_state(h) and any(m.age < 19 and not m.health_insurance for m in h.members)


@decides("ChildrenAndYouthWithSpecialHealthCareNeeds")
def special_health_care_needs(h: Household) -> bool:
    return in_city(h) and any(
        m.age <= 21
        and (
            m.chronic_health_condition
            or m.disabled
            or m.developmental_condition
            or m.emotional_behavioral_condition
            or m.mental_health_condition
        )
        and m.needs_extra_health_care
        for m in h.members
    )


@decides("NYCYouthHealth")
def youth_health(h: Household) -> bool:
    return in_city(h) and any(12 <= m.age <= 21 for m in h.members)


@decides("PrimaryAndPreventiveHealthCare")
def preventive_health_care(h: Household) -> bool:
    return in_city(h) and any(m.age <= 21 for m in h.members)


@decides("OutpatientTreatmentServices")
def outpatient_treatment(h: Household) -> bool:
    def clinic(m: Member) -> bool:
        return m.age <= 18 and (m.emotional_behavioral_condition or m.mental_health_condition)

    def day_treatment(m: Member) -> bool:
        return 3 <= m.age <= 18 and m.mental_health_condition and m.serious_classroom_difficulty

    return any(clinic(m) or day_treatment(m) for m in h.members)


@decides("FamilyAssessmentProgram")
def family_assessment(h: Household) -> bool:
    elders = {"parent", "grandparent", "other relative"}
    with_elders = any(m.relation in elders for m in h.members)
    children = [
        m for m in h.members if m.relation in IN_CARE or (m.relation == "self" and with_elders)
    ]
    return in_city(h) and h.struggles_to_relate and any(c.age <= 18 for c in children)


@decides("FamilyResourceCenters")
def family_resource_centers(h: Household) -> bool:
    at_home = any(m.relation in ("parent", "grandparent") for m in h.members)
    is_carer = h.applicant.responsible_for_day_to_day or h.applicant.legal_guardian

    def is_looked_after(m: Member) -> bool:
        kin = m.relation in KIN_CHILD and (m.age < 18 or is_carer)
        return m.relation in OWN_CHILD or kin or (m.relation == "self" and at_home)

    return in_city(h) and any(
        is_looked_after(m)
        and m.age <= 24
        and (m.emotional_behavioral_condition or m.mental_health_condition)
        for m in h.members
    )


@decides("SchoolAgeAndEarlyChildhoodFamilyAndCommunityEngagementFACECenters")
def face_centers(h: Household) -> bool:
    at_home = any(m.relation in ("parent", "grandparent") for m in h.members)
    children = [m for m in h.members if m.relation in IN_CARE or (m.relation == "self" and at_home)]
    return in_city(h) and any(
        c.age <= 21 and (c.disabled or c.developmental_condition) for c in children
    )


def is_young_child_of_applicant(m: Member) -> bool:
    return m.relation in ("child", "adopted child", "foster child") and m.age < 21


def is_acting_guardian(m: Member) -> bool:
    return m.responsible_for_day_to_day and m.legal_guardian


@decides("OfficeOfChildSupportServices")
def child_support(h: Household) -> bool:
    single_parent = (
        h.applicant.responsible_for_day_to_day
        and spouse(h) is None
        and any(is_young_child_of_applicant(c) for c in h.members)
    )
    return in_city(h) and (single_parent or any(is_acting_guardian(m) for m in h.members))


@decides("NewbornHomeVisitingProgram")
def newborn_home_visiting(h: Household) -> bool:
    has_baby = any(
        b.relation in OWN_CHILD and b.age_months is not None and b.age_months < 3 for b in h.members
    )
    homes = ("NYCHA development", "DHS shelter")
    return in_city(h) and has_baby and (h.acs or h.housing_type in homes)


@decides("EarlyHeadStart")
def early_head_start(h: Household) -> bool:
    limits = (14_580, 19_720, 24_860, 30_000, 35_140, 40_280)
    family = (
        h.housing_type in HOMELESS
        or anybody_gets_cash(h)
        or anybody_gets_ssi(h)
        or family_income(h) <= row(limits, h)
    )
    children = [c for c in h.members if c.relation in IN_CARE and c.age <= 3]
    return in_city(h) and any(family or is_foster(c) for c in children)


@decides("HeadStart")
def head_start(h: Household) -> bool:
    limits = (0, 20_440, 25_820, 31_200, 36_580, 41_960)
    family = (
        h.housing_type in HOMELESS
        or anybody_gets_cash(h)
        or h.receives_snap
        or anybody_gets_ssi(h)
        or family_income(h) < row(limits, h)
    )
    children = [c for c in h.members if c.relation in IN_CARE and c.age in (3, 4)]
    return in_city(h) and any(family or is_foster(c) for c in children)


def trains_or_studies(m: Member) -> bool:
    return (
        m.enrolled_in_educational_training
        or m.enrolled_in_vocational_training
        or m.current_school_level in ("school", "college")
    )


def is_treated(m: Member) -> bool:
    return m.attending_service_for_domestic_violence or m.receiving_treatment_for_substance_abuse


@decides("ChildCareVouchers")
def child_care_vouchers(h: Household) -> bool:
    limits = {2: 73_869.56, 3: 91_250.63, 4: 108_631.70, 5: 126_012.77, 6: 143_393.84}
    family = parents_family(h)
    needy = (
        anybody_gets_cash(h)
        or h.housing_type in HOMELESS
        or gross(*family) < limits.get(len(family), 0)
    )
    reason = h.housing_type in HOMELESS or all(
        p.work_hours_per_week >= 10
        or trains_or_studies(p)
        or p.days_looking_for_work > 0
        or is_treated(p)
        for p in both_of_the_couple(h)
    )
    child = any(c.relation in IN_CARE and c.age < 14 for c in h.members)
    return in_city(h) and needy and reason and child


@decides("InfantToddlerPrograms")
def infant_toddler(h: Household) -> bool:
    limits = (51_610, 67_490, 83_370, 99_250, 115_130, 131_010)
    parents = [m for m in h.members if m.relation in ("self", "spouse")]
    reasons = h.housing_type in HOMELESS or all(
        p.work_hours_per_week >= 10
        or trains_or_studies(p)
        or 1 <= p.days_looking_for_work <= 183
        or is_treated(p)
        for p in parents
    )
    child = any(c.relation in IN_CARE and c.age <= 5 for c in h.members)
    family = parents_family(h)
    return in_city(h) and child and (reasons or gross(*family) <= limits[len(family) - 1])


def is_eviction_family(h: Household) -> bool:
    """Whether the household is a family that lost its home or is about to."""

    def counts(c: Member) -> bool:
        studies = c.current_grade in HIGH_SCHOOL or c.enrolled_in_vocational_training
        return c.relation in IN_CARE and (c.age < 18 or (c.age < 19 and studies))

    family = any(counts(m) or m.weeks_pregnant is not None for m in h.members)
    shelter = h.housing_type == "HRA shelter" or (
        h.housing_type == "DHS shelter"
        and (h.eligible_for_hra_shelter or h.evicted_in_year_before_shelter)
    )
    evicted = h.evicted_months_ago is not None and h.evicted_months_ago <= 12
    return in_city(h) and family and (shelter or h.currently_being_evicted or evicted)


@decides("FamilyHomelessnessAndEvictionPreventionSupplement")
def eviction_supplement(h: Household) -> bool:
    return is_eviction_family(h) and anybody_gets_cash(h)
