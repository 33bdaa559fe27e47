"""The commands about sources and the city."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benyfits_data.cli.main import main


def test_sources_commands_answer() -> None:
    runner = CliRunner()
    listed = runner.invoke(main, ["sources", "list"])
    assert listed.exit_code == 0
    assert len(listed.output.splitlines()) >= 78
    shown = runner.invoke(main, ["sources", "show", "receives_snap"])
    assert "borough Bronx" in shown.output
    assert "https://" in shown.output
    assert runner.invoke(main, ["sources", "check"]).exit_code == 0
    assumed = runner.invoke(main, ["sources", "list", "--assumptions"])
    assert "look up" in assumed.output


@pytest.mark.slow
def test_population_check_writes_tables_and_pictures(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        main,
        [
            "population",
            "check",
            "--households",
            "2000",
            "--no-independent",
            "--json",
            "--output",
            str(tmp_path),
        ],
    )
    assert result.exit_code in (0, 1), result.output
    assert json.loads(result.stdout)["violations"] == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert {"population.margins.csv", "population.joints.csv", "population.pyramid.svg"} <= names
    assert (tmp_path / "population.pyramid.svg").read_text().lstrip().startswith("<?xml")


def test_population_people_counts_rules_and_rare_people() -> None:
    options = ["--households", "2000", "--workers", "1", "--json"]
    told = CliRunner().invoke(main, ["population", "people", *options])
    assert told.exit_code == 0, told.output
    rows = {row["what"]: row for row in json.loads(told.stdout)}
    assert rows["three generations"]["kind"] == "group"
    assert (
        rows["three generations"]["number"] * 50
        == rows["three generations"]["per 100,000 households"]
    )
