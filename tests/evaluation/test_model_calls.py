"""Calls of one role against a server that misbehaves: what is kept, counted and left out."""

import json
from dataclasses import dataclass
from types import SimpleNamespace

import anyio
import pytest
from inspect_ai.model import GenerateConfig, get_model

from benyfits_data.evaluation.conversation import InfrastructureError
from benyfits_data.evaluation.model_calls import InspectModels, ServerState, reply_path
from benyfits_data.evaluation.record import Usage
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
    "context full": Reply(
        status=400,
        body=b'{"error": {"message": "maximum context length is 4096 tokens", "code": 400}}',
    ),
    "context full, under 200": Reply(body=b'{"error": "context length exceeded"}'),
    "window full": Reply(body=CUT.replace(b'"length"', b'"model_context_window_exceeded"')),
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


def test_the_port_of_a_server_that_inspect_started_is_in_no_key():
    # It is another at each start; an address that was named tells two servers apart.
    def path(name, port, explicit=None):
        api = SimpleNamespace(base_url=f"http://127.0.0.1:{port}/v1")
        config = GenerateConfig()
        started = Started(name, api, config, explicit_base_url=explicit, model_args={})
        return reply_path(started, "Write.")

    assert path("vllm/tiny", 40001) == path("vllm/tiny", 40002)
    assert path("openai-api/local/tiny", 40001) != path("openai-api/local/tiny", 40002)
    assert path("vllm/tiny", 1, "http://a/v1") != path("vllm/tiny", 1, "http://b/v1")


@dataclass
class Started:
    """What the key of a kept reply needs of a model."""

    name: str
    api: SimpleNamespace
    config: GenerateConfig
    explicit_base_url: str | None
    model_args: dict[str, str]

    def __str__(self) -> str:
        return self.name


def test_tokens_that_the_server_had_cached_are_counted(ask):
    used = {"prompt_tokens": 2914, "completion_tokens": 7, "total_tokens": 2921}
    told = json.loads(envelope("Done."))
    told["usage"] = {**used, "prompt_tokens_details": {"cached_tokens": 2622}}
    with Server(lambda request, number: Reply(body=json.dumps(told).encode())) as server:
        _, usage = ask(server)
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (2914, 2622, 7)


@pytest.mark.parametrize(
    ("usage", "is_known"),
    [
        (..., False),
        ([], False),
        ({"prompt_tokens": None, "completion_tokens": None}, False),
        ({"prompt_tokens": 0, "completion_tokens": 0}, False),
        ({"prompt_tokens": 20}, False),
        ({"completion_tokens": 3}, False),
        ({"prompt_tokens": 20, "completion_tokens": 3}, True),
    ],
)
def test_tokens_that_no_server_counted_are_unknown_and_said_to_be(ask, usage, is_known):
    sent = json.dumps(body_with(SAYS, usage=usage)).encode()
    with Server(lambda request, number: Reply(body=sent)) as server:
        reply, counted = ask(server)
    assert (counted.calls, counted.uncounted_calls) == (1, int(not is_known))
    assert [kind for kind, _ in reply.notes] == ([] if is_known else ["tokens_unknown"])


@pytest.mark.parametrize("is_alive", [True, False])
def test_a_reply_that_takes_too_long_is_cut_unless_the_server_is_down(ask, is_alive):
    def script(request, number):
        is_short = request["max_tokens"] == 1
        return Reply("OK", delay=0 if is_short and is_alive else 3600)

    with Server(script) as server:
        if is_alive:
            reply, usage = ask(server, attempt_timeout=1)
            assert (reply.stop, usage.calls, usage.uncounted_calls) == ("reply_cut", 1, 1)
        else:
            with pytest.raises(InfrastructureError, match="attempt_timeout"):
                ask(server, attempt_timeout=1)


def test_a_prompt_that_a_server_cuts_without_a_word_is_recorded(ask):
    for tokens, kinds in ((512, ["prompt_cut"]), (2000, []), (0, ["tokens_unknown"])):
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


def body_with(message=None, reason="stop", usage=None, **more):
    """A body whose one choice holds a message; nothing of what is `...`."""
    choice = {"index": 0, "message": message, "finish_reason": reason}
    body = {"model": "test", "usage": usage, "choices": [{**choice, **more.pop("choice", {})}]}
    return {key: value for key, value in {**body, **more}.items() if value is not ...}


