"""What is meant for one role's model reaches that one only."""

import json
import re
import socket
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import click
import pytest

from benyfits_data.cli.role_options import read_role_settings, read_settings
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.models import check_understood, choose_roles
from benyfits_data.evaluation.preflight import check_models, check_ports, describe_cost
from benyfits_data.evaluation.results.runs import find_logs, open_log
from benyfits_data.evaluation.run import play_agent
from benyfits_data.evaluation.run_options import Options, RoleSettings, make_models, models_meant
from tests.commands import invoke
from tests.evaluation.players import example_rows, run
from tests.evaluation.readings import asks, is_reading
from tests.evaluation.server import Reply, Server, envelope, play_dialog, prompt_of
from tests.evaluation.test_results import write_dataset

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=3)
TINY = "openai-api/local/tiny"
TALK = ["--model", TINY, "--user", "grounded", "--code-model", "reference"]
LOCAL = choose_roles(dialog=TINY)


def settings(server, **more):
    return {"dialog": RoleSettings(base_url=server.url, **more)}


def play(server, folder, roles=LOCAL, **options):
    told = options.pop("settings", None) or settings(server)
    return run("diverse", ROWS[:1], Options(roles=roles, settings=told, log_dir=folder, **options))


def yes(request, number):
    return Reply("Yes.")


@pytest.mark.slow
def test_each_role_is_asked_at_its_own_address_with_its_own_key(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "for the dialog model")
    monkeypatch.setenv("OTHER_KEY", "for the user model")
    with Server(play_dialog) as first, Server(yes) as second:
        told = {
            "dialog": RoleSettings(base_url=first.url),
            "user": RoleSettings(base_url=second.url, key_variable="OTHER_KEY"),
        }
        roles = choose_roles(dialog=TINY, user="openai-api/other/tiny")
        play(first, tmp_path, roles, settings=told)
        assert {head["authorization"] for head in first.heads} == {"Bearer for the dialog model"}
        assert {head["authorization"] for head in second.heads} == {"Bearer for the user model"}


@pytest.mark.parametrize(
    "option", [["--base-url", "http://x/v1"], ["--key-variable", "K"], ["-M", "a=1"]]
)
def test_an_option_that_could_mean_several_models_is_refused(tmp_path, monkeypatch, option):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("K", "none")
    data = write_dataset(tmp_path / "diverse.jsonl", ROWS)
    arguments = ["--dialog-model", TINY, "--user-model", "openai/gpt-4o", "--dataset", str(data)]
    done = invoke("eval", *arguments, *option)
    assert done.exit_code == 1
    assert "could mean any of openai-api/local/tiny, openai/gpt-4o" in done.output


@pytest.mark.parametrize(
    ("roles", "needed", "is_understood"),
    [
        ({"dialog": TINY}, ("dialog", "user"), False),
        ({"code": TINY}, ("dialog", "user", "code"), False),
        ({"code": TINY}, ("dialog", "user"), True),
        ({"dialog": TINY}, ("dialog",), True),
        ({"dialog": TINY, "user": TINY}, ("dialog", "user"), True),
        ({"dialog": TINY, "user": "human"}, ("dialog", "user"), True),
        ({"dialog": TINY, "user": "grounded", "reader": TINY}, ("dialog", "user"), True),
    ],
)
def test_free_questions_are_not_put_to_a_user_who_knows_canonical_ones(
    roles, needed, is_understood
):
    if is_understood:
        check_understood(choose_roles(**roles), needed)
        return
    with pytest.raises(EvaluationError, match="Name who answers with --user-model"):
        check_understood(choose_roles(**roles), needed)


def test_the_command_refuses_a_user_who_would_not_understand(tmp_path):
    data = write_dataset(tmp_path / "diverse.jsonl", ROWS)
    refused = invoke("eval", "--dialog-model", TINY, "--dataset", data)
    assert refused.exit_code == 1
    assert "the reference user understands canonical ones only" in refused.output


def test_python_refuses_that_user_too():
    with pytest.raises(EvaluationError, match="canonical ones only"):
        play_agent("direct", None, limit=1, models={"dialog": TINY}, questions=None)


