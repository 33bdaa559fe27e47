import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from inspect_ai.log import read_eval_log

from benyfits_data.errors import BenyfitsError, EvaluationError
from benyfits_data.evaluation import agents
from benyfits_data.evaluation.conversation import FIRST_DIALOGS, BreakOffs, NotPlayedError
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.reading import TURNS_AT_ONCE
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import find_logs, pairs_of, read_runs
from benyfits_data.evaluation.run import (
    AgentBrokeOffError,
    UnscoredError,
    log_folder,
)
from benyfits_data.evaluation.run_options import ModelSettings, Options
from tests.commands import invoke
from tests.evaluation.players import example_rows
from tests.evaluation.players import run as run_rows
from tests.evaluation.readings import is_reading, read_all, says
from tests.evaluation.server import Reply, Server, play_dialog, prompt_of

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=6)
REFERENCE = choose_roles(models="reference")
TINY = "openai-api/local/tiny"
GPT = choose_roles(models="reference", dialog="openai/gpt-4o")


def run(rows, folder, **options):
    return run_rows("diverse", rows, Options(log_dir=folder, **options))


def served(server, role="dialog", **others):
    """Options under which a role is played by a test server."""
    roles = choose_roles(**{"dialog": "reference", role: TINY, **others})
    return {"roles": roles, "settings": ModelSettings(base_url=server.url)}


@pytest.mark.slow
def test_the_reference_players_decide_every_example_as_the_checkers_do(tmp_path):
    rows = example_rows("FairFaresNYC", "ChildTaxCredit", limit=12)
    dialogs = run(rows, tmp_path, roles=REFERENCE)
    assert len(dialogs) == len(rows)
    assert metrics.score(pairs_of(dialogs), metrics.accuracy) == 100
    assert not any(dialog.failures for dialog in dialogs)
    assert {turn.faithfulness for dialog in dialogs for turn in dialog.turns} == {"faithful"}
    assert all(dialog.traces.keys() == dialog.labels.keys() for dialog in dialogs)


def test_a_folder_with_a_log_of_another_run_is_refused(tmp_path):
    others, ours = tmp_path / "others", tmp_path / "ours"
    run(ROWS[:1], others, roles=REFERENCE)
    [log] = others.glob("*.eval")
    run(ROWS[1:2], ours, roles=REFERENCE)
    shutil.copy(log, ours)
    for folder in (others, ours, tmp_path):
        with pytest.raises(EvaluationError, match=r"\.eval is the log of another run \(data"):
            run(ROWS[2:3], folder, roles=REFERENCE)
    with pytest.raises(EvaluationError, match=re.escape(f"{ours / log.name} is the log of")):
        run(ROWS[1:2], ours, roles=REFERENCE)


def test_a_log_folder_that_cannot_be_written_is_told_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    refused = invoke("eval", "--limit", "1", "--log-dir", tmp_path / "file" / "logs")
    assert refused.exit_code == 1
    assert "file/logs" in refused.stderr
    assert "Errno" not in refused.stderr
    assert "dialog" not in refused.stderr
    with pytest.raises(BenyfitsError, match="file/logs"):
        run(ROWS[:1], tmp_path / "file" / "logs", roles=REFERENCE)


def test_a_finished_run_is_not_played_again(tmp_path):
    with Server(play_dialog) as server:
        first = run(ROWS[:2], tmp_path, **served(server))
        calls = len(server.requests)
        assert run(ROWS[:2], tmp_path, **served(server)) == first
        assert len(server.requests) == calls > 0
        assert not any(ROWS[0].profile[:60] in json.dumps(request) for request in server.requests)
    (log,) = (read_eval_log(str(path)) for path in find_logs([tmp_path]))
    events = [event.event for sample in log.samples for event in sample.events]
    assert events.count("model") == calls


