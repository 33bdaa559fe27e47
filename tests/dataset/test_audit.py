"""Rows as other people write them: read, labelled or rejected, and audited."""

import json

import pytest

from benyfits_data.dataset import (
    LabelledRow,
    RejectedRow,
    audit_rows,
    label_row,
    label_rows,
    read_each_row,
    read_partial_rows,
)
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.reading_labels import contested

ADULT = {"members": [{"age": 30}]}


def rows_of(tmp_path, *lines, layout="ours"):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return list(read_partial_rows(path, layout))


def whole(facts=ADULT, **changed):
    """Return a whole row of ours with right labels, but for what is changed."""
    rules = load_edition(2024)
    labels = {name: program(Household.complete(**facts)) for name, program in rules.items()}
    asked = ["FairFaresNYC", "IDNYC"]
    row = {"id": "a", "edition": 2024, "household": facts, "profile": "", "programs": asked}
    table = Households.from_households([Household.complete(**facts)])
    (readings,) = contested(rules, table)
    weights = dict.fromkeys(asked, 1.0)
    told = {"labels": labels, "contested": readings, "weights": weights}
    return {**row, "eligible": {name: labels[name] for name in asked}, **told, **changed}


def audited(tmp_path, *lines):
    path = tmp_path / "audited.jsonl"
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    return audit_rows(read_each_row(path, "ours"), None)


def kinds(audit):
    return {(found.kind, found.what) for found in audit.findings}


def test_a_whole_row_with_right_labels_is_clean(tmp_path):
    audit = audited(tmp_path, whole())
    assert audit.findings == []
    assert audit.is_clean
    assert audit.compared == 84


def test_a_flipped_label_is_found_in_each_part_though_the_other_is_right(tmp_path):
    row = whole()
    for part in ("labels", "eligible"):
        flipped = {**row[part], "IDNYC": not row[part]["IDNYC"]}
        found = kinds(audited(tmp_path, {**row, part: flipped}))
        assert found == {
            ("wrong label", f"{part}.IDNYC"),
            ("labels and eligible differ", "IDNYC"),
        }


def test_every_planted_fault_is_found_and_does_not_hide_the_others(tmp_path):
    row = whole()
    faults = {
        ("duplicate id", "id"): row,
        ("missing part", "profile"): {k: v for k, v in row.items() if k != "profile"},
        ("missing part", "labels.IDNYC"): {
            **row,
            "labels": {k: v for k, v in row["labels"].items() if k != "IDNYC"},
        },
        ("unknown program", "labels.Moonlight"): {
            **row,
            "labels": {**row["labels"], "Moonlight": True},
        },
        ("programs and eligible differ", "IDNYC"): {**row, "programs": ["FairFaresNYC"]},
        ("programs and eligible differ", "programs"): {
            **row,
            "programs": ["IDNYC", "FairFaresNYC"],
        },
        ("unknown fact", "members[0].shoe_size"): {
            **row,
            "household": {"members": [{"age": 30, "shoe_size": 43}]},
        },
        ("unknown fact", "profil"): {**row, "profil": ""},
        ("impossible value", "monthly_rent_spending"): {
            **row,
            "household": {**ADULT, "monthly_rent_spending": 9_626_748},
        },
        ("impossible value", "id"): {**row, "id": 7},
        ("impossible value", "edition"): {**row, "edition": 1999},
        ("impossible value", "labels.IDNYC"): {**row, "labels": {**row["labels"], "IDNYC": 1}},
        ("unreadable line", "row"): "{",
    }
    first = {**row, "id": "a"}
    audit = audited(tmp_path, first, *faults.values())
    assert set(faults) <= kinds(audit)
    assert audit.households == len(faults)


def test_an_impossible_household_is_reported_with_constraint_and_member(tmp_path):
    members = [{"age": 30}, {"age": 29, "relation": "child"}]
    audit = audited(tmp_path, {"id": "a", "household": {"members": members}})
    (found,) = audit.of("impossible household")
    assert (found.what, found.member) == ("child_is_younger_than_applicant", 1)
    assert audit.as_json()["by_kind"]["impossible household"][0]["member"] == 1


