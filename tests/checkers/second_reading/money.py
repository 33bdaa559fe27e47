"""Taxes, food, health insurance and help for adults."""

from datetime import date

from benyfits_data.household.model import Household, Member
from tests.checkers.second_reading.terms import (
    IN_CARE,
    OWN_CHILD,
    PREGNANT_2024,
    anybody_gets_ssi,
    decides,
    family_income,
    gross,
    in_city,
    in_state,
    is_former_foster_youth,
    medicaid_takes,
    row,
    spouse,
    taxpayers,
)


@decides("ChildAndDependentCareTaxCredit")
def dependent_care_credit(h: Household) -> bool:
    you, other = h.applicant, spouse(h)

    def is_cared_for(d: Member) -> bool:
        child = d.age < 13 and d.dependent
        of_couple = d.relation == "spouse" or (d.relation == "self" and h.filing_jointly)
        helpless_spouse = of_couple and not d.can_care_for_self
        helpless_adult = d.age >= 18 and not d.can_care_for_self and d.dependent
        lives_here = d.has_paid_caregiver and d.lived_together_last_6_months
        return lives_here and (child or helpless_spouse or helpless_adult)

    def is_excused(m: Member) -> bool:
        return m.current_school_level != "none" or m.disabled or m.days_looking_for_work > 0

    if not any(is_cared_for(d) for d in h.members):
        return False
    earns = you.annual_work_income > 0
    if other is None:
        return earns
    other_earns = other.annual_work_income > 0
    both_work = you.works_outside_home and other.works_outside_home
    one_works = (you.works_outside_home and is_excused(other)) or (
        other.works_outside_home and is_excused(you)
    )
    joint = h.filing_jointly
    earned = (earns and (other_earns or not joint)) or (
        joint and one_works and (earns or other_earns)
    )
    return earned and (both_work or one_works)


