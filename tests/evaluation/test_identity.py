"""Who played: runs that differ are never one row, whoever started them; all rows are counted."""

import json
import shutil
import subprocess
import sys

import pytest
from inspect_ai import Epochs
from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log
from inspect_ai.model import get_model

from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run_manifest import HARMLESS, PACKAGE, digest_code
from benyfits_data.evaluation.task import diverse
from tests.evaluation.players import example_rows
from tests.evaluation.server import Reply, Server, envelope
from tests.evaluation.test_results import write_dataset

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=3)
TINY, OTHER = "openai-api/local/tiny", "openai-api/local/other"


def served_as(name):
    """A server whose replies name the model that gave them."""
    body = envelope("Yes.").replace(b'"model": "test"', f'"model": "{name}"'.encode())
    return lambda request, number: Reply(body=body)


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Plays a task of inspect's in the log folder of the test, as `inspect eval` does."""
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    data = str(write_dataset(tmp_path / "diverse.jsonl", ROWS))

    def start(model, address=None, *, task=None, **settings):
        told = {"agent": "direct", "user": "reference", "dataset": data, **(task or {})}
        settings = {"limit": 1, "log_dir": str(tmp_path / "logs"), **settings}
        if address:
            settings["model_base_url"] = address
        inspect_eval(diverse(**told), model=model, display="none", **settings)

    start.runs = lambda: read_runs(find_logs([tmp_path / "logs"]))
    return start


def counted(runs):
    assert all(run.planned == len(run.dialogs) + len(run.unscored) for run in runs)
    return sorted((run.planned, len(run.dialogs)) for run in runs)


@pytest.mark.slow
def test_what_inspect_was_told_tells_its_runs_apart(play):
    with Server(served_as("tiny")) as server:
        other = get_model(OTHER, base_url=server.url, api_key="x", memoize=False)
        play(OTHER, server.url)
        play(TINY, server.url)
        play(TINY, server.url, temperature=0.7)
        play(TINY, server.url, model_roles={"dialog": other})
        play(TINY, server.url, epochs=2)
        play(TINY, server.url, limit=None, sample_id=ROWS[1].id)
    assert {request.get("temperature") for request in server.requests} == {None, 0.7}
    runs = play.runs()
    # What the role was told is what the evaluated model was told: the same run.
    assert counted(runs) == [(1, 1)] * 4 + [(2, 2)]
    assert len({(run.title, run.name) for run in runs}) == 5
    assert {run.roles["dialog"] for run in runs} == {OTHER, TINY}
    assert not any("set by inspect" in json.dumps(run.manifest) for run in runs)
    assert not any(run.is_complete for run in runs)


def test_what_reduces_inspects_trials_changes_no_score(play, tmp_path):
    task = {"agent": "random", "dialog": "reference"}
    play("none", task=task, limit=None, epochs=Epochs(3, ["mean", "max", "pass_at_2"]))
    (log,) = (read_eval_log(str(path)) for path in find_logs([tmp_path / "logs"]))
    (run,) = play.runs()
    (of_pairs,) = (score for score in log.results.scores if score.name == "pairs")
    assert of_pairs.metrics["micro_f1"].value == pytest.approx(metrics.score(run.pairs))


DECIDING = (
    *("evaluation/task.py", "evaluation/prompts/ask.jinja", "understanding/canonical.py"),
    *("planner/interview.py", "profiles/render.py", "par/questions.py", "household/measures.py"),
    *("checkers/fair_fares_nyc/checker.py", "checkers/fair_fares_nyc/thresholds.toml"),
)


def test_a_run_is_another_one_where_anything_is_edited_that_decides_its_scores(tmp_path):
    skipped = shutil.ignore_patterns("*.xz", "__pycache__", "*.md", "*.csv")
    copied = shutil.copytree(PACKAGE, tmp_path / "package", ignore=skipped)
    digests = [digest_code(copied)]
    assert all((PACKAGE / part).is_dir() for part in HARMLESS)
    for place in ("cli/main.py", "site/pages.py", "evaluation/results/metrics.py", *DECIDING):
        with (copied / place).open("a") as file:
            file.write("\n")
        digest_code.cache_clear()
        digests.append(digest_code(copied))
    # What shows a run decides nothing of it.
    assert len(set(digests[:4])) == 1
    assert len(set(digests)) == len(DECIDING) + 1


def test_parts_that_no_dialog_needs_are_not_imported_to_play_one():
    """What a dialog imports may decide its scores, so it is not among what is harmless."""
    code = (
        "import sys, benyfits_data.evaluation.task\n"
        "from benyfits_data.evaluation.agents import find_agent\n"
        "from benyfits_data.evaluation.models import AGENTS\n"
        "list(map(find_agent, AGENTS))\n"
        "print(*sys.modules)"
    )
    modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    for part in HARMLESS:
        name = f"benyfits_data.{part.replace('/', '.')}"
        assert not [module for module in modules if f"{module}.".startswith(f"{name}.")]
