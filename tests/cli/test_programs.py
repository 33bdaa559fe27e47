"""`benyfits-data programs`: list, show, lint."""

import json
import shutil
from pathlib import Path

import pytest

from benyfits_data.editions import DEFAULT_EDITION, load_edition
from tests.commands import invoke


def test_list_prints_one_program_a_line() -> None:
    result = invoke("programs", "list", "--edition", "2026")
    names = [line.split("\t")[0] for line in result.output.splitlines()]
    assert names == ["program", *load_edition(2026).programs]


def test_show_prints_text_values_and_sources() -> None:
    result = invoke("programs", "show", "FairFaresNYC")
    program = load_edition(DEFAULT_EDITION).program("FairFaresNYC")
    assert program.requirements() in result.output
    assert program.thresholds.entry("min_age").source in result.output
    assert "$23,940" in result.output
    assert "min_age = 18 (years): set in 2026" in result.output


def test_show_says_which_lines_decide_a_clause() -> None:
    result = invoke("programs", "show", "FairFaresNYC")
    text = (
        load_edition(DEFAULT_EDITION).program("FairFaresNYC").checker_path.read_text().splitlines()
    )
    lines = [str(n) for n, line in enumerate(text, start=1) if line.endswith("# clause 2")]
    assert f"\nclause 2: line {', '.join(lines)}\n" in result.output


def test_lint_of_a_broken_program_says_where_and_exits_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = load_edition(2024).program("FairFaresNYC")
    folder = tmp_path / "fair_fares_nyc"
    folder.mkdir()
    for path in program.folder.glob("*.*"):
        text = path.read_text()
        is_text = path.name == "requirements.md"
        broken = text.replace("{{ max_age }}", "64") if is_text else text
        (folder / path.name).write_text(broken)
    monkeypatch.setattr("benyfits_data.editions.workspace.program_folders", lambda: [folder])
    result = invoke("programs", "lint")
    assert result.exit_code == 1
    assert f"{folder / 'requirements.md'}:" in result.stdout
    assert "the number 64 stands in the text by hand" in result.stdout
    found = json.loads(invoke("programs", "lint", "--json").stdout)
    assert {it["path"] for it in found} == {str(folder / "requirements.md")}


def test_lint_of_a_copy_names_both_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = load_edition(2024).program("FairFaresNYC").folder
    copy = tmp_path / "fair_ferries"
    shutil.copytree(original, copy)
    for module in ("editions.workspace", "lint.program_folder"):
        monkeypatch.setattr(f"benyfits_data.{module}.program_folders", lambda: [original, copy])
    result = invoke("programs", "lint")
    assert result.exit_code == 1
    assert "the name 'FairFaresNYC' is that of fair_ferries too" in result.stdout
    assert "the name 'FairFaresNYC' is that of fair_fares_nyc too" in result.stdout


def test_lint_of_a_program_without_front_matter_is_a_problem_not_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new_program"
    folder.mkdir()
    (folder / "requirements.md").write_text("1. Everybody.\n")
    monkeypatch.setattr("benyfits_data.editions.workspace.program_folders", lambda: [folder])
    result = invoke("programs", "lint", "new_program")
    assert result.exit_code == 1
    assert "does not begin with a front matter" in result.stdout


def test_show_prints_notes_omissions_and_readings() -> None:
    result = invoke("programs", "show", "SectionEightHousingChoiceVoucherProgram")
    program = load_edition(DEFAULT_EDITION)["SectionEightHousingChoiceVoucherProgram"]
    assert f"Note: {program.thresholds.entry('income_limit').note}" in result.output
    for reading in program.readings:
        assert f"reading {reading.id}: {reading.question} {reading.in_force}, not " in result.output
        assert f"{reading.why} {reading.standing}" in result.output
    assert "asks for a contested label only where" in " ".join(result.output.split())
    assert "since the requirement text says how" in result.output


def test_readings_are_listed_with_their_options() -> None:
    arguments = ["programs", "readings", "section_eight_housing_choice_voucher_program"]
    result = invoke(*arguments, "--households", "0", "--no-witnesses")
    assert result.exit_code == 0
    program = load_edition(DEFAULT_EDITION)["SectionEightHousingChoiceVoucherProgram"]
    for reading in program.readings:
        assert reading.question in result.stdout
        for option in reading.options:
            assert f"{option.id}: {option.says}" in result.stdout
    assert (
        f"{len(program.readings)} readings in 1 of 1 program of {DEFAULT_EDITION}" in result.stderr
    )


@pytest.mark.slow
def test_readings_for_machines_name_the_household_that_separates() -> None:
    arguments = ["programs", "readings", "SectionEightHousingChoiceVoucherProgram"]
    result = invoke(*arguments, "--households", "50", "--json")
    first, *_ = json.loads(result.stdout)
    other = next(option for option in first["options"] if option["id"] != first["in_force"])
    assert 0 <= other["loses"] <= 1
    assert other["household"]["status"] == "found"
    assert other["household"]["household"]["members"]
