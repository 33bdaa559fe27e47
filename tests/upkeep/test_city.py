"""The city's list compared by ids: programs that are new or gone, lines that changed."""

from pathlib import Path

import pytest

from benyfits_data.editions import Edition, load_edition
from benyfits_data.errors import DatasetFormatError
from benyfits_data.upkeep.city_check import (
    CityProgram,
    Finding,
    check_listing,
    read_listing,
    strip_tags,
)
from tests.commands import invoke
from tests.upkeep import city_sample


@pytest.fixture(scope="module")
def edition() -> Edition:
    return load_edition(2026)


def ids(edition: Edition) -> dict[str, str]:
    """Return our programs by the city's id."""
    known = {one.sources.program_id: name for name, one in edition.items() if one.sources}
    return {id: name for id, name in known.items() if id}


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_cells_of_a_table_stay_apart() -> None:
    text = strip_tags("<table><tr><td>1</td><td>$5&nbsp;</td></tr><tr><td>2</td></tr></table>")
    assert text == "| 1 | $5\n| 2"


def test_rows_in_english_are_read_as_plain_text(tmp_path: Path) -> None:
    fares, *others = read_listing(written(tmp_path / "download.csv", city_sample.as_csv()))
    assert fares == CityProgram(
        "P120",
        "Fair Fares NYC",
        "You can get half-price rides if you:\nLive in New York City.\n"
        "Are between 18 and 64 years old.\n| Household size | Yearly income\n| 1 | $23,475",
    )
    assert [one.id for one in others] == ["P014", "P999"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name,text\na,b\n", "row 1 lacks the columns program_name, plain"),
        (
            "program_name,plain_language_eligibility\nHomes,Anybody.\n",
            "row 2, 'Homes', has no id such as P013",
        ),
        (
            "program_name,plain_language_eligibility,language\nCasas,Todos.,Spanish\n",
            "has no rows in English",
        ),
    ],
)
def test_a_file_that_cannot_be_compared_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DatasetFormatError, match=problem):
        read_listing(written(tmp_path / "other.csv", text))


def test_programs_that_are_new_or_gone_are_told_by_id(edition: Edition) -> None:
    known = ids(edition)
    listing = [CityProgram(id, name, "Whoever asks.") for id, name in known.items() if id != "P120"]
    listing.append(CityProgram("P999", "Fair Fares NYC", "Anybody\nwith a bicycle."))
    assert check_listing(edition, listing) == [
        Finding("gone", "FairFaresNYC", "the list has no P120"),
        Finding("new", "Fair Fares NYC", "P999: Anybody with a bicycle."),
    ]


def test_lines_that_changed_between_downloads_come_first(edition: Edition) -> None:
    before = [CityProgram("P120", "Fair Fares NYC", "Be 18 to 64.\nLive in the city.")]
    now = [CityProgram("P120", "Fair Fares", "Be 18 to 65.\nLive in the city.")]
    told = check_listing(edition, now, before)
    assert told[:4] == [
        Finding("changed", "FairFaresNYC", "- Fair Fares NYC"),
        Finding("changed", "FairFaresNYC", "- Be 18 to 64."),
        Finding("changed", "FairFaresNYC", "+ Fair Fares"),
        Finding("changed", "FairFaresNYC", "+ Be 18 to 65."),
    ]
    assert {one.kind for one in told[4:]} == {"gone"}


def test_the_command_compares_two_downloads(tmp_path: Path) -> None:
    name, text = city_sample.PROGRAMS["P120"]
    changed = {**city_sample.PROGRAMS, "P120": (name, text.replace("64", "65"))}
    before = written(tmp_path / "before.csv", city_sample.as_csv())
    now = written(tmp_path / "now.csv", city_sample.as_csv(changed))
    done = invoke("editions", "compare", now, before, "--edition", "2026")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[:3] == [
        "kind\tprogram\tsays",
        "changed\tFairFaresNYC\t- Are between 18 and 64 years old.",
        "changed\tFairFaresNYC\t+ Are between 18 and 65 years old.",
    ]
    assert "3 programs of the city, edition 2026: " in done.stderr
    assert "1 new" in done.stderr
