"""Agents of somebody else's cannot reach what they are to find out."""

from types import SimpleNamespace

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation import hiding
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import load_rows
from benyfits_data.evaluation.run_options import Options
from tests.evaluation import outside_agents
from tests.evaluation.players import example_rows, run
from tests.evaluation.test_results import write_dataset

ROWS = example_rows("FairFaresNYC", limit=2)


def play(name, tmp_path):
    agent = f"tests.evaluation.outside_agents:{name}"
    options = Options(agent=agent, roles=choose_roles(), log_dir=tmp_path, keep_going=True)
    return run("diverse", ROWS[:1], options)[0]


@pytest.mark.slow
def test_an_agent_elsewhere_asks_and_decides(tmp_path):
    dialog = play("Fair", tmp_path)
    assert len(dialog.turns) == 1
    assert dialog.turns[0].faithfulness == "faithful"
    assert dialog.verdicts == {"FairFaresNYC": "New York City" in dialog.turns[0].answer}
    assert [(item.kind, item.message) for item in dialog.failures] == [
        ("reply_not_parsed", "1 turn")
    ]
    assert dialog.roles == {"user": "reference"}


@pytest.mark.slow
def test_household_and_user_are_in_another_process(tmp_path):
    assert play("Peeks", tmp_path).verdicts == {"FairFaresNYC": False}


def test_datasets_logs_and_checkers_are_hidden_and_attempts_reported(tmp_path):
    dialog = play("Reads", tmp_path)
    assert dialog.verdicts == {"FairFaresNYC": False}
    assert {failure.kind for failure in dialog.failures} == {"dataset_opened"}
    told = "\n".join(failure.message for failure in dialog.failures)
    assert "diverse.jsonl.xz" in told
    assert "checkers" in told


def test_the_agent_that_reads_would_find_what_is_not_hidden():
    assert outside_agents.Reads().run(SimpleNamespace(programs=["A"])) == {"A": True}


@pytest.mark.slow
@pytest.mark.skipif(not hiding.has_namespaces(), reason="no namespaces here: docs/library.md")
def test_children_and_mounts_do_not_lead_to_datasets_either(tmp_path):
    assert play("Digs", tmp_path).verdicts == {"FairFaresNYC": False}


@pytest.mark.slow
def test_without_namespaces_the_hook_alone_refuses(tmp_path, monkeypatch):
    monkeypatch.setattr(hiding, "has_namespaces", lambda: False)
    dialog = play("Reads", tmp_path)
    assert dialog.verdicts == {"FairFaresNYC": False}
    assert "dataset_opened" in {failure.kind for failure in dialog.failures}
    assert play("Digs", tmp_path / "again").verdicts == {"FairFaresNYC": True}


def test_files_that_were_read_for_a_run_are_hidden(tmp_path):
    path = write_dataset(tmp_path / "mine.jsonl", ROWS)
    load_rows(path)
    assert str(path) in hiding.hidden_paths()


@pytest.mark.slow
def test_questions_are_counted_on_our_side(tmp_path):
    dialog = play("Endless", tmp_path)
    assert len(dialog.turns) == 20
    assert dialog.verdicts == {"FairFaresNYC": True}
    assert dialog.failures[-1].kind == "limit_reached"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Dies", "ended without a verdict"),
        pytest.param("Rambles", "sent no message", marks=pytest.mark.slow),
    ],
)
def test_a_process_that_misbehaves_is_a_scored_row(tmp_path, name, message):
    dialog = play(name, tmp_path)
    assert dialog.verdicts == {"FairFaresNYC": False}
    (failure,) = dialog.failures
    assert failure.kind == "agent_failed"
    assert message in failure.message


def test_an_agent_that_is_not_there_is_an_error_in_a_line():
    with pytest.raises(EvaluationError, match="importable from"):
        used_roles("no_such_module:Agent")
