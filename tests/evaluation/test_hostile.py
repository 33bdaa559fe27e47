"""N dialogs planned are N rows, scored or named as unscored, whatever models reply."""

import random
from operator import attrgetter

import pytest

from benyfits_data.evaluation import run_options
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.results.runs import find_logs, read_runs
from benyfits_data.evaluation.run import UnscoredError
from benyfits_data.evaluation.run_options import ModelSettings, Options
from tests.evaluation import hostile
from tests.evaluation.players import example_rows, run
from tests.evaluation.server import Server

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=6)
CASES = [
    *(("proada", role) for role in ("dialog", "user", "code", "all")),
    ("proada-without-clarity", "all"),
    ("direct", "all"),
    ("react", "all"),
]


@pytest.fixture(autouse=True)
def quickly(monkeypatch, tmp_path):
    monkeypatch.setattr(run_options, "RETRIES", 0)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))


def play(agent, role, folder, rng, rows):
    """Play against a hostile server; return the table's rows and the replies that were sent."""
    name = "openai-api/local/tiny"
    dialog = name if agent in ("direct", "react") else "reference"
    roles = (
        choose_roles(models=name)
        if role == "all"
        else choose_roles(**{"dialog": dialog, role: name})
    )
    with Server(lambda request, number: hostile.reply(rng)) as server:
        settings = ModelSettings(base_url=server.url)
        # Else a run of empty questions stops, as it should.
        options = Options(
            agent=agent, roles=roles, settings=settings, log_dir=folder, keep_going=True
        )
        try:
            dialogs, unscored = run("hostile", rows, options), {}
        except UnscoredError as error:
            dialogs, unscored = error.run.dialogs, error.run.unscored
        sent = len(server.requests)
    return dialogs, unscored, sent


def check(dialogs, unscored, rows, folder):
    scored = {(dialog.household, dialog.trial) for dialog in dialogs}
    assert len(scored) == len(dialogs)
    assert scored | unscored.keys() == {(row.id, 1) for row in rows}
    assert not scored & unscored.keys()
    assert all(unscored.values())
    # What was written can be read again, and scores to the same.
    (again,) = read_runs(find_logs([folder]))
    assert again.unscored.keys() == unscored.keys()
    assert sorted(again.dialogs, key=attrgetter("household")) == sorted(
        dialogs, key=attrgetter("household")
    )
    for dialog in dialogs:
        assert dialog.verdicts.keys() == dialog.labels.keys()


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "role"), CASES)
def test_every_planned_dialog_is_one_row(tmp_path, agent, role):
    # Every second: these ask until a dialog may be no longer.
    rows = ROWS[::2] if agent in ("direct", "react") else ROWS
    dialogs, unscored, sent = play(
        agent, role, tmp_path / "logs", random.Random(agent + role), rows
    )
    check(dialogs, unscored, rows, tmp_path / "logs")
    assert sent > 0


@pytest.mark.slow
def test_hundreds_of_hostile_replies(tmp_path):
    rng, sent = random.Random(17), 0
    rows = example_rows("FairFaresNYC", "HeadStart", "IDNYC", limit=20)
    for number in range(50):
        agent, role = CASES[number % len(CASES)]
        folder = tmp_path / str(number)
        dialogs, unscored, more = play(agent, role, folder, rng, rows)
        check(dialogs, unscored, rows, folder)
        sent += more
        if sent > 400:
            return
    raise AssertionError(f"only {sent} replies were sent")
