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
from benyfits_data.evaluation.replies import one_property, read_object
from tests.evaluation.server import Reply, Server, envelope

TINY = "openai-api/local/tiny"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Asks the code model once, and returns the completion and what was counted."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))

    def call(server, *, state=None, prompt="Now!", schema=None, **how):
        models = make(server, state=state, **how)
        reply = anyio.run(models.complete, "code", "Write.", prompt, schema, 100)
        return reply, models.usage.get("code", Usage())

    def call_all(server, prompts, **how):
        models = make(server, **how)
        return [anyio.run(models.complete, "code", "Write.", it, None, 100) for it in prompts]

    def make(server, *, state=None, name=TINY, seed=0, **config):
        model = get_model(
            name,
            config=GenerateConfig(max_retries=0, **config),
            base_url=server.url,
            api_key="x",
            memoize=False,
        )
        return InspectModels({"code": model}, state or ServerState(), seed)

    call.all, call.make = call_all, make
    return call


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
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, False),
        ({"prompt_tokens": 20, "completion_tokens": 0, "total_tokens": 20}, False),
        ({"prompt_tokens": 20, "completion_tokens": 3, "total_tokens": 23}, True),
    ],
)
def test_tokens_that_no_server_counted_are_unknown_and_said_to_be(ask, usage, is_known):
    sent = json.dumps(body_with(SAYS, usage=usage)).encode()
    with Server(lambda request, number: Reply(body=sent)) as server:
        reply, counted = ask(server)
    assert (counted.calls, counted.uncounted_calls) == (1, int(not is_known))
    assert [kind for kind, _ in reply.notes] == ([] if is_known else ["tokens_unknown"])


def test_a_reply_that_takes_too_long_is_an_outage_that_says_what_helps(ask):
    with (
        Server(lambda request, number: Reply("OK", delay=3600)) as server,
        pytest.raises(InfrastructureError, match=r"attempt_timeout.*--timeout more seconds"),
    ):
        ask(server, attempt_timeout=1)


@pytest.mark.parametrize(
    ("tokens", "kinds"),
    [
        ((3500, 3500, 3500), [[], [], ["prompt_cut"]]),
        ((3500, 3501, 3502), [[], [], []]),
        ((0, 0, 0), [["tokens_unknown"]] * 3),
    ],
)
def test_equal_counts_for_prompts_of_different_length_are_recorded(ask, tokens, kinds):
    def script(request, number):
        return Reply(body=envelope("Done.", tokens=tokens[number - 1]))

    prompts = ["How much do you earn? " * (400 + 10 * place) for place in range(3)]
    with Server(script) as server:
        notes = [reply.notes for reply in ask.all(server, prompts)]
        assert [[kind for kind, _ in note] for note in notes] == kinds
    with Server(lambda request, number: Reply(body=envelope("Done.", tokens=3500))) as server:
        # Prompts of one length may have one count.
        same = [letter + prompts[0] for letter in "ABC"]
        assert not any(reply.notes for reply in ask.all(server, same))


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


def test_calls_at_the_same_time_are_each_sent_again_without_what_is_refused(ask):
    def script(request, number):
        return refusal_of("seed is unsupported") if "seed" in request else Reply("Done.")

    async def call_twice(models):
        replies = []

        async def call(prompt):
            replies.append(await models.complete("code", "", prompt, None, 100))

        async with anyio.create_task_group() as group:
            group.start_soon(call, "One!")
            group.start_soon(call, "Two!")
        return replies

    with Server(script, gather=2) as server:
        replies = anyio.run(call_twice, ask.make(server))
        assert [reply.text for reply in replies] == ["Done.", "Done."]
        assert len(server.requests) == 4


def body_with(message=None, reason="stop", usage=None, **more):
    """A body whose one choice holds a message; nothing of what is `...`."""
    choice = {"index": 0, "message": message, "finish_reason": reason}
    body = {"model": "test", "usage": usage, "choices": [{**choice, **more.pop("choice", {})}]}
    return {key: value for key, value in {**body, **more}.items() if value is not ...}


