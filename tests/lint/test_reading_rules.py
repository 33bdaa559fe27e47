"""The linter of readings: every rule catches a planted fault."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benyfits_data.lint.program_folder import lint_folder


def test_a_sound_folder_has_no_problem(folder: Path) -> None:
    assert lint_folder(folder) == []


PLANTED = {
    "an option that says nothing": (
        "readings.toml",
        "Housing does not matter.",
        "housing",
        "option yes says no sentence",
    ),
    "a switch that decides nothing": (
        "checker.py",
        "if thresholds.leaves_out_assisted_homes:",
        "if household.has_ssn:",
        "the checker does not read leaves_out_assisted_homes",
    ),
    "a switch that is not tested alone": (
        "checker.py",
        "    if thresholds.leaves_out_assisted_homes:",
        "    rule = thresholds.leaves_out_assisted_homes\n    if rule:  # clause 1",
        "the checker does not test leaves_out_assisted_homes alone",
    ),
    "a number that nobody reads": (
        "readings.toml",
        "adult_age = 18",
        "adult_age = 18, grown_up_age = 21",
        "the checker does not read grown_up_age",
    ),
    "a number in force that no source states": (
        "checker.py",
        "    if thresholds.asks_adult_applicant:",
        "    if household.applicant.age < thresholds.adult_age:  # clause 1\n        return False\n"
        "    if thresholds.asks_adult_applicant:",
        "the checker in force reads adult_age, which no source states",
    ),
    "an option that is the one in force": (
        "readings.toml",
        "set = { asks_adult_applicant = true, adult_age = 18 }",
        "set = { asks_adult_applicant = false }",
        "option adult-applicant runs the same lines with the same values",
    ),
    "an option outside the language": (
        "checker.py",
        'if household.housing_type == "Section 8":',
        'if "Section 8" in household.housing_type:',
        "option no: line",
    ),
    "an option that cannot be run": (
        "checker.py",
        'household.housing_type == "Section 8"',
        'household.housing == "Section 8"',
        "option no cannot be run",
    ),
    "a question that asks nothing": (
        "readings.toml",
        "still qualify?",
        "still qualify",
        "the question ends without a question mark",
    ),
    "a malformed file": ("readings.toml", "scored = false", "score = false", "Did you mean"),
    "a gap": ("readings.toml", "Housing does", "FILL IN: what. Housing does", "to fill in: what"),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(
    lint_changed: Callable[[str, str, str], list[str]], fault: str
) -> None:
    file, old, new, says = PLANTED[fault]
    found = lint_changed(file, old, new)
    assert any(says in problem for problem in found), found
