"""Questions of the planner are timed one by one."""

import json

import pytest
from click.testing import CliRunner

from benyfits_data.editions import load_edition
from benyfits_data.household.model import Household
from benyfits_data.planner import Planner
from benyfits_data.planner.simulation import simulate
from tests.bench.question_times import command, time_questions


@pytest.mark.slow
def test_each_question_has_a_time() -> None:
    planner = Planner(load_edition(2026), ["FairFaresNYC", "IDNYC"])
    household = Household.complete(members=[{"age": 70}])
    (course,) = simulate(planner, [household])
    times = time_questions(planner, household)
    assert len(times) == course.n_questions > 0
    assert min(times) >= 0


@pytest.mark.slow
def test_quantiles_are_printed_for_ten_and_for_all_programs() -> None:
    told = CliRunner().invoke(command, ["--households", "1"], catch_exceptions=False)
    ten, every = map(json.loads, told.stdout.splitlines())
    assert (ten["programs"], every["programs"]) == (10, 82)
    assert 0 <= ten["p50 ms"] <= ten["p95 ms"] <= ten["most ms"]
