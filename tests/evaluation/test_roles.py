"""What is meant for one model reaches that one only."""

import json
import socket
from types import SimpleNamespace

import pytest

from benyfits_data.cli.role_options import read_arguments
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.model_calls import check_models
from benyfits_data.evaluation.models import check_understood, choose_roles
from benyfits_data.evaluation.results.runs import find_logs, open_log
from benyfits_data.evaluation.run_options import (
    ModelSettings,
    Options,
    check_one_model,
    make_models,
)
from tests.commands import invoke
from tests.evaluation.players import example_rows, run
from tests.evaluation.server import Reply, Server, envelope, is_prediction, play_dialog, prompt_of
from tests.evaluation.test_results import write_dataset

ROWS = example_rows("FairFaresNYC", "HeadStart", limit=3)
TINY = "openai-api/local/tiny"
TALK = ["--model", TINY, "--user-model", "grounded", "--code-model", "reference"]
LOCAL = choose_roles(dialog=TINY)


def settings(server, **more):
    return ModelSettings(base_url=server.url, **more)


def play(server, folder, roles=LOCAL, **options):
    told = options.pop("settings", None) or settings(server)
    return run("diverse", ROWS[:1], Options(roles=roles, settings=told, log_dir=folder, **options))


def yes(request, number):
    return Reply("Yes.")


@pytest.mark.slow
def test_each_role_is_asked_at_its_own_address_with_its_own_key(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "for the dialog model")
    monkeypatch.setenv("OTHER_API_KEY", "for the user model")
    with Server(play_dialog) as first, Server(yes) as second:
        monkeypatch.setenv("LOCAL_BASE_URL", first.url)
        monkeypatch.setenv("OTHER_BASE_URL", second.url)
        roles = choose_roles(dialog=TINY, user="openai-api/other/tiny")
        play(first, tmp_path, roles, settings=ModelSettings())
        assert {head["authorization"] for head in first.heads} == {"Bearer for the dialog model"}
        assert {head["authorization"] for head in second.heads} == {"Bearer for the user model"}


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


def test_the_users_model_reads_unless_another_one_is_named():
    assert choose_roles()["reader"] == choose_roles(user="human")["reader"] == "none"
    assert choose_roles(user=TINY)["reader"] == choose_roles(models=TINY)["reader"] == "none"
    assert choose_roles(user=TINY, reader="openai/gpt-4o")["reader"] == "openai/gpt-4o"
    assert choose_roles(user=TINY, reader="none")["reader"] == "none"


def test_a_grounded_user_needs_a_reader():
    with pytest.raises(EvaluationError, match="--reader-model"):
        choose_roles(user="grounded")
    with pytest.raises(EvaluationError, match="--reader-model"):
        choose_roles(user="grounded", models=TINY, reader="none")
    assert choose_roles(models=TINY, user="grounded")["reader"] == TINY


def test_a_reader_is_asked_at_temperature_0():
    options = Options(
        roles=choose_roles(user=TINY, reader=TINY), settings=ModelSettings(temperature=0.7)
    )
    asked = {role: told.get("temperature") for role, told in options.describe_roles().items()}
    assert asked == {"dialog": None, "user": 0.7, "code": None, "reader": 0.0}


