import json
import re
from pathlib import Path

import pytest

from benyfits_data.dataset import read_rows
from benyfits_data.dataset.published import PUBLISHED_EDITION
from benyfits_data.editions import DEFAULT_EDITION
from tests.commands import invoke
from tests.dataset.published_rows import to_published


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("households")
    files = {layout: folder / f"{layout}.jsonl" for layout in ("ours", "published")}
    result = invoke("households", "sample", "-n", "6", "--output", files["ours"])
    assert result.exit_code == 0, result.output
    lines = [json.dumps(to_published(row)) for row in read_rows(files["ours"])]
    files["published"].write_text("\n".join(lines))
    return files


def test_sampled_households_pass_the_audit(sampled):
    result = invoke("audit", sampled["ours"])
    assert result.exit_code == 0, result.output
    assert "6 households, 984 labels compared" in result.output
    assert "nothing wrong" in result.output


def test_of_many_rows_the_bad_ones_are_set_apart_with_reasons(sampled, tmp_path):
    lines = sampled["ours"].read_text().splitlines()
    typo = json.loads(lines[3])
    typo["household"]["members"][0]["agee"] = 3
    (tmp_path / "rows.jsonl").write_text("\n".join([*lines, "{broken", json.dumps(typo)]))
    arguments = ["label", tmp_path / "rows.jsonl", "--output", tmp_path / "labels.jsonl"]
    result = invoke(*arguments)
    assert result.exit_code == 3
    assert "6 households labelled" in result.output
    rejected = [
        json.loads(line)
        for line in (tmp_path / "labels.jsonl.rejected.jsonl").read_text().split("\n")[:-1]
    ]
    assert [row["line"] for row in rejected] == [7, 8]
    assert rejected[0]["reasons"][0]["reason"].startswith("is not JSON: Expecting property name")
    assert "  line 7: row is not JSON: Expecting" in result.output
    assert f"  {typo['id']} (line 8): members[0].agee is no fact we know" in result.output
    assert rejected[1]["reasons"][0]["fact"] == "members[0].agee"
    assert not list(tmp_path.glob(".*"))
    audit = invoke("audit", tmp_path / "rows.jsonl")
    assert audit.exit_code == 1
    assert "unreadable line: 1 in 1 row" in audit.output
    assert re.search(r"^  row is not JSON: [^.]*a line: 1 \(line 7\)$", audit.output, re.MULTILINE)
    assert "duplicate id: 1" in audit.output


def test_rejected_rows_of_an_earlier_run_are_kept_and_nothing_is_written(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"members": [{"age": 30}]}\n{broken\n')
    output = tmp_path / "labels.jsonl"
    kept = tmp_path / "labels.jsonl.rejected.jsonl"
    kept.write_text("mine")
    refused = invoke("label", tmp_path / "p.jsonl", "--output", output)
    assert refused.exit_code == 1
    assert f"{kept} exists already." in refused.output
    assert kept.read_text() == "mine"
    assert not output.exists()
    # What the message advises helps; three reasons at most are shown.
    (tmp_path / "p.jsonl").write_text('{"members": [{"age": 30}]}\n' + "{broken\n" * 5)
    done = invoke("label", tmp_path / "p.jsonl", "--output", tmp_path / "other.jsonl")
    assert done.exit_code == 3
    assert done.output.count("row is not JSON") == 3
    assert "  and 2 more" in done.output


def test_labels_go_from_standard_input_to_standard_output(sampled):
    text = sampled["ours"].read_text()
    result = invoke("label", "-", input=text)
    assert result.exit_code == 0, result.output
    labels = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["id"] for row in labels] == [json.loads(line)["id"] for line in text.splitlines()]


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


def test_an_existing_file_is_kept_unless_told_otherwise(sampled, tmp_path):
    output = tmp_path / "labels.jsonl"
    output.write_text("mine")
    options = [sampled["ours"], "--output", output]
    assert invoke("label", *options).exit_code == 1
    assert output.read_text() == "mine"
    assert invoke("label", *options, "--overwrite").exit_code == 0
    sample = ["households", "sample", "-n", "2", "--output", output]
    assert invoke(*sample).exit_code == 1
