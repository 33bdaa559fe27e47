"""The rules and amounts of 2026, decided a second time."""

from benyfits_data.household.model import Household, Member
from tests.checkers.second_reading.children import (
    is_acting_guardian,
    is_eviction_family,
    is_treated,
    is_young_child_of_applicant,
    trains_or_studies,
)
from tests.checkers.second_reading.homes import gets_code_a_ssi, rent_is_over_a_third
from tests.checkers.second_reading.terms import (
    CHILDREN_2026,
    HOMELESS,
    IN_CARE,
    OWN_CHILD,
    PREGNANT_2026,
    RENT_FREEZE_HOME,
    STAR_HOME,
    Predicate,
    anybody_gets_cash,
    anybody_gets_ssi,
    both_of_the_couple,
    family_income,
    gross,
    in_city,
    in_state,
    is_former_foster_youth,
    is_foster,
    is_registered_if_a_man_of_18_to_25,
    married_to,
    medicaid_takes,
    owners,
    parents_family,
    partner_of,
    row,
    spouse,
    taxpayers,
)
from tests.checkers.second_reading.work import has_listed_need, may_claim

HEAD_START = (15_960, 21_640, 27_320, 33_000, 38_680, 44_360)


def dependent_care_credit(h: Household) -> bool:
    you, other = h.applicant, spouse(h)

    def is_cared_for(d: Member) -> bool:
        child = d.age < 13 and d.dependent
        of_couple = h.filing_jointly and d.relation in ("self", "spouse")
        helpless = not d.can_care_for_self and (of_couple or d.dependent)
        return d.has_paid_caregiver and d.lived_together_last_6_months and (child or helpless)

    def is_deemed_to_earn(m: Member) -> bool:
        return m.current_school_level != "none" or not m.can_care_for_self

    if not any(is_cared_for(d) for d in h.members):
        return False
    earns = you.annual_work_income > 0
    if other is None or not h.filing_jointly:
        apart = you.legally_separated or you.lived_apart_from_spouse_6_months
        return earns and (other is None or apart)
    other_earns = other.annual_work_income > 0
    return (
        (earns and other_earns)
        or (earns and is_deemed_to_earn(other))
        or (other_earns and is_deemed_to_earn(you))
    )


def accelerated_study(h: Household) -> bool:
    return any(
        m.accepted_to_cuny
        and (in_city(h) or m.eligible_for_instate_tuition)
        and (m.proficient_in_math or m.proficient_in_english_reading_and_writing)
        and m.college_credits <= 15
        and m.gpa is not None
        and m.gpa >= 2.0
        and m.will_study_full_time_for_associate_degree
        for m in h.members
    )


def paratransit(h: Household) -> bool:
    return any(
        m.disability_prevents_some_transit_trips or m.temporarily_unable_to_use_transit
        for m in h.members
    )


def cuny_start(h: Household) -> bool:
    return any(
        m.high_school_equivalent != "no diploma"
        and m.accepted_to_cuny
        and m.accepted_cuny_offer
        and not (m.proficient_in_math and m.proficient_in_english_reading_and_writing)
        for m in h.members
    )


def fatherhood_academy(h: Household) -> bool:
    def is_or_becomes_a_father(m: Member) -> bool:
        partner = partner_of(h, m)
        return m.is_parent or (partner is not None and partner.weeks_pregnant is not None)

    return in_city(h) and any(
        m.sex == "male" and 18 <= m.age <= 30 and is_or_becomes_a_father(m) for m in h.members
    )


def beacon(h: Household) -> bool:
    return any(m.age > 21 or (m.age >= 5 and m.current_school_level != "none") for m in h.members)


def enhanced_star(h: Household) -> bool:
    living_here = [m for m in owners(h) if m.primary_residence]
    counted = [
        m
        for m in h.members
        if m in living_here or (m.primary_residence and married_to(h, m) in living_here)
    ]
    return (
        in_state(h)
        and h.housing_type in STAR_HOME
        and any(m.age >= 65 for m in living_here)
        and gross(*counted) <= 110_750
    )


