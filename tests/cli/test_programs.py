"""`benyfits-data programs`: list, show, lint."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from benyfits_data.cli.main import main
from benyfits_data.cli.programs import command
from benyfits_data.editions import load_edition


def test_list_prints_one_program_a_line() -> None:
    result = CliRunner().invoke(main, ["programs", "list", "--edition", "2026"])
    names = [line.split("\t")[0] for line in result.output.splitlines()]
    assert names == list(load_edition(2026).programs)


def test_show_prints_text_values_and_sources() -> None:
    result = CliRunner().invoke(main, ["programs", "show", "FairFaresNYC"])
    program = load_edition(2024).program("FairFaresNYC")
    assert program.requirements() in result.output
    assert program.thresholds.entry("min_age").source in result.output
    assert "$18,072" in result.output
    assert "min_age = 18 (years): set in 2024" in result.output


def test_show_says_which_lines_decide_a_clause() -> None:
    result = CliRunner().invoke(main, ["programs", "show", "FairFaresNYC"])
    text = load_edition(2024).program("FairFaresNYC").checker_path.read_text().splitlines()
    lines = [str(n) for n, line in enumerate(text, start=1) if line.endswith("# clause 2")]
    assert f"\nclause 2: line {', '.join(lines)}\n" in result.output


def test_show_of_a_later_edition_has_its_amounts() -> None:
    shown = [
        CliRunner()
        .invoke(main, ["programs", "show", "FairFaresNYC", "--edition", str(year)])
        .output
        for year in (2024, 2026)
    ]
    assert shown[0] != shown[1]


@pytest.mark.parametrize("name", ["FairFaresNYC", "fair_fares_nyc"])
def test_lint_passes_a_sound_room_by_either_name(name: str) -> None:
    result = CliRunner().invoke(main, ["programs", "lint", name])
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 rooms, 0 problems\n"


def test_lint_of_a_broken_room_says_where_and_exits_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = load_edition(2024).program("FairFaresNYC")
    room = tmp_path / "fair_fares_nyc"
    room.mkdir()
    for path in program.room.glob("*.*"):
        text = path.read_text()
        broken = text.replace("{{ max_age }}", "64") if path.suffix == ".md" else text
        (room / path.name).write_text(broken)
    monkeypatch.setattr("benyfits_data.cli.programs.room_paths", lambda: [room])
    result = CliRunner().invoke(command, ["lint"])
    assert result.exit_code == 1
    assert f"{room / 'requirements.md'}:" in result.stdout
    assert "the number 64 stands in the text by hand" in result.stdout


def test_lint_of_a_room_without_front_matter_is_a_problem_not_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "new_room"
    room.mkdir()
    (room / "requirements.md").write_text("1. Everybody.\n")
    monkeypatch.setattr("benyfits_data.cli.programs.room_paths", lambda: [room])
    result = CliRunner().invoke(command, ["lint", "new_room"])
    assert result.exit_code == 1
    assert "does not begin with a front matter" in result.stdout
