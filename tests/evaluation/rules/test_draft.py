"""A draft of a changed text is shown beside the edition's checker, and written when asked."""

import json

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.rules import rules_task
from tests.commands import invoke
from tests.evaluation.server import Reply, Server

NAME = "FairFaresNYC"


@pytest.mark.slow
def test_a_draft_says_what_changes_for_whom_and_is_written_when_asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rules_task, "TRIALS", 20)
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    program = load_edition(2024).program(NAME)
    changed = translate(program.checker, program.thresholds, "typed").replace("> 64", ">= 64")
    (tmp_path / "new.md").write_text("Whoever is 18 to 63 may claim it.\n")
    asked = ["programs", "draft", NAME, "--text", "new.md", "--edition", "2024"]
    with Server(lambda request, number: Reply(f"```python\n{changed}```")) as server:
        asked += ["--model", "openai-api/local/tiny", "--base-url", server.url]
        asked += ["--households", "200"]
        drafted = invoke(*asked)
        assert drafted.exit_code == 0, drafted.output
        assert [it.name for it in tmp_path.iterdir()] == ["new.md"]
        written = invoke(*asked, "--json", "--output", "checker.py")
    assert "Whoever is 18 to 63" in str(server.requests[0])
    assert changed.strip() in drafted.stdout
    assert f"Beside {NAME} of 2024: differs" in drafted.stdout
    assert "the edition says True" in drafted.stdout
    assert "age 64" in drafted.stdout
    assert "share of the city" in drafted.stdout
    assert written.exit_code == 0, written.output
    assert isinstance(json.loads(written.stdout), list | dict)
    assert (tmp_path / "checker.py").read_text() == changed


def test_an_empty_text_is_refused_and_not_replaced_by_the_editions():
    with pytest.raises(EvaluationError, match="The text is empty"):
        rules_task.rules(programs=NAME, text="\n")
