from dataclasses import replace

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.record import Dialog, Failure, Turn
from benyfits_data.evaluation.scoring import (
    derive,
    explain_errors,
    facts_asked,
    facts_that_decide,
)
from benyfits_data.understanding.facts import (
    EVERYONE,
    MEMBERS_KEY,
    THE_HOUSEHOLD,
    look_up,
    request_for,
)
from tests.evaluation.players import family
from tests.evaluation.readings import asks

PROGRAMS = load_edition(2024).programs
NAME = "FairFaresNYC"
HOUSEHOLD = family()
LABEL = PROGRAMS[NAME].is_eligible(HOUSEHOLD)


def wrong(turns=(), failures=(), code=None):
    dialog = Dialog(
        household="h",
        dataset="diverse",
        agent="test",
        roles={},
        size=4,
        labels={NAME: LABEL},
        verdicts={NAME: not LABEL},
        turns=list(turns),
        failures=list(failures),
        code=code or {},
    )
    return explain_errors(dialog, HOUSEHOLD, PROGRAMS)[NAME]


def turns_about_everything(**changes):
    turns = []
    for key, member in sorted(facts_that_decide(HOUSEHOLD, PROGRAMS[NAME]), key=str):
        truth = str(look_up(key, member, HOUSEHOLD))
        asked = [request_for(key, member)]
        told = Turn("?", "!", asks=asked, faithfulness="faithful", value=truth)
        turns.append(replace(told, **changes))
    return turns


def test_facts_that_decide_are_those_the_checker_reads():
    facts = facts_that_decide(HOUSEHOLD, PROGRAMS[NAME])
    assert ("place_of_residence", None) in facts
    assert ("age", 0) in facts
    assert ("monthly_rent_spending", None) not in facts


@pytest.mark.parametrize(
    ("kind", "dialog"),
    [
        ("no_verdict", {"failures": [Failure("agent_failed", "in the agent")]}),
        ("no_verdict", {"failures": [Failure("verdict_not_parsed", "?", NAME)]}),
        ("limit_reached", {"failures": [Failure("limit_reached", "100")]}),
        ("user_wrong", {"turns": turns_about_everything(faithfulness="unfaithful")}),
        ("answer_misread", {"turns": turns_about_everything(value="2")}),
        ("answer_misread", {"turns": turns_about_everything(value="unknown")}),
        ("stopped_early", {"turns": turns_about_everything()[1:]}),
        ("not_known", {"turns": [*turns_about_everything()[1:], Turn("?", "!")]}),
        ("not_known", {"turns": turns_about_everything(faithfulness="not_read")}),
        ("stopped_early", {}),
        ("reasoned_wrong", {"turns": turns_about_everything()}),
        ("program_wrong", {"turns": turns_about_everything(), "code": {NAME: "..."}}),
    ],
)
def test_each_wrong_verdict_has_one_kind(kind, dialog):
    assert wrong(**dialog) == kind


@pytest.mark.parametrize(
    ("asked", "facts"),
    [
        ([(MEMBERS_KEY, THE_HOUSEHOLD)], {(MEMBERS_KEY, None)}),
        (
            [
                (MEMBERS_KEY, THE_HOUSEHOLD),
                *((it, EVERYONE) for it in ("age", "relation")),
            ],
            {(MEMBERS_KEY, None), *((it, n) for it in ("age", "relation") for n in range(4))}
            - {("relation", 0)},
        ),
        ([("age", (0,))], {("age", 0)}),
        ([("disabled", EVERYONE)], {("disabled", n) for n in range(4)}),
        ([("pregnant", (1,)), ("weeks_pregnant", (1,))], {("weeks_pregnant", 1)}),
        ([], set()),
    ],
)
def test_questions_ask_for_facts_and_a_dialog_for_all_of_them(asked, facts):
    turn = Turn("?", "!", asks=asks(*asked))
    assert set(facts_asked(turn, HOUSEHOLD)) == facts
    dialog = Dialog("h", "diverse", "test", {}, 4, {}, {}, turns=[turn, turn], edition=2024)
    derive(dialog, HOUSEHOLD)
    assert dialog.facts_asked == 2 * len(facts)
    dialog.turns.append(Turn("?", "!"))
    derive(dialog, HOUSEHOLD)
    assert dialog.facts_asked is None


def test_right_verdicts_have_none():
    dialog = Dialog("h", "diverse", "test", {}, 4, {NAME: LABEL}, {NAME: LABEL})
    assert explain_errors(dialog, HOUSEHOLD, PROGRAMS) == {}


@pytest.mark.parametrize(
    ("value", "truth"), [("yes", "True"), ("24000.0", "24000"), ("20260131", "2026-01-31")]
)
def test_values_that_mean_the_same_are_not_misread(value, truth, monkeypatch):
    monkeypatch.setattr("benyfits_data.evaluation.scoring.look_up", lambda *fact: truth)
    assert wrong(turns=turns_about_everything(value=value)) == "reasoned_wrong"
