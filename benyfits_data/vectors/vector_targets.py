"""The rule engines that test vectors are written for: what they know, and in which format."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.vectors.choosing import TestVector
from benyfits_data.vectors.my_friend_ben import FRIENDBEN, write_friendben
from benyfits_data.vectors.nyc_screening_api import NYC_API, write_nyc_api
from benyfits_data.vectors.policy_engine import POLICYENGINE, write_policyengine

_COMMON = {
    "age", "relation", "disabled", "weeks_pregnant", "annual_work_income",
    "annual_investment_income", "current_school_level", "receives_medicaid",
}  # fmt: skip
_NYC_ONLY = {
    "housing_type", "tenure", "monthly_rent_spending", "available_financial_resources",
    "is_property_owner", "name_is_on_lease", "receives_disability_medicaid",
}  # fmt: skip
_POLICYENGINE_ONLY = {
    "filing_jointly", "has_ssn", "in_foster_care", "housing_type", "receives_fpha",
}  # fmt: skip


@dataclass(frozen=True)
class VectorTarget:
    """A rule engine that vectors are written for.

    Attributes:
        version: Of which documentation the format is.
        programs: What it calls our programs, as `targets.toml` has it with source and date.
        expressed: Features that it can express.
        write: Returns the vectors in its format.
    """

    version: str
    programs: Mapping[str, str]
    expressed: frozenset[str]
    write: Callable[[Sequence[TestVector], Mapping[str, str]], str]


_NAMES = {
    target: facts["programs"]
    for target, facts in tomllib.loads(
        (Path(__file__).parent / "targets.toml").read_text(encoding="utf-8")
    ).items()
}
TARGETS = {
    "nyc-api": VectorTarget(
        NYC_API, _NAMES["nyc-api"], frozenset(_COMMON | _NYC_ONLY), write_nyc_api
    ),
    "myfriendben": VectorTarget(
        FRIENDBEN,
        _NAMES["myfriendben"],
        frozenset(_COMMON | {"monthly_rent_spending", "available_financial_resources"}),
        write_friendben,
    ),
    "policyengine": VectorTarget(
        POLICYENGINE,
        _NAMES["policyengine"],
        frozenset(_COMMON | _POLICYENGINE_ONLY),
        write_policyengine,
    ),
}