def child_care_vouchers(h: Household) -> bool:
    limits = {2: 79_214.88, 3: 97_865.76, 4: 116_492.40, 5: 135_131.28, 6: 153_770.16}
    family = parents_family(h)
    small_income = gross(*family) < limits.get(len(family), 0)
    reasons = h.housing_type in HOMELESS or all(
        (p.work_hours_per_week >= 10 and p.earns_minimum_wage)
        or trains_or_studies(p)
        or p.days_looking_for_work > 0
        or is_treated(p)
        for p in both_of_the_couple(h)
    )
    children = [
        c
        for c in h.members
        if c.relation in IN_CARE
        and c.age < (19 if c.disabled else 14)
        and c.citizenship != "unlawful_resident"
    ]
    needy = anybody_gets_cash(h) or small_income or any(is_foster(c) for c in children)
    needy = needy and h.available_financial_resources <= 1_000_000
    return in_city(h) and needy and reasons and bool(children)


def child_health_plus(h: Household) -> bool:
    def has_medicaid(m: Member) -> bool:
        limits = PREGNANT_2026 if m.age < 1 else CHILDREN_2026
        by_income = m.citizenship != "unlawful_resident" and medicaid_takes(limits, h, m)
        return m.eligible_for_medicaid or is_former_foster_youth(m) or by_income

    return in_state(h) and any(
        m.age < 19 and not m.health_insurance and not has_medicaid(m) for m in h.members
    )


def child_tax_credit(h: Household) -> bool:
    limit = 400_000 if h.filing_jointly else 200_000
    return (
        any(f.has_ssn for f in taxpayers(h))
        and 2_500 <= gross(*taxpayers(h)) <= limit
        and any(
            c.relation in IN_CARE
            and c.age <= 16
            and (c.has_ssn or c.has_atin)
            and c.lived_together_last_6_months
            and c.dependent
            and not c.provides_over_half_of_own_financial_support
            for c in h.members[1:]
        )
    )


def disability_rent(h: Household) -> bool:
    return (
        in_city(h)
        and h.housing_type in RENT_FREEZE_HOME | {"Section 213 coop"}
        and family_income(h) <= 50_000
        and rent_is_over_a_third(h)
        and any(
            m.age >= 18
            and m.name_is_on_lease
            and (
                m.receives_ssi
                or m.receives_ssdi
                or m.receives_va_disability
                or m.receives_disability_medicaid
            )
            for m in h.members
        )
    )


def _head_start_family(h: Household) -> bool:
    return (
        h.housing_type in HOMELESS
        or anybody_gets_cash(h)
        or h.receives_snap
        or anybody_gets_ssi(h)
        or family_income(h) <= row(HEAD_START, h)
    )


def early_head_start(h: Household) -> bool:
    children = [c for c in h.members if c.relation in IN_CARE and c.age <= 3]
    return in_city(h) and any(_head_start_family(h) or is_foster(c) for c in children)


def head_start(h: Household) -> bool:
    children = [c for c in h.members if c.relation in IN_CARE and c.age in (3, 4, 5)]
    return in_city(h) and any(_head_start_family(h) or is_foster(c) for c in children)


def earned_income_credit(h: Household) -> bool:
    you, filers = h.applicant, taxpayers(h)
    children = [
        c
        for c in h.members
        if c.relation in IN_CARE
        and c.has_ssn
        and c.lived_together_last_6_months
        and (c.disabled or c.age < max(f.age for f in filers))
        and (c.age < 19 or (c.age < 24 and c.current_school_level != "none") or c.disabled)
    ]
    joint_limits, single_limits = (
        (26_214, 57_554, 64_430, 68_675),
        (19_104, 50_434, 57_310, 61_555),
    )
    limit = (joint_limits if h.filing_jointly else single_limits)[min(len(children), 3)]
    files_apart = spouse(h) is not None and not h.filing_jointly
    lived_apart = you.legally_separated or you.lived_apart_from_spouse_6_months
    return (
        all(f.has_ssn for f in filers)
        and 0 < sum(m.annual_work_income for m in filers) <= limit
        and sum(m.annual_investment_income for m in filers) < 11_950
        and (bool(children) or any(25 <= m.age <= 64 for m in filers))
        and (
            not files_apart
            or (lived_apart and any(c.lived_together_last_6_months for c in children))
        )
    )


