import json

import pytest

from benyfits_data.dataset import audit_rows, label_row, read_partial_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.completion import complete


def rows_of(tmp_path, *lines, layout="ours"):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return list(read_partial_rows(path, layout))


def test_a_possible_household_with_right_labels_is_clean(tmp_path):
    facts = {"members": [{"age": 30}]}
    labels = {"IDNYC": load_edition(2024).program("IDNYC").is_eligible(complete(facts))}
    audit = audit_rows(rows_of(tmp_path, {"id": "a", "household": facts, "labels": labels}), None)
    assert audit.is_clean
    assert audit.compared == 1


def test_a_wrong_label_is_reported_by_program(tmp_path):
    right = load_edition(2024).program("IDNYC").is_eligible(complete({"members": [{"age": 30}]}))
    row = {"id": "a", "household": {"members": [{"age": 30}]}, "eligible": {"IDNYC": not right}}
    audit = audit_rows(rows_of(tmp_path, row), None)
    assert not audit.is_clean
    assert audit.as_json()["labels"] == {
        "compared": 1,
        "disagree": 1,
        "by_program": {"IDNYC": 1},
    }


def test_an_impossible_household_is_reported_with_constraint_and_member(tmp_path):
    members = [{"age": 30}, {"age": 29, "relation": "child"}]
    audit = audit_rows(rows_of(tmp_path, {"id": "a", "household": {"members": members}}), None)
    assert ("a", "child_is_younger_than_applicant", 1) in audit.violations
    assert {"id": "a", "constraint": "child_is_younger_than_applicant", "member": 1} in (
        audit.as_json()["violations"]
    )


def test_unknown_facts_and_values_out_of_range_are_reported_and_do_not_stop(tmp_path):
    household = {"members": [{"age": 30, "shoe_size": 43}], "monthly_rent_spending": 9_626_748}
    audit = audit_rows(rows_of(tmp_path, {"id": "a", "household": household}), None)
    assert audit.unknown_features == ["shoe_size"]
    assert ("a", "domain_of_monthly_rent_spending", None) in audit.violations


def test_labels_of_unknown_programs_are_reported(tmp_path):
    row = {"id": "a", "household": {"members": [{"age": 30}]}, "labels": {"Moonlight": True}}
    assert audit_rows(rows_of(tmp_path, row), None).unknown_programs == ["Moonlight"]


def test_the_household_alone_is_a_row_and_untold_facts_are_filled_in(tmp_path):
    (row,) = rows_of(tmp_path, {"members": [{"age": 2, "relation": "self"}, {"age": 5}]})
    assert row.id == "line 1"
    (possible,) = rows_of(tmp_path, {"members": [{"age": 30}, {"age": 2, "relation": "child"}]})
    assert possible.household().violations() == []
    assert possible.household().members[1].age_months is not None


def test_labels_are_those_of_the_checkers_in_the_edition_asked_for(tmp_path):
    facts = {"members": [{"age": 30, "annual_work_income": 20_000}]}
    (row,) = rows_of(tmp_path, {"household": facts})
    for year in (2024, 2026):
        programs = load_edition(year).programs
        assert label_row(row, year) == {
            name: program.is_eligible(complete(facts)) for name, program in programs.items()
        }


def test_a_row_names_its_own_edition(tmp_path):
    facts = {"members": [{"age": 30, "annual_work_income": 20_000}]}
    rows = rows_of(tmp_path, {"household": facts, "edition": 2026}, {"household": facts})
    assert label_row(rows[0], None) == label_row(rows[1], 2026)


@pytest.mark.parametrize("layout", ["ours", "published"])
@pytest.mark.parametrize("row", [{"id": "a"}, {"household": {"members": []}}, {"hh": 3}])
def test_a_row_without_members_is_named_by_its_line(tmp_path, layout, row):
    good = {"household": {"members": [{"age": 30}]}}
    if layout == "published":
        good = {"hh": {"features": {"members": [{"features": {"age": 30}}]}}}
    with pytest.raises(DatasetFormatError, match=r"rows.jsonl:2"):
        rows_of(tmp_path, good, row, layout=layout)
