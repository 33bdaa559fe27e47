"""Agents of one's own are imported from a module or a file, and played like ours."""

import sys

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import agent_source, find_agent
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.run_options import Options
from tests.evaluation.players import example_rows, run

AGENT = """from dataclasses import dataclass

from beside_it import QUESTION

@dataclass
class Mine:
    roles = ("user",)

    async def run(self, conversation):
        answer = await conversation.ask(QUESTION)
        conversation.fail("reply_not_parsed", f"{len(conversation.turns)} turn")
        return dict.fromkeys(conversation.programs, "New York City" in answer)
"""


@pytest.fixture
def agent_file(tmp_path, monkeypatch):
    (tmp_path / "beside_it.py").write_text('QUESTION = "Where does the household live?"\n')
    path = tmp_path / "of_my_own.py"
    path.write_text(AGENT)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield path
    for name in ("beside_it", "of_my_own"):
        sys.modules.pop(name, None)


def test_an_agent_in_a_file_asks_and_decides(agent_file, tmp_path):
    options = Options(f"{agent_file}:Mine", choose_roles(), log_dir=tmp_path / "log")
    (dialog,) = run("diverse", example_rows("FairFaresNYC", limit=1), options)
    assert len(dialog.turns) == 1
    assert dialog.turns[0].faithfulness == "faithful"
    assert dialog.verdicts == {"FairFaresNYC": "New York City" in dialog.turns[0].answer}
    assert [(item.kind, item.message) for item in dialog.failures] == [
        ("reply_not_parsed", "1 turn")
    ]
    assert dialog.roles == {"user": "reference"}


def test_a_run_is_known_by_the_text_that_was_imported(agent_file):
    name = f"{agent_file}:Mine"
    find_agent(name)
    assert agent_source(name) == AGENT
    agent_file.write_text(AGENT.replace("turn", "question"))
    assert agent_source(name) == AGENT


def test_a_file_whose_name_is_that_of_another_module_is_refused(agent_file, tmp_path):
    path = agent_file.rename(tmp_path / "json.py")
    with pytest.raises(EvaluationError, match=r"json is the module in .*rename your file"):
        find_agent(f"{path}:Mine")
