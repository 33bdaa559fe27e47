"""Who may claim one program: the share, what is uncertain, and what another reading would give."""

import json

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.population import eligibility
from benyfits_data.population.eligibility import GROUPINGS, draw_shares, measure_program
from tests.commands import invoke

YEAR = 2026


@pytest.fixture(scope="module")
def measured():
    return measure_program(load_edition(YEAR).program("FairFaresNYC"), 2_000, 0, 1, 0)


def test_a_share_is_that_of_the_checker_and_groups_add_up(measured, city):
    whole, *groups = measured.groups
    assert (whole.by, whole.n) == ("city", 2_000)
    for by in ("borough", "age", "income"):
        of_it = [group for group in groups if group.by == by]
        assert sum(group.n for group in of_it) == whole.n
        assert sum(group.n * group.share for group in of_it) == pytest.approx(2_000 * whole.share)
    assert whole.low < whole.share < whole.high


def test_the_range_of_readings_is_that_of_the_options(measured):
    whole = measured.groups[0]
    shares = [share for _, _, share in measured.options]
    assert ("whose-income", "member") in [option[:2] for option in measured.options]
    assert (whole.lowest, whole.highest) == (
        min(whole.share, *shares), max(whole.share, *shares),
    )  # fmt: skip
    # Whose income counts moves a third of the city; no interval says so.
    assert whole.highest - whole.lowest > 3 * (whole.high - whole.low)


def test_income_is_that_of_all_who_live_there(city):
    homes = [
        Household.complete(members=[{"age": 40, "annual_work_income": pay}, {"age": 41}])
        for pay in (0, 24_999, 25_000, 149_999, 2_000_000)
    ]
    names, code_of = GROUPINGS["income"]
    codes = code_of(city, Households.from_households(homes))
    assert [names[code] for code in codes] == [
        "under $25,000", "under $25,000", "$25,000 to under $50,000",
        "$100,000 to under $150,000", "$150,000 and more",
    ]  # fmt: skip


def test_the_command_answers_and_draws_both_doubts(tmp_path, monkeypatch):
    monkeypatch.setattr(eligibility, "measure_spread", lambda *a: {("FairFaresNYC", YEAR): 0.1})
    arguments = ["population", "eligibility", "FairFaresNYC", "--households", "500"]
    answered = invoke(*arguments, "--output", str(tmp_path))
    assert "of households may claim" in answered.stdout
    assert "Other readings of its text give" in answered.stdout
    picture = (tmp_path / f"eligibility.FairFaresNYC.{YEAR}.svg").read_text()
    assert "other readings of the text" in picture
    content = json.loads(invoke(*arguments, "--json", "--output", str(tmp_path)).stdout)
    whole = content["groups"][0]
    # Sources leave open more than sampling: the interval is theirs.
    assert whole["high"] - whole["share"] > 0.1
    assert np.isclose(whole["n"], 500)


def test_who_are_in_order_of_size(measured):
    ages = [group.group for group in measured.groups if group.by == "age"]
    assert ages == ["under 35", "35-49", "50-64", "65-79", "80 and older"]
    assert draw_shares(measured) == draw_shares(measured)


def test_what_one_program_cannot_take_is_refused():
    for extra in (["--by", "age"], ["--edition", "2024", "--edition", "2026"]):
        refused = invoke("population", "eligibility", "FairFaresNYC", *extra)
        assert refused.exit_code == 2
        assert "one --edition, and takes no --by" in refused.stderr
