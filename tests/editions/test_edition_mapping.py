"""An edition as a mapping: programs are found as people type them."""

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import UnknownProgramError
from benyfits_data.household.model import Household


@pytest.mark.parametrize(
    "name", ["FairFaresNYC", "fair_fares_nyc", "Fair Fares NYC", "fairfaresnyc"]
)
def test_a_program_is_found_by_any_spelling_of_its_names(name: str) -> None:
    rules = load_edition(2024)
    assert rules[name].name == "FairFaresNYC"
    assert name in rules


def test_no_two_programs_share_a_spelling() -> None:
    rules = load_edition(2024)
    for name, program in rules.items():
        for spelling in (name, program.title, program.folder.name):
            assert rules[spelling].name == name


def test_an_unknown_program_is_a_key_error_that_suggests_the_nearest() -> None:
    rules = load_edition(2024)
    with pytest.raises(UnknownProgramError, match="Did you mean FairFaresNYC") as raised:
        rules["FairFareNYC"]
    assert isinstance(raised.value, KeyError)
    assert str(raised.value).startswith("'FairFareNYC' is no program")
    assert rules.get("no such program") is None
    assert "no such program" not in rules


def test_an_edition_behaves_as_a_mapping_with_a_short_repr() -> None:
    rules = load_edition(2026)
    assert len(rules) == len(list(rules)) == 82
    assert repr(rules) == "<Edition 2026: 82 programs>"
    assert len(repr(rules["FairFaresNYC"])) < 100


def test_a_program_is_called_with_a_household() -> None:
    program = load_edition(2024)["FairFaresNYC"]
    poor, rich = ({"age": 30, "annual_work_income": income} for income in (10_000, 90_000))
    assert program(Household.complete(**{"members": [poor]}))
    assert not program(Household.complete(**{"members": [rich]}))
