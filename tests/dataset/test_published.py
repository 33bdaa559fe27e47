import json

import pytest

from benyfits_data.dataset import Row, read_partial_rows
from benyfits_data.dataset.published import facts_from_published
from benyfits_data.editions import load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from tests.dataset.published_rows import to_published

NOT_TOLD = {"gpa", "got_heap_ac", "evicted_months_ago", "months_pregnant", "weeks_pregnant"}
"""Zero and never are one value there."""


def row_of(household: Household) -> Row:
    return Row("x-1", 2024, household, "Hello.", ("IDNYC",), {"IDNYC": True}, {"IDNYC": True})


@pytest.fixture(scope="module")
def households() -> list[Household]:
    table = sample_households(60, load_edition(2024), seed=4)
    return [table.household(position) for position in range(len(table))]


def test_what_the_published_layout_tells_is_read_back(tmp_path, households):
    path = tmp_path / "p.jsonl"
    lines = [json.dumps(to_published(row_of(household))) for household in households]
    path.write_text("\n".join(lines), encoding="utf-8")
    rows = list(read_partial_rows(path, "published"))
    assert len(rows) == len(households)
    for row, household in zip(rows, households, strict=True):
        assert row.faults == []
        assert row.labels == {"IDNYC": True}
        for name, feature in HOUSEHOLD_FEATURES.items():
            if feature.published and name not in NOT_TOLD:
                assert row.facts[name] == getattr(household, name), name
        for member, told in zip(household.members, row.facts["members"], strict=True):
            for name, feature in MEMBER_FEATURES.items():
                if feature.published and name not in NOT_TOLD:
                    assert told[name] == getattr(member, name), name
            assert told["current_grade"] == member.current_grade


@pytest.mark.parametrize(
    ("published", "level", "grade"),
    [
        ("none", "none", None),
        ("pk", "pre-kindergarten", None),
        ("k", "school", 0),
        (7, "school", 7),
        ("12", "school", 12),
        ("college", "college", None),
    ],
)
def test_school_levels_are_told_apart_from_grades(published, level, grade):
    members, _, _ = facts_from_published([{"current_school_level": published}])
    assert members[0]["current_school_level"] == level
    assert members[0]["current_grade"] == grade


@pytest.mark.parametrize(
    ("features", "name", "value"),
    [
        ({"years_sober": -1}, "years_sober", None),
        ({"months_since_worked": -1}, "months_since_worked", None),
        ({"months_pregnant": 0}, "months_pregnant", None),
        ({"months_owned_property": 0}, "months_owned_property", None),
        ({"months_owned_property": 0, "is_property_owner": True}, "months_owned_property", 0),
        ({"months_pregnant": 5}, "weeks_pregnant", 22),
    ],
)
def test_never_is_told_apart_from_zero_where_it_can_be(features, name, value):
    members, _, _ = facts_from_published([features])
    assert members[0][name] == value


def test_published_values_with_other_names_are_ours():
    _, shared, unknown = facts_from_published(
        [
            {
                "place_of_residence": "Jersey",
                "housing_type": "4 bedroom, 1 family house",
                "shoe_size": 43,
            }
        ]
    )
    assert shared["place_of_residence"] == "New Jersey"
    assert shared["housing_type"] == "one-family house"
    assert unknown == ["shoe_size"]
