import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benyfits_data.cli.main import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("households")
    files = {}
    for layout in ("ours", "published"):
        files[layout] = folder / f"{layout}.jsonl"
        options = ["-n", "25", "--format", layout, "--output", str(files[layout])]
        result = run("households", "sample", *options)
        assert result.exit_code == 0, result.output
    return files


def test_sampled_households_pass_the_audit(sampled):
    result = run("audit", str(sampled["ours"]))
    assert result.exit_code == 0, result.output
    assert "25 households" in result.output
    assert "0 violations" in result.output


def test_a_published_file_is_audited_too(sampled):
    result = run("audit", str(sampled["published"]), "--format", "published", "--json")
    report = json.loads(result.output)
    assert report["households"] == 25
    assert report["unknown_features"] == []
    assert report["labels"]["compared"] == 25 * 82
    assert result.exit_code == int(bool(report["violations"] or report["labels"]["disagree"]))


def test_something_wrong_exits_with_1(sampled, tmp_path):
    line = json.loads(sampled["ours"].read_text().splitlines()[0])
    line["household"]["members"][0]["age"] = 3
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(line))
    result = run("audit", str(bad), "--json")
    assert result.exit_code == 1
    found = json.loads(result.output)["violations"]
    assert {"applicant_is_old_enough"} <= {violation["constraint"] for violation in found}


def test_a_malformed_file_is_one_line_of_error_with_its_line(sampled, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(sampled["ours"].read_text() + "{broken\n")
    for command in (["audit", str(bad)], ["label", str(bad), "--output", str(tmp_path / "l")]):
        result = run(*command)
        assert result.exit_code == 1
        assert "bad.jsonl:26 is not JSON" in result.output
        assert "Traceback" not in result.output
    assert not (tmp_path / "l").exists()


def test_labels_are_written_for_each_row_and_equal_those_of_the_sample(sampled, tmp_path):
    output = tmp_path / "labels.jsonl"
    assert run("label", str(sampled["ours"]), "--output", str(output)).exit_code == 0
    rows = [json.loads(line) for line in sampled["ours"].read_text().splitlines()]
    labels = [json.loads(line) for line in output.read_text().splitlines()]
    assert labels == [{"id": row["id"], "labels": row["labels"]} for row in rows]


def test_a_partial_row_is_labelled(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"members": [{"age": 30}]}\n')
    output = tmp_path / "labels.jsonl"
    result = run("label", str(tmp_path / "p.jsonl"), "--output", str(output))
    assert result.exit_code == 0, result.output
    assert len(json.loads(output.read_text())["labels"]) == 82


def test_an_existing_file_is_kept_unless_told_otherwise(sampled, tmp_path):
    output = tmp_path / "labels.jsonl"
    output.write_text("mine")
    options = [str(sampled["ours"]), "--output", str(output)]
    assert run("label", *options).exit_code == 1
    assert output.read_text() == "mine"
    assert run("label", *options, "--overwrite").exit_code == 0
    sample = ["households", "sample", "-n", "2", "--output", str(output)]
    assert run(*sample).exit_code == 1


def test_the_same_seed_samples_the_same_file(tmp_path):
    for name in ("a", "b"):
        options = ["-n", "5", "--seed", "3", "--output", str(tmp_path / name)]
        run("households", "sample", *options)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
