"""Calls of one role against a server that misbehaves: what is kept, counted and left out."""

import json

import anyio
import pytest
from inspect_ai.model import GenerateConfig, get_model

from benyfits_data.evaluation.model_calls import InspectModels, ServerState
from tests.evaluation.server import Reply, Server, envelope

TINY = "openai-api/local/tiny"


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Asks the code model once, and returns the completion and what was counted."""
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))

    def call(server, *, role="code", state=None, name=TINY, seed=0, schema=None, **config):
        model = get_model(
            name,
            config=GenerateConfig(max_retries=0, **config),
            base_url=server.url,
            api_key="x",
            memoize=False,
        )
        models = InspectModels({role: model}, state or ServerState(), seed)
        reply = anyio.run(models.complete, role, "Write.", "Now!", schema, 100)
        return reply, models.usage[role]

    return call


CUT = envelope("def che").replace(b'"stop"', b'"length"')
INCOMPLETE = {
    "empty": Reply(""),
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
        ask(server, timeout=99, max_connections=3)
        assert len(server.requests) == number


def test_tokens_that_the_server_had_cached_are_counted(ask):
    used = {"prompt_tokens": 2914, "completion_tokens": 7, "total_tokens": 2921}
    told = json.loads(envelope("Done."))
    told["usage"] = {**used, "prompt_tokens_details": {"cached_tokens": 2622}}
    with Server(lambda request, number: Reply(body=json.dumps(told).encode())) as server:
        _, usage = ask(server)
    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (2914, 2622, 7)
