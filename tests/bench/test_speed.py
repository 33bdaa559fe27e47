"""The bench of building steps: a table or JSON."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from tests.bench import measuring, speed
from tests.bench.test_measuring import BENCH


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What was asked to be measured; nothing is."""
    calls: list[dict[str, Any]] = []

    def measure(edition: Any, seed: int, **options: Any) -> measuring.Bench:
        calls.append({"edition": edition.year, "seed": seed, **options})
        return BENCH

    monkeypatch.setattr(measuring, "measure", measure)
    return calls


def test_the_table_names_steps_ratios_and_the_extrapolation(asked: list[dict[str, Any]]) -> None:
    result = CliRunner().invoke(speed.command, [], terminal_width=100)
    assert result.exit_code == 0, result.output
    row = next(line for line in result.stdout.splitlines() if "label and trace" in line)
    assert row.split("\t") == ["label and trace", "0.5", "2,000", "200", "100"]
    assert "extrapolated from 10" in " ".join(result.stdout.split())
    assert asked[0]["sizes"] == [10**power for power in range(3, 8)]
    assert asked[0]["households"] == 10_000


def test_quick_stops_at_a_hundred_thousand_and_json_is_json(asked: list[dict[str, Any]]) -> None:
    result = CliRunner().invoke(speed.command, ["--quick", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == BENCH.as_json()
    assert asked[0]["sizes"] == [1_000, 10_000, 100_000]


def test_work_is_shown_on_terminals_only(capsys: pytest.CaptureFixture[str]) -> None:
    with speed._shown("a step", 0) as tick:
        tick(1)
    with speed._shown("households", 10) as tick:
        tick(10)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip() == ""