def test_the_users_model_reads_unless_another_one_is_named():
    assert choose_roles()["reader"] == choose_roles(user="human")["reader"] == "none"
    assert choose_roles(user=TINY)["reader"] == choose_roles(models=TINY)["reader"] == TINY
    assert choose_roles(user=TINY, reader="openai/gpt-4o")["reader"] == "openai/gpt-4o"
    assert choose_roles(user=TINY, reader="none")["reader"] == "none"


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"kind": "grounded"}, "--reader-model"),
        ({"kind": "proven", "reader": TINY}, "--user-model"),
        ({"kind": "proven", "user": TINY, "reader": "none"}, "--reader-model"),
        ({"style": "terse", "user": TINY}, "--user grounded or --user proven"),
    ],
)
def test_a_kind_of_user_that_lacks_what_it_needs_is_refused(told, message):
    with pytest.raises(EvaluationError, match=message):
        choose_roles(**told)


def test_kinds_of_users_name_their_players():
    roles = choose_roles(kind="grounded", style="terse", user=TINY)
    assert (roles["user"], roles["reader"]) == ("grounded", TINY)
    assert choose_roles(models=TINY, user="grounded")["reader"] == TINY
    roles = choose_roles(kind="proven", models=TINY)
    assert (roles["user"], roles["reader"]) == (TINY, TINY)


def test_a_reader_is_asked_at_temperature_0_where_the_users_model_is_reached():
    told = RoleSettings(base_url="http://here/v1", temperature=0.7)
    options = Options(roles=choose_roles(user=TINY), settings={"user": told})
    assert options.role("reader") == RoleSettings(base_url="http://here/v1", temperature=0.0)
    other = Options(roles=choose_roles(user=TINY, reader="openai/x"), settings={"user": told})
    assert other.role("reader") == RoleSettings()


def test_a_missing_key_is_one_sentence(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("NOWHERE_API_KEY", raising=False)
    for name in ("openai/gpt-4o", "openai-api/nowhere/tiny"):
        with pytest.raises(EvaluationError, match="_API_KEY") as caught:
            make_models(Options(roles=choose_roles(dialog=name)))
        assert len(str(caught.value)) < 300
        assert "\n" not in str(caught.value)


def test_a_temperature_may_be_left_to_the_provider(tmp_path):
    with Server(play_dialog) as server:
        play(server, tmp_path / "0")
        play(server, tmp_path / "1", settings=settings(server, temperature=None))
        half = len(server.requests) // 2
    assert all(request["temperature"] == 0 for request in server.requests[:half])
    assert not any("temperature" in request for request in server.requests[half:])


def test_greatest_lengths_are_set_by_role(tmp_path):
    with Server(play_dialog) as server:
        play(server, tmp_path, settings=settings(server, max_tokens=777))
    assert {request["max_tokens"] for request in server.requests} == {777}


def test_seeds_reach_the_models_and_make_new_calls(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    roles = choose_roles(dialog="reference", code=TINY)
    with Server(lambda request, number: Reply("I would rather not.")) as server:
        counts, seeds = [], []
        told = {"code": RoleSettings(base_url=server.url, temperature=0.7)}
        for number, seed in enumerate((1, 2, 2)):
            before = len(server.requests)
            play(server, tmp_path / str(number), roles, settings=told, seed=seed)
            counts.append(len(server.requests) - before)
            seeds.append({request["seed"] for request in server.requests[before:]})
    assert counts[0] == counts[1] > 0
    assert counts[2] == 0
    assert seeds[0] != seeds[1]


def refuse_schemas(request, number):
    if "response_format" in request:
        return Reply(status=400, body=b'{"error": {"message": "response_format is unknown"}}')
    prompt = prompt_of(request)
    if "Decide for each of the" in prompt:
        return Reply("1. FairFaresNYC: **False**\n2. HeadStart: **False**")
    return Reply("I am ready: yes." if "ready" in prompt.lower() else "How old are you?")


def test_a_server_that_takes_no_schema_is_asked_without_and_the_dialog_says_so(tmp_path):
    with Server(refuse_schemas) as server:
        (dialog,) = play(server, tmp_path, agent="direct")
    kinds = [failure.kind for failure in dialog.failures]
    assert kinds == ["schema_refused"]
    assert dialog.verdicts == {"FairFaresNYC": False, "HeadStart": False}


def check(script, roles=LOCAL, **options):
    """What the first calls to the models of a test server tell."""
    with Server(script) as server:
        told = RoleSettings(base_url=server.url)
        options = {"settings": dict.fromkeys(("dialog", "user", "code", "reader"), told), **options}
        found = check_models([*ROWS, LONG], Options(roles=roles, **options))
        return [it.line.replace(server.url, "URL") for it in found], server.requests


LONG = replace(ROWS[0], requirements=dict.fromkeys(ROWS[0].programs, "A rule. " * 900))
VERDICTS = '{"FairFaresNYC": true, "HeadStart": false}'


def test_the_preflight_plays_each_role_with_its_longest_prompt_and_schema():
    def script(request, number):
        if is_reading(request):
            return Reply(asks("value", "age"))
        schema = request.get("response_format")
        return Reply(
            '{"type": "int"}' if "type" in json.dumps(schema) and number == 3 else VERDICTS
        )

    lines, requests = check(script, choose_roles(models=TINY))
    assert [re.sub(r"[\d.]+ s", "_ s", line) for line in lines] == [
        f"dialog {TINY} at URL answers in _ s; schema honoured",
        f"user   {TINY} at URL answers in _ s; schema not used",
        f"code   {TINY} at URL answers in _ s; schema honoured",
        f"reader {TINY} at URL answers in _ s; schema honoured",
    ]
    assert LONG.requirements["HeadStart"].strip() in requests[0]["messages"][0]["content"]
    assert prompt_of(requests[0]).count("I am 34.") == 20
    assert LONG.profile in requests[1]["messages"][0]["content"]
    assert len(requests[1]["messages"]) == 42


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (lambda request, number: Reply("Sure!"), "schema not honoured"),
        (lambda request, number: Reply(body=ENDLESS), "schema not honoured: the reply had no end"),
        (lambda request, number: refuse_schemas(request, number), "schema refused"),
        (lambda request, number: Reply(""), "the reply is empty"),
        (lambda request, number: refuse_much(request, number), "; without seed, system_role"),
    ],
)
def test_the_preflight_says_what_a_server_does_and_what_is_left_out(script, told):
    assert told in check(script)[0][0]


