"""Programs that somebody has: judged by the library, by the command, and by inspect's scorer."""

import csv
import json

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.solver import generate

import benyfits_data as bd
from benyfits_data.editions import load_edition
from benyfits_data.errors import EvaluationError, UnknownProgramError
from benyfits_data.evaluation.rules import rule_verdicts
from benyfits_data.evaluation.rules.rules_task import proof
from tests.commands import invoke
from tests.evaluation.rules.agreement import right
from tests.evaluation.server import Reply, Server

NAME = "FairFaresNYC"
WRONG = "def check(hh):\n    return True\n"


pytestmark = pytest.mark.usefixtures("few_households")


def test_the_library_judges_one_program():
    verdict = bd.judge("Fair Fares NYC", WRONG, edition=2024)
    assert (verdict.program, verdict.status, verdict.answer) == (NAME, "differs", True)
    assert verdict.n_households > 500
    assert not verdict.is_proven
    verdict = bd.judge(load_edition(2024)[NAME], right(NAME))
    assert (verdict.status, verdict.is_proven) == ("equivalent", True)
    with pytest.raises(UnknownProgramError):
        bd.judge("FairFares2", WRONG, edition=2024)


def test_the_command_judges_a_folder_and_a_table(tmp_path):
    folder = tmp_path / "programs"
    (folder / "ThreeK").mkdir(parents=True)
    (folder / f"{NAME}.first.py").write_text(right(NAME))
    (folder / f"{NAME}.py").write_text(WRONG)
    (folder / "ThreeK" / "mine.py").write_text("def check(hh)\n")
    asked = ["--edition", "2024", "--workers", "1"]
    judged = invoke("judge", str(folder), *asked, "--json", "--output", str(tmp_path / "out"))
    assert judged.exit_code == 0, judged.output
    counts, each = json.loads(judged.stdout)
    assert {row["verdict"]: row["programs"] for row in counts["rows"]} == {
        "equivalent": "1", "differs": "1", "no program": "1",
    }  # fmt: skip
    assert [row["name"] for row in each["rows"]] == [
        f"{NAME}.first.py", f"{NAME}.py", "ThreeK/mine.py",
    ]  # fmt: skip
    records = json.loads((tmp_path / "out" / "verdicts.json").read_text())
    assert [record["verdict"]["is_proven"] for record in records] == [True, False, False]
    page = (tmp_path / "out" / "verdicts.html").read_text()
    assert "ThreeK/mine.py: no program" in page
    assert "return True" in page

    table = tmp_path / "programs.csv"
    with table.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["name", "program", "source"])
        rows.writerow(["a", NAME, WRONG])
    (record,) = rule_verdicts.read_programs(table, 2024)
    assert (record.name, record.program, record.source) == ("a", NAME, WRONG)


def test_what_holds_no_programs_is_refused(tmp_path):
    with pytest.raises(EvaluationError, match="holds no program"):
        rule_verdicts.read_programs(tmp_path, 2024)
    table = tmp_path / "programs.csv"
    table.write_text("name,source\n")
    with pytest.raises(EvaluationError, match="lacks the column program"):
        rule_verdicts.read_programs(table, 2024)
    (tmp_path / "Nothing.py").write_text(WRONG)
    with pytest.raises(UnknownProgramError):
        rule_verdicts.read_programs(tmp_path, 2024)


def test_the_scorer_judges_what_any_solver_wrote(tmp_path):
    samples = [Sample(input="?", target="equivalent", metadata={"program": NAME, "edition": 2024})]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=proof())
    with Server(lambda request, number: Reply(f"```python\n{right(NAME)}```")) as server:
        model = get_model("openai-api/local/tiny", base_url=server.url, api_key="none")
        (log,) = inspect_eval(task, model=model, log_dir=str(tmp_path), display="none")
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["accuracy"].value == 1


def test_a_server_without_the_responses_api_is_told_at_once(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Server(lambda request, number: Reply("", status=404)) as server:
        played = invoke(
            "eval", "--task", "rules", "--only", NAME, "--code-model", "openai/gpt-4o",
            "--base-url", server.url,
        )  # fmt: skip
        assert len(server.requests) <= 2
    assert played.exit_code == 1
    assert "openai-api/SERVER/MODEL" in played.output
    assert "RetryError" not in played.output
