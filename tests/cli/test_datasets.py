import json
from pathlib import Path

import pytest

from benyfits_data.dataset.published import PUBLISHED_EDITION
from benyfits_data.editions import DEFAULT_EDITION
from tests.commands import invoke


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("households")
    files = {}
    for layout in ("ours", "published"):
        files[layout] = folder / f"{layout}.jsonl"
        options = ["-n", "25", "--format", layout, "--output", str(files[layout])]
        result = invoke("households", "sample", *options)
        assert result.exit_code == 0, result.output
    return files


def test_sampled_households_pass_the_audit(sampled):
    result = invoke("audit", sampled["ours"])
    assert result.exit_code == 0, result.output
    assert "25 households, 4,100 labels compared" in result.output
    assert "nothing wrong" in result.output


@pytest.mark.slow
def test_a_published_file_is_audited_too(sampled):
    result = invoke("audit", sampled["published"], "--format", "published", "--json")
    report = json.loads(result.output)
    assert report["households"] == 25
    assert report["labels_compared"] == 25 * 82 * 2
    assert {"impossible household", "wrong label"} >= report["by_kind"].keys()
    assert result.exit_code == int(bool(report["findings"]))


def test_something_wrong_exits_with_1(sampled, tmp_path):
    line = json.loads(sampled["ours"].read_text().splitlines()[0])
    line["household"]["members"][0]["age"] = 3
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(line))
    result = invoke("audit", bad, "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)["by_kind"]["impossible household"]
    assert "applicant_is_old_enough" in {finding["what"] for finding in found}


def test_of_many_rows_the_bad_ones_are_set_apart_with_reasons(sampled, tmp_path):
    lines = sampled["ours"].read_text().splitlines()
    typo = json.loads(lines[3])
    typo["household"]["members"][0]["agee"] = 3
    (tmp_path / "rows.jsonl").write_text("\n".join([*lines, "{broken", json.dumps(typo)]))
    arguments = ["label", tmp_path / "rows.jsonl", "--output", tmp_path / "labels.jsonl"]
    result = invoke(*arguments)
    assert result.exit_code == 3
    assert "25 households labelled" in result.output
    rejected = [
        json.loads(line)
        for line in (tmp_path / "rows.jsonl.rejected.jsonl").read_text().split("\n")[:-1]
    ]
    assert [row["line"] for row in rejected] == [26, 27]
    assert "rows.jsonl:26 is not JSON" in rejected[0]["reasons"][0]["reason"]
    assert rejected[1]["reasons"][0]["fact"] == "members[0].agee"
    assert not list(tmp_path.glob(".*"))
    audit = invoke("audit", tmp_path / "rows.jsonl")
    assert audit.exit_code == 1
    assert "unreadable line: 1" in audit.output
    assert "duplicate id: 1" in audit.output


def test_rejected_rows_of_an_earlier_run_are_kept_and_nothing_is_written(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"members": [{"age": 30}]}\n{broken\n')
    kept = tmp_path / "p.jsonl.rejected.jsonl"
    kept.write_text("mine")
    output = tmp_path / "labels.jsonl"
    assert invoke("label", tmp_path / "p.jsonl", "--output", output).exit_code == 1
    assert kept.read_text() == "mine"
    assert not output.exists()


def test_labels_go_from_standard_input_to_standard_output(sampled):
    text = sampled["ours"].read_text()
    result = invoke("label", "-", input=text)
    assert result.exit_code == 0, result.output
    labels = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["id"] for row in labels] == [json.loads(line)["id"] for line in text.splitlines()]


def test_labels_become_a_table_when_the_output_is_csv(sampled, tmp_path):
    output = tmp_path / "labels.csv"
    assert invoke("label", sampled["ours"], "--output", output).exit_code == 0
    lines = output.read_text().splitlines()
    assert lines[0].startswith("id,edition,")
    assert len(lines) == 26


def test_labels_are_written_for_each_row_and_equal_those_of_the_sample(sampled, tmp_path):
    output = tmp_path / "labels.jsonl"
    assert invoke("label", sampled["ours"], "--output", output).exit_code == 0
    rows = [json.loads(line) for line in sampled["ours"].read_text().splitlines()]
    labels = [json.loads(line) for line in output.read_text().splitlines()]
    expected = [
        {"id": row["id"], "edition": DEFAULT_EDITION, "labels": row["labels"]} for row in rows
    ]
    assert labels == expected


def test_rows_of_the_published_layout_are_of_the_edition_behind_it(sampled, tmp_path):
    output = tmp_path / "labels.jsonl"
    assert invoke("label", sampled["published"], "--format", "published", "--output", output)
    years = {json.loads(line)["edition"] for line in output.read_text().splitlines()}
    assert years == {PUBLISHED_EDITION} != {DEFAULT_EDITION}


def test_a_partial_row_is_labelled(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"members": [{"age": 30}]}\n')
    output = tmp_path / "labels.jsonl"
    result = invoke("label", tmp_path / "p.jsonl", "--output", output)
    assert result.exit_code == 0, result.output
    assert len(json.loads(output.read_text())["labels"]) == 82


def test_an_existing_file_is_kept_unless_told_otherwise(sampled, tmp_path):
    output = tmp_path / "labels.jsonl"
    output.write_text("mine")
    options = [sampled["ours"], "--output", output]
    assert invoke("label", *options).exit_code == 1
    assert output.read_text() == "mine"
    assert invoke("label", *options, "--overwrite").exit_code == 0
    sample = ["households", "sample", "-n", "2", "--output", output]
    assert invoke(*sample).exit_code == 1


def test_the_same_seed_samples_the_same_file(tmp_path):
    for name in ("a", "b"):
        options = ["-n", "5", "--seed", "3", "--output", str(tmp_path / name)]
        invoke("households", "sample", *options)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
