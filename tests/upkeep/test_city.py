"""The city's list beside an edition: numbers as printed, planted changes, false alarms."""

import re
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from benyfits_data.cli.cmd_editions import command
from benyfits_data.editions import Edition, Program, load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.upkeep.city_check import (
    KINDS,
    CityProgram,
    check_listing,
    match_programs,
    read_listing,
    strip_tags,
)
from benyfits_data.upkeep.numerals import find_numerals
from tests.upkeep import city_sample

PRINTED = [
    ("Be 60 or older", [("years", 60)]),
    ("age 13 or younger", [("years", 13)]),
    ("ages 18\u201364", [("years", 18), ("years", 64)]),
    ("between the ages of 14 and 24", [("years", 14), ("years", 24)]),
    ("at least 18 and at most 64 years old", [("years", 64), ("years", 18)]),
    ("65+", [("years", 65)]),
    ("from birth to age 5", [("years", 5)]),
    ("$18,072 or less, or $1.5 million", [("dollars", 18072), ("dollars", 1_500_000)]),
    ("misprinted $73.869.56", [("dollars", 73869.56)]),
    ("| 1 | 18,072 |\n| 2 | 24,528 |", [("dollars", 18072), ("dollars", 24528)]),
    ("138% of the poverty level or 85 percent", [("percent", 138), ("percent", 85)]),
    ("9th to 12th grade, or grades 6-8", [("grade", 9), ("grade", 12), ("grade", 6), ("grade", 8)]),
    ("K-12", [("grade", 0), ("grade", 12)]),
    ("up to six months, 20 hours a week", [("months", 6), ("hours", 20)]),
    ("fewer than 12 college credits", [("credits", 12)]),
    ("a GPA of 2.5", [("GPA", 2.5)]),
    ("10+ hours a week", [("hours", 10)]),
    ("at least 44 and at most 55 months", [("months", 44), ("months", 55)]),
    ("on or after January 20, 2020", [("date", date(2020, 1, 20).toordinal())]),
]
NOT_LIMITS = [
    "Call 212-555-0134, 1-800-555-0134 or 311.",
    "Bring form IT-201 or W-2 to 3-K.",
    "Section 8 tenants",
    "1. First\n2. Second",
    "Open 24/7, from 9:30 to 5pm",
    "in 2026",
    "https://example.org/page/77",
    "COVID-19",
]


@pytest.mark.parametrize(("text", "numbers"), PRINTED, ids=[text for text, _ in PRINTED])
def test_numbers_are_found_as_people_print_them(
    text: str, numbers: list[tuple[str, float]]
) -> None:
    found = [(it.kind, it.value) for it in find_numerals(text)]
    assert sorted(found) == sorted(numbers)


@pytest.mark.parametrize("text", NOT_LIMITS)
def test_telephones_forms_and_the_like_are_no_limits(text: str) -> None:
    assert find_numerals(text) == []


def test_cells_of_a_table_stay_apart() -> None:
    text = strip_tags("<table><tr><td>1</td><td>$5&nbsp;</td></tr><tr><td>2</td></tr></table>")
    assert text == "| 1 | $5\n| 2"


@pytest.fixture(scope="module")
def edition() -> Edition:
    return load_edition(2026)


def test_planted_changes_are_found_first_and_hardly_anything_else(
    edition: Edition, tmp_path: Path
) -> None:
    listed = {name for _, name, *_ in city_sample.PROGRAMS}
    path = tmp_path / "download.csv"
    path.write_text(city_sample.as_csv(), encoding="utf-8")
    findings = check_listing(edition, read_listing(path))
    gone = {it.program for it in findings if it.kind == "gone"}
    assert len(gone) == 82 - len(listed) + 1
    rest = [it for it in findings if it.kind != "gone"]
    for (program, kind), words in city_sample.PLANTED.items():
        assert any((it.program, it.kind) == (program, kind) and words in it.says for it in rest)
    alarms = [it for it in rest if (it.program, it.kind) not in city_sample.PLANTED]
    # Weeks and hours of work are no limits, but numbers all the same.
    assert [(it.program, it.kind) for it in alarms] == [
        ("SummerYouthEmploymentProgram", "number we lack")
    ] * 2
    assert [it.kind for it in findings] == sorted((it.kind for it in findings), key=KINDS.index)


def test_another_language_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "download.csv"
    path.write_text(city_sample.as_csv(), encoding="utf-8")
    assert len(read_listing(path)) == len(city_sample.PROGRAMS)


def own_words(edition: Edition) -> list[CityProgram]:
    """Our own texts as if the city had written them."""
    return [
        CityProgram(row, program.title, "", program.requirements())
        for row, program in enumerate(edition.programs.values(), start=2)
    ]


@pytest.mark.parametrize("year", [2024, 2026])
def test_our_own_texts_raise_hardly_an_alarm(year: int) -> None:
    edition = load_edition(year)
    alarms = check_listing(edition, own_words(edition))
    assert len(alarms) <= 4, alarms


