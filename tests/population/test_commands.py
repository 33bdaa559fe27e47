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
    assumed = runner.invoke(main, ["sources", "assumptions"])
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
            "--json",
            "--output",
            str(tmp_path),
        ],
    )
    assert result.exit_code in (0, 1), result.output
    assert json.loads(result.stdout)["violations"] == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert {"population.margins.csv", "population.joints.csv", "population.pyramid.svg"} <= names
    people = (tmp_path / "population.people.csv").read_text(encoding="utf-8")
    assert "three generations" in people
    assert (tmp_path / "population.pyramid.svg").read_text().lstrip().startswith("<?xml")