def test_a_row_that_tells_all_we_know_is_labelled_and_others_are_rejected_with_reasons(tmp_path):
    path = tmp_path / "rows.jsonl"
    lines = [
        {"id": "good", **ADULT},
        {"id": "typo", "members": [{"age": 30, "annual_work_incom": 900_000}]},
        {"id": "place", **ADULT, "place_of_residence": "Boston"},
        {"id": "never", "members": [{"age": 30}, {"age": 29, "relation": "child"}]},
        {"id": "year", "edition": 1999, "household": ADULT},
        [],
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = list(label_rows(read_each_row(path, "ours"), None))
    assert [type(row) for row in found] == [LabelledRow] + 5 * [RejectedRow]
    typo, place, never, year, array = (row.reasons[0] for row in found[1:])
    assert typo == (
        "members[0].annual_work_incom",
        "is no fact we know; did you mean annual_work_income?",
    )
    assert place[0] == "place_of_residence"
    assert '"Boston", expected one of' in place[1]
    assert never[0] == "child_is_younger_than_applicant"
    assert year[0] == "edition"
    assert (found[5].line, array[1]) == (6, "is a JSON array, expected an object")


def test_leniently_a_row_says_what_was_assumed(tmp_path):
    path = tmp_path / "rows.jsonl"
    row = {"id": "a", "members": [{"age": 30}], "place_of_residence": "Boston", "shoes": 2}
    path.write_text(json.dumps(row), encoding="utf-8")
    (labelled,) = label_rows(read_each_row(path, "ours"), None, lenient=True)
    assert labelled.labels == label_row(next(iter(rows_of(tmp_path, ADULT))), None)
    place, shoes = sorted(labelled.as_json()["assumed"])
    assert place.startswith('place_of_residence is "Boston", expected one of')
    assert "taken as 'New York City'" in place
    assert shoes.startswith("shoes is no fact we know")
    assert shoes.endswith("taken as left out")


@pytest.mark.parametrize("layout", ["ours", "published"])
@pytest.mark.parametrize("row", [{"id": "a"}, {"household": {"members": []}}, {"hh": 3}])
def test_a_row_without_members_is_named_by_its_line(tmp_path, layout, row):
    good = {"household": {"members": [{"age": 30}]}}
    if layout == "published":
        good = {"hh": {"features": {"members": [{"features": {"age": 30}}]}}}
    with pytest.raises(DatasetFormatError, match=r"rows.jsonl:2"):
        rows_of(tmp_path, good, row, layout=layout)


@pytest.mark.parametrize(
    "change",
    [
        {"household": None},
        {"household": {"members": [3]}},
        {"household": {**ADULT, "tenur": "renter"}},
        {"labels": {"IDNYC": 1}},
        {"eligible": []},
        {"programs": "IDNYC"},
        {"extra": 1},
    ],
)
def test_a_row_of_another_shape_is_not_taken_as_it_stands(tmp_path, change):
    def taken(row):
        try:
            return not rows_of(tmp_path, row)[0].faults
        except DatasetFormatError:
            return False

    row = {"id": "a", "edition": 2024, "household": ADULT}
    assert taken(row)
    assert not taken(row | change)


VOUCHER = "SectionEightHousingChoiceVoucherProgram"
MINOR = {
    "members": [{"age": 17, "emancipated_minor": False}, {"relation": "grandparent", "age": 70}],
}


@pytest.mark.slow
def test_a_contested_label_that_does_not_say_so_is_found(tmp_path):
    row = whole(MINOR)
    assert VOUCHER in row["contested"]
    assert audited(tmp_path, row).is_clean
    without = {name: ids for name, ids in row["contested"].items() if name != VOUCHER}
    for told in (without, {**without, VOUCHER: ["already-housed"]}):
        found = kinds(audited(tmp_path, {**row, "contested": told}))
        assert found == {("contested labels differ", f"contested.{VOUCHER}")}
