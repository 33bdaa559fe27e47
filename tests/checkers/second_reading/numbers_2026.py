"""The rules of which only numbers changed by 2026, and those that stayed the same."""

from benyfits_data.household.model import Household
from tests.checkers.second_reading.money import takes_the_uninsurable
from tests.checkers.second_reading.terms import (
    PREDICATES,
    PREGNANT_2026,
    Predicate,
    family_income,
    gross,
    in_city,
    in_state,
    medicaid_takes,
    row,
    somebody_is_lawful,
    taxpayers,
)
from tests.checkers.second_reading.year_2026 import CHANGED


def medicaid_in_pregnancy(h: Household) -> bool:
    return in_state(h) and any(
        m.weeks_pregnant is not None and medicaid_takes(PREGNANT_2026, h, m) for m in h.members
    )


def nyc_care(h: Household) -> bool:
    return takes_the_uninsurable(h, PREGNANT_2026)


def free_tax_prep(h: Household) -> bool:
    limit = 97_000 if any(m.dependent for m in h.members[1:]) else 68_000
    filers = taxpayers(h)
    return (in_city(h) or any(m.works_in_nyc for m in filers)) and gross(*filers) <= limit


def public_housing(h: Household) -> bool:
    limits = (95_000, 108_600, 122_150, 135_700, 146_600, 157_450)
    heads = [m for m in h.members if m.relation in ("self", "spouse", "domestic partner")]
    family = [m for m in h.members if m.relation != "friend"]
    return (
        any(m.citizenship != "unlawful_resident" for m in family)
        and all(m.age >= 18 or m.emancipated_minor for m in heads)
        and gross(*family) <= limits[len(family) - 1]
    )


def mitchell_lama(h: Household) -> bool:
    return family_income(h) <= row((141_750, 162_000, 182_250, 202_500, 218_750, 235_000), h)


def section_eight(h: Household) -> bool:
    limits = (59_400, 67_850, 76_350, 84_800, 91_600, 98_400)
    return somebody_is_lawful(h) and family_income(h) <= row(limits, h)


def older_adult_employment(h: Household) -> bool:
    limits = (19_563, 26_438, 33_313, 40_188, 47_063, 53_938)
    return (
        in_city(h)
        and family_income(h) <= row(limits, h)
        and any(m.age >= 55 and m.work_hours_per_week == 0 for m in h.members)
    )


NUMBERS: dict[str, Predicate] = {
    "MedicaidForPregnantWomen": medicaid_in_pregnancy,
    "NYCCare": nyc_care,
    "NYCFreeTaxPrep": free_tax_prep,
    "NYCHAPublicHousing": public_housing,
    "NYCMitchellLama": mitchell_lama,
    "OlderAdultEmploymentProgram": older_adult_employment,
    "SectionEightHousingChoiceVoucherProgram": section_eight,
}
"""The predicates of the rules with other numbers."""

OF_2026: dict[str, Predicate] = {**PREDICATES, **NUMBERS, **CHANGED}
"""The predicates of all programs in the edition 2026; others stayed as in 2024."""
