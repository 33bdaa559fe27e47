"""`benyfits-data par` prints floors and writes only what it is told to."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benyfits_data.cli import par_planner
from benyfits_data.cli.main import main
from benyfits_data.dataset import Row, read_rows, write_rows
from benyfits_data.dataset.building import par_summary, with_floors
from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from benyfits_data.par import TRACKS
from benyfits_data.planner.simulation import Course

PROGRAMS = ("FairFaresNYC", "IDNYC")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    edition, rows = load_edition(2026), []
    for number, age in enumerate((70, 30)):
        home = Household.complete(
            members=[{"age": age, "annual_work_income": 9_000}, {"relation": "child", "age": 5}]
            if age < 60
            else [{"age": age}]
        )
        eligible = {name: edition.program(name).is_eligible(home) for name in PROGRAMS}
        rows.append(Row(f"r{number}", 2026, home, "Text.", PROGRAMS, eligible, eligible))
    path = tmp_path_factory.mktemp("par") / "two.jsonl"
    write_rows(path, rows)
    return path


def run(*arguments: object) -> str:
    done = CliRunner().invoke(main, ["par", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.slow
def test_a_table_ends_with_mean_median_and_largest(file: Path) -> None:
    before = sorted(file.parent.iterdir())
    lines = [line.split("\t") for line in run(file, "--workers", 1, "--check").splitlines()]
    assert lines[0] == ["row", "members", "programs", *TRACKS]
    assert [line[0] for line in lines[1:]] == ["r0", "r1", "mean", "median", "max"]
    assert lines[1] == ["r0", "1", "2", "3", "2", "2", "2"]
    assert sorted(file.parent.iterdir()) == before


@pytest.mark.slow
def test_rows_are_written_with_their_floors_when_told(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "with.jsonl"
    told = json.loads(run(file, "--track", "one", "--json", "--output", target, "--workers", 1))
    rows = read_rows(target)
    assert {row.id: row.par for row in rows} == told["rows"]
    assert told["one"] == par_summary(rows)["one"]
    assert with_floors(read_rows(file), ("one",), 2) == rows


@pytest.mark.slow
def test_the_planner_is_held_against_par(file: Path) -> None:
    told = json.loads(run(file, "--planner", "--track", "one", "--workers", 1, "--json"))
    floors = json.loads(run(file, "--track", "one", "--workers", 1, "--json"))["one"]
    par, planner = told["turns"]
    assert (par["who"], par["mean"], par["most"]) == ("par", floors["mean"], floors["max"])
    assert planner["rows"] == 2
    assert planner["mean"] >= par["mean"]
    for one in told["farthest"]:
        spare = one["asked, though the fewest found do without"]
        asked = len(spare.split(", ")) if spare else 0
        assert one["planner"] - one["par"] <= asked <= one["planner"]
    assert sum(it["planner"] for it in told["farthest"]) == 2 * planner["mean"]


@pytest.mark.slow
def test_a_planner_that_is_wrong_is_noticed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [Course(1, (0, 1, 2), 1)]
    monkeypatch.setattr(par_planner, "simulate", lambda planner, households: wrong)
    told = ["par", str(file), "--planner", "--track", "one", "--workers", "1"]
    done = CliRunner().invoke(main, told)
    assert done.exit_code == 1
    assert "r0: the planner ends" in done.stderr


@pytest.mark.parametrize("par", [{"two": 3}, {"one": True}, {"one": "3"}, [3]])
def test_floors_that_are_none_are_refused(file: Path, tmp_path: Path, par: object) -> None:
    content = json.loads(file.read_text(encoding="utf-8").splitlines()[0]) | {"par": par}
    broken = tmp_path / "broken.jsonl"
    broken.write_text(json.dumps(content) + "\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["par", str(broken)])
    assert done.exit_code == 1
    assert "par is" in done.output + done.stderr
