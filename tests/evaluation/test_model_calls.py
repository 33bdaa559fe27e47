"""Calls of one role against a server that misbehaves: what is kept, counted and left out."""

import json

import anyio
import pytest
from inspect_ai.model import GenerateConfig, get_model

from benyfits_data.evaluation import run_options
from benyfits_data.evaluation.conversation import InfrastructureError
from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from benyfits_data.evaluation.record import Usage
from benyfits_data.evaluation.run_options import Options, RoleSettings, make_models
from tests.evaluation.server import Reply, Server, envelope

TINY = "openai-api/local/tiny"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Asks the code model once, and returns the completion and what was counted."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))

    def call(server, *, state=None, name=TINY, seed=0, schema=None, prompt="Now!", **config):
        model = get_model(
            name,
            config=GenerateConfig(max_retries=0, **config),
            base_url=server.url,
            api_key="x",
            memoize=False,
        )
        models = InspectModels({"code": model}, state or ServerState(), seed)
        reply = anyio.run(models.complete, "code", "Write.", prompt, schema, 100)
        return reply, models.usage.get("code", Usage())

    return call


TOOL_CALL = json.loads(envelope(""))
TOOL_CALL["choices"][0]["message"] = {
    "role": "assistant",
    "tool_calls": [
        {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}},
    ],
}
CUT = envelope("def che").replace(b'"stop"', b'"length"')
INCOMPLETE = {
    "empty": Reply(""),
    "no choices": Reply(body=json.dumps({**TOOL_CALL, "choices": []}).encode()),
    "tool call only": Reply(body=json.dumps(TOOL_CALL).encode()),
    "thoughts only": Reply("<think>They may rent."),
    "cut": Reply(body=CUT),
    "withheld": Reply(body=envelope("No.").replace(b'"stop"', b'"content_filter"')),
}


@pytest.mark.parametrize("name", INCOMPLETE)
def test_a_reply_that_is_not_complete_is_not_kept(ask, name):
    def script(request, number):
        return INCOMPLETE[name] if number == 1 else Reply("Done.")

    with Server(script) as server:
        assert ask(server)[0].stop != "stop"
        assert ask(server)[0].text == "Done."
        reply, usage = ask(server)
        assert (reply.text, usage.calls, usage.cached_calls) == ("Done.", 0, 1)
        assert usage.served == ["test"]
        assert len(server.requests) == 2


def test_a_kept_reply_is_for_the_same_model_settings_and_seed(ask):
    with Server(lambda request, number: Reply("Done.")) as server:
        others = (
            {"seed": 1},
            {"temperature": 0.7},
            {"name": "openai-api/local/other"},
            {"state": ServerState(served={"code": "another model"})},
            {"schema": {"type": "object"}},
        )
        for number, other in enumerate(({}, *others), 1):
            ask(server, **other)
            assert len(server.requests) == number
            ask(server, **other)
            assert len(server.requests) == number
        # How long a run waits is nothing that replies hang on.
        ask(server, attempt_timeout=99, max_connections=3)
        assert len(server.requests) == number


def test_tokens_that_the_server_had_cached_are_counted(ask):
    used = {"prompt_tokens": 2914, "completion_tokens": 7, "total_tokens": 2921}
    told = json.loads(envelope("Done."))
    told["usage"] = {**used, "prompt_tokens_details": {"cached_tokens": 2622}}
    with Server(lambda request, number: Reply(body=json.dumps(told).encode())) as server:
        _, usage = ask(server)
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (2914, 2622, 7)


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_reply_that_takes_too_long_is_cut_unless_the_server_is_down(ask, is_alive):
    def script(request, number):
        is_short = request["max_tokens"] == 1
        return Reply("OK", delay=0 if is_short and is_alive else 3600)

    with Server(script) as server:
        if is_alive:
            assert ask(server, attempt_timeout=1)[0].stop == "reply_cut"
        else:
            with pytest.raises(InfrastructureError, match="attempt_timeout"):
                ask(server, attempt_timeout=1)


def test_a_prompt_that_a_server_cuts_without_a_word_is_recorded(ask):
    for tokens, kinds in ((512, ["prompt_cut"]), (2000, []), (0, [])):
        reply = Reply(body=envelope("Done.", tokens=tokens))
        with Server(lambda request, number, reply=reply: reply) as server:
            found, _ = ask(server, prompt="How much do you earn? " * 400)
        assert [kind for kind, _ in found.notes] == kinds