def eviction_supplement(h: Household) -> bool:
    later = (
        h.housing_type in ("DHS shelter", "HRA shelter") and h.cash_assistance_on_leaving_shelter
    )
    return is_eviction_family(h) and (anybody_gets_cash(h) or later)


def family_type_homes(h: Household) -> bool:
    def qualifies(m: Member) -> bool:
        mental = m.developmental_condition or m.mental_health_condition
        risks = m.medication_treatment_non_compliance or m.arson or m.verbal_abuse or m.imprisonment
        return (
            m.age >= 18
            and m.needs_semi_protective_care
            and (m.disabled or m.mental_impairment or mental)
            and (m.developmental_mental_day_treatment or not mental)
            and (m.years_sober is None or m.years_sober >= 5)
            and not (m.wheelchair or m.bedridden or risks)
        )

    return in_state(h) and any(qualifies(m) for m in h.members)


def family_planning(h: Household) -> bool:
    monthly = (2_909, 3_931, 4_953, 5_975, 6_997, 8_019)
    return (
        in_state(h)
        and family_income(h) <= 12 * row(monthly, h)
        and any(m.citizenship != "unlawful_resident" and not m.receives_medicaid for m in h.members)
    )


def cooling_assistance(h: Household) -> bool:
    monthly = (3_473, 4_542, 5_611, 6_680, 7_749, 8_818)
    at_risk = any(m.heat_exacerbated_condition or m.age >= 60 or m.age < 6 for m in h.members)
    cooled = h.ac and h.ac_age_years is not None and h.ac_age_years < 5
    helped = h.got_heap_ac is not None and h.got_heap_ac < 5
    return (
        in_state(h)
        and at_risk
        and any(m.citizenship != "unlawful_resident" for m in h.members)
        and not cooled
        and not helped
        and (
            h.receives_snap
            or anybody_gets_cash(h)
            or gets_code_a_ssi(h)
            or family_income(h) <= 12 * row(monthly, h)
        )
    )


def fair_fares(h: Household) -> bool:
    limits = (23_940, 32_460, 40_980, 49_500, 58_020, 66_540)
    return (
        in_city(h)
        and family_income(h) <= row(limits, h)
        and any(18 <= m.age <= 64 for m in h.members)
    )


def food_for_seniors(h: Household) -> bool:
    limits = (23_940, 32_460, 40_980, 49_500, 58_020, 66_540)
    return (
        in_state(h) and family_income(h) <= row(limits, h) and any(m.age >= 60 for m in h.members)
    )


def lifeline(h: Household) -> bool:
    limits = (21_546, 29_214, 36_882, 44_550, 52_218, 59_886)
    return (
        h.receives_snap
        or h.receives_fpha
        or anybody_gets_ssi(h)
        or any(m.receives_medicaid or m.receives_vpsb for m in h.members)
        or family_income(h) <= row(limits, h)
    )


def energy_assistance(h: Household) -> bool:
    monthly = (3_473, 4_542, 5_611, 6_680, 7_749, 8_818)
    lawful = any(m.citizenship != "unlawful_resident" for m in h.members)
    at_home = in_state(h) and h.housing_type not in HOMELESS
    return (at_home and lawful) and (
        h.receives_snap
        or anybody_gets_cash(h)
        or gets_code_a_ssi(h)
        or family_income(h) <= 12 * row(monthly, h)
    )


def home_first(h: Household) -> bool:
    limits = (136_080, 155_520, 174_960, 194_400, 210_000, 225_600)
    first = all(b.first_time_home_buyer for b in both_of_the_couple(h))
    return first and family_income(h) <= row(limits, h)


