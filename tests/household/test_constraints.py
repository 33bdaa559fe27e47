import inspect

import pytest

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household


def _paid(hours: int, weeks: int, paid: int) -> dict[str, object]:
    """Return the facts of somebody who works some hours a week for some weeks."""
    return {
        "work_hours_per_week": hours,
        "consecutive_work_weeks": weeks,
        "nonconsecutive_work_days": weeks,
        "annual_work_income": paid,
    }


def _pupil(age: int, **facts: object) -> dict[str, object]:
    """Return the facts of a child who goes to school."""
    return {"relation": "child", "age": age, "current_school_level": "school", **facts}


IMPOSSIBLE = [
    # What the published data got wrong (households that no reader would believe).
    ("dependent_only_if_relation_is_not_self", {"members": [{"dependent": True}]}),
    (
        "in_foster_care_only_if_age_under_21",
        {"members": [{"age": 40, "in_foster_care": True}]},
    ),
    ("foster_age_out_only_if_age_at_least_18", {"members": [{"age": 17, "foster_age_out": True}]}),
    ("has_itin_only_if_not_has_ssn", {"members": [{"has_ssn": True, "has_itin": True}]}),
    (
        "has_ssn_only_if_citizenship_is_not_unlawful_resident",
        {"members": [{"citizenship": "unlawful_resident", "has_ssn": True}]},
    ),
    (
        "monthly_rent_spending_whenever_tenure_is_renter",
        {"members": [{}], "tenure": "renter", "monthly_rent_spending": 0},
    ),
    (
        "monthly_rent_spending_only_if_tenure_is_renter",
        {"members": [{}], "tenure": "no home", "monthly_rent_spending": 900},
    ),
    ("owned_home_has_an_owner", {"members": [{"is_property_owner": False}], "tenure": "owner"}),
    (
        "is_parent_whenever_lives_with_own_child",
        {"members": [{"is_parent": False}, {"relation": "adopted child", "age": 3}]},
    ),
    ("school_level_fits_the_age", {"members": [{"age": 15, "current_school_level": "college"}]}),
    (
        "is_eligible_for_selective_service_only_if_sex_is_male",
        {"members": [{"sex": "female", "age": 20, "is_eligible_for_selective_service": True}]},
    ),
    (
        "selective_service_only_if_sex_is_male",
        {"members": [{"sex": "female", "age": 20, "selective_service": True}]},
    ),
    ("weeks_pregnant_only_if_sex_is_female", {"members": [{"sex": "male", "weeks_pregnant": 9}]}),
    (
        "months_and_weeks_of_pregnancy_agree",
        {"members": [{"weeks_pregnant": 8, "months_pregnant": 7}]},
    ),
    (
        "months_since_worked_only_if_not_works",
        {"members": [{"work_hours_per_week": 30, "months_since_worked": 3}]},
    ),
    (
        "last_work_agrees_with_last_years_income",
        {"members": [{"annual_work_income": 20_000, "months_since_worked": None}]},
    ),
    (
        "authorized_to_work_in_us_whenever_age_at_least_14_and_citizenship_is_citizen_or_national",
        {"members": [{"citizenship": "citizen_or_national", "authorized_to_work_in_us": False}]},
    ),
    ("applicant_is_old_enough", {"members": [{"age": 9}]}),
    ("spouse_is_old_enough", {"members": [{}, {"relation": "spouse", "age": 12}]}),
    (
        "at_most_one_spouse_or_partner",
        {"members": [{}, {"relation": "spouse"}, {"relation": "spouse"}]},
    ),
    (
        "child_is_younger_than_applicant",
        {"members": [{"age": 30}, {"relation": "child", "age": 30}]},
    ),
    (
        "grandparent_is_much_older_than_applicant",
        {"members": [{"age": 30}, {"relation": "grandparent", "age": 5}]},
    ),
    (
        "is_parent_only_if_age_at_least_14",
        {"members": [{}, {"relation": "child", "age": 9, "is_parent": True}]},
    ),
    (
        "months_owned_property_only_if_is_property_owner",
        {"members": [{"months_owned_property": 50}]},
    ),
    (
        "filing_jointly_only_if_has_spouse",
        {"members": [{}, {"relation": "friend"}], "filing_jointly": True},
    ),
    (
        "can_care_for_self_only_if_not_bedridden",
        {"members": [{"bedridden": True, "can_care_for_self": True}]},
    ),
    *(
        (
            "housing_of_state_law_is_in_the_state",
            {"members": [{}], "housing_type": home, "place_of_residence": "New Jersey"},
        )
        for home in ("rent stabilized apartment", "HDFC development", "Mitchell-Lama development")
    ),
    (
        "children_earn_little",
        {"members": [{}, _pupil(15, months_since_worked=3, **_paid(0, 0, 20_001))]},
    ),
    ("pupils_work_part_time", {"members": [{}, _pupil(15, **_paid(19, 4, 900))]}),
    ("pupils_work_part_time", {"members": [{}, _pupil(17, **_paid(29, 4, 900))]}),
    (
        "city_housing_is_in_the_city",
        {
            "members": [{}],
            "housing_type": "NYCHA development",
            "place_of_residence": "New Jersey",
        },
    ),
    (
        "at_risk_of_homelessness_only_if_not_is_in_shelter",
        {
            "members": [{}],
            "housing_type": "DHS shelter",
            "at_risk_of_homelessness": True,
        },
    ),
    (
        "receives_fpha_whenever_housing_type_is_nycha_development",
        {
            "members": [{}],
            "housing_type": "NYCHA development",
            "receives_fpha": False,
        },
    ),
    (
        "regulated_home_has_a_lease",
        {"members": [{"name_is_on_lease": False}], "housing_type": "NYCHA development"},
    ),
    (
        "heat_shut_off_only_if_primary_heating_source",
        {"members": [{}], "primary_heating_source": "none", "heat_shut_off": True},
    ),
    (
        "out_of_fuel_only_if_not_heat_included_in_rent",
        {
            "members": [{}],
            "primary_heating_source": "fuel oil",
            "out_of_fuel": True,
            "heat_included_in_rent": True,
        },
    ),
    (
        "receives_vpsb_only_if_is_veteran_or_survivor",
        {"members": [{}, {"relation": "child", "age": 4, "receives_vpsb": True}]},
    ),
    (
        "receives_ssi_only_if_citizenship_is_not_unlawful_resident",
        {"members": [{"citizenship": "unlawful_resident", "disabled": True, "receives_ssi": True}]},
    ),
    (
        "receives_ssdi_only_if_citizenship_is_not_unlawful_resident",
        {
            "members": [
                {"citizenship": "unlawful_resident", "disabled": True, "receives_ssdi": True}
            ]
        },
    ),
    (
        "receives_cash_assistance_only_if_citizenship_is_not_unlawful_resident",
        {"members": [{"citizenship": "unlawful_resident", "receives_cash_assistance": True}]},
    ),
    (
        "receives_snap_only_if_has_lawful_member",
        {"members": [{"citizenship": "unlawful_resident"}], "receives_snap": True},
    ),
    (
        "receives_hra_only_if_may_have_help_of_hra",
        {"members": [{"receives_hra": True}], "place_of_residence": "New Jersey"},
    ),
    (
        "receives_ssi_only_if_annual_investment_income_up_to_20000",
        {"members": [{"age": 70, "receives_ssi": True, "annual_investment_income": 20_001}]},
    ),
    *(
        (
            f"{name}_only_if_annual_work_income_up_to_50000",
            {"members": [{name: True, **reason, **_paid(40, 52, 50_001)}]},
        )
        for name, reason in (
            ("developmental_mental_day_treatment", {"mental_health_condition": True}),
            ("needs_semi_protective_care", {"can_manage_self": False}),
        )
    ),
    (
        "last_work_agrees_with_last_years_income",
        {"members": [{"annual_work_income": 20_000, "months_since_worked": 12}]},
    ),
    (
        "served_in_military_only_if_not_in_foster_care",
        {
            "members": [
                {},
                {
                    "relation": "foster child",
                    "age": 19,
                    "served_in_military": True,
                    "in_foster_care": True,
                },
            ]
        },
    ),
    (
        "receives_ssi_only_if_household_income_up_to_100000",
        {
            "members": [
                {"age": 70, "receives_ssi": True},
                {"relation": "spouse", "age": 68, "annual_investment_income": 100_001},
            ]
        },
    ),
    (
        "provides_over_half_of_own_financial_support_only_if_income_over_0",
        {"members": [{"provides_over_half_of_own_financial_support": True}]},
    ),
    (
        "government_job_only_if_citizenship_is_not_unlawful_resident",
        {
            "members": [
                {
                    "citizenship": "unlawful_resident",
                    "work_hours_per_week": 9,
                    "government_job": True,
                }
            ]
        },
    ),
    *(
        (
            "children_are_twins_or_born_apart",
            {
                "members": [
                    {"age": 30},
                    *({"relation": "child", "age": m // 12, "age_months": m} for m in months),
                ]
            },
        )
        for months in ((14, 8), (8, 14), (20, 8, 0), (0, 12, 13), (47, 48))
    ),
    (
        "rent_is_no_token",
        {"members": [{}], "tenure": "renter", "monthly_rent_spending": 49},
    ),
    (
        "carrying_charge_is_no_token",
        {
            "members": [{"is_property_owner": True}],
            "tenure": "owner",
            "housing_type": "cooperative apartment",
            "monthly_carrying_charge": 199,
        },
    ),
    *(
        ("days_of_work_are_paid", {"members": [{"work_hours_per_week": hours, **paid}]})
        for hours, paid in (
            (35, {"nonconsecutive_work_days": 100, "annual_work_income": 5_999}),
            (34, {"nonconsecutive_work_days": 100, "annual_work_income": 999}),
            (1, {"nonconsecutive_work_days": 30, "annual_work_income": 299}),
        )
    ),
    ("sober_years_fit_the_age", {"members": [{"age": 20, "years_sober": 8}]}),
    ("years_sober_only_if_age_at_least_14", {"members": [{"age": 13, "years_sober": 0}]}),
    (
        "imprisonment_only_if_age_at_least_16",
        {"members": [{}, {"relation": "child", "age": 13, "imprisonment": True}]},
    ),
    (
        "legally_separated_only_if_not_property_owner_widow",
        {"members": [{"property_owner_widow": True, "legally_separated": True}]},
    ),
    (
        "lived_apart_from_spouse_6_months_only_if_not_property_owner_widow",
        {"members": [{"property_owner_widow": True, "lived_apart_from_spouse_6_months": True}]},
    ),
    *(
        (name, {"members": [{"age": age}, *({"relation": own, "age": of} for own, of in others)]})
        for name, age, others in (
            ("nobody_is_older_than_105", 106, []),
            ("couple_is_near_in_age", 70, [("spouse", 19)]),
            ("minor_in_a_couple_is_very_near_in_age", 96, [("domestic partner", 17)]),
            ("minor_in_a_couple_is_very_near_in_age", 17, [("spouse", 22)]),
            ("child_was_born_to_the_applicant", 60, [("child", 4)]),
            ("stepchild_was_born_to_the_partner", 60, [("spouse", 30), ("stepchild", 17)]),
            ("stepchild_was_born_to_the_partner", 60, [("spouse", 80), ("stepchild", 24)]),
            ("applicant_was_born_to_the_parent", 20, [("parent", 76)]),
            ("parents_are_near_in_age", 25, [("parent", 39), ("parent", 90)]),
            ("siblings_are_of_one_generation", 60, [("sibling", 3)]),
            ("siblings_are_of_one_generation", 40, [("sibling", 5), ("sibling", 62)]),
            (
                "sibling_is_a_child_of_one_of_two_parents",
                40,
                [("parent", 63), ("parent", 60), ("sibling", 60)],
            ),
            (
                "grandparent_is_a_parent_of_one_of_two_parents",
                20,
                [("parent", 60), ("parent", 58), ("grandparent", 70)],
            ),
            ("nobody_has_too_many_parents", 20, [("parent", 50)] * 3),
            ("nobody_has_too_many_parents", 20, [("grandparent", 80)] * 5),
        )
    ),
    (
        "widowed_applicant_has_no_spouse",
        {
            "members": [{"property_owner_widow": True}, {"relation": "spouse"}],
        },
    ),
]


def _beside(age: int, relation: str, other: int) -> dict[str, object]:
    """Return the facts of an applicant and one other person."""
    return {"members": [{"age": age}, {"relation": relation, "age": other}]}


IMPOSSIBLE += [
    ("applicant_comes_first", {"members": [{}, {"relation": "self"}]}),
    ("adoptive_parent_is_an_adult", _beside(17, "adopted child", 0)),
    ("foster_parent_is_21", _beside(20, "foster child", 3)),
    ("grandchild_is_much_younger_than_applicant", _beside(40, "grandchild", 13)),
    ("niece_or_nephew_is_not_much_older_than_applicant", _beside(20, "niece or nephew", 63)),
    ("parent_is_older_than_applicant", _beside(40, "parent", 53)),
    ("foster_child_is_younger_than_applicant", _beside(22, "foster child", 22)),
    ("minor_applicant_lives_apart_from_parents", {"members": [{"age": 16}]}),
    (
        "separated_spouses_agree",
        {"members": [{"legally_separated": True}, {"relation": "spouse", "age": 40}]},
    ),
    (
        "spouses_agree_on_living_apart",
        {"members": [{}, {"relation": "spouse", "lived_apart_from_spouse_6_months": True}]},
    ),
    ("housing_fits_tenure", {"members": [{}], "tenure": "owner", "housing_type": "DHS shelter"}),
    (
        "late_owner_leaves_one_spouse",
        {"members": [{"property_owner_widow": True}] * 2},
    ),
    ("months_owned_fit_the_age", {"members": [{"age": 30, "months_owned_property": 156}]}),
    (
        "only_owners_live_elsewhere",
        {"members": [{"primary_residence": False}], "tenure": "renter"},
    ),
    (
        "citizen_has_number_unless_newborn_or_adopted",
        {"members": [{"age": 30, "citizenship": "citizen_or_national", "has_ssn": False}]},
    ),
    ("months_of_age_fit_the_age", {"members": [{}, {"age": 2, "age_months": 40}]}),
    (
        "school_age_children_attend_school",
        {"members": [{}, {"relation": "child", "age": 8, "current_school_level": "none"}]},
    ),
    ("grade_fits_the_age", {"members": [{}, {"relation": "child", "age": 8, "current_grade": 7}]}),
    (
        "college_students_have_a_diploma",
        {"members": [{"current_school_level": "college", "high_school_equivalent": "no diploma"}]},
    ),
    ("cannot_care_for_self_has_a_reason", {"members": [{"can_care_for_self": False}]}),
    ("no_transit_at_all_has_a_reason", {"members": [{"can_access_subway_or_bus": False}]}),
    (
        "children_have_no_large_income",
        {"members": [{}, {"relation": "child", "age": 9, "annual_investment_income": 20_001}]},
    ),
    (
        "days_of_work_are_at_least_the_weeks",
        {"members": [{"consecutive_work_weeks": 20, "nonconsecutive_work_days": 19}]},
    ),
    ("months_since_work_fit_the_age", {"members": [{"age": 20, "months_since_worked": 73}]}),
]


IMPOSSIBLE += [
    *(
        ("minimum_wage_is_paid", {"members": [{"earns_minimum_wage": True, **paid}]})
        for paid in (
            _paid(hours, 30, 30 * counted * 15 - 1)
            for hours, counted in ((60, 35), (35, 35), (34, 20), (20, 20), (19, 10), (9, 1), (1, 1))
        )
    ),
    (
        "pay_below_minimum_wage_is_low",
        {"members": [{"earns_minimum_wage": False, **_paid(10, 52, 10_401)}]},
    ),
    *(
        ("nobody_is_paid_a_fortune_by_the_hour", {"members": [_paid(hours, 52, paid)]})
        for hours, paid in ((1, 64_908), (1, 26_001), (40, 1_040_001))
    ),
    *(
        (
            "rich_households_are_not_in_public_housing",
            {
                "members": [
                    {"annual_investment_income": income - 1},
                    {"relation": "friend", "annual_investment_income": 1},
                ],
                "housing_type": home,
            },
        )
        for home, income in (
            ("NYCHA development", 300_001),
            ("Section 8", 300_001),
            ("Mitchell-Lama development", 500_001),
            ("DHS shelter", 200_001),
            ("rent regulated hotel", 200_001),
        )
    ),
    (
        "air_conditioner_is_no_older_than_the_one_of_heap",
        {"members": [{}], "ac_age_years": 5, "got_heap_ac": 1},
    ),
    (
        "eligible_for_medicaid_only_if_may_have_medicaid",
        {"members": [{"eligible_for_medicaid": True, "annual_investment_income": 47_881}]},
    ),
    (
        "receives_snap_only_if_somebody_has_income_for_aid",
        {
            "members": [
                {"annual_investment_income": 133_345},
                {"relation": "spouse"},
                {"relation": "child", "age": 4},
                {"relation": "friend", "age": 30, "annual_investment_income": 47_881},
            ],
            "receives_snap": True,
        },
    ),
    (
        "receives_cash_assistance_only_if_has_income_for_aid",
        {
            "members": [
                {"receives_cash_assistance": True},
                {"relation": "spouse", "annual_investment_income": 64_921},
            ],
        },
    ),
    (
        "receives_ssi_only_if_annual_work_income_up_to_30000",
        {"members": [{"receives_ssi": True, "disabled": True, "annual_work_income": 36_882}]},
    ),
    (
        "last_work_agrees_with_last_years_income",
        {"members": [{"annual_work_income": 40_001, "months_since_worked": 10}]},
    ),
    *(
        ("children_earn_little", {"members": [{**who, "annual_work_income": 55_058}]})
        for who in ({"age": 16}, {"age": 19, "current_school_level": "school"})
    ),
    (
        "children_have_no_large_income",
        {
            "members": [
                {"age": 19, "current_school_level": "school", "annual_investment_income": 33_955}
            ]
        },
    ),
    (
        "lived_together_last_6_months_whenever_relation_is_child_and_age_under_1",
        {
            "members": [
                {},
                {
                    "relation": "child",
                    "age": 0,
                    "age_months": 3,
                    "lived_together_last_6_months": False,
                },
            ]
        },
    ),
    (
        "emancipated_minor_only_if_not_is_own_child",
        {"members": [{}, {"relation": "child", "age": 16, "emancipated_minor": True}]},
    ),
    *(
        (
            f"{fact}_only_if_not_lives_with_own_parent",
            {
                "members": [
                    {"age": 20},
                    {"relation": "parent", "age": 45},
                    {"relation": "sibling", "age": 16, fact: True},
                ]
            },
        )
        for fact in ("emancipated_minor", "is_runaway")
    ),
    (
        "minor_applicant_lives_with_no_parent",
        {"members": [{"age": 17, "is_runaway": True}, {"relation": "parent", "age": 45}]},
    ),
    (
        "covid_funeral_expenses_only_if_age_at_least_21",
        {"members": [{"age": 20, "covid_funeral_expenses": True}]},
    ),
    (
        "visitor_needing_paratransit_is_kept_from_transit",
        {
            "members": [{"visitor_needing_paratransit": True}],
            "place_of_residence": "New Jersey",
        },
    ),
    (
        "small_child_of_a_citizen_has_a_status",
        {"members": [{}, {"relation": "child", "age": 4, "citizenship": "unlawful_resident"}]},
    ),
    (
        "minor_on_cash_assistance_has_a_reason",
        {"members": [{}, {"relation": "child", "age": 3, "receives_cash_assistance": True}]},
    ),
]


POSSIBLE = [
    # What the published generator ruled out by mistake.
    {"members": [{}, {"relation": "child", "age": 8, "dependent": True}]},
    {"members": [{}, {"relation": "spouse"}], "filing_jointly": True},
    {"members": [{}, {"relation": "foster child", "age": 8, "in_foster_care": True}]},
    {"members": [{"age": 20, "foster_age_out": True}]},
    {"members": [{"disabled": False, "can_care_for_self": True}]},
    {"members": [{"citizenship": "lawful_resident", "has_ssn": True}]},
    {"members": [{"citizenship": "unlawful_resident", "has_itin": True}]},
    {"members": [{"is_property_owner": True}], "housing_type": "cooperative apartment"},
    {"members": [{"is_property_owner": True}], "housing_type": "mixed use property"},
    {"members": [{"age": 45, "mental_health_condition": True}]},
    {"members": [{"age": 40}, {"relation": "child", "age": 14, "weeks_pregnant": 20}]},
    {"members": [{}, {"relation": "child", "age": 8, "receives_ssi": True, "disabled": True}]},
    {"members": [{}], "place_of_residence": "New York State outside the city"},
    {
        "members": [{"receives_hra": True}],
        "place_of_residence": "New York State outside the city",
        "receives_housing_assistance": True,
    },
    # Aid is for a month's income and a family's, not for a year's and everybody's.
    {
        "members": [{"annual_work_income": 90_000, "months_since_worked": 2}],
        "receives_snap": True,
    },
    {
        "members": [
            {"annual_investment_income": 120_000},
            {"relation": "domestic partner", "eligible_for_medicaid": True},
            {"relation": "child", "age": 25, "receives_cash_assistance": True},
            {"relation": "grandchild", "age": 4, "receives_cash_assistance": True},
            {
                "relation": "parent",
                "age": 80,
                "annual_investment_income": 60_000,
                "eligible_for_medicaid": True,
            },
        ],
        "receives_snap": True,
    },
    {"members": [{"work_hours_per_week": 60, "nonconsecutive_work_days": 29}]},
    *(
        {
            "members": [
                {
                    "work_hours_per_week": hours,
                    "nonconsecutive_work_days": 100,
                    "annual_work_income": paid,
                }
            ]
        }
        for hours, paid in ((35, 6_000), (34, 1_000))
    ),
    {"members": [{}, {"relation": "parent", "age": 70}, {"relation": "domestic partner"}]},
    {"members": [{}], "got_heap_ac": 2},
    {"members": [{"earns_minimum_wage": True, **_paid(40, 52, 35 * 52 * 15)}]},
    {"members": [{"earns_minimum_wage": False, **_paid(10, 51, 30_000)}]},
    {"members": [_paid(1, 52, 26_000)]},
    {"members": [{"age": 21, "covid_funeral_expenses": True}]},
    *(
        {
            "members": [
                {"age": 50, **parent},
                {"relation": relation, "age": 3, "receives_cash_assistance": True, **child},
            ]
        }
        for parent, relation, child in (
            ({"receives_ssi": True, "disabled": True}, "child", {}),
            ({"citizenship": "unlawful_resident"}, "child", {}),
            ({"receives_cash_assistance": True}, "child", {}),
            ({}, "niece or nephew", {}),
        )
    ),
    {
        "members": [
            {"annual_investment_income": 230_000},
            {"relation": "friend", "eligible_for_medicaid": True, "disabled": True},
        ]
    },
    {
        "members": [
            {},
            {"relation": "stepchild", "age": 3, "citizenship": "unlawful_resident"},
            {"relation": "spouse"},
        ]
    },
    {"members": [{}], "evicted_months_ago": 0},
    {"members": [{"years_sober": 0}]},
    {"members": [{}, {"relation": "child", "age": 0, "age_months": 2}]},
    {"members": [{"age": 40}, {"relation": "child", "age": 25, "current_school_level": "none"}]},
    # A father of 59, an applicant whose father was 66, a widow with the child of her late husband.
    {"members": [{"age": 65, "sex": "male"}, {"relation": "child", "age": 6}]},
    {"members": [{"age": 20}, {"relation": "parent", "age": 86, "sex": "male"}]},
    {
        "members": [{"age": 40, "property_owner_widow": True}, {"relation": "stepchild", "age": 9}],
        "tenure": "rent-free",
        "housing_type": "one-family house",
    },
    {"members": [{"age": 30}, {"relation": "niece or nephew", "age": 50}]},
    # The child of an older spouse, a half-brother who is older than the mother who is here.
    {
        "members": [
            {"age": 48},
            {"relation": "spouse", "age": 80},
            {"relation": "stepchild", "age": 52},
        ]
    },
    {
        "members": [
            {"age": 24},
            {"relation": "parent", "age": 50},
            {"relation": "sibling", "age": 51},
        ]
    },
]


def test_there_are_at_least_forty_constraints():
    assert len(CONSTRAINTS) >= 40


def test_constraints_say_what_they_demand_and_what_gives_way(subtests):
    for constraint in CONSTRAINTS.values():
        with subtests.test(constraint.name):
            assert constraint.says.endswith(".")
            assert constraint.repaired_by
            assert set(constraint.repaired_by) <= set(FEATURES)
            expected = ["household", "member"] if constraint.of_member else ["household"]
            assert list(inspect.signature(constraint.holds).parameters) == expected


def test_an_impossible_household_is_refused_by_its_constraint(subtests):
    for constraint, facts in IMPOSSIBLE:
        with subtests.test(constraint, facts=facts):
            household = Household.from_facts(facts, constrained=False)
            assert constraint in {violation.constraint for violation in household.violations()}
            with pytest.raises(ImpossibleHouseholdError):
                Household.from_facts(facts)


def test_every_constraint_that_no_declaration_makes_has_a_household_that_it_refuses():
    # Those made of declarations are broken one by one in `test_guards`.
    written = {
        name for name, it in CONSTRAINTS.items() if not it.holds.__module__.endswith(".guards")
    }
    assert len(written) >= 54
    assert written - {constraint for constraint, _ in IMPOSSIBLE} == set()


@pytest.mark.parametrize("facts", POSSIBLE)
def test_possible_household_is_admitted(facts):
    assert Household.complete(**facts).violations() == []


def test_violation_names_constraint_and_member():
    with pytest.raises(ImpossibleHouseholdError, match=r"by member 1 \(child, age 60\)") as caught:
        Household.from_facts({"members": [{}, {"relation": "child", "age": 60}]})
    first = caught.value.violations[0]
    assert (first.constraint, first.member) == ("child_is_younger_than_applicant", 1)