@decides("ChildTaxCredit")
def child_tax_credit(h: Household) -> bool:
    limit = 400_000 if h.filing_jointly else 200_000
    return (
        gross(*taxpayers(h)) <= limit
        and any(f.has_ssn or f.has_itin for f in taxpayers(h))
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


@decides("EarnedIncomeTaxCredit")
def earned_income_credit(h: Household) -> bool:
    you, joint = h.applicant, h.filing_jointly
    filers = taxpayers(h)
    children = [c for c in h.members if c.relation in OWN_CHILD | {"grandchild"}]
    limits = (63_398, 24_210) if joint else (56_838, 17_640)
    limit = limits[0] if children else limits[1]
    separated = you.legally_separated or you.lived_apart_from_spouse_6_months
    files_apart = spouse(h) is not None and not joint
    return (
        all(f.has_ssn for f in filers)
        and 0 < sum(m.annual_work_income for m in filers) <= limit
        and (bool(children) or any(25 <= m.age <= 64 for m in filers))
        and (
            not files_apart or (separated and any(c.lived_together_last_6_months for c in children))
        )
        and sum(m.annual_investment_income for m in filers) < 11_000
    )


@decides("NYCFreeTaxPrep")
def free_tax_prep(h: Household) -> bool:
    limit = 85_000 if any(m.dependent for m in h.members[1:]) else 59_000
    filers = taxpayers(h)
    return (in_city(h) or any(m.works_in_nyc for m in filers)) and gross(*filers) <= limit


@decides("CommoditySupplementalFoodProgram")
def food_for_seniors(h: Household) -> bool:
    limits = (19_578, 26_572, 33_566, 40_560, 47_554, 54_548)
    return (
        in_state(h) and family_income(h) <= row(limits, h) and any(m.age >= 60 for m in h.members)
    )


@decides("FairFaresNYC")
def fair_fares(h: Household) -> bool:
    limits = (18_072, 24_528, 30_984, 37_440, 43_896, 50_352)
    return (
        in_city(h)
        and family_income(h) <= row(limits, h)
        and any(18 <= m.age <= 64 for m in h.members)
    )


@decides("Lifeline")
def lifeline(h: Household) -> bool:
    limits = (20_331, 27_594, 34_857, 42_120, 49_383, 56_646)
    return (
        h.receives_snap
        or anybody_gets_ssi(h)
        or h.receives_fpha
        or any(m.receives_medicaid or m.receives_vpsb for m in h.members)
        or family_income(h) <= row(limits, h)
    )


@decides("FamilyPlanningBenefitProgram")
def family_planning(h: Household) -> bool:
    monthly = (2_799, 3_799, 4_799, 5_598, 6_798, 7_798)
    return (
        in_state(h)
        and family_income(h) <= 12 * row(monthly, h)
        and any(m.citizenship in ("citizen_or_national", "lawful_resident") for m in h.members)
    )


@decides("MedicaidForPregnantWomen")
def medicaid_in_pregnancy(h: Household) -> bool:
    return in_state(h) and any(
        m.weeks_pregnant is not None and medicaid_takes(PREGNANT_2024, h, m) for m in h.members
    )


@decides("NYCNurseFamilyPartnership")
def nurse_family_partnership(h: Household) -> bool:
    return in_city(h) and any(
        m.weeks_pregnant is not None
        and m.weeks_pregnant <= 28
        and m.expecting_first_baby
        and (
            m.eligible_for_medicaid
            or is_former_foster_youth(m)
            or medicaid_takes(PREGNANT_2024, h, m)
        )
        for m in h.members
    )


@decides("NYCCare")
def nyc_care(h: Household) -> bool:
    return takes_the_uninsurable(h, PREGNANT_2024)


def takes_the_uninsurable(h: Household, limits: tuple[int, ...]) -> bool:
    return in_city(h) and any(
        not m.qualify_for_health_insurance
        and not is_former_foster_youth(m)
        and (m.weeks_pregnant is None or not medicaid_takes(limits, h, m))
        for m in h.members
    )


@decides("NYCFinancialEmpowermentCenters")
def financial_empowerment(h: Household) -> bool:
    return any(m.age >= 18 and (in_city(h) or m.works_in_nyc) for m in h.members)


@decides("HIVAIDSServicesAdministration")
def hiv_aids_services(h: Household) -> bool:
    return in_city(h) and any(m.hiv_aids for m in h.members)


@decides("AccessARideParatransitService")
def paratransit(h: Household) -> bool:
    return any(
        (m.disabled and m.disability_prevents_some_transit_trips)
        or m.recovering_from_surgery
        or m.chronic_health_condition
        or m.visitor_needing_paratransit
        for m in h.members
    )


@decides("AdultProtectiveServices")
def adult_protective_services(h: Household) -> bool:
    return in_city(h) and any(
        m.age >= 18
        and (
            m.disabled
            or m.mental_health_condition
            or m.developmental_condition
            or m.mental_impairment
        )
        and not m.can_manage_self
        and not m.has_family_to_help
        for m in h.members
    )


@decides("FamilyTypeHomesForAdults")
def family_type_homes(h: Household) -> bool:
    def qualifies(m: Member) -> bool:
        mental = m.developmental_condition or m.mental_health_condition
        return (
            m.age >= 18
            and m.needs_semi_protective_care
            and (not mental or m.developmental_mental_day_treatment)
            and (m.years_sober is None or m.years_sober >= 5)
            and not (m.wheelchair or m.bedridden or m.medication_treatment_non_compliance)
            and not (m.arson or m.verbal_abuse or m.imprisonment)
        )

    return in_state(h) and any(qualifies(m) for m in h.members)


@decides("COVIDnineteenFuneralAssistance")
def funeral_assistance(h: Household) -> bool:
    return any(
        m.citizenship in ("citizen_or_national", "lawful_resident")
        and m.covid_funeral_expenses
        and m.covid_funeral_expense_date is not None
        and m.covid_funeral_expense_date >= date(2020, 1, 20)
        and m.covid_death_on_certificate
        for m in h.members
    )
