"""Households shared by the tests of judged programs."""

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.rules import rule_verdicts
from benyfits_data.evaluation.rules.rule_verdicts import RuleJudge
from benyfits_data.evaluation.rules.trial_households import draw_trials
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.population import synthesis


@pytest.fixture(scope="session")
def trials():
    """Some 700 households, among them all of the thorough set of 2024, and none of a city.

    Those that stand for the city are sampled, as a city takes seconds.
    """
    edition = load_edition(2024)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(synthesis, "synthesize", lambda n, seed: sample_households(n, edition, 7))
        return draw_trials(edition, 150)


@pytest.fixture(scope="session")
def judge(trials):
    """A judge of programs of 2024, who keeps what is possible and the labels of the trials."""
    return RuleJudge(load_edition(2024), trials)


@pytest.fixture
def few_households(judge, monkeypatch):
    """Every judge of the test is that one, as another would draw thousands of households anew."""
    monkeypatch.setattr(rule_verdicts, "judge_of", lambda year: judge)
