"""Limits relative to par: what a dialog may ask, who is refused, and runs kept apart."""

from dataclasses import replace

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import paper_limit
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.planned import describe_limit, limit_of
from benyfits_data.evaluation.results.comparison import find_sets
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run_manifest import describe_run
from benyfits_data.evaluation.run_options import Options
from tests.commands import invoke
from tests.evaluation.players import example_rows, run
from tests.evaluation.test_results import write_dataset

(ROW,) = example_rows("FairFaresNYC", limit=1)
PAR = replace(ROW, par=["q"] * 12)
REFERENCE = choose_roles(models="reference")


def test_par_times_k_but_never_fewer_than_the_paper_gives_one_program():
    assert limit_of(PAR, "par:3") == 36
    assert limit_of(PAR, "par:2.05") == 25
    assert limit_of(PAR, "par:1") == 20
    assert limit_of(PAR, "paper") == limit_of(ROW, "paper") == 20
    assert [paper_limit(n) for n in (1, 2, 5, 10)] == [20, 40, 100, 100]


def test_rows_without_par_are_refused_and_it_is_said_how_to_add_it():
    describe_limit([ROW], "paper")
    describe_limit([PAR], "par:2")
    with pytest.raises(
        EvaluationError, match=rf"1 of 2 rows .* {ROW.id}. .*benyfits-data par FILE"
    ):
        describe_limit([PAR, ROW], "par:2")


def test_an_agent_stops_there_and_runs_with_other_limits_are_never_mixed(tmp_path):
    many = replace(PAR, par=["q"])
    agent = "tests.evaluation.example_agents:Endless"
    for told in ("par:1", "par:25", "paper"):
        options = Options(
            agent=agent, max_turns=told, roles=REFERENCE, log_dir=tmp_path / told.replace(":", "")
        )
        options = replace(options, column="diverse", total=1)
        (dialog,) = run("diverse", [many], options)
        assert len(dialog.turns) == {"par:1": 20, "par:25": 25, "paper": 20}[told]
        assert dialog.par == 1
    runs = read_runs(find_logs([tmp_path]))
    assert [it.agent.removeprefix("Endless") for it in runs] == [
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


def test_a_limit_by_par_that_nobody_knows_says_how_to_compute_it(tmp_path, monkeypatch):
    monkeypatch.setenv("BENYFITS_CACHE", str(tmp_path / "cache"))
    data = write_dataset(tmp_path / "rows.jsonl", [ROW])
    told = ["eval", "--dataset", data, "--agent", "random", "--log-dir", tmp_path / "logs"]
    refused = invoke(*told, "--max-turns", "par:3")
    assert refused.exit_code == 1
    assert "benyfits-data par FILE --write" in refused.output
    assert invoke("par", data, "--write").exit_code == 0
    assert invoke(*told, "--max-turns", "par:3").exit_code == 0
    (known,) = read_runs(find_logs([tmp_path / "logs"]))
    assert known.dialogs[0].par > 0
