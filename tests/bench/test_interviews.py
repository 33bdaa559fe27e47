"""City households are interviewed in chunks; a wrong verdict is counted."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benyfits_data.bench import interviews
from benyfits_data.planner.simulation import Course

pytestmark = pytest.mark.xdist_group("interviews")
"""One process makes the planner for both."""


def test_a_run_goes_on_where_its_file_ends(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    for households in ("1", "2"):
        told = CliRunner().invoke(
            interviews.command, [str(file), "--households", households, "--par", "1"]
        )
        assert told.exit_code == 0, told.output
    first, second = map(json.loads, file.read_text().splitlines())
    assert first["wrong"] == second["wrong"] == 0
    assert 0 < first["par"] <= first["questions"]
    assert json.loads(told.stdout)["households"] == 2


def test_verdicts_that_are_wrong_or_open_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(1, (0, 8), 1)
    monkeypatch.setattr(interviews, "simulate", lambda planner, households: [course])
    told = interviews.interview(0, 1)
    assert told["wrong"] == 3
    assert interviews.summarize([told])["wrong or open verdicts"] == 3
