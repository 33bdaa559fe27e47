"""How far a year has come: changed, re-verified, or not looked at since when."""

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from benyfits_data.editions import Program, load_edition, load_register
from benyfits_data.upkeep.freshness import ProgramStatus, edition_status, program_status
from benyfits_data.upkeep.program_account import source_lines

RECORD = load_register()[2026]


@pytest.fixture(scope="module")
def states() -> dict[str, ProgramStatus]:
    return {status.program: status for status in edition_status(RECORD)}


def test_a_new_amount_is_a_change(states: dict[str, ProgramStatus]) -> None:
    assert states["FairFaresNYC"].changed == ("income_limit",)


def test_a_new_rule_is_a_change(states: dict[str, ProgramStatus]) -> None:
    assert states["ThreeK"].changed[-2:] == ("text", "rule")


def read_in(year: int, folder: Path, source: str) -> Program:
    """A program with a source that says something of a year."""
    program = load_edition(year)["Homebase"]
    (folder / "sources.toml").write_text(
        '[2024]\nlist = "the list"\n\n[2026]\nsame_as = 2024\nlist = "the list"\n' + source,
        encoding="utf-8",
    )
    for name in ("requirements.md", "checker.py"):
        shutil.copy(program.folder / name, folder / name)
    return replace(program, folder=folder)


@pytest.mark.parametrize(
    ("source", "text", "says"),
    [
        ("", "not read", "not read"),
        ("read = 2026-08-16\n", "read", "read on 2026-08-16"),
        (
            'read = 2026-08-16\ncopy = "theirs"\nunchanged = true\n',
            "unchanged",
            "unchanged, read on 2026-08-16 in a copy: theirs",
        ),
        # Nobody can know that it is unchanged without having read it.
        ("unchanged = true\n", "not read", "not read"),
    ],
)
def test_a_text_is_unchanged_only_if_that_of_the_year_was_read(
    tmp_path: Path, source: str, text: str, says: str
) -> None:
    before, now = (read_in(year, tmp_path, source) for year in (2024, 2026))
    status = program_status(now, before, {})
    assert (status.text, status.say_text()) == (text, says)
    assert status.state == ("re-verified" if text == "unchanged" else "not looked at")
    assert status.is_stale == (text == "not read")


def test_a_reviewed_text_without_numbers_is_re_verified(tmp_path: Path) -> None:
    before, now = (read_in(year, tmp_path, "") for year in (2024, 2026))
    status = program_status(now, before, {"Homebase": date(2026, 9, 1)})
    assert (status.state, status.say_text()) == ("re-verified", "unchanged, read on 2026-09-01")


def test_a_source_of_an_earlier_year_is_no_look(tmp_path: Path) -> None:
    source = "read = 2026-08-16\nunchanged = true\n"
    now = replace(read_in(2026, tmp_path, source), edition=2027)
    assert program_status(now, read_in(2026, tmp_path, source), {}).text == "not read"


def test_notes_and_omissions_are_told(states: dict[str, ProgramStatus]) -> None:
    entry = load_edition(2026)["SectionEightHousingChoiceVoucherProgram"].thresholds
    told = states["SectionEightHousingChoiceVoucherProgram"].notes
    assert f"income_limit: {entry.entry('income_limit').note}" in told


def test_sources_say_first_how_far_to_trust_them() -> None:
    for year, says in (
        (
            2026,
            ["in a copy by", "on 2026-08-16", "2 of its statements are in no clause", "1 question"],
        ),
        (2024, ["When and where it was read is not noted"]),
    ):
        first, *_ = source_lines(load_edition(year)["Homebase"])
        assert all(it in first for it in says), first
