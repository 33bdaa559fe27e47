"""The commands about sources and the city."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benyfits_data.cli.main import main
from benyfits_data.editions import load_edition
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.population.eligibility import groups_table, measure_eligibility
from benyfits_data.population.household_structure import BOROUGHS
from benyfits_data.population.synthesis import synthesize
from tests.commands import invoke


def test_sources_commands_answer() -> None:
    runner = CliRunner()
    listed = runner.invoke(main, ["sources", "list"])
    assert listed.exit_code == 0
    assert len(listed.output.splitlines()) >= 78
    shown = runner.invoke(main, ["sources", "show", "receives_snap"])
    assert "borough Bronx" in shown.output
    assert "https://" in shown.output
    assert runner.invoke(main, ["sources", "check"]).exit_code == 0


@pytest.mark.slow
def test_population_check_writes_every_figure(tmp_path: Path) -> None:
    result = invoke("population", "check", "--households", "2000", "--json", "--output", tmp_path)
    assert result.exit_code in (0, 1), result.output
    told = {it["kind"]: it for it in json.loads(result.stdout)["kinds"]}
    assert told["violation"]["largest"] == 0
    assert "three generations" in (tmp_path / "population.check.csv").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small city, as `population draw` writes it."""
    path = tmp_path_factory.mktemp("drawn") / "city.jsonl"
    options = ["-n", "40", "--seed", "3", "--workers", "1", "--output", str(path)]
    done = invoke("population", "draw", *options)
    assert done.exit_code == 0, done.output
    return path


@pytest.mark.slow
def test_a_drawn_city_is_the_one_that_is_synthesized(drawn: Path) -> None:
    rows = [json.loads(line) for line in drawn.read_text(encoding="utf-8").splitlines()]
    homes = synthesize(40, 3, workers=1)
    assert [row["household"] for row in rows] == [
        json.loads(json.dumps(homes.household(at).facts())) for at in range(40)
    ]
    for row in rows:
        assert row["city"]["borough"] in BOROUGHS
        assert len(row["city"]["members"]) == len(row["household"]["members"])
        assert all("education" in member for member in row["city"]["members"])


@pytest.mark.slow
def test_groups_add_up_to_the_eligible_households_of_the_city() -> None:
    households = synthesize(300, 0, workers=1)
    labels = label_and_trace(load_edition(2026), households).labels
    groupings = ("borough", "age", "tenure")
    found = measure_eligibility(300, 0, 1, (2026,), 0, groupings)
    for row in found:
        for by in groupings:
            both = [each for (kind, _), each in row.groups.items() if kind == by]
            assert sum(number for _, number in both) == 300
            assert sum(count for count, _ in both) == labels[row.program].sum()
    assert groups_table("borough", found).count("\nIDNYC,") == 5
