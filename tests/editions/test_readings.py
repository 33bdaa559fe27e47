"""Readings: read strictly, every option a program that answers, the one in force as the edition."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benyfits_data.editions import Program, load_edition
from benyfits_data.editions.program import load_program
from benyfits_data.editions.switches import lines_off
from benyfits_data.errors import ProgramFolderError
from benyfits_data.household.model import Household
from benyfits_data.language.explain import explain

VOUCHER = "SectionEightHousingChoiceVoucherProgram"
TENANT = Household.complete(members=[{"age": 30}], housing_type="NYCHA development")
READINGS = """[already-housed]
kind = "ambiguous"
question = "Does a household with a voucher or in public housing still qualify?"
in_force = "yes"
why = "The text asks about income and size only."
option.yes = { says = "Homes do not matter.", set = { leaves_out_assisted_homes = false, OTHERS } }
option.no.says = "A home in public housing or with a voucher rules the household out."
option.no.set = { leaves_out_assisted_homes = true, OTHERS }
""".replace(
    "OTHERS", "asks_adult_applicant = false, minors_pay_is_left_out = false, asks_for_status = true"
)
MakeProgram = Callable[..., Program]


@pytest.fixture
def make_program(tmp_path: Path) -> MakeProgram:
    """Return a copy of the voucher program whose readings are the sample's, one text replaced."""

    def make(old: str = "", new: str = "", year: int = 2024) -> Program:
        folder = tmp_path / "section_eight_housing_choice_voucher_program"
        shutil.copytree(load_edition(2024)[VOUCHER].folder, folder)
        assert old in READINGS
        (folder / "readings.toml").write_text(READINGS.replace(old, new, 1), encoding="utf-8")
        return load_program(folder, year)

    return make


def test_the_lines_of_another_option_are_no_part_of_the_checker_in_force(
    make_program: MakeProgram,
) -> None:
    program = make_program()
    other = program.under("already-housed", "no")
    assert program.is_eligible(TENANT)
    assert not other.is_eligible(TENANT)
    assert lines_off(program.checker)
    assert len(lines_off(other.checker)) < len(lines_off(program.checker))
    assert program.thresholds.names() == ["income_limit"]


def test_an_explanation_names_the_reading_that_decided() -> None:
    other = load_edition(2024)[VOUCHER].under("already-housed", "no")
    explanation = explain(other, TENANT)
    assert explanation.clauses == ("reading already-housed",)
    assert explanation.summary == "not eligible, decided by reading already-housed"
    assert "Reading already-housed: Does a household" in str(explanation)


def test_a_reading_of_one_edition_leaves_the_others_decided(make_program: MakeProgram) -> None:
    program = make_program("question", "until = 2024\nquestion", year=2026)
    assert program.readings == ()
    assert program.is_eligible(TENANT)
    assert program.thresholds.switches() == {
        "leaves_out_assisted_homes": False,
        "minors_pay_is_left_out": False,
        "asks_adult_applicant": False,
        "asks_for_status": True,
    }


@pytest.mark.parametrize(("year", "eligible"), [(2024, True), (2026, False), (2027, False)])
def test_each_edition_may_take_another_option(
    make_program: MakeProgram, year: int, eligible: bool
) -> None:
    program = make_program(
        'in_force = "yes"', 'in_force = { 2024 = "yes", 2026 = "no" }', year=year
    )
    assert program.is_eligible(TENANT) == eligible


@pytest.mark.parametrize(("year", "is_open"), [(2024, False), (2026, True), (2031, True)])
def test_a_later_year_inherits_the_readings(
    make_program: MakeProgram, year: int, is_open: bool
) -> None:
    program = make_program("question", "since = 2026\nquestion", year=year)
    assert [reading.id for reading in program.readings] == ["already-housed"] * is_open


PLANTED = {
    "one option only": ("option.yes = ", "# ", "options no. Give two or more"),
    "an option that is no table": ("option.yes = ", "option.yes = 1 # ", "is 1, expected a table"),
    "a value that is none": ("homes = true", 'homes = "true"', "expected a number, a date, true"),
    "unknown key": ("kind =", "kinds =", "reading 'already-housed' has 'kinds'. Did you mean"),
    "unknown kind": ('"ambiguous"', '"defect"', "kind is 'defect'. Write one of ambiguous"),
    "no option in force": ('in_force = "yes"', 'in_force = "yess"', "Did you mean yes?"),
    "years that are none": ('in_force = "yes"', 'in_force = { a = "yes" }', "or a table of years"),
    "an id that is none": ("option.yes", 'option."No way"', "'No way' is no id"),
    "a switch that only another option has": (
        "{ leaves_out_assisted_homes = true",
        "{ leaves_out_assisted_home = true",
        "no threshold of edition 2024. Did you mean leaves_out_assisted_homes?",
    ),
    "a value of another kind": (
        "leaves_out_assisted_homes = true",
        "leaves_out_assisted_homes = 1",
        "but in force it is False",
    ),
    "a switch beside options": ("why =", 'switch = "x"\nwhy =', "has a switch and options"),
    "in force unlike the edition": (
        "homes = false",
        "homes = false, income_limit = { by_size = { 1 = 5 } }",
        "but thresholds.toml states",
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_refused_with_its_place(make_program: MakeProgram, fault: str) -> None:
    old, new, says = PLANTED[fault]
    with pytest.raises(ProgramFolderError, match=r"readings\.toml: reading") as caught:
        make_program(old, new)
    assert says in str(caught.value)


@pytest.mark.parametrize(("old", "new"), [("option.no.says", "option.yes.says"), ("", READINGS)])
def test_one_id_twice_is_refused(make_program: MakeProgram, old: str, new: str) -> None:
    with pytest.raises(ProgramFolderError, match=r"readings\.toml: not valid TOML: .* line \d+"):
        make_program(old, new)


def test_an_unknown_reading_or_option_is_refused() -> None:
    program = load_edition(2024)[VOUCHER]
    with pytest.raises(ProgramFolderError, match="no reading 'x' in edition 2024; it has"):
        program.under("x", "yes")
    with pytest.raises(ProgramFolderError, match="no option 'x'; it has yes, no"):
        program.under("already-housed", "x")
