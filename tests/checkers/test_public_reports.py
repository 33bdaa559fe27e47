"""Households of public bug reports: each label holds, and where law differs a reading says so."""

import json
from pathlib import Path
from typing import Any

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__).with_name("public_reports.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['kind']}")
def test_the_label_is_that_of_law_or_a_reading_gives_it(case: dict[str, Any]) -> None:
    program = load_edition(case["edition"]).program(case["program"])
    household = Household.complete(**case["household"])
    assert program.is_eligible(household) == case["label"]
    if case["label"] != case["law"]:
        assert not program.reading(case["reading"]).is_scored
        other = program.under(case["reading"], case["option"])
        assert other.is_eligible(household) == case["law"]
