import gc
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation import metrics, precedence
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.progress import listen
from benyfits_data.evaluation.results import find_logs, read_logs
from benyfits_data.evaluation.run import (
    Options,
    choose_processes,
    dialogs_at_once,
    log_folder,
    longest_first,
)
from benyfits_data.evaluation.run import run as run_rows
from tests.evaluation.players import example_rows
from tests.evaluation.server import Reply, Server, is_prediction, play_dialog

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=6)
REFERENCE = choose_roles(models="reference")


def run(rows, folder, **options):
    return run_rows("diverse", rows, Options(log_dir=folder, **options))


def served(server, role="dialog", provider="compatible"):
    """Options under which a role is played by a test server."""
    from inspect_ai.model import get_model

    name = f"{provider}/local/tiny"
    model = get_model(name, base_url=server.url, api_key="x", memoize=False)
    return {"roles": choose_roles(**{"dialog": "reference", role: name}), "models": {role: model}}


def test_the_reference_players_decide_every_example_as_the_checkers_do(tmp_path):
    rows = example_rows("FairFaresNYC", "ChildTaxCredit", limit=12)
    dialogs = run(rows, tmp_path, roles=REFERENCE)
    assert len(dialogs) == len(rows)
    assert metrics.score(dialogs).accuracy == 100
    assert metrics.count_failures(dialogs) == {}
    told = metrics.measure_faithfulness(dialogs)
    assert told["faithful"] == sum(len(dialog.turns) for dialog in dialogs)
    assert all(dialog.traces.keys() == dialog.labels.keys() for dialog in dialogs)


def test_a_finished_run_is_not_played_again(tmp_path):
    with Server(play_dialog) as server:
        first = run(ROWS[:2], tmp_path, **served(server))
        calls = len(server.requests)
        assert run(ROWS[:2], tmp_path, **served(server)) == first
        assert len(server.requests) == calls > 0


def test_processes_share_the_dialogs_and_play_the_same(tmp_path):
    alone = run(ROWS, tmp_path / "one", roles=REFERENCE)
    shared = run(ROWS, tmp_path / "two", roles=REFERENCE, processes=2)
    by_household = {dialog.household: dialog for dialog in alone}
    assert {dialog.household: dialog for dialog in shared} == by_household
    logs = find_logs([tmp_path / "two"])
    assert len(logs) == 2
    assert {dialog.household: dialog for dialog in read_logs(logs)} == by_household


