"""Homes: owners, tenants, heating and cooling."""

from benyfits_data.household.model import Household, Member
from tests.checkers.second_reading.terms import (
    HOMELESS,
    RENT_FREEZE_HOME,
    STAR_HOME,
    TAXED_HOME,
    anybody_gets_cash,
    are_a_couple_or_siblings,
    both_of_the_couple,
    decides,
    family_income,
    gross,
    in_city,
    in_state,
    married_to,
    owners,
    partner_of,
    row,
    somebody_is_lawful,
)


@decides("ActionNYC")
def action_nyc(h: Household) -> bool:
    return in_city(h)


@decides("BigAppleConnect")
@decides("NYCHAResidentEconomicEmpowermentAndSustainability")
def lives_in_public_housing(h: Household) -> bool:
    return h.housing_type == "NYCHA development"


@decides("CornerstonePrograms")
def cornerstone(h: Household) -> bool:
    return h.housing_type == "NYCHA development" and any(m.age >= 5 for m in h.members)


@decides("Homebase")
def homebase(h: Household) -> bool:
    return in_city(h) and h.at_risk_of_homelessness


@decides("NYCTenantResourcePortal")
def tenant_portal(h: Household) -> bool:
    return in_city(h) and h.tenure == "renter"


@decides("IDNYC")
def city_card(h: Household) -> bool:
    return in_city(h) and any(m.age >= 10 for m in h.members)


@decides("BasicSchoolTaxReliefProgram")
def basic_star(h: Household) -> bool:
    owning = owners(h)
    counted = [
        m for m in h.members if m.primary_residence and (m in owning or married_to(h, m) in owning)
    ]
    return (
        in_state(h)
        and h.housing_type in STAR_HOME
        and any(m.primary_residence for m in owning)
        and gross(*counted) <= 500_000
    )


@decides("EnhancedSchoolTaxReliefProgram")
def enhanced_star(h: Household) -> bool:
    owning = owners(h)
    if h.housing_type not in STAR_HOME or not owning or not in_state(h):
        return False
    old = [m for m in owning if m.age >= 65]
    old_enough = len(old) == len(owning) or (bool(old) and are_a_couple_or_siblings(owning))
    counted = [
        m for m in h.members if m in owning or (m.primary_residence and partner_of(h, m) in owning)
    ]
    resident = any(m.primary_residence for m in old)
    return old_enough and resident and gross(*counted) <= 98_700


@decides("SeniorCitizenHomeownersExemption")
def senior_homeowners(h: Household) -> bool:
    owning = owners(h)
    if h.housing_type not in TAXED_HOME | {"Section 213 coop"} or not owning or not in_city(h):
        return False
    old = [m for m in owning if m.age >= 65]
    return (
        (len(old) == len(owning) or (bool(old) and are_a_couple_or_siblings(owning)))
        and all(m.primary_residence for m in owning)
        and gross(*owning) <= 58_399
        and any((m.months_owned_property or 0) >= 12 or m.had_previous_sche for m in owning)
    )


@decides("DisabledHomeownersExemption")
def disabled_homeowners(h: Household) -> bool:
    owning = owners(h)
    if h.housing_type not in TAXED_HOME | {"Section 213 coop"} or not owning:
        return False
    disabled = [m for m in owning if m.disabled]
    return (
        in_city(h)
        and not h.in_excluded_housing_development
        and (len(disabled) == len(owning) or (bool(disabled) and are_a_couple_or_siblings(owning)))
        and any(m.primary_residence for m in disabled)
        and gross(*owning) <= 58_399
    )


@decides("VeteransPropertyTaxExemption")
def veterans_property_tax(h: Household) -> bool:
    def qualifies(m: Member) -> bool:
        other = married_to(h, m)
        tied = m.is_property_owner or (other and other.is_property_owner) or m.property_owner_widow
        served = m.conflict_veteran or (m.property_owner_widow and m.late_spouse_conflict_veteran)
        return bool(tied and m.primary_residence and served)

    return in_city(h) and h.tenure in ("owner", "rent-free") and any(map(qualifies, h.members))