def test_what_is_left_out_on_request_is_not_sent_and_no_failure(ask):
    state = ServerState.of({"code": {"without": ["seed", "system_role"]}})
    with Server(lambda request, number: Reply("Done.")) as server:
        reply, _ = ask(server, state=state)
        (request,) = server.requests
    assert "seed" not in request
    assert [message["role"] for message in request["messages"]] == ["user"]
    assert reply.notes == ()


def refusal_of(sentence):
    return Reply(status=400, body=json.dumps({"error": {"message": sentence}}).encode())


REFUSED = {
    "seed": (lambda it: "seed" in it, "property 'seed' is unsupported"),
    "temperature": (
        lambda it: "temperature" in it,
        "Unsupported value: 'temperature' does not support 0 with this model.",
    ),
    "system_role": (
        lambda it: it["messages"][0]["role"] == "system",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
    ),
    "max_tokens": (
        lambda it: "max_tokens" in it,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead.",
    ),
    "response_schema": (lambda it: "response_format" in it, "json_schema is not supported"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_server_refuses_is_left_out_then_and_later_and_recorded(ask, name):
    is_refused, sentence = REFUSED[name]

    def script(request, number):
        return refusal_of(sentence) if is_refused(request) else Reply("Done.")

    state = ServerState()
    with Server(script) as server:
        for prompt, calls in (("One!", 2), ("Two!", 3)):
            how = {"temperature": 0.0, "schema": {"type": "object"}, "state": state}
            reply, _ = ask(server, prompt=prompt, **how)
            assert (reply.text, len(server.requests)) == ("Done.", calls)
            ((_, told),) = reply.notes
            assert f"refuses {name}" in told
        assert name != "max_tokens" or server.requests[-1]["max_completion_tokens"] == 100


def test_replies_are_as_long_as_a_server_allows(ask):
    def script(request, number):
        too_long = request["max_tokens"] > 64
        return refusal_of("max_tokens must be at most 64") if too_long else Reply("Done.")

    with Server(script) as server:
        reply, _ = ask(server)
        assert (reply.text, reply.notes, len(server.requests)) == ("Done.", (), 2)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=429, body=b'{"error": {"message": "slow down"}}'),
        Reply(status=401, body=b'{"error": {"message": "no such key"}}'),
        Reply(body=b"<html>proxy</html>"),
    ],
)
def test_an_outage_is_no_reply(ask, reply):
    with (
        Server(lambda request, number: reply) as server,
        pytest.raises(InfrastructureError, match="code: "),
    ):
        ask(server)


@pytest.mark.parametrize(
    ("body", "stop"),
    [
        ({"error": {"message": "The upstream failed.", "code": 502}}, "The upstream failed."),
        ({"error": "The upstream failed.", "choices": None}, "The upstream failed."),
        ({"id": "reply", "choices": None}, '"choices": null'),
        ({"error": {"message": "context length exceeded", "code": 400}}, "context_full"),
        ({**TOOL_CALL, "choices": []}, "reply_empty"),
    ],
)
def test_an_error_in_a_body_of_status_200_is_one(body, stop, monkeypatch):
    monkeypatch.setattr(run_options, "RETRIES", 0)
    with Server(lambda request, number: Reply(body=json.dumps(body).encode())) as server:
        settings = {"dialog": RoleSettings(base_url=server.url)}
        made = make_models(Options(roles={"dialog": TINY}, settings=settings))
        models = InspectModels(made, ServerState())
        if "_" in stop:
            assert anyio.run(models.complete, "dialog", "", "Now!", None, 100).stop == stop
        else:
            with pytest.raises(InfrastructureError, match=stop):
                anyio.run(models.complete, "dialog", "", "Now!", None, 100)


def test_a_refusal_in_unknown_words_names_the_option_that_leaves_things_out(ask):
    refusal = Reply(status=400, body=b'{"detail": "no"}')
    with (
        Server(lambda request, number: refusal) as server,
        pytest.raises(InfrastructureError, match=r"no \(HTTP 400\).*--without seed,temperature"),
    ):
        ask(server)