SAYS = {"role": "assistant", "content": "Yes."}
SCHEMA = one_property("ready", {"type": "boolean"})
CALLED = [
    {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"ready": true}'}}
]
WRAPPED = {
    "thoughts in a field": ({"content": '{"ready": true}', "reasoning": "They rent."}, []),
    "in reasoning_content": (
        {"content": None, "reasoning_content": '{"ready": true}'},
        ["reply_elsewhere"],
    ),
    "in a tool call": ({"content": None, "tool_calls": CALLED}, ["reply_elsewhere"]),
    "in a fence": ({"content": '```json\n{"ready": true}\n```'}, []),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_json_is_taken_from_where_it_stands_if_it_fits_the_schema(ask, name):
    message, kinds = WRAPPED[name]
    used = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    sent = json.dumps(body_with(message, usage=used)).encode()
    with Server(lambda request, number: Reply(body=sent)) as server:
        reply, _ = ask(server, schema=SCHEMA)
        assert read_object(reply.text, SCHEMA) == {"ready": True}
        assert (reply.stop, [kind for kind, _ in reply.notes]) == ("stop", kinds)
        if kinds:
            # Of another form, or where text was asked for, it is no reply.
            for schema in (one_property("value", {"type": "integer"}), None):
                reply, _ = ask(server, schema=schema)
                assert (reply.text, reply.stop) == ("", "reply_empty")


ENDS = {
    "no message": (body_with({"content": None}), "", "reply_empty"),
    "thoughts kept apart": (
        body_with({"content": None, "reasoning_content": "They rent."}),
        "",
        "reply_empty",
    ),
    "thoughts until the limit": (
        body_with({"content": "", "reasoning_content": "They rent."}, "length"),
        "",
        "reply_cut",
    ),
    "a refusal": (body_with({"content": None, "refusal": "I cannot."}), "", "reply_filtered"),
    "no usage": (body_with(SAYS, usage=...), "Yes.", "stop"),
    "no reason to stop": (body_with(SAYS, None), "Yes.", "stop"),
    "another reason": (body_with(SAYS, "end_turn"), "Yes.", "stop"),
    "thoughts counted beyond the cap": (
        body_with(SAYS, usage={"prompt_tokens": 9, "completion_tokens": 100, "total_tokens": 109}),
        "Yes.",
        "stop",
    ),
    "no choices": ({"model": "test", "choices": []}, "", "reply_empty"),
    "nothing": (body_with({"content": ""}), "", "reply_empty"),
    "thoughts only": (body_with({"content": "<think>They rent."}), "", "reply_empty"),
    "half a program": (body_with({"content": "def che"}, "length"), "def che", "reply_cut"),
    "withheld": (body_with({"content": "No."}, "content_filter"), "", "reply_filtered"),
    "a full context": (
        {"error": {"message": "context length exceeded", "code": 400}},
        "",
        "context_full",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_how_a_reply_ends_and_whether_it_is_kept(ask, name):
    body, text, stop = ENDS[name]

    def script(request, number):
        return Reply(body=json.dumps(body).encode()) if number == 1 else Reply("Done.")

    with Server(script) as server:
        found, usage = ask(server)
        assert (found.text, found.stop) == (text, stop)
        assert usage.input_tokens >= 0
        assert "" not in usage.served
        # What is not complete is not kept.
        kept = text if stop == "stop" else "Done."
        assert ask(server)[0].text == kept
        again, usage = ask(server)
        assert (again.text, usage.calls, usage.cached_calls) == (kept, 0, 1)
        assert len(server.requests) == 1 + (stop != "stop")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"error": {"message": "The upstream failed.", "code": 502}}, "The upstream failed."),
        ({"error": "The upstream failed.", "choices": None}, "The upstream failed."),
        ({"error": {"message": "Slow down.", "code": 429}}, r"Slow down. \(HTTP 429\)"),
        ({"id": "reply", "choices": None}, '"choices": null'),
        (body_with(None), '"message": null'),
        (body_with({"content": [{"type": "text", "text": "Yes."}]}), '"type": "text"'),
        (body_with(SAYS, usage={"prompt_tokens": None}), '"prompt_tokens": null'),
        ("<html><title>Sign in</title></html>", "Sign in"),
        ('{"choices": [{"mess', "mess"),
        ("[1]", r"1 \(HTTP 406\)"),
        ("", "no reason given"),
        (Reply(status=429, body=b'{"error": {"message": "slow down"}}'), "code: slow down"),
        (Reply(status=401, body=b'{"error": {"message": "no such key"}}'), "code: no such key"),
        (Reply(status=400, body=b'{"detail": "no"}'), r"no \(HTTP 400\).*--without seed,"),
    ],
)
def test_what_is_no_chat_completion_is_an_outage_with_the_servers_words(ask, body, sentence):
    reply = body
    if not isinstance(body, Reply):
        reply = Reply(body=(body if isinstance(body, str) else json.dumps(body)).encode())
    with (
        Server(lambda request, number: reply) as server,
        pytest.raises(InfrastructureError, match=sentence),
    ):
        ask(server)


def test_replies_are_kept_where_a_server_refuses_the_temperature(ask):
    def script(request, number):
        return refusal_of("temperature is unsupported") if "temperature" in request else Reply("A.")

    with Server(script) as server:
        for calls in (3, 3):
            # Of each run the model, its settings and what is known of the server are new.
            replies = ask.all(server, ["One!", "Two!"], temperature=0.0)
            assert [reply.text for reply in replies] == ["A.", "A."]
            assert len(server.requests) == calls
