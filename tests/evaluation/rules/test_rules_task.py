"""The task played from a model's reply to a verdict."""

import json
from html import unescape

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from benyfits_data.cli.main import main
from benyfits_data.editions import load_edition
from benyfits_data.evaluation.rules.rules_task import RECORD, describe_household, rules
from tests.commands import invoke
from tests.evaluation.rules.agreement import right
from tests.evaluation.server import Reply, Server

pytestmark = pytest.mark.usefixtures("few_households")
NAME = "FairFaresNYC"


def play(tmp_path, replies, **options):
    """The record of one program, written by a model that gives these replies in turn."""
    with Server(lambda request, number: Reply(replies[min(number, len(replies)) - 1])) as server:
        model = get_model("openai-api/local/tiny", base_url=server.url, api_key="none")
        (log,) = inspect_eval(
            rules(edition=2024, programs=NAME, **options),
            model=model,
            log_dir=str(tmp_path),
            display="none",
        )
    assert log.status == "success", log.error
    (sample,) = log.samples
    return sample.store[RECORD], log


@pytest.mark.slow
def test_our_own_checker_is_equivalent(tmp_path):
    record, log = play(tmp_path / "right", [f"```python\n{right(NAME)}```"])
    assert record["verdict"]["status"] == "equivalent"
    assert log.results.scores[0].metrics["accuracy"].value == 1


def test_a_limit_off_by_one_is_shown(tmp_path):
    wrong = right(NAME).replace("> 64", ">= 64")
    assert wrong != right(NAME)
    record, log = play(tmp_path / "wrong", [f"```python\n{wrong}```"])
    verdict = record["verdict"]
    assert verdict["status"] == "differs"
    assert (verdict["label"], verdict["answer"]) == (True, False)
    assert verdict["household"]["members"][0]["age"] == 64
    assert len(verdict["household"]["members"]) == 1
    assert verdict["clauses"]
    assert log.results.scores[0].metrics["accuracy"].value == 0


def test_a_counterexample_is_given_back_and_counted(tmp_path):
    wrong = right(NAME).replace("> 64", ">= 64")
    record, log = play(tmp_path, [f"```python\n{wrong}```", f"```\n{right(NAME)}```"], feedback=1)
    assert record["verdict"]["status"] == "equivalent"
    assert record["counterexamples"] == 1
    (sample,) = log.samples
    asked_again = sample.messages[-1].text
    assert "The right answer is True" in asked_again
    assert "age 64" in asked_again


def test_three_replies_that_are_no_program_end_in_none(tmp_path):
    record, log = play(tmp_path, ["I cannot.", "def check(hh):\n  return (", "Sorry!"])
    assert record["verdict"]["status"] == "no_program"
    # It was asked, and asked again twice.
    assert [message.role for message in log.samples[0].messages].count("user") == 3


@pytest.mark.parametrize(
    ("player", "status"), [("reference", "equivalent"), ("always-no", "differs")]
)
def test_baselines_need_no_model(tmp_path, player, status):
    (log,) = inspect_eval(
        rules(edition=2024, programs=NAME, player=player),
        model=None,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.samples[0].store[RECORD]["verdict"]["status"] == status


@pytest.mark.slow
def test_a_run_of_the_command_is_read_back_by_results(tmp_path):
    runner = CliRunner()
    asked = ["eval", "--task", "rules", "--only", NAME, "--edition", "2024"]
    played = runner.invoke(main, [*asked, "--log-dir", str(tmp_path), "--json"])
    assert played.exit_code == 0, played.output
    (table,) = json.loads(played.stdout)
    assert table["rows"][0]["equivalent"] == "100.0%"
    inspect_eval(
        rules(edition=2024, programs=NAME, player="always-no"),
        model=None,
        log_dir=str(tmp_path),
        display="none",
    )
    site = tmp_path / "site"
    read = runner.invoke(main, ["results", str(tmp_path), "--json", "--output", str(site)])
    assert read.exit_code == 0, read.output
    runs, wrong = json.loads(read.stdout)
    assert [row["equivalent"] for row in runs["rows"]] == ["100.0%", "0.0%"]
    assert float(runs["rows"][1]["city"].rstrip("%")) < 100
    (row,) = wrong["rows"]
    assert (row["verdict"], row["right"], row["says"]) == ("differs", "True", "False")
    assert "age" in row["household"]
    page = unescape((site / "fragments" / "evaluation.html").read_text("utf-8"))
    assert f"{NAME}: equivalent" in page
    assert f"{NAME}: differs" in page
    assert row["household"] in page
    assert "return False" in page
    assert load_edition(2024).program(NAME).requirements().strip() in page
    assert "1 program<" in page


@pytest.mark.parametrize(
    "given", [["--task", "rules", "--agent", "react"], ["--feedback", "1"], ["--facts", "all"]]
)
def test_options_that_a_task_has_no_use_for_are_refused(given):
    refused = invoke("eval", *given)
    assert refused.exit_code == 2
    assert "has no use for it" in refused.output


def test_a_household_is_told_by_what_is_unusual_about_it():
    given = {"housing_type": "condo", "members": [{"age": 64, "relation": "self", "name": "Ana"}]}
    text = describe_household(given)
    assert "age 64" in text
    assert "Ana" not in text