def test_a_run_of_processes_is_continued_in_its_parts(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    with Server(play_dialog) as server:
        options = {"roles": choose_roles(dialog="compatible/local/tiny"), "base_url": server.url}
        first = run(ROWS[:4], tmp_path, processes=2, **options)
        calls = len(server.requests)
        assert run(ROWS[:4], tmp_path, processes=1, **options) == first
        assert len(server.requests) == calls > 0


def test_dialogs_finished_by_other_processes_are_reported_here(tmp_path):
    heard = []
    with listen(heard.append):
        dialogs = run(ROWS[:4], tmp_path, roles=REFERENCE, processes=2)
    key = attrgetter("household")
    assert sorted(heard, key=key) == sorted(dialogs, key=key)


def test_a_bug_in_an_agent_is_shown_whichever_process_met_it(tmp_path):
    with pytest.raises(EvaluationError, match=r"4 of 4 dialogs could not be played.*a bug in"):
        run(
            ROWS[:4],
            tmp_path,
            agent="tests.evaluation.test_run:Broken",
            roles=REFERENCE,
            processes=2,
        )


@pytest.mark.parametrize(
    ("roles", "dialogs", "processes"),
    [
        (choose_roles(models="reference"), 40, 2),
        (choose_roles(dialog="compatible/local/tiny"), 40, 2),
        (choose_roles(dialog="compatible/local/tiny"), 10, 1),
        (choose_roles(), 40, 1),
        (choose_roles(dialog="vllm/tiny"), 40, 1),
    ],
)
def test_processes_are_one_a_processor_where_models_are_served_elsewhere(
    monkeypatch, roles, dialogs, processes
):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert choose_processes(roles, dialogs) == processes


def test_models_that_are_handed_over_stay_in_one_process(tmp_path):
    with (
        Server(play_dialog) as server,
        pytest.raises(EvaluationError, match="cannot be sent to other processes"),
    ):
        run(ROWS[:2], tmp_path, processes=2, **served(server))


def test_two_runs_of_one_process_ask_their_own_models(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    roles = choose_roles(dialog="compatible/local/tiny")
    with Server(play_dialog) as first, Server(play_dialog) as second:
        for server in (first, second):
            run(ROWS[:1], tmp_path / str(server.url[-9:-3]), roles=roles, base_url=server.url)
        assert len(first.requests) == len(second.requests) > 0


def test_random_agrees_with_its_exact_expectation(tmp_path):
    rows = example_rows("FairFaresNYC", "HeadStart", "IDNYC", limit=12)
    dialogs = run(rows, tmp_path, agent="random", roles=REFERENCE, trials=10)
    assert len(dialogs) == 10 * len(rows)
    sums = metrics.sum_dialogs(dialogs)
    expected = metrics.expect_random(int(sums[0] + sums[2]), int(sums[1] + sums[3]))
    assert metrics.score(dialogs).f1 == pytest.approx(expected, abs=8)
    assert len({tuple(dialog.verdicts.values()) for dialog in dialogs}) > 1


def test_runs_of_other_players_have_other_folders():
    options = Options(roles=REFERENCE)
    folders = {
        log_folder("diverse", ROWS, changed)
        for changed in (
            options,
            replace(options, agent="random"),
            replace(options, seed=1),
            replace(options, roles=choose_roles()),
        )
    }
    assert len(folders) == 4
    assert log_folder("diverse", ROWS, options) == log_folder(
        "diverse", ROWS, Options(roles=REFERENCE)
    )


def _plain(request):
    """A request as text; what is null counts as left out."""
    return json.dumps(request, sort_keys=True).replace('"description": null, ', "")


def test_our_provider_and_inspects_own_play_the_same_dialogs(tmp_path):
    with Server(play_dialog) as server:
        ours, theirs = (
            run(ROWS, tmp_path / provider, **served(server, provider=provider))
            for provider in ("compatible", "openai-api")
        )
    half = len(server.requests) // 2
    asked, asked_again = server.requests[:half], server.requests[half:]
    assert sorted(map(_plain, asked)) == sorted(map(_plain, asked_again))
    key = attrgetter("household")
    for our, their in zip(sorted(ours, key=key), sorted(theirs, key=key), strict=True):
        assert replace(our, roles={}) == replace(their, roles={})


def test_the_log_holds_every_call_and_the_processor_is_left_as_it_was(tmp_path):
    before = gc.get_threshold()
    with Server(play_dialog) as server:
        run(ROWS[:2], tmp_path, **served(server))
    (log,) = (read_eval_log(str(path)) for path in find_logs([tmp_path]))
    calls = [event for sample in log.samples for event in sample.events if event.event == "model"]
    assert len(calls) == len(server.requests)
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_the_longest_dialogs_start_first():
    few, many = (replace(ROWS[0], programs=("FairFaresNYC",) * number) for number in (1, 3))
    assert longest_first([few, many, few]) == [many, few, few]


def test_the_embedded_model_plays_one_dialog_at_a_time():
    assert dialogs_at_once(Options(roles=choose_roles(), concurrency=8)) == 1
    assert dialogs_at_once(Options(roles=REFERENCE, concurrency=8)) == 8


@pytest.mark.parametrize("provider", ["compatible", "openai-api"])
def test_dialogs_run_at_the_same_time(tmp_path, monkeypatch, provider):
    # Whoever waits for a reply makes room at once.
    monkeypatch.setattr(precedence, "GRACE_SECONDS", 60)
    rows = example_rows("FairFaresNYC", "HeadStart", limit=12)
    with Server(play_dialog, delay=0.2) as server:
        run(rows, tmp_path, concurrency=12, **served(server, provider=provider))
    assert server.most_at_once >= 8


def test_an_agent_that_decides_by_its_model_refuses_the_reference_player(tmp_path):
    with pytest.raises(EvaluationError, match="lets the dialog model decide"):
        run(ROWS[:1], tmp_path, agent="direct", roles=REFERENCE)


class Broken:
    roles = ()

    def run(self, conversation):
        raise ZeroDivisionError("a bug in somebody's agent")


def test_a_bug_in_an_agent_stops_the_run_and_is_shown(tmp_path):
    with pytest.raises(EvaluationError, match=r"2 of 2 dialogs could not be played.*a bug in"):
        run(ROWS[:2], tmp_path, agent="tests.evaluation.test_run:Broken", roles=REFERENCE)


def fail_with(reply, *, times=10**9):
    def script(request, number):
        return reply if number <= times else play_dialog(request)

    return script


FAULTS = {
    "HTTP 500": (Reply(status=500, body=b"{}"), "model_failed"),
    "HTTP 429": (Reply(status=429, body=b'{"error": {"message": "slow down"}}'), "model_failed"),
    "HTTP 400": (Reply(status=400, body=b'{"error": {"message": "too long"}}'), "model_failed"),
    "no JSON envelope": (Reply(body=b"<html>proxy</html>"), "model_failed"),
    "broken JSON reply": (Reply(text='{"value": '), "answer_not_parsed"),
    "empty reply": (Reply(text=""), "question_missing"),
    "endless reply": (Reply(text="and so on " * 20_000), "answer_not_parsed"),
    "timeout": (Reply(text="late", delay=3), "model_failed"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_dialog_model_that_always_fails_ends_in_a_scored_and_explained_row(
    tmp_path, monkeypatch, fault
):
    monkeypatch.setattr("benyfits_data.evaluation.run.RETRIES", 1)
    reply, kind = FAULTS[fault]
    with Server(fail_with(reply)) as server:
        (dialog,) = run(ROWS[:1], tmp_path, timeout=1, **served(server))
    assert dialog.verdicts.keys() == dialog.labels.keys()
    assert kind in {failure.kind for failure in dialog.failures}
    assert all(failure.message for failure in dialog.failures)


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["compatible", "openai-api"])
@pytest.mark.parametrize("fault", ["HTTP 500", "HTTP 429", "timeout"])
def test_a_passing_fault_is_retried_and_leaves_no_trace(tmp_path, fault, provider):
    with Server(fail_with(FAULTS[fault][0], times=1)) as server:
        (dialog,) = run(ROWS[:1], tmp_path, timeout=1, **served(server, provider=provider))
    assert dialog.failures == []
    assert dialog.verdicts == dialog.labels


def test_a_user_who_never_knows_ends_in_a_scored_and_explained_row(tmp_path):
    with Server(lambda request, number: Reply("I don't know.")) as server:
        (dialog,) = run(ROWS[:1], tmp_path, **served(server, role="user"))
    assert {turn.answer for turn in dialog.turns} == {"I don't know."}
    assert {failure.kind for failure in dialog.failures} >= {"answer_not_parsed"}
    told = metrics.measure_faithfulness([dialog])
    assert told["no_answer_share"] == 100


def test_a_user_who_lies_is_found_out(tmp_path):
    with Server(lambda request, number: Reply("No, 97 of them in New Jersey.")) as server:
        dialogs = run(ROWS[:3], tmp_path, **served(server, role="user"))
    assert metrics.measure_faithfulness(dialogs)["unfaithful_share"] > 50


def test_the_user_model_sees_the_profile_and_the_agent_does_not(tmp_path):
    with Server(lambda request, number: Reply("Yes.")) as server:
        run(ROWS[:1], tmp_path, **served(server, role="user"))
    assert all(ROWS[0].profile in request["messages"][0]["content"] for request in server.requests)
    with Server(play_dialog) as server:
        run(ROWS[:1], tmp_path / "dialog", **served(server))
    assert not any(ROWS[0].profile[:60] in json.dumps(request) for request in server.requests)


def test_a_code_model_that_writes_prose_ends_in_the_dialog_models_verdict(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    with Server(lambda request, number: Reply("I would rather not.")) as server:
        (dialog,) = run(ROWS[:1], tmp_path / "logs", **served(server, role="code"))
    assert [failure.kind for failure in dialog.failures].count("code_not_parsed") == 2


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


def test_verdicts_are_decoded_under_a_schema_with_one_bool_per_program(tmp_path):
    with Server(play_dialog) as server:
        run(ROWS[:1], tmp_path, agent="direct", **served(server))
    (prediction,) = [request for request in server.requests if is_prediction(request)]
    schema = prediction["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {program: {"type": "boolean"} for program in ROWS[0].programs}
    assert schema["required"] == list(ROWS[0].programs)


PLAY = """
import os, sys
from pathlib import Path
from benyfits_data.evaluation.models import choose_roles
from benyfits_data.evaluation.run import Options, run
from tests.evaluation.players import example_rows

os.environ["LOCAL_API_KEY"] = "x"
rows = example_rows("FairFaresNYC", "HeadStart", limit=10)
roles = choose_roles(dialog="compatible/local/tiny")
options = Options(
    roles=roles,
    base_url=sys.argv[1],
    log_dir=Path(sys.argv[2]),
    concurrency=2,
    processes=int(sys.argv[3]),
)
run("diverse", rows, options)
"""


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_that_was_killed_goes_on_without_losing_or_repeating_a_dialog(tmp_path, processes):
    rows = example_rows("FairFaresNYC", "HeadStart", limit=10)
    with Server(play_dialog) as server:
        needed = sum(2 * len(d.turns) for d in run(rows, tmp_path / "once", **served(server)))
    with Server(play_dialog, delay=0.02) as server:
        folder = str(tmp_path / "killed")
        command = [sys.executable, "-c", PLAY, server.url, folder, str(processes)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        process = subprocess.Popen(command, env=environment)
        while len(server.requests) < needed * 0.3 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        # Its processes end with it.
        time.sleep(0.3)
        before = len(server.requests)
        time.sleep(1)
        assert len(server.requests) == before
        subprocess.run(command, env=environment, check=True)
        again = len(server.requests) - before
    dialogs = read_logs(find_logs([tmp_path / "killed"]))
    assert sorted(dialog.household for dialog in dialogs) == sorted(row.id for row in rows)
    # Only the dialogs that were under way, at most two, may have been asked for twice.
    longest = max(2 * len(dialog.turns) for dialog in dialogs)
    assert before + again <= needed + 2 * longest
    assert again < needed


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
    assert len({first, second, log_folder("diverse", ROWS, options)}) == 3