ENDLESS = envelope("{" + "\\t" * 400).replace(b'"stop"', b'"length"')
TOO_LONG = b'{"error": {"message": "the request exceeds the available context size"}}'


def refuse_much(request, number):
    if "seed" in request:
        return Reply(status=400, body=b'{"error": {"message": "seed is not supported"}}')
    if request["messages"][0]["role"] == "system":
        return Reply(status=400, body=b'{"error": {"message": "System role not supported"}}')
    return Reply(VERDICTS)


@pytest.mark.parametrize(
    "reply", [Reply(status=400, body=TOO_LONG), Reply(body=envelope(VERDICTS, tokens=50))]
)
def test_the_preflight_refuses_a_context_that_is_too_small_or_cuts_silently(reply):
    with pytest.raises(EvaluationError, match="no room for the longest prompt"):
        check(lambda request, number: reply)


def test_the_preflight_says_at_once_that_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        told = {"dialog": RoleSettings(base_url=gone)}
        for look in (partial(check_models, ROWS), check_ports):
            with pytest.raises(EvaluationError, match="nobody listens there"):
                look(Options(roles=LOCAL, settings=told))


def test_eval_names_a_host_that_is_not_there_without_a_preflight(tmp_path, monkeypatch):
    data = write_dataset(tmp_path / "diverse.jsonl", ROWS)
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    monkeypatch.setenv("LOCAL_BASE_URL", "http://nowhere.invalid/v1")
    talk = ["eval", "--agent", "direct", "--model", "openai-api/local/m"]
    done = invoke(*talk, "--dataset", data, "--preflight", "skip")
    assert "nowhere.invalid/v1: no such host" in done.stderr


def test_the_preflight_stops_a_run_whose_model_does_not_answer(tmp_path, monkeypatch):
    monkeypatch.setattr("benyfits_data.evaluation.run_options.RETRIES", 0)
    data = write_dataset(tmp_path / "diverse.jsonl", ROWS)
    arguments = ["eval", *TALK, "--dataset", str(data)]
    with Server(lambda request, number: Reply(status=401, body=b"{}")) as server:
        done = invoke(*arguments, "--base-url", server.url, "--log-dir", tmp_path / "logs")
    assert done.exit_code == 1
    assert "does not answer" in done.output
    assert "Nothing was played" in done.output
    assert not (tmp_path / "logs").exists()


def test_the_cost_is_told_before_and_in_dollars_where_prices_are_given():
    options = Options(roles=LOCAL, trials=2)
    lines = describe_cost(ROWS, options, {TINY: (1.0, 10.0)})
    assert lines[0].startswith("dialog about 240 calls")
    assert "$" in lines[0]
    assert "at most 240 questions" in lines[-1]
    # Each of two programs is written in each of three dialogs of two trials, with 21 calls.
    coded = describe_cost(ROWS, replace(options, roles=choose_roles(code=TINY)))
    assert coded[0].startswith("code   about 252 calls")
    assert describe_cost(ROWS, Options(roles=choose_roles(models="reference"))) == []