def infant_toddler(h: Household) -> bool:
    limits = (59_055, 77_226, 95_397, 113_568, 131_738, 149_909)
    parents = [m for m in h.members if m.relation in ("self", "spouse")]
    reasons = h.housing_type in HOMELESS or all(
        p.work_hours_per_week >= 10
        or trains_or_studies(p)
        or 1 <= p.days_looking_for_work <= 183
        or p.attending_service_for_domestic_violence
        for p in parents
    )
    children = [
        c
        for c in h.members
        if c.relation in IN_CARE
        and c.age <= 5
        and c.citizenship != "unlawful_resident"
        and (in_city(h) or is_foster(c))
    ]
    family = parents_family(h)
    small_income = gross(*family) <= limits[len(family) - 1]
    needy = small_income or any(is_foster(c) for c in children)
    needy = needy and h.available_financial_resources <= 1_000_000
    return bool(children) and reasons and needy


def learn_earn(h: Household) -> bool:
    limits = (15_650, 21_150, 26_650, 32_150, 37_650, 43_150)

    def is_in_need(m: Member) -> bool:
        return (
            anybody_gets_cash(h)
            or h.receives_snap
            or h.housing_type in HOMELESS
            or m.is_runaway
            or is_foster(m)
            or m.foster_age_out
            or m.involved_in_justice_system
            or m.weeks_pregnant is not None
            or m.is_parent
            or (m.disabled and gross(m) <= limits[0])
            or family_income(h) <= row(limits, h)
        )

    return in_city(h) and any(
        16 <= m.age <= 21
        and m.current_grade in (11, 12)
        and m.has_ssn
        and m.authorized_to_work_in_us
        and is_registered_if_a_man_of_18_to_25(m)
        and is_in_need(m)
        for m in h.members
    )


def nurse_family_partnership(h: Household) -> bool:
    wic = (29_526, 40_034, 50_542, 61_050, 71_558, 82_066)
    may_have_wic = (
        h.receives_snap
        or family_income(h) <= row(wic, h)
        or any(m.receives_medicaid or m.receives_cash_assistance for m in h.members)
    )
    return in_city(h) and any(
        m.weeks_pregnant is not None
        and (
            m.eligible_for_medicaid
            or is_former_foster_youth(m)
            or medicaid_takes(PREGNANT_2026, h, m)
            or may_have_wic
        )
        for m in h.members
    )


def child_support(h: Household) -> bool:
    parent = h.applicant.responsible_for_day_to_day and any(
        is_young_child_of_applicant(c) for c in h.members
    )
    return in_city(h) and (parent or any(is_acting_guardian(m) for m in h.members))


def early_intervention(h: Household) -> bool:
    return in_city(h) and any(m.age <= 2 for m in h.members)


def months_old(h: Household) -> list[int]:
    return [m.age_months for m in h.members if m.age_months is not None]


def three_k(h: Household) -> bool:
    """Born in 2023: 2 years and 8 months to 3 years and 7 months on 31 August 2026."""
    return in_city(h) and any(2 * 12 + 8 <= age <= 3 * 12 + 7 for age in months_old(h))


def pre_k(h: Household) -> bool:
    """Born in 2022: 3 years and 8 months to 4 years and 7 months on 31 August 2026."""
    return in_city(h) and any(3 * 12 + 8 <= age <= 4 * 12 + 7 for age in months_old(h))


def newborn_home_visiting(h: Household) -> bool:
    baby = any(
        b.relation in OWN_CHILD and b.age_months is not None and b.age_months < 3 for b in h.members
    )
    parents = [m for m in h.members if m.relation in ("self", "spouse", "domestic partner")]
    local = h.lives_in_home_visit_neighborhood and (
        h.housing_type == "NYCHA development" or any(p.first_time_parent for p in parents)
    )
    return in_city(h) and baby and (local or h.acs or h.housing_type == "DHS shelter")