@pytest.mark.slow
def test_two_runs_of_one_process_ask_their_own_models(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    roles = choose_roles(dialog="openai-api/local/tiny")
    with Server(play_dialog) as first, Server(play_dialog) as second:
        for server in (first, second):
            settings = ModelSettings(base_url=server.url)
            run(ROWS[:1], tmp_path / str(server.url[-9:-3]), roles=roles, settings=settings)
        assert len(first.requests) == len(second.requests) > 0


def test_runs_of_other_players_have_other_folders():
    options = Options(roles=REFERENCE)
    folders = {
        log_folder("diverse", ROWS, changed)
        for changed in (
            options,
            replace(options, agent="random"),
            replace(options, seed=1),
            replace(options, trials=2),
            replace(options, roles=GPT),
            replace(options, roles=GPT, settings=ModelSettings(temperature=0.7)),
            replace(options, roles=GPT, settings=ModelSettings(base_url="http://x/v1")),
            replace(options, roles=GPT, settings=ModelSettings(max_tokens=9)),
            replace(options, roles=choose_roles(dialog="openai/gpt-4o-mini")),
        )
    }
    assert len(folders) == 9
    assert log_folder("diverse", ROWS, options) == log_folder(
        "diverse", ROWS, Options(roles=REFERENCE)
    )


@pytest.mark.slow
def test_dialogs_run_at_the_same_time(tmp_path):
    rows = example_rows("FairFaresNYC", "HeadStart", limit=12)
    with Server(play_dialog, gather=8) as server:
        run(rows, tmp_path, concurrency=12, **served(server))
    assert server.most_at_once >= 8


AGENTS = "tests.evaluation.example_agents"


def test_a_run_stops_when_its_first_dialogs_break_off_alike(tmp_path):
    told = "Choose one with --dialog-model"
    options = {"agent": f"{AGENTS}:AsksUnsaid", "roles": REFERENCE, "concurrency": 1}
    with pytest.raises(AgentBrokeOffError, match=f"in each dialog .* 3 of 6: .*{told}") as caught:
        run(ROWS, tmp_path, **options)
    assert told in caught.value.traceback
    (left,) = read_runs(find_logs([tmp_path]))
    assert len(left.dialogs) == FIRST_DIALOGS
    (why,) = set(left.unscored.values())
    assert why.startswith("not played: the first dialogs failed alike: ")
    assert not left.is_complete
    assert len(run(ROWS, tmp_path, keep_going=True, **options)) == len(ROWS)


def test_dialogs_that_break_off_otherwise_or_not_at_all_stop_nothing():
    async def end(*ends):
        breaks = BreakOffs(FIRST_DIALOGS)
        for kind in ends:
            breaks.note(kind)
        with breaks.dialog():
            return False

    def stops(*ends):
        try:
            return anyio.run(end, *ends)
        except NotPlayedError:
            return True

    assert stops("KeyError", "KeyError", "KeyError")
    assert not stops("KeyError", "KeyError")
    assert not stops("KeyError", "KeyError", "ValueError", "KeyError", "KeyError")
    assert not stops("", "KeyError", "KeyError", "KeyError")
    assert stops("NothingAskedError")
    assert not stops("", "NothingAskedError")


@pytest.mark.parametrize(
    ("said", "played", "reason"),
    [
        # An empty question, and verdicts in a form that nobody asked for.
        (
            lambda prompt: "",
            1,
            r"3 questions in a row were empty \(reply empty: dialog, ask.*--max-t",
        ),
        (
            lambda prompt: '{"ready": true}' if "Stop and check" in prompt else "A: yes. B: no.",
            FIRST_DIALOGS,
            r"not played: .*no JSON object.*'A: yes. B: no.'.*under JSON schemas",
        ),
    ],
)
def test_a_hopeless_run_stops_with_the_reason(tmp_path, said, played, reason):
    with Server(lambda request, number: Reply(said(prompt_of(request)))) as server:
        told = served(server)
        with pytest.raises(EvaluationError, match=reason):
            run(ROWS, tmp_path, agent="direct", concurrency=1, **told)
        assert len(server.requests) < 12
    (left,) = read_runs(find_logs([tmp_path]))
    assert (len(left.dialogs), len(left.unscored)) == (played, len(ROWS) - played)


def test_a_bug_in_an_agent_is_a_scored_row_that_says_where(tmp_path):
    agent = f"{AGENTS}:Broken"
    dialogs = run(ROWS[:2], tmp_path, agent=agent, roles=REFERENCE, keep_going=True)
    for dialog in dialogs:
        assert set(dialog.verdicts.values()) == {False}
        (failure,) = dialog.failures
        assert failure.kind == "agent_failed"
        assert failure.message == "in the agent: ZeroDivisionError: a bug in somebody's agent"
        first, place, *_, last = failure.traceback.splitlines()
        assert first == "Traceback (most recent call last):"
        assert "example_agents.py" in place
        assert last == "ZeroDivisionError: a bug in somebody's agent"


def fail_with(reply, *, times=10**9):
    def script(request, number):
        return reply if number <= times else play_dialog(request)

    return script


OUTAGES = {
    "HTTP 500": Reply(status=500, body=b"{}"),
    "timeout": Reply(text="late", delay=3600),
}
FAULTS = {
    "broken JSON reply": (Reply(text='{"value": '), "answer_not_parsed"),
    "empty reply": (Reply(text=""), "reply_empty"),
    "endless reply": (Reply(text="and so on " * 20_000), "answer_not_parsed"),
    "full context": (
        Reply(status=400, body=b'{"error": {"message": "maximum context length"}}'),
        "context_full",
    ),
}


def patience(fault):
    """Seconds a reply may take: only a reply that never comes is worth a short wait."""
    return 2 if fault == "timeout" else 120


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_dialog_model_that_fails_ends_in_a_scored_and_explained_row(tmp_path, fault):
    reply, kind = FAULTS[fault]
    with Server(fail_with(reply)) as server:
        (dialog,) = run(ROWS[:1], tmp_path, keep_going=True, **served(server))
    assert dialog.verdicts.keys() == dialog.labels.keys()
    assert kind in {failure.kind for failure in dialog.failures}
    assert all(failure.message for failure in dialog.failures)


@pytest.mark.slow
@pytest.mark.parametrize("fault", OUTAGES)
def test_an_outage_leaves_dialogs_unscored_until_the_run_is_continued(tmp_path, monkeypatch, fault):
    monkeypatch.setattr("benyfits_data.evaluation.run_options.RETRIES", 0)
    options = {"concurrency": 1, "timeout": patience(fault)}
    replies_before = 40
    is_out = True

    def script(request, number):
        is_fine = number <= replies_before or not is_out
        return play_dialog(request) if is_fine else OUTAGES[fault]

    # The same address: another server would be another run.
    with Server(script) as server:
        with pytest.raises(UnscoredError) as caught:
            run(ROWS, tmp_path, **options, **served(server))
        scored = {dialog.household for dialog in caught.value.run.dialogs}
        unscored = {household for household, _ in caught.value.run.unscored}
        assert scored | unscored == {row.id for row in ROWS}
        assert scored
        assert unscored
        assert all("dialog: " in reason for reason in caught.value.run.unscored.values())
        is_out, asked_before = False, len(server.requests)
        dialogs = run(ROWS, tmp_path, **options, **served(server))
        asked_again = len(server.requests) - asked_before
    with Server(play_dialog) as other:
        undisturbed = run(ROWS, tmp_path / "undisturbed", **options, **served(other))
        assert asked_again < len(other.requests)
    assert dialogs == undisturbed


@pytest.mark.slow
@pytest.mark.parametrize("fault", OUTAGES)
def test_a_passing_fault_is_retried_and_leaves_no_trace(tmp_path, fault):
    with Server(fail_with(OUTAGES[fault], times=1)) as server:
        (dialog,) = run(ROWS[:1], tmp_path, timeout=patience(fault), **served(server))
    assert dialog.failures == []
    assert dialog.verdicts == dialog.labels


def test_a_user_who_never_knows_ends_in_a_scored_and_explained_row(tmp_path):
    def script(request, number):
        prompt = prompt_of(request)
        return Reply(read_all(prompt) if is_reading(request) else "I don't know.")

    with Server(script) as server:
        (dialog,) = run(ROWS[:1], tmp_path, **served(server, role="user", reader=TINY))
    asked = [request for request in server.requests if not is_reading(request)]
    assert all(ROWS[0].profile in request["messages"][0]["content"] for request in asked)
    assert {turn.answer for turn in dialog.turns} == {"I don't know."}
    assert {failure.kind for failure in dialog.failures} >= {"answer_not_parsed"}
    assert {turn.faithfulness for turn in dialog.turns} == {"nothing_claimed"}


@pytest.mark.slow
def test_a_user_who_lies_is_found_out(tmp_path):
    lie = says(("place_of_residence", "household", "New Jersey"))

    def script(request, number):
        reading = read_all(prompt_of(request), said=lie)
        return Reply(reading if is_reading(request) else "97 of them in New Jersey.")

    with Server(script) as server:
        dialogs = run(ROWS[:3], tmp_path, **served(server, role="user", reader=TINY))
        n_readings = sum(map(is_reading, server.requests))
        # Equal prompts may be answered by a kept reply.
        assert 0 < n_readings <= sum(-(-len(one.turns) // TURNS_AT_ONCE) for one in dialogs)
    judged = [turn.faithfulness for dialog in dialogs for turn in dialog.turns]
    assert judged.count("unfaithful") == len(judged) > 0


def test_a_reader_that_cannot_be_reached_costs_no_dialog(tmp_path):
    def script(request, number):
        return Reply(status=401) if is_reading(request) else Reply("I don't know.")

    with Server(script) as server:
        (dialog,) = run(ROWS[:1], tmp_path, **served(server, role="user", reader=TINY))
    assert {turn.faithfulness for turn in dialog.turns} == {"not_read"}
    assert [failure.kind for failure in dialog.failures].count("not_read") == 1


@pytest.mark.slow
def test_replies_of_the_code_model_are_cached_and_counted_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    code = 'def check_eligibility(hh):\n    return hh["place_of_residence"] == "New York City"\n'

    def script(request, number):
        prompt = request["messages"][-1]["content"]
        if "What kind of value" in prompt:
            return Reply('{"type": "choice"}')
        return Reply(
            '{"values": ["New York City", "New Jersey"]}' if "Which val" in prompt else code
        )

    with Server(script) as server:
        run(ROWS[:1], tmp_path / "first", **served(server, role="code"))
        calls = len(server.requests)
        (dialog,) = run(ROWS[:1], tmp_path / "second", **served(server, role="code"))
    assert len(server.requests) == calls > 0
    assert dialog.usage["code"].cached_calls > 0
    assert dialog.usage["code"].calls == 0


PLAY = """
import os, sys
from pathlib import Path
from benyfits_data.evaluation.models import choose_roles
from tests.evaluation.players import run
from benyfits_data.evaluation.run_options import ModelSettings, Options
from tests.evaluation.players import example_rows

rows = example_rows("FairFaresNYC", "HeadStart", limit=10)
roles = choose_roles(dialog="openai-api/local/tiny")
options = Options(
    roles=roles,
    settings=ModelSettings(base_url=sys.argv[1]),
    log_dir=Path(sys.argv[2]),
    concurrency=2,
)
run("diverse", rows, options)
"""


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_without_losing_or_repeating_a_dialog(tmp_path):
    rows = example_rows("FairFaresNYC", "HeadStart", limit=10)
    with Server(play_dialog) as server:
        needed = sum(2 * len(d.turns) for d in run(rows, tmp_path / "once", **served(server)))
    with Server(play_dialog, delay=0.02) as server:
        folder = str(tmp_path / "killed")
        command = [sys.executable, "-c", PLAY, server.url, folder]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        process = subprocess.Popen(command, env=environment)
        while len(server.requests) < needed * 0.3 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        before = len(server.requests)
        subprocess.run(command, env=environment, check=True)
        again = len(server.requests) - before
    (found,) = read_runs(find_logs([tmp_path / "killed"]))
    dialogs = found.dialogs
    assert sorted(dialog.household for dialog in dialogs) == sorted(row.id for row in rows)
    # Only the dialogs that were under way, at most two, may have been asked for twice.
    longest = max(2 * len(dialog.turns) for dialog in dialogs)
    assert before + again <= needed + 2 * longest
    assert again < needed


@pytest.mark.slow
def test_an_edited_agent_or_prompt_is_another_run(tmp_path, monkeypatch):
    agent = tmp_path / "edited_agent.py"
    agent.write_text("class Mine:\n    def run(self, conversation):\n        return {}\n")
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "ask.jinja").write_text("Ask!")
    monkeypatch.syspath_prepend(str(tmp_path))
    options = Options(agent="edited_agent:Mine", roles=REFERENCE, prompts=prompts)
    first = log_folder("diverse", ROWS, options)
    assert log_folder("diverse", ROWS, options) == first
    (prompts / "ask.jinja").write_text("Ask again!")
    second = log_folder("diverse", ROWS, options)
    agent.write_text(agent.read_text() + "# changed\n")
    assert log_folder("diverse", ROWS, options) == second, "this process plays what it imported"
    agents._read_source.cache_clear()  # As in another process.
    assert len({first, second, log_folder("diverse", ROWS, options)}) == 3
