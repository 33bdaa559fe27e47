"""Editions as the register lists them: both build, ended programs leave, drafts inherit."""

import shutil
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.program import load_program
from benyfits_data.errors import ProgramFolderError, UnknownEditionError
from benyfits_data.language.source import Source

HEAD = """+++
name = "Sample"
title = "{title}"
agency = "A"
level = "city"
category = "C"
unit = "person"
{more}+++
1. Anybody.
"""


@pytest.mark.parametrize("year", EDITIONS)
def test_every_program_of_an_edition_has_text_rule_and_clauses(year: int) -> None:
    programs = load_edition(year).programs
    for name, program in programs.items():
        assert program.requirements().strip(), name
        asks_nothing = len(Source.of(program.checker).body_lines) == 1
        assert bool(program.clauses) != asks_nothing, name
        assert callable(program.checker), name


def test_the_first_edition_holds_the_82_programs() -> None:
    assert len(load_edition(2024).programs) == 82


def test_a_year_that_is_not_registered_is_refused() -> None:
    with pytest.raises(UnknownEditionError, match="editions new 2031"):
        load_edition(2031)


def program_folder(checkers: Path, **files: str) -> Path:
    folder = checkers / "sample"
    folder.mkdir(parents=True)
    (folder / "thresholds.toml").write_text("", encoding="utf-8")
    (folder / "examples.toml").write_text("", encoding="utf-8")
    for stem, text in files.items():
        (folder / f"{stem}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_program_is_in_force_from_its_first_edition_to_its_last(tmp_path: Path) -> None:
    more = "since = 2026\nuntil = 2027\n"
    folder = program_folder(tmp_path, requirements=HEAD.format(title="T", more=more))
    found = [load_program(folder, year).is_in_force for year in (2024, 2026, 2027, 2028)]
    assert found == [False, True, True, False]


def test_a_dated_text_may_carry_another_title(tmp_path: Path) -> None:
    folder = program_folder(
        tmp_path,
        requirements=HEAD.format(title="Old", more=""),
        requirements_2026=HEAD.format(title="New", more=""),
    )
    assert [load_program(folder, year).title for year in (2024, 2026, 2027)] == [
        "Old",
        "New",
        "New",
    ]


def test_a_program_that_ended_says_so_and_stays_part_of_the_edition() -> None:
    old, new = (load_edition(year)["AdvanceEarn"].ended for year in (2024, 2026))
    assert (old, new) == ("", "left the city's list by August 2026")
    assert len(load_edition(2026)) == len(load_edition(2024)) == 82


def test_an_end_without_a_year_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "advance_earn"
    shutil.copytree(load_edition(2024)["AdvanceEarn"].folder, folder)
    path = folder / "requirements.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{ 2026 = ", "{ soon = "), encoding="utf-8")
    with pytest.raises(ProgramFolderError, match="from which edition on"):
        load_program(folder, 2026)