def test_a_missing_key_is_one_sentence(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("NOWHERE_API_KEY", raising=False)
    for name in ("openai/gpt-4o", "openai-api/nowhere/tiny"):
        with pytest.raises(EvaluationError, match=r"^[A-Z]+_API_KEY is not set, and") as caught:
            make_models(Options(roles=choose_roles(dialog=name)))
        assert len(str(caught.value)) < 300
        assert "\n" not in str(caught.value)


def test_seeds_reach_the_models_and_make_new_calls(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    roles = choose_roles(dialog="reference", code=TINY)
    with Server(lambda request, number: Reply("I would rather not.")) as server:
        counts, seeds = [], []
        told = settings(server, temperature=0.7)
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
        return Reply('Nobody works.\n```json\n{"FairFaresNYC": false, "HeadStart": false}\n```')
    return Reply('Yes: {"ready": true}' if "Stop and check" in prompt else "How old are you?")


def test_a_server_that_takes_no_schema_is_asked_without_and_the_dialog_says_so(tmp_path):
    with Server(refuse_schemas) as server:
        (dialog,) = play(server, tmp_path, agent="direct")
    kinds = [failure.kind for failure in dialog.failures]
    assert kinds == ["schema_refused"]
    assert dialog.verdicts == {"FairFaresNYC": False, "HeadStart": False}


def obey(request, number):
    """Decode under a schema as it is asked for."""
    return Reply('{"ready": true}' if "response_format" in request else "OK")


def test_each_role_gets_one_short_call_before_a_run():
    warnings = []
    with Server(obey) as server:
        roles = choose_roles(models=TINY, reader=TINY)
        options = Options(roles=roles, settings=settings(server))
        assert check_models(options, warnings.append) == dict.fromkeys(roles, "test")
        assert [prompt_of(request) for request in server.requests] == ["Reply with OK."] * 4
        assert {request["max_tokens"] for request in server.requests} == {32}
    assert check_models(Options(roles=choose_roles()), warnings.append) == {}
    assert warnings == []


@pytest.mark.parametrize(
    "text",
    [
        "OK.",
        '{"understood": false}',
        '{"ready": true, "understood": false}',
        '**ready**: `{"ready": true}`',
        '{"ready": "true"}',
    ],
)
def test_a_server_that_ignores_schemas_is_told_of_before_a_run(text):
    warnings = []
    with Server(lambda request, number: Reply(text)) as server:
        check_models(Options(roles=LOCAL, settings=settings(server)), warnings.append)
        (warning,) = warnings
    assert warning.startswith(f"dialog: {TINY} at {server.url} does not hold replies to a JSON")


@pytest.mark.parametrize(
    ("name", "status", "sentence", "advice"),
    [
        ("openai/gpt-5", 404, "Not Found", r"is named openai-api/SERVER/MODEL\. Nothing"),
        (TINY, 400, "Stream must be set to true", r"Give -M stream=true\. Nothing"),
    ],
)
def test_the_preflight_says_what_helps(monkeypatch, name, status, sentence, advice):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    refusal = Reply(status=status, body=json.dumps({"error": {"message": sentence}}).encode())
    with Server(lambda request, number: refusal) as server:
        options = Options(roles=choose_roles(dialog=name), settings=settings(server))
        with pytest.raises(EvaluationError, match=rf"{sentence} \(HTTP {status}\)\. .*{advice}"):
            check_models(options, print)
        # Not again and again; inspect itself asks OpenAI's models for a word first.
        assert len(server.requests) <= 2


def test_the_first_call_says_that_nobody_listens(monkeypatch):
    monkeypatch.setattr("benyfits_data.evaluation.model_calls.FIRST_RETRIES", 0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        told = ModelSettings(base_url=gone)
        with pytest.raises(
            EvaluationError, match=r"does not answer.*refused|failed.*Start the server"
        ):
            check_models(Options(roles=LOCAL, settings=told), print)


def test_eval_names_a_host_that_is_not_there(tmp_path, monkeypatch):
    data = write_dataset(tmp_path / "diverse.jsonl", ROWS)
    monkeypatch.setattr("benyfits_data.evaluation.model_calls.FIRST_RETRIES", 0)
    monkeypatch.setenv("LOCAL_API_KEY", "x")
    monkeypatch.setenv("LOCAL_BASE_URL", "http://nowhere.invalid/v1")
    talk = ["eval", "--agent", "direct", "--model", "openai-api/local/m"]
    done = invoke(*talk, "--dataset", data, "--log-dir", tmp_path / "logs")
    assert done.exit_code == 1
    assert not list(tmp_path.glob("logs/*"))
    assert "m at http://nowhere.invalid/v1 does not answer" in done.stderr
    assert "mend --base-url. Nothing was played." in done.stderr


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
    shown = invoke("results", tmp_path / "logs", "--all", "--json")
    assert shown.exit_code == 0, shown.output
    assert "HTTP 401" in shown.stdout
    assert "this run" not in shown.stdout


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--without", "seed,seeds"), "'seeds' is none of seed, temperature"),
        (("--temperature", "hot"), "'hot' is not a valid float"),
        (("--max-tokens", "0"), "0 is not in the range"),
        (("-M", "kind"), "'kind' is not NAME=VALUE"),
        (("-M", "a=1", "-M", "a.b=2"), "a has a value of its own"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(given, says):
    done = invoke("eval", "--model", TINY, "--user-model", "grounded", *given, terminal_width=200)
    assert done.exit_code == 2
    assert says in done.output


def test_arguments_of_providers_may_be_json_and_have_groups(monkeypatch):
    monkeypatch.delenv("VLLM_BASE_URL", raising=False)
    lines = ("rope.factor=2", 'rope.kind="yarn"', "limits=[1, 2]", "kind=awq", "n=3")
    told = ModelSettings(model_args=read_arguments(lines))
    assert told.model_args["rope"] == {"factor": 2, "kind": "yarn"}
    asked = {}

    def get_model(name, **more):
        asked.update(more)
        return SimpleNamespace(api=None)

    monkeypatch.setattr("inspect_ai.model.get_model", get_model)
    make_models(Options(roles=choose_roles(dialog="vllm/some"), settings=told))
    # The server's command line takes JSON, where Python would write its own notation.
    assert json.loads(asked["rope"]) == {"factor": 2, "kind": "yarn"}
    assert (asked["limits"], asked["kind"], asked["n"]) == ("[1, 2]", "awq", 3)
    assert json.loads(asked["structured_outputs_config"])["disable_any_whitespace"] is True
    assert (asked["host"], asked["lazy_init"]) == ("127.0.0.1", False)


def test_what_is_meant_for_one_model_is_refused_where_several_play():
    several = choose_roles(dialog=TINY, user="openai/x")
    check_one_model(several, ModelSettings(temperature=0.7))
    for told in (ModelSettings(base_url="http://x/v1"), ModelSettings(model_args={"a": 1})):
        check_one_model(choose_roles(models=TINY), told)
        with pytest.raises(EvaluationError, match="Set SERVICE_BASE_URL for each"):
            check_one_model(several, told)


def test_settings_reach_the_model_and_make_another_run(tmp_path):
    with Server(play_dialog) as server:
        play(server, tmp_path / "0")
        with pytest.raises(EvaluationError, match=r"another run .*temperature: 0\.0 there, 0\.7"):
            play(server, tmp_path / "0", settings=settings(server, temperature=0.7))
        told = settings(server, without=("temperature",), max_tokens=777)
        play(server, tmp_path / "1", settings=told)
        half = len(server.requests) // 2
    assert all(request["temperature"] == 0 for request in server.requests[:half])
    assert not any("temperature" in request for request in server.requests[half:])
    assert {request["max_tokens"] for request in server.requests[half:]} == {777}
    (log,) = find_logs([tmp_path / "0"])
    assert open_log(log).eval.metadata["manifest"]["roles"]["dialog"]["temperature"] == 0.0


def test_a_server_that_names_another_model_from_the_fourth_reply_on_is_seen_in_results(tmp_path):
    def script(request, number):
        name = b'"model": "tiny"' if number < 4 else b'"model": "another"'
        return Reply(body=envelope(play_dialog(request).text).replace(b'"model": "test"', name))

    data, logs = write_dataset(tmp_path / "diverse.jsonl", ROWS[:1]), tmp_path / "logs"
    with Server(script) as server:
        done = invoke(
            *("eval", *TALK, "--agent", "direct", "--dataset", data),
            *("--base-url", server.url, "--log-dir", logs),
        )
    assert done.exit_code == 0, done.output
    (prediction,) = filter(is_prediction, server.requests)
    schema = prediction["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {it: {"type": "boolean"} for it in ROWS[0].programs}
    assert schema["required"] == list(ROWS[0].programs)
    (log,) = find_logs([logs])
    assert open_log(log).eval.metadata["manifest"]["roles"]["dialog"]["served"] == "tiny"
    shown = invoke("results", logs, "--all", terminal_width=250)
    assert "another, tiny" in shown.stdout