SAYS = {"role": "assistant", "content": "Yes."}
EVENTS = """: waiting

data: {"model": "test", "choices": [{"delta": {"role": "assistant", "content": "Y"}}]}

data: {"choices": [{"delta": {"content": "es."}, "finish_reason": "stop"}]}

data: [DONE]
"""
ODD = {
    "parts": (body_with({"content": [{"type": "text", "text": "Yes."}]}), "Yes.", "stop"),
    "parts with thoughts": (
        body_with(
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "They rent."}]},
                    {"type": "text", "text": "Yes."},
                ]
            }
        ),
        "Yes.",
        "stop",
    ),
    "one part, no list": (body_with({"content": {"type": "text", "text": "Yes."}}), "Yes.", "stop"),
    "strings": (body_with({"content": ["Ye", "s."]}), "Yes.", "stop"),
    "parsed JSON": (body_with({"content": {"ready": True}}), '{"ready": true}', "stop"),
    "a parsed array": (body_with({"content": [True, False]}), "[true, false]", "stop"),
    "no message": (body_with(None), "", "reply_empty"),
    "no message, cut": (body_with(None, "length"), "", "reply_cut"),
    "a message that is text": (body_with("Yes."), "Yes.", "stop"),
    "no content": (body_with({"role": "assistant"}), "", "reply_empty"),
    "thoughts kept apart": (
        body_with({"content": None, "reasoning_content": "They rent."}),
        "",
        "reply_empty",
    ),
    "a tool call, content null": (
        body_with(
            {"content": None, "tool_calls": [{"function": {"name": None, "arguments": {}}}]},
            "tool_calls",
        ),
        "",
        "reply_empty",
    ),
    "tool calls null": (body_with({**SAYS, "tool_calls": None}), "Yes.", "stop"),
    "a refusal": (body_with({"content": None, "refusal": "I cannot."}), "", "reply_filtered"),
    "no usage": (body_with(SAYS, usage=...), "Yes.", "stop"),
    "usage without the prompt": (body_with(SAYS, usage={"completion_tokens": 3}), "Yes.", "stop"),
    "usage of nulls": (
        body_with(SAYS, usage={"prompt_tokens": None, "completion_tokens": None}),
        "Yes.",
        "stop",
    ),
    "usage is a list": (body_with(SAYS, usage=[]), "Yes.", "stop"),
    "more cached than read": (
        body_with(SAYS, usage={"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 9}}),
        "Yes.",
        "stop",
    ),
    "details null": (
        body_with(SAYS, usage={"prompt_tokens": 3, "prompt_tokens_details": None}),
        "Yes.",
        "stop",
    ),
    "no reason to stop": (
        {"model": "test", "choices": [{"index": 0, "message": SAYS}]},
        "Yes.",
        "stop",
    ),
    "an empty reason": (body_with(SAYS, ""), "Yes.", "stop"),
    "end_turn": (body_with(SAYS, "end_turn"), "Yes.", "stop"),
    "eos_token": (body_with(SAYS, "eos_token"), "Yes.", "stop"),
    "MAX_TOKENS": (body_with(SAYS, "MAX_TOKENS"), "Yes.", "reply_cut"),
    "a window that is full": (
        body_with(SAYS, "model_context_window_exceeded"),
        "Yes.",
        "reply_cut",
    ),
    "SAFETY": (body_with(SAYS, "SAFETY"), "", "reply_filtered"),
    "a malformed call": (body_with(None, "malformed_function_call"), "", "reply_cut"),
    "cut without a word": (body_with(SAYS, usage={"completion_tokens": 100}), "Yes.", "reply_cut"),
    "no index, no model": (
        {"choices": [{"message": SAYS, "finish_reason": "stop"}]},
        "Yes.",
        "stop",
    ),
    "model null": (body_with(SAYS, model=None), "Yes.", "stop"),
    "a choice that is no list": (
        {"choices": {"message": SAYS, "finish_reason": "stop"}},
        "Yes.",
        "stop",
    ),
    "a choice that is null": ({"choices": [None]}, "", "reply_empty"),
    "a delta for a message": (body_with(choice={"delta": SAYS}), "Yes.", "stop"),
    "text for a message": (body_with(choice={"text": "Yes."}), "Yes.", "stop"),
    "broken log probabilities": (body_with(SAYS, choice={"logprobs": [1]}), "Yes.", "stop"),
    "events": (EVENTS, "Yes.", "stop"),
    "events that break off": (EVENTS.replace(', "finish_reason": "stop"', ""), "Yes.", "reply_cut"),
    "lines that keep it open": ("\n\n: OK\n" + json.dumps(body_with(SAYS)), "Yes.", "stop"),
    "a byte order mark": ("\ufeff" + json.dumps(body_with(SAYS)), "Yes.", "stop"),
    "no choices": ({**TOOL_CALL, "choices": []}, "", "reply_empty"),
    "a full context": (
        {"error": {"message": "context length exceeded", "code": 400}},
        "",
        "context_full",
    ),
    "a full context without a status": ({"error": "context length exceeded"}, "", "context_full"),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_replies_in_odd_bodies_are_read(ask, name, kind):
    body, text, stop = ODD[name]
    sent = (body if isinstance(body, str) else json.dumps(body)).encode()
    reply = Reply(body=sent, headers={"Content-Type": kind})
    with Server(lambda request, number: reply) as server:
        found, usage = ask(server)
    assert (found.text, found.stop) == (text, stop)
    assert usage.input_tokens >= 0
    assert "" not in usage.served


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"error": {"message": "The upstream failed.", "code": 502}}, "The upstream failed."),
        ({"error": "The upstream failed.", "choices": None}, "The upstream failed."),
        ({"error": {"message": "Slow down.", "code": "429"}}, r"Slow down. \(HTTP 429\)"),
        ({"id": "reply", "choices": None}, '"choices": null'),
        ({"id": "reply"}, '"id": "reply"'),
        (body_with(SAYS, "error", choice={"error": {"message": "It died."}}), "It died."),
        (body_with(SAYS, "abort"), "ended with finish_reason abort"),
        ("<html><title>Sign in</title></html>", "Sign in"),
        ('{"choices": [{"mess', "mess"),
        ("[1]", "body \\[1\\]"),
        ("", "HTTP 502, no reason given"),
    ],
)
def test_an_error_under_status_200_is_one_with_the_servers_words(ask, body, sentence):
    sent = (body if isinstance(body, str) else json.dumps(body)).encode()
    with (
        Server(lambda request, number: Reply(body=sent)) as server,
        pytest.raises(InfrastructureError, match=sentence),
    ):
        ask(server)


def test_a_refusal_in_unknown_words_names_the_option_that_leaves_things_out(ask):
    refusal = Reply(status=400, body=b'{"detail": "no"}')
    with (
        Server(lambda request, number: refusal) as server,
        pytest.raises(InfrastructureError, match=r"no \(HTTP 400\).*--without seed,temperature"),
    ):
        ask(server)
