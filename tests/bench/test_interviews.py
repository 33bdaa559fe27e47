"""City households are interviewed in chunks; a wrong verdict is counted."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benyfits_data.planner.simulation import Course
from tests.bench import interviews

pytestmark = pytest.mark.xdist_group("interviews")
"""One process makes the planner for both."""


def run(file: Path, *arguments: str) -> Result:
    return CliRunner().invoke(interviews.command, [str(file), "--par", "1", *arguments])


@pytest.mark.slow
def test_a_run_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    for number in ("1", "2"):
        told = run(file, "--households", "3", "--first", number)
        assert told.exit_code == 0, told.output
    _, first, second = map(json.loads, file.read_text().splitlines())
    assert first["wrong"] == second["wrong"] == 0
    assert 0 < first["par"] <= first["questions"]
    assert json.loads(told.stdout)["households"] == 2


@pytest.mark.slow
def test_a_file_of_another_city_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    assert run(file, "--households", "3", "--first", "0").exit_code == 0
    before = file.read_text()
    for other in (("--households", "4"), ("--households", "3", "--programs", "1")):
        told = run(file, *other, "--first", "0")
        assert told.exit_code == 1
        assert "line 1: of another city or other rules" in told.output
    assert file.read_text() == before


@pytest.mark.slow
def test_verdicts_that_are_wrong_or_open_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(1, (0, 8), 1)
    monkeypatch.setattr(interviews, "simulate", lambda planner, households: [course])
    told = interviews.interview(0, 1)
    assert told["wrong"] == 3
    assert interviews.summarize([told])["wrong or open verdicts"] == 3