def unemployment_insurance(h: Household) -> bool:
    return any(may_claim(m) and m.days_looking_for_work > 0 for m in h.members)


def silver_corps(h: Household) -> bool:
    return in_city(h) and any(
        m.age >= 55 and (m.work_hours_per_week == 0 or m.underemployed) for m in h.members
    )


def train_earn(h: Household) -> bool:
    poor = family_income(h) < row((15_650, 21_150, 26_650, 32_150, 37_650, 43_150), h)

    def lacks_skills(m: Member) -> bool:
        graduate = m.high_school_equivalent != "no diploma"
        learns = not m.proficient_in_english_reading_and_writing or m.needs_basic_literacy
        return not graduate or learns

    return in_city(h) and any(
        16 <= m.age <= 24
        and m.work_hours_per_week == 0
        and m.current_school_level == "none"
        and is_registered_if_a_man_of_18_to_25(m)
        and lacks_skills(m)
        and (has_listed_need(h, m) or (poor and m.needs_help_to_study_or_work))
        for m in h.members
    )


def supported_housing(h: Household) -> bool:
    return h.housing_type in HOMELESS and any(
        m.served_in_military and not m.dishonorably_discharged for m in h.members
    )


def senior_rent(h: Household) -> bool:
    mitchell_lama = h.housing_type == "Mitchell-Lama development"
    monthly = h.monthly_rent_spending + (h.monthly_carrying_charge if mitchell_lama else 0)
    return (
        in_city(h)
        and h.housing_type in RENT_FREEZE_HOME
        and family_income(h) <= 50_000
        and 36 * monthly > family_income(h)
        and any(
            m.age >= 62 and (m.name_is_on_lease or (mitchell_lama and m.is_property_owner))
            for m in h.members
        )
    )


def text_to_work(h: Household) -> bool:
    return in_city(h)


CHANGED: dict[str, Predicate] = {
    "AcceleratedStudyInAssociatePrograms": accelerated_study,
    "AccessARideParatransitService": paratransit,
    "BeaconPrograms": beacon,
    "ChildAndDependentCareTaxCredit": dependent_care_credit,
    "ChildCareVouchers": child_care_vouchers,
    "ChildHealthPlusAndChildrensMedicaid": child_health_plus,
    "ChildTaxCredit": child_tax_credit,
    "CUNYFatherhoodAcademy": fatherhood_academy,
    "CUNYStart": cuny_start,
    "CoolingAssistanceBenefit": cooling_assistance,
    "DisabilityRentIncreaseExemption": disability_rent,
    "EarlyHeadStart": early_head_start,
    "EarnedIncomeTaxCredit": earned_income_credit,
    "EnhancedSchoolTaxReliefProgram": enhanced_star,
    "CommoditySupplementalFoodProgram": food_for_seniors,
    "FairFaresNYC": fair_fares,
    "FamilyHomelessnessAndEvictionPreventionSupplement": eviction_supplement,
    "FamilyPlanningBenefitProgram": family_planning,
    "FamilyTypeHomesForAdults": family_type_homes,
    "HeadStart": head_start,
    "HomeEnergyAssistanceProgram": energy_assistance,
    "HomeFirstDownPaymentAssistance": home_first,
    "InfantToddlerPrograms": infant_toddler,
    "LearnEarn": learn_earn,
    "Lifeline": lifeline,
    "NYCNurseFamilyPartnership": nurse_family_partnership,
    "OfficeOfChildSupportServices": child_support,
    "PreKForAll": pre_k,
    "NYSUnemploymentInsurance": unemployment_insurance,
    "NewbornHomeVisitingProgram": newborn_home_visiting,
    "SeniorCitizenRentIncreaseExemption": senior_rent,
    "SilverCorps": silver_corps,
    "TextTwoWork": text_to_work,
    "TrainEarn": train_earn,
    "VeteransAffairsSupportedHousing": supported_housing,
    "TheEarlyInterventionProgram": early_intervention,
    "ThreeK": three_k,
}
"""The predicates of the rules and amounts that changed."""
