"""Who a member is."""

from dataclasses import dataclass
from typing import Literal

from benyfits_data.household.schema import choice, flag, number, text

Sex = Literal["female", "male"]
Relation = Literal[
    "self",
    "spouse",
    "domestic partner",
    "child",
    "adopted child",
    "stepchild",
    "foster child",
    "grandchild",
    "sibling",
    "parent",
    "grandparent",
    "niece or nephew",
    "cousin",
    "other relative",
    "friend",
]
Citizenship = Literal["citizen_or_national", "lawful_resident", "unlawful_resident"]


@dataclass(frozen=True, kw_only=True)
class Identity:
    """Name, age, sex, relation to the applicant, citizenship, numbers."""

    name: str = text(
        "{Possessive} name is {value}.", ask="What is {possessive} name?", default="Alex"
    )
    age: int = number(
        "{subject} {is} {count} old.",
        ask="How old {is} {subject}?",
        unit="year",
        minimum=0,
        maximum=110,
        default=40,
    )
    age_months: int | None = number(
        "Counted in months, {subject} {is} {count} old.",
        ask="How many months old {is} {subject}?",
        unit="month",
        maximum=59,
        default=None,
        none="{subject} {is} too old for {possessive} age to be counted in months.",
        published=None,
        note="Completed months of life under the fifth birthday; None from age 5.",
        when="age < AGE_COUNTED_IN_YEARS",
        always=True,
    )
    sex: Sex = choice(
        "{subject} {is} {value}.",
        ("female", "male"),
        ask="{Is} {subject} female or male?",
        default="female",
    )
    relation: Relation = choice(
        "{subject} {is} {value}.",
        {
            "self": "the person asking",
            "spouse": "your spouse",
            "domestic partner": "your domestic partner",
            "child": "your child",
            "adopted child": "your adopted child",
            "stepchild": "your stepchild",
            "foster child": "your foster child",
            "grandchild": "your grandchild",
            "sibling": "your sibling",
            "parent": "your parent",
            "grandparent": "your grandparent",
            "niece or nephew": "your niece or nephew",
            "cousin": "your cousin",
            "other relative": "a more distant relative of yours",
            "friend": "a friend of yours",
        },
        ask="How {is} {subject} related to you?",
        default="self",
        note="Relation to the applicant, the first member. Parents, grandparents, domestic "
        "partners and other relatives are not in the published data.",
    )
    citizenship: Citizenship = choice(
        "{subject} {is} {value}.",
        {
            "citizen_or_national": "a US citizen or national",
            "lawful_resident": "a noncitizen living lawfully in the United States",
            "unlawful_resident": "a noncitizen without lawful immigration status",
        },
        ask="{Is} {subject} a US citizen or national, a lawfully present noncitizen, or neither?",
        default="citizen_or_national",
    )
    has_ssn: bool = flag(
        "has", "a Social Security number", default=True, needs="citizenship != 'unlawful_resident'"
    )
    has_itin: bool = flag(
        "has",
        "an Individual Taxpayer Identification Number (ITIN)",
        when="not has_ssn",
        needs=("citizenship != 'citizen_or_national'", "not authorized_to_work_in_us"),
    )
    has_atin: bool = flag(
        "has",
        "an Adoption Taxpayer Identification Number (ATIN)",
        when=("relation == 'adopted child'", "not has_ssn"),
        needs=("age < ADULT_AGE", "not has_itin"),
    )
