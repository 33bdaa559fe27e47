"""Limits relative to par: what a dialog may ask, who is refused, and runs kept apart."""

from dataclasses import asdict, replace

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import paper_limit
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import limit_of, require_par
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.paper_table import find_sets
from benyfits_data.evaluation.results.runs import complete_runs, find_logs, read_runs
from benyfits_data.evaluation.row_par import fill_par
from benyfits_data.evaluation.run_manifest import describe_run
from benyfits_data.evaluation.run_options import Options
from tests.commands import invoke
from tests.evaluation.players import example_rows, run
from tests.evaluation.test_results import write_dataset

(ROW,) = example_rows("FairFaresNYC", limit=1)
PAR = replace(ROW, par={"one": ["q"] * 12, "who": ["q"] * 4})
REFERENCE = choose_roles(models="reference")


def test_par_times_k_but_never_fewer_than_the_paper_gives_one_program():
    assert limit_of(PAR, "par:3", None) == 36
    assert limit_of(PAR, "par:2.05", "one") == 25
    assert limit_of(PAR, "par:3", "who") == 20
    assert limit_of(PAR, "paper", None) == limit_of(ROW, "paper", None) == 20
    assert [paper_limit(n) for n in (1, 2, 5, 10)] == [20, 40, 100, 100]


@pytest.mark.parametrize("told", ["par:", "par:0.5", "par:nan", "par:inf", "par:x", "3", "page"])
def test_what_is_no_limit_is_refused(told):
    with pytest.raises(EvaluationError, match="K from 1 on"):
        require_par([PAR], told, None)


def test_rows_without_par_are_refused_and_it_is_said_how_to_add_it():
    require_par([ROW], "paper", None)
    require_par([PAR], "par:2", "who")
    with pytest.raises(
        EvaluationError, match=rf"1 of 2 rows .* {ROW.id}. .*benyfits-data par FILE"
    ):
        require_par([PAR, ROW], "par:2", None)
    with pytest.raises(EvaluationError, match="no par of the track roster"):
        require_par([PAR], "par:2", "roster")


@pytest.mark.slow
def test_an_agent_stops_there_and_runs_with_other_limits_are_never_mixed(tmp_path):
    many = replace(PAR, par={"one": ["q"]})
    agent = "tests.evaluation.outside_agents:Endless"
    for told in ("par:1", "par:25", "paper"):
        options = Options(
            agent=agent, max_turns=told, roles=REFERENCE, log_dir=tmp_path / told.replace(":", "")
        )
        options = replace(options, column="diverse", total=1)
        (dialog,) = run("diverse", [many], options)
        assert len(dialog.turns) == {"par:1": 20, "par:25": 25, "paper": 20}[told]
        assert dialog.par == 1
    runs = read_runs(find_logs([tmp_path]))
    assert [it.agent.removeprefix(agent) for it in runs] == [
        "", " --max-turns par:1", " --max-turns par:25"]  # fmt: skip
    assert len(find_sets(runs)) == 3


def test_the_manifest_says_how_many_questions_there_may_be():
    told = describe_run("diverse", [PAR], Options(max_turns="par:4", roles=REFERENCE))["limits"]
    assert (told["max_turns"], told["fewest"]) == ("par:4", 20)
    paper = describe_run("diverse", [PAR], Options(roles=REFERENCE))["limits"]
    assert (paper["questions"], paper["questions_per_program"]) == (100, 20)


def test_published_files_have_no_par(tmp_path):
    path = write_dataset(tmp_path / "rows.jsonl", [ROW])
    told = ["eval", "--dataset", str(path), "--max-turns", "par:3", "--format", "published"]
    ran = invoke(*told)
    assert ran.exit_code == 2
    assert "holds no par" in ran.stderr


@pytest.mark.slow
def test_par_that_nobody_knows_is_computed_once(tmp_path, monkeypatch):
    monkeypatch.setenv("BENYFITS_CACHE", str(tmp_path / "cache"))
    path = write_dataset(tmp_path / "rows.jsonl", [ROW])

    def play(*options):
        folder = tmp_path / "-".join(("logs", *options)).replace(":", "")
        told = ["eval", "--dataset", str(path), "--agent", "random", "--log-dir", str(folder)]
        ran = invoke(*told, *options, catch_exceptions=False)
        assert ran.exit_code == 0, ran.output
        return read_runs(find_logs([folder]))

    (unknown,) = play()
    assert unknown.dialogs[0].par is None
    complete_runs([unknown])
    assert unknown.dialogs[0].par > 0
    monkeypatch.setattr("benyfits_data.evaluation.row_par.compute_par", None)
    (known,) = play("--max-turns", "par:3")
    assert known.dialogs[0].par == unknown.dialogs[0].par


def test_dialogs_of_impossible_households_or_other_labels_have_no_par(tmp_path, monkeypatch):
    monkeypatch.setenv("BENYFITS_CACHE", str(tmp_path))
    monkeypatch.setattr("benyfits_data.evaluation.row_par.compute_par", None)
    other = replace(ROW, labels={name: not label for name, label in ROW.labels.items()})
    facts = dict(ROW.household)
    impossible = replace(ROW, household=facts | {"members": [{**facts["members"][0], "age": 9}]})
    for row in (other, impossible):
        dialog = Dialog(row.id, "diverse", "test", {}, 1, dict(row.labels), {})
        fill_par([(dialog, asdict(row), "one")])
        assert dialog.par is None
