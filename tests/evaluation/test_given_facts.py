"""Agents that are given what others ask for: the whole profile, or the facts that force labels."""

import json
from dataclasses import replace

import pytest
from inspect_ai.log import read_eval_log

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.results.comparison import list_scores
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run_options import ModelSettings, Options
from tests.evaluation.players import example_rows, run
from tests.evaluation.server import Reply, Server, prompt_of
from tests.evaluation.test_results import grouped

TINY = "openai-api/local/tiny"
(ROW,) = example_rows("FairFaresNYC", "HeadStart", limit=1)
PLAN = ("members", "members[0].age", "members[0].annual_work_income", "place_of_residence")


def play(agent, row, folder, verdicts):
    def decide(request, number):
        return Reply(json.dumps(verdicts))

    with Server(decide) as server:
        # A user's model is there; whatever is asked of it would be one more request.
        roles = choose_roles(dialog=TINY, user=TINY, reader="none")
        settings = ModelSettings(base_url=server.url)
        options = Options(agent=agent, roles=roles, settings=settings, log_dir=folder)
        (dialog,) = run("diverse", [row], options)
    return dialog, server.requests


def test_without_a_user_the_model_decides_by_the_profile(tmp_path):
    wrong = {name: not label for name, label in ROW.labels.items()}
    dialog, (request,) = play("no-user", ROW, tmp_path, wrong)
    assert ROW.profile.strip() in prompt_of(request)
    assert dialog.verdicts == wrong
    assert not dialog.turns
    assert not dialog.failures
    # Nothing was left unasked: what is wrong, the model got wrong.
    assert set(dialog.errors.values()) == {"reasoned_wrong"}
    assert list(dialog.roles) == ["dialog"]
    (log,) = find_logs([tmp_path])
    (row,) = grouped("Error analysis", read_runs([log]))
    assert row["error"] == "decided wrongly on the right facts"
    assert (row["wrong"], row["the user's"]) == ("2", "0")
    told = read_eval_log(str(log)).samples[0].scores["pairs"].explanation
    assert "FairFaresNYC (reasoned wrong; the agent's)" in told


def test_the_oracle_plan_gives_the_facts_of_par_as_they_are(tmp_path):
    row = replace(ROW, par=PLAN)
    dialog, (request,) = play("oracle-plan", row, tmp_path, dict(ROW.labels))
    asked = [(turn.key, turn.member) for turn in dialog.turns]
    facts = [("age", 0), ("annual_work_income", 0), ("place_of_residence", None)]
    assert asked == [("number_of_members", None), *facts]
    assert {turn.faithfulness for turn in dialog.turns} == {"faithful"}
    assert all(turn.answer in prompt_of(request) for turn in dialog.turns)
    assert dialog.verdicts == ROW.labels
    (scores,) = [
        it for it in list_scores(read_runs(find_logs([tmp_path]))).rows if "(tiny)" in it[0]
    ]
    assert scores[0].startswith("oracle-plan")
    assert scores[5] == "1.00"


def test_rows_without_par_have_no_oracle_plan(tmp_path):
    with pytest.raises(EvaluationError, match="--agent oracle-plan: 1 of 1 rows have no par"):
        play("oracle-plan", ROW, tmp_path, {})
