"""The linter of sources and plain texts: every rule catches a planted fault."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from benyfits_data.editions.program import load_program
from benyfits_data.lint.program_folder import lint_folder
from benyfits_data.lint.text_rules import check_sources, plain_words

SOURCES = """[2024]
list = "NYC Benefits and Programs (kvhd-5fmu), edition 2024"
program_id = "P013"

[2024.places]
1 = { place = "paragraph 2 and its table", phrase = "based primarily on annual income" }

[[2024.omission]]
place = "paragraph 3"
says = "The waiting list may be closed."
type = "about the process"

[2026]
same_as = 2024
list = "NYC Benefits and Programs (kvhd-5fmu), edition 2024"
copy = "a copy kept by somebody else"
read = 2026-08-16
unchanged = true

[[2026.omission]]
place = "paragraph 4"
says = "The waiting list is closed at present."
type = "about the process"
"""
PLAIN = """A voucher helps you pay the rent of a private apartment. What counts is your household's
income and its size. Your yearly income may be at most:

{{ income_limit | table }}
"""


@pytest.fixture
def complete(folder: Path) -> Path:
    (folder / "sources.toml").write_text(SOURCES, encoding="utf-8")
    (folder / "plain.md").write_text(PLAIN, encoding="utf-8")
    return folder


def test_a_sound_folder_has_no_problem(complete: Path) -> None:
    assert lint_folder(complete) == []


def test_an_edition_may_have_the_source_of_another(complete: Path) -> None:
    old, new = (load_program(complete, year).sources for year in (2024, 2026))
    assert old is not None
    assert new is not None
    assert (new.list, new.program_id, new.claims) == (old.list, old.program_id, old.claims)
    assert [one.place for one in new.omissions] == ["paragraph 3", "paragraph 4"]
    assert (old.is_unchanged, new.is_unchanged) == (False, True)
    later = load_program(complete, 2031).sources
    assert later is not None
    assert later.year == 2026


def test_a_plain_text_has_the_numbers_of_its_edition(complete: Path) -> None:
    old, new = (load_program(complete, year) for year in (2024, 2026))
    assert "$54,350" in old.plain()
    assert old.plain() != new.plain()
    assert plain_words(old.plain()) == 27


PLANTED = {
    "an unknown key": ("sources.toml", "program_id", "program", "Did you mean program_id?"),
    "an unknown key of a clause": ("sources.toml", "phrase =", "quote =", "has 'quote'"),
    "an unknown type": ("sources.toml", '"about the process"', '"the process"', "Did you mean"),
    "no edition": ("sources.toml", "[2024]\n", "[old]\n", "is no edition"),
    "another year that is not there": (
        "sources.toml",
        "= 2024\nlist",
        "= 2023\nlist",
        "not before",
    ),
    "a place by number": ("sources.toml", "= { place", "= 2 # { place", "expected a table"),
    "a list of no edition": (
        "sources.toml",
        "[2026]\nsame_as = 2024\nlist",
        "[2027]\nnote",
        "lacks",
    ),
    "a value of no text": (
        "sources.toml",
        "2024",
        "2023",
        ".2024 lacks source, verified, and sources",
    ),
    "a value of no day": ("sources.toml", "edition 2024", "edition 2025", ".2024 lacks verified"),
    "a clause that the text lacks": (
        "sources.toml",
        "1 = {",
        '"1, 7" = {',
        "claims clause 7, which the text does not have",
    ),
    "a clause from nowhere": (
        "requirements.md",
        "{{ income_limit | table }}",
        "{{ income_limit | table }}\n\n2. The household is small.",
        "nothing says where clause 2 comes from",
    ),
    "a long quote": (
        "sources.toml",
        "based primarily on annual income",
        "based primarily on total annual income",
        "has more than 5 words",
    ),
    "an empty place": ("sources.toml", '"paragraph 3"', '" "', "a place is empty"),
    "an omission of nothing": (
        "sources.toml",
        "The waiting list may be closed.",
        "",
        "says nothing",
    ),
    "a number by hand": ("plain.md", "at most:", "at most $54,350:", "the number $54,350 stands"),
    "an unknown threshold": ("plain.md", "{{ income_limit |", "{{ income |", "no threshold"),
    "a broken template": ("plain.md", "| table }}", "| tabel }}", "tabel"),
    "a front matter": ("plain.md", "A voucher", "+++\n+++\nA voucher", "a front matter"),
    "a clause in a plain text": ("plain.md", "What counts", "By clause one, what counts", "clause"),
    "a text about somebody": ("plain.md", "What counts", "The applicant", "Say `you`"),
    "a long text": ("plain.md", "What counts", "you and " * 70, "words in edition 2024"),
}


@pytest.mark.parametrize("fault", PLANTED)
@pytest.mark.usefixtures("complete")
def test_a_planted_fault_is_found(
    lint_changed: Callable[[str, str, str], list[str]], fault: str
) -> None:
    file, old, new, says = PLANTED[fault]
    found = lint_changed(file, old, new)
    assert any(says in problem for problem in found), found


def test_an_edition_without_a_source_is_found(
    complete: Path, lint_changed: Callable[[str, str, str], list[str]]
) -> None:
    path = complete / "thresholds.toml"
    head = "[income_limit.2026]\n"
    evidence = 'source = "a page"\nverified = 2026-11-21\n'
    path.write_text(path.read_text(encoding="utf-8").replace(head, head + evidence))
    found = lint_changed("sources.toml", "2026", "2027")
    assert any("no source of edition 2026" in problem for problem in found), found


def test_a_text_to_nobody_is_found(complete: Path) -> None:
    (complete / "plain.md").write_text("It helps with rent.", encoding="utf-8")
    assert any("nobody is spoken to" in str(problem) for problem in lint_folder(complete))


def test_days_after_today_are_refused(complete: Path) -> None:
    assert lint_folder(complete, date(2026, 11, 28)) == []
    findings = [str(finding) for finding in lint_folder(complete, date(2026, 8, 15))]
    assert any("the text of 2026 was read on 2026-08-16, after today" in it for it in findings)
    assert any("income_limit.2026 was verified on" in it for it in findings)


def test_an_unchanged_text_says_on_which_day_it_was_read(complete: Path) -> None:
    path = complete / "sources.toml"
    path.write_text(SOURCES.replace("read = 2026-08-16\n", ""), encoding="utf-8")
    values = (complete / "thresholds.toml").read_text(encoding="utf-8")
    dated = values.replace("year = 2026", "year = 2026\nverified = 2026-11-21")
    (complete / "thresholds.toml").write_text(dated, encoding="utf-8")
    findings = [str(finding) for finding in check_sources(load_program(complete, 2026))]
    assert any("S07 [2026] says that the text is unchanged" in it for it in findings)


def test_a_year_without_a_list_here_and_in_the_register_is_refused(complete: Path) -> None:
    path = complete / "sources.toml"
    path.write_text(f"{SOURCES}\n[2027]\nsame_as = 2026\n", encoding="utf-8")
    assert "[2027] lacks list" in str(lint_folder(complete)[0])