def rent_is_over_a_third(h: Household) -> bool:
    return 36 * h.monthly_rent_spending > family_income(h)


@decides("SeniorCitizenRentIncreaseExemption")
def senior_rent(h: Household) -> bool:
    return (
        in_city(h)
        and h.housing_type in RENT_FREEZE_HOME
        and family_income(h) <= 50_000
        and rent_is_over_a_third(h)
        and any(m.age >= 62 and m.name_is_on_lease for m in h.members)
    )


@decides("DisabilityRentIncreaseExemption")
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
                or (m.receives_disability_medicaid and m.has_received_ssi_or_ssdi)
            )
            for m in h.members
        )
    )


@decides("HomeFirstDownPaymentAssistance")
def home_first(h: Household) -> bool:
    limits = (87_100, 99_550, 111_950, 124_400, 134_350, 144_300)
    buyers = both_of_the_couple(h)
    return family_income(h) <= row(limits, h) and (
        all(b.first_time_home_buyer for b in buyers) or any(b.honorable_service for b in buyers)
    )


@decides("NYCHAPublicHousing")
def public_housing(h: Household) -> bool:
    limits = (87_100, 99_550, 111_950, 124_400, 134_350, 144_300)
    heads = [m for m in h.members if m.relation in ("self", "spouse", "domestic partner")]
    family = [m for m in h.members if m.relation != "friend"]
    return (
        any(m.citizenship != "unlawful_resident" for m in family)
        and all(m.age >= 18 or m.emancipated_minor for m in heads)
        and gross(*family) <= limits[len(family) - 1]
    )


@decides("NYCMitchellLama")
def mitchell_lama(h: Household) -> bool:
    rental = (86_960, 99_440, 111_840, 124_240, 134_160, 144_080)
    coop = (135_875, 155_375, 174_750, 194_125, 209_625, 225_125)
    return any(family_income(h) <= row(table, h) for table in (rental, coop))


@decides("SectionEightHousingChoiceVoucherProgram")
def section_eight(h: Household) -> bool:
    limits = (54_350, 62_150, 69_900, 77_650, 83_850, 90_050)
    return somebody_is_lawful(h) and family_income(h) <= row(limits, h)


@decides("VeteransAffairsSupportedHousing")
def supported_housing(h: Household) -> bool:
    return h.housing_type in HOMELESS and any(m.va_healthcare for m in h.members)


HEAP_MONTHLY = (3_035, 3_970, 4_904, 5_838, 6_772, 7_706)


def gets_code_a_ssi(h: Household) -> bool:
    return len(h.members) == 1 and h.applicant.receives_ssi


@decides("HomeEnergyAssistanceProgram")
def energy_assistance(h: Household) -> bool:
    within = family_income(h) <= 12 * row(HEAP_MONTHLY, h)
    vulnerable = any(m.age >= 60 or m.age < 6 for m in h.members)
    emergency = (
        (h.electricity_shut_off or h.heat_shut_off or h.out_of_fuel)
        and h.heating_electrical_bill_in_name
        and h.available_financial_resources < (3_750 if vulnerable else 2_500)
        and (h.receives_snap or anybody_gets_cash(h) or gets_code_a_ssi(h) or within)
    )
    at_home = in_state(h) and h.housing_type not in HOMELESS
    return at_home and somebody_is_lawful(h) and (within or emergency)


@decides("CoolingAssistanceBenefit")
def cooling_assistance(h: Household) -> bool:
    at_risk = any(m.heat_exacerbated_condition or m.age >= 60 or m.age < 6 for m in h.members)
    status = any(m.citizenship != "unlawful_resident" for m in h.members)
    conditioner = not h.ac or (h.ac_age_years is not None and h.ac_age_years >= 5)
    waited = h.got_heap_ac is None or h.got_heap_ac >= 5
    subsidised = h.housing_type in ("NYCHA development", "Section 8") and h.heat_included_in_rent
    money = (
        h.receives_snap
        or anybody_gets_cash(h)
        or gets_code_a_ssi(h)
        or subsidised
        or family_income(h) <= 12 * row(HEAP_MONTHLY, h)
    )
    return in_state(h) and at_risk and status and conditioner and waited and money
