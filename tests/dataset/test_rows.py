from dataclasses import replace
from datetime import date

import pytest

from benyfits_data.dataset import (
    Row,
    check_replaceable,
    digest,
    read_checksums,
    read_manifest,
    read_rows,
    write_atomically,
    write_checksums,
    write_manifest,
    write_rows,
)
from benyfits_data.errors import DatasetFormatError, FeatureValueError, OutputExistsError
from benyfits_data.household.model import Household


def a_row(identifier: str = "diverse-1") -> Row:
    household = Household.complete(
        **{"members": [{"age": 34, "name": "Ana"}, {"age": 3, "relation": "child", "name": "Zoë"}]}
    )
    return Row(
        id=identifier,
        edition=2024,
        household=household,
        profile="You are Ana.",
        programs=("IDNYC",),
        eligible={"IDNYC": True},
        labels={"FairFaresNYC": False, "IDNYC": True},
        contested={"IDNYC": ("residence",)},
        weights={"IDNYC": 12.5},
    )


def test_rows_are_read_back_as_they_were_written(tmp_path):
    rows = [a_row("diverse-1"), a_row("diverse-2")]
    write_rows(tmp_path / "d.jsonl", rows)
    assert read_rows(tmp_path / "d.jsonl") == rows


DATED = {"covid_funeral_expenses": True, "covid_funeral_expense_date": date(2020, 5, 8)}


@pytest.mark.slow
def test_rows_are_the_same_after_a_round_trip_through_hugging_face(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from datasets import load_dataset, load_from_disk

    dated = Household.complete([{"age": 34, "name": "Ana", **DATED}])
    rows = [
        replace(a_row("diverse-1"), household=dated),
        replace(a_row("diverse-2"), contested={}),
    ]
    write_rows(tmp_path / "d.jsonl", rows)
    files = str(tmp_path / "d.jsonl")
    loaded = load_dataset("json", data_files=files, split="train", cache_dir=str(tmp_path))
    loaded.save_to_disk(tmp_path / "disk")
    load_from_disk(tmp_path / "disk").to_json(tmp_path / "again.jsonl")
    assert '"2020-05-08"' not in (tmp_path / "again.jsonl").read_text()
    assert read_rows(tmp_path / "again.jsonl") == rows


def test_a_number_of_milliseconds_that_is_no_day_is_no_date():
    with pytest.raises(FeatureValueError, match="expected a date"):
        Household.from_facts({"members": [{**DATED, "covid_funeral_expense_date": 1588896000001}]})


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        (lambda line: line[:-20], "is not JSON"),
        (lambda line: "[1]", "a JSON array"),
        (lambda line: line.replace('"profile"', '"prose"'), "lacks profile"),
        (lambda line: line.replace('"age": 34', '"age": 340'), "age is 340"),
        (lambda line: line.replace('"age": 34', '"height": 34'), "'height' is not"),
        (lambda line: line.replace('"IDNYC": true', '"IDNYC": 1'), "expected true or false"),
        (lambda line: line.replace('"age": 34', '"age": 9'), "Impossible household"),
        (lambda line: line.replace('["residence"]', '"residence"'), "expected a list of readings"),
        (lambda line: line.replace('"edition": 2024', '"edition": "2024"'), "expected int"),
        (lambda line: line.replace("12.5", "0"), "expected a number above 0"),
        (lambda line: line.replace('{"IDNYC": 12.5}', '{"HeadStart": 2}'), "weights do not name"),
    ],
)
def test_a_damaged_line_is_named_with_its_number(tmp_path, damage, found):
    path = tmp_path / "d.jsonl"
    line = a_row().as_json()
    path.write_text(line + "\n\n" + damage(line) + "\n", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(DatasetFormatError, match=found) as error:
        read_rows(path)
    assert error.value.line == 3
    assert f"{path}:3" in str(error.value)
    assert path.read_bytes() == before


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "d.jsonl"
    write_atomically(path, "old")

    def rows():
        yield a_row()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_rows(path, rows())
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["d.jsonl"]


def test_files_that_a_build_left_may_be_replaced_and_others_not(tmp_path):
    ours, other = tmp_path / "ours", tmp_path / "other"
    write_atomically(ours, "built")
    built = {"ours": digest(ours)}
    check_replaceable([ours, tmp_path / "new"], built)
    write_atomically(other, "mine")
    with pytest.raises(OutputExistsError, match=r"other exists already\. "):
        check_replaceable([ours, other], built)
    write_atomically(ours, "edited")
    with pytest.raises(OutputExistsError, match=r"ours was changed since it was built\. "):
        check_replaceable([ours], built)
    check_replaceable([ours, other], built, overwrite=True)


def test_checksums_are_merged_and_read_back(tmp_path):
    path = tmp_path / "CHECKSUMS"
    write_checksums(path, {"b": "1" * 64, "a": "2" * 64})
    assert read_checksums(path) == {"a": "2" * 64, "b": "1" * 64}
    path.write_text("nonsense\n")
    with pytest.raises(DatasetFormatError, match="CHECKSUMS:1"):
        read_checksums(path)


def test_a_foreign_manifest_is_not_taken_for_ours(tmp_path):
    assert read_manifest(tmp_path, "diverse") is None
    write_manifest(tmp_path, {"name": "diverse", "files": {}})
    assert read_manifest(tmp_path, "diverse") == {"name": "diverse", "files": {}}
    (tmp_path / "diverse.manifest.json").write_text('{"name": "other"}')
    with pytest.raises(DatasetFormatError, match="not the manifest"):
        read_manifest(tmp_path, "diverse")
