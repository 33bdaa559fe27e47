"""The rule engines that test vectors are written for: what they know, and in which format."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from benyfits_data.editions import Edition
from benyfits_data.vectors.choosing import TestVector
from benyfits_data.vectors.my_friend_ben import FRIENDBEN, write_friendben
from benyfits_data.vectors.nyc_screening_api import NYC_API, write_nyc_api
from benyfits_data.vectors.policy_engine import POLICYENGINE, write_policyengine

_COMMON = {
    "age", "relation", "disabled", "weeks_pregnant", "annual_work_income",
    "annual_investment_income", "current_school_level", "receives_medicaid",
}  # fmt: skip
_NYC_ONLY = {
    "housing_type", "monthly_rent_spending", "available_financial_resources", "is_property_owner",
    "name_is_on_lease", "receives_disability_medicaid",
}  # fmt: skip
_POLICYENGINE_ONLY = {
    "filing_jointly", "has_ssn", "in_foster_care", "housing_type", "receives_snap",
    "receives_cash_assistance", "receives_ssi", "receives_fpha",
}  # fmt: skip


@dataclass(frozen=True)
class VectorTarget:
    """A rule engine that vectors are written for.

    Attributes:
        version: Of which documentation the format is.
        programs: What it calls our programs.
        expressed: Features that it can express.
        write: Returns the vectors in its format.
    """

    version: str
    programs: Callable[[Edition], Mapping[str, str]]
    expressed: frozenset[str]
    write: Callable[[Sequence[TestVector], Mapping[str, str]], str]


def _city_codes(edition: Edition) -> dict[str, str]:
    """Return the city's own code of each program that has one."""
    codes = {name: program.sources for name, program in edition.items()}
    return {name: it.program_id for name, it in codes.items() if it and it.program_id}


TARGETS = {
    "nyc-api": VectorTarget(NYC_API, _city_codes, frozenset(_COMMON | _NYC_ONLY), write_nyc_api),
    "myfriendben": VectorTarget(
        FRIENDBEN,
        lambda edition: {
            "EarnedIncomeTaxCredit": "eitc",
            "CommoditySupplementalFoodProgram": "ny_csfp",
        },
        frozenset(
            _COMMON | {"monthly_rent_spending", "available_financial_resources", "receives_snap"}
        ),
        write_friendben,
    ),
    "policyengine": VectorTarget(
        POLICYENGINE,
        lambda edition: {
            "CommoditySupplementalFoodProgram": "commodity_supplemental_food_program_eligible",
            "EarlyHeadStart": "is_early_head_start_eligible",
            "EarnedIncomeTaxCredit": "eitc_eligible",
            "HeadStart": "is_head_start_eligible",
            "Lifeline": "is_lifeline_eligible",
        },
        frozenset(_COMMON | _POLICYENGINE_ONLY),
        write_policyengine,
    ),
}
