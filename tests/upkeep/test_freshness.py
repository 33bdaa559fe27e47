"""How far a year has come: changed, re-verified, or not looked at since when."""

from dataclasses import replace
from datetime import date

import pytest

from benyfits_data.editions import load_edition, load_register
from benyfits_data.upkeep.freshness import ProgramStatus, edition_status

RECORD = load_register()[2026]


@pytest.fixture(scope="module")
def states() -> dict[str, ProgramStatus]:
    return {status.program: status for status in edition_status(RECORD)}


def test_every_program_has_a_state(states: dict[str, ProgramStatus]) -> None:
    assert len(states) == 82
    assert {it.state for it in states.values()} == {"changed", "re-verified", "not looked at"}


def test_a_new_amount_is_a_change(states: dict[str, ProgramStatus]) -> None:
    assert states["FairFaresNYC"].changed == ("income_limit",)


def test_a_new_rule_is_a_change(states: dict[str, ProgramStatus]) -> None:
    assert states["ThreeK"].changed[-2:] == ("text", "rule")


def test_a_value_stated_again_is_re_verified(states: dict[str, ProgramStatus]) -> None:
    seen = {
        name: {program.thresholds.entry(it).since for it in program.thresholds.names()}
        for name, program in load_edition(2026).items()
    }
    unchanged = {name: years for name, years in seen.items() if not states[name].changed}
    assert {2026} in unchanged.values()
    for name, years in unchanged.items():
        is_seen = name in RECORD.reviewed or years == {2026}
        assert states[name].state == ("re-verified" if is_seen else "not looked at")


def test_an_inherited_value_names_the_day_of_the_last_look(
    states: dict[str, ProgramStatus],
) -> None:
    stale = [it for it in states.values() if it.state == "not looked at" and it.stale]
    assert stale
    for status in stale:
        assert status.since is not None
        assert str(status) == f"not looked at since {status.since}: {', '.join(status.stale)}"


def test_a_reviewed_text_without_numbers_is_re_verified() -> None:
    record = replace(RECORD, reviewed={"Homebase": date(2026, 9, 1)})
    found = {status.program: status.state for status in edition_status(record)}
    assert found["Homebase"] == "re-verified"


def test_a_new_draft_has_been_looked_at_by_nobody() -> None:
    record = replace(RECORD, year=2027, status="draft", inherits_from=2026)
    assert {status.state for status in edition_status(record)} == {"not looked at"}


def test_programs_of_the_first_edition_are_new() -> None:
    record = load_register()[2024]
    assert {status.state for status in edition_status(record)} == {"new"}
