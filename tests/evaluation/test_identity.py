"""Who played: runs that differ are never one row, whoever started them; all rows are counted."""

import json

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.task import diverse
from tests.evaluation.players import example_rows
from tests.evaluation.server import Reply, Server, envelope
from tests.evaluation.test_results import write_dataset

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=3)
TINY, OTHER = "openai-api/local/tiny", "openai-api/local/other"


def served_as(name, answer="Yes."):
    """A server whose replies name the model that gave them."""
    body = envelope(answer).replace(b'"model": "test"', f'"model": "{name}"'.encode())
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


def test_another_model_behind_the_same_address_and_name_is_another_run(play):
    names = iter(["first", "second"])
    now = next(names)

    def script(request, number):
        return served_as(now)(request, number)

    with Server(script) as server:
        play(TINY, server.url, limit=2)
        now = next(names)
        play(TINY, server.url, limit=2)
    runs = play.runs()
    assert counted(runs) == [(2, 2), (2, 2)]
    assert {run.manifest["roles"]["dialog"]["served"] for run in runs} == {"first", "second"}
    assert len({run.title for run in runs}) == 2


@pytest.mark.slow
def test_a_model_exchanged_during_a_run_leaves_two_runs_whose_missing_rows_are_counted(play):
    def script(request, number):
        seen = json.dumps(request)
        asked = "first" if ROWS[0].profile[:80] in seen or number <= 3 else "second"
        return served_as(asked)(request, number)

    with Server(script) as server:
        play(TINY, server.url, limit=2, max_samples=1)
    runs = play.runs()
    assert len(runs) == 2
    assert counted(runs) == [(2, 1), (2, 1)]
    assert not any(run.is_complete for run in runs)
