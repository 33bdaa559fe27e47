"""Faithfulness is a scorer: a log is read again by another reader, and results go by that."""

import pytest
from inspect_ai import score
from inspect_ai._eval.loader import scorer_from_spec
from inspect_ai._util.entrypoints import ensure_entry_points
from inspect_ai._util.registry import registry_unqualified_name
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.scorer._scorer import ScorerSpec, as_scorer_spec

from benyfits_data.evaluation import scoring
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.reading import Reader
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.rules import rules_task
from benyfits_data.evaluation.run_options import ModelSettings, Options
from tests.evaluation.players import QueueModels, example_rows, run
from tests.evaluation.readings import read_all, says
from tests.evaluation.server import Reply, Server
from tests.evaluation.test_results import grouped

(ROW,) = example_rows("FairFaresNYC", limit=1)
TINY = "openai-api/local/tiny"


def _shares(run):
    (row,) = grouped("Faithfulness", [run])
    names = ("unfaithful %", "nothing claimed %")
    return [row[name] for name in names]


@pytest.mark.slow
def test_a_log_is_read_again_by_another_reader(tmp_path, monkeypatch):
    with Server(lambda request, number: Reply("Somewhere in Jersey, I fear.")) as server:
        roles = choose_roles(user=TINY, reader="none")
        settings = ModelSettings(base_url=server.url)
        options = Options(roles=roles, settings=settings, log_dir=tmp_path)
        (dialog,) = run("diverse", [ROW], options)
    assert {turn.faithfulness for turn in dialog.turns} == {"not_read"}
    (before,) = read_runs(find_logs([tmp_path]))
    assert "reader" not in before.roles
    assert _shares(before) == ["-", "-"]
    assert before.dialogs[0].blame() == {"FairFaresNYC": "agent"}

    lie = says(("place_of_residence", "household", "New Jersey"))
    models = QueueModels(lambda role, prompt: read_all(prompt, said=lie))
    monkeypatch.setattr(scoring, "open_reader", lambda name: Reader(name, models))
    (path,) = find_logs([tmp_path])
    # Inspect sets up the models of the log again, although none of them is asked.
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    monkeypatch.setenv("LOCAL_BASE_URL", "http://nowhere/v1")
    better = scoring.faithfulness(reader="better")
    write_eval_log(score(read_eval_log(str(path)), better, model="none/none"), str(path))
    (after,) = read_runs(find_logs([tmp_path]))
    assert after.roles["reader"] == "better"
    assert {turn.faithfulness for turn in after.dialogs[0].turns} == {"unfaithful"}
    assert _shares(after) == ["100.0", "0.0"]
    assert "reader better" in after.title
    assert after.dialogs[0].blame() == {"FairFaresNYC": "user"}
    # What was played stays as it was.
    assert after.dialogs[0].verdicts == dialog.verdicts


@pytest.mark.parametrize("make", [scoring.pairs, scoring.faithfulness, rules_task.proof])
def test_inspect_score_finds_the_scorers_that_logs_name(make):
    # What `inspect score LOG` does: entry points are loaded, names come from the log.
    ensure_entry_points()
    name = as_scorer_spec(make()).scorer
    scorer = scorer_from_spec(ScorerSpec(scorer=name), task_path=None)
    assert registry_unqualified_name(scorer) == name == make.__name__