@pytest.mark.slow
def test_unscored_dialogs_end_the_command_with_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("benyfits_data.evaluation.run_options.RETRIES", 0)
    data = write_dataset(tmp_path / "diverse.jsonl", ROWS)

    def die(request, number):
        return play_dialog(request) if number < 20 else Reply(status=401, body=b"{}")

    arguments = ["eval", *TALK, "--dataset", str(data), "--concurrency", "1"]
    with Server(die) as server:
        done = invoke(*arguments, "--base-url", server.url, "--log-dir", tmp_path / "logs")
    assert done.exit_code == 1
    assert "1 of 3 dialogs are unscored; the first: dialog: " in done.output
    shown = invoke("results", tmp_path / "logs", "--all", "--csv")
    assert shown.exit_code == 0, shown.output
    assert "HTTP 401" in shown.stdout
    assert "this run" not in shown.stdout


def test_a_role_without_a_model_takes_no_settings(tmp_path):
    data = str(write_dataset(tmp_path / "diverse.jsonl", ROWS))
    arguments = ["eval", "--model", "reference", "--role", "user.temperature=1", "--dataset", data]
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert "reference plays that role" in done.output


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("user.temprature=1", "Did you mean temperature?"),
        ("usr.temperature=1", "Did you mean user?"),
        ("user.temperature=hot", "neither a number nor default"),
        ("user.temperature", "is not ROLE.NAME=VALUE"),
        ("user.max-tokens=0", "0 is not in the range"),
        ("user.without=seeds", "'seeds' is none of seed, temperature"),
    ],
)
def test_a_setting_of_a_role_that_cannot_be_is_refused(given, says):
    done = invoke("eval", "--role", given, terminal_width=200)
    assert done.exit_code == 2
    assert says in done.output


def test_settings_of_roles_are_read_with_their_kinds():
    given = ("user.temperature=0", "code.max-tokens=90", "dialog.base_url=http://x/v1?a=b")
    given += ("user.without=seed,system_role",)
    assert read_role_settings(given) == {
        "user": {"temperature": 0.0, "without": ("seed", "system_role")},
        "code": {"max_tokens": 90},
        "dialog": {"base_url": "http://x/v1?a=b"},
    }


def test_arguments_of_providers_may_be_json_and_have_groups(monkeypatch):
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    roles = choose_roles(dialog="vllm/some")
    given = dict.fromkeys(("base_url", "key_variable", "temperature", "max_tokens", "without"))
    lines = ("rope.factor=2", 'rope.kind="yarn"', "dialog.limits=[1, 2]", "kind=awq", "n=3")
    told = read_settings(roles, given, {}, lines)["dialog"]
    assert told.model_args["rope"] == {"factor": 2, "kind": "yarn"}
    asked = {}

    def get_model(name, **more):
        asked.update(more)
        return SimpleNamespace(api=None)

    monkeypatch.setattr("inspect_ai.model.get_model", get_model)
    make_models(Options(roles=roles, settings={"dialog": told}))
    # The server's command line takes JSON, where Python would write its own notation.
    assert json.loads(asked["rope"]) == {"factor": 2, "kind": "yarn"}
    assert (asked["limits"], asked["kind"], asked["n"]) == ("[1, 2]", "awq", 3)
    assert json.loads(asked["structured_outputs_config"])["disable_any_whitespace"] is True
    assert (asked["host"], asked["lazy_init"]) == ("127.0.0.1", False)
    with pytest.raises(click.BadParameter, match="has a value of its own"):
        read_settings(roles, given, {}, ("a=1", "a.b=2"))


def test_an_option_that_names_no_role_needs_one_model():
    assert models_meant(LOCAL, "--base-url") == ["dialog"]
    with pytest.raises(EvaluationError, match="Say which role"):
        models_meant(choose_roles(dialog=TINY, user="openai/x"), "--base-url")


def test_a_run_with_other_settings_is_refused_in_the_same_folder(tmp_path):
    with Server(play_dialog) as server:
        play(server, tmp_path)
        with pytest.raises(EvaluationError, match=r"another run .*temperature: 0\.0 there, 0\.7"):
            play(server, tmp_path, settings=settings(server, temperature=0.7))
    (log,) = find_logs([tmp_path])
    assert open_log(log).eval.metadata["manifest"]["roles"]["dialog"]["temperature"] == 0.0
