"""Households shared by the tests of judged programs."""

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge
from benyfits_data.evaluation.rules.trial_households import draw_trials


@pytest.fixture(scope="session")
def trials():
    """Some 700 households, among them all of the thorough set of 2024."""
    return draw_trials(load_edition(2024), 150)


@pytest.fixture(scope="session")
def judge(trials):
    """A judge of programs of 2024, who keeps what is possible and the labels of the trials."""
    return RuleJudge(load_edition(2024), trials)