@pytest.mark.slow
def test_nearly_every_changed_amount_in_our_own_texts_is_found(edition: Edition) -> None:
    planted, missed = 0, []
    for program in own_words(edition):
        for amount in sorted(set(re.findall(r"\$\d[\d,]*\d", program.eligibility))):
            number = int(amount[1:].replace(",", ""))
            changed = f"${round(number * 1.03) + 7:,}"
            text = program.eligibility.replace(amount, changed)
            listing = [CityProgram(2, program.name, "", text)]
            findings = check_listing(edition, listing)
            planted += 1
            if not any(changed in it.says for it in findings):
                missed.append((program.name, amount, changed))
    assert planted > 150
    assert len(missed) <= planted // 50, missed


def test_a_changed_age_in_our_own_texts_is_found(edition: Edition) -> None:
    planted, missed = 0, []
    for program in own_words(edition):
        for age in sorted(set(re.findall(r"(\d+) years old", program.eligibility))):
            text = program.eligibility.replace(f"{age} years old", f"{int(age) + 3} years old")
            findings = check_listing(edition, [CityProgram(2, program.name, "", text)])
            planted += 1
            if not any(f"{int(age) + 3} years old" in it.says for it in findings):
                missed.append((program.name, age))
    assert planted > 30
    assert len(missed) <= planted // 10, missed


def test_a_file_without_the_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("name,text\na,b\n", encoding="utf-8")
    with pytest.raises(DatasetFormatError, match="row 2 has no program_name"):
        read_listing(path)


def test_the_command_lists_likely_changes_first(tmp_path: Path) -> None:
    path = tmp_path / "download.csv"
    path.write_text(city_sample.as_csv(), encoding="utf-8")
    result = CliRunner().invoke(command, ["compare", str(path), "--edition", "2026"])
    assert result.exit_code == 0
    first = result.stdout.splitlines()[1]
    assert first.split("\t")[:2] in (
        ["changed value", "STEMMattersNYC"],
        ["changed value", "SeniorCitizenRentIncreaseExemption"],
    )


START = "You need help with reading, writing or mathematics before you begin college studies."


def with_sources(program: Program, folder: Path, phrase: str, program_id: str) -> Program:
    """The program as if its clauses quoted a phrase of a row of the city's."""
    shutil.copytree(program.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "sources.toml").write_text(
        f'[2024]\nlist = "the list"\nprogram_id = "{program_id}"\n[2024.places]\n'
        f'1 = {{ place = "sentence 1", phrase = "{phrase}" }}\n'
    )
    return replace(program, folder=folder)


def row(name: str, text: str, program_id: str = "", number: int = 2) -> CityProgram:
    return CityProgram(number, name, "", text, program_id)


def alone(*programs: Program) -> Edition:
    return Edition(2026, {program.name: program for program in programs})


def test_a_phrase_that_is_no_longer_printed_is_told(edition: Edition, tmp_path: Path) -> None:
    program = with_sources(edition["Homebase"], tmp_path / "homebase", "need help with", "P777")
    for text, expected in ((START, 0), (START.replace("need help with", "want"), 1)):
        findings = check_listing(alone(program), [row("Another name", text, "P777")])
        assert sum(it.kind == "phrase no longer printed" for it in findings) == expected
        assert [it.kind for it in findings if it.kind in ("gone", "new")] == []


def test_lines_that_changed_between_downloads_are_listed(edition: Edition) -> None:
    program = edition["Homebase"]
    before = [row(program.title, f"{START}\nYou live in the city already.")]
    now = [row(program.title, f"{START}\nYou have lived in the city for a year.")]
    findings = check_listing(alone(program), now, before)
    assert [(it.kind, it.says) for it in findings if it.kind.startswith("line")] == [
        ("line gone", "You live in the city already."),
        ("line new", "You have lived in the city for a year."),
    ]
    same = check_listing(alone(program), now, now)
    assert not any(it.kind.startswith("line") for it in same)


def test_the_id_of_the_city_comes_before_names(edition: Edition, tmp_path: Path) -> None:
    leave = with_sources(
        edition["SafeAndSickLeave"], tmp_path / edition["SafeAndSickLeave"].folder.name, "", "P701"
    )
    theirs = [
        row("Paid Prenatal Leave", leave.requirements(), "P702", 2),
        row("Time off", "Take time off.", "P701", 3),
    ]
    matches = match_programs(alone(leave), theirs)
    assert [city.id for city in matches.values()] == ["P701"]
    findings = check_listing(alone(leave), theirs)
    assert [it.kind for it in findings if it.kind in ("renamed", "new")] == ["renamed", "new"]
    # A row of another id is not the same, however alike it is.
    assert not match_programs(alone(leave), theirs[:1])


def test_the_id_is_read_in_whatever_column_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "download.csv"
    text = "Unique Id,Program Name,Plain Language Eligibility\nP013en,Homes,Anybody who asks.\n"
    path.write_text(text, encoding="utf-8")
    assert [it.id for it in read_listing(path)] == ["P013"]
