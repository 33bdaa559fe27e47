import asyncio

import aiohttp
import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.compatible import CompatibleAPI, ServerReplyError
from tests.evaluation.server import Reply, Server, envelope


def ask(reply, config=None, **arguments):
    """What inspect makes of a reply, and the request that was sent for it."""
    with Server(lambda request, number: reply) as server:
        model = get_model("compatible/local/tiny", base_url=server.url, memoize=False, **arguments)
        messages = [ChatMessageUser(content="Who are you?")]
        output = asyncio.run(model.api.generate(messages, [], "none", config or GenerateConfig()))
    return output, server.requests[0]


def with_message(old, new):
    return Reply(body=envelope("hello").replace(old, new))


def test_text_and_tokens_are_read():
    output, request = ask(Reply("hello"))
    assert output.completion == "hello"
    assert output.stop_reason == "stop"
    assert (output.usage.input_tokens, output.usage.output_tokens) == (10, 5)
    assert request["messages"] == [{"role": "user", "content": "Who are you?"}]
    assert request["model"] == "tiny"


def test_decoding_settings_and_arguments_of_the_provider_are_sent():
    config = GenerateConfig(max_tokens=7, temperature=0.0, stop_seqs=["."])
    _, request = ask(Reply("hello"), config, top_k=3)
    assert request["max_tokens"] == 7
    assert request["temperature"] == 0.0
    assert request["stop"] == ["."]
    assert request["top_k"] == 3
    assert "seed" not in request


def test_a_cut_reply_says_so():
    output, _ = ask(with_message(b'"finish_reason": "stop"', b'"finish_reason": "length"'))
    assert output.stop_reason == "max_tokens"


@pytest.mark.parametrize(
    "reply",
    [
        Reply("<think>I wonder.</think>hello"),
        with_message(b'"content"', b'"reasoning_content": "I wonder.", "content"'),
    ],
)
def test_thoughts_are_kept_apart_from_the_reply(reply):
    output, _ = ask(reply)
    assert output.completion == "hello"
    assert output.message.content[0].reasoning == "I wonder."


def test_tokens_the_server_had_cached_are_counted_apart():
    details = b'{"prompt_tokens_details": {"cached_tokens": 4}, "prompt_tokens"'
    output, _ = ask(with_message(b'{"prompt_tokens"', details))
    assert output.usage.input_tokens == 6
    assert output.usage.input_tokens_cache_read == 4


@pytest.mark.parametrize(
    "body", [b"<html>proxy</html>", b"[]", b"{}", b'{"choices": []}', b'{"choices": [null]}']
)
def test_what_is_no_chat_completion_is_an_error_worth_another_attempt(body):
    with pytest.raises(ServerReplyError, match="expected a chat completion") as caught:
        ask(Reply(body=body))
    assert api().should_retry(caught.value)


@pytest.mark.parametrize(
    ("status", "is_retried"),
    [(400, False), (401, False), (408, True), (429, True), (500, True), (503, True)],
)
def test_only_passing_errors_are_tried_again(status, is_retried):
    with pytest.raises(ServerReplyError, match=str(status)) as caught:
        ask(Reply(status=status, body=b'{"error": {"message": "no"}}'))
    assert bool(api().should_retry(caught.value)) is is_retried


def test_a_server_that_is_not_there_is_tried_again():
    messages = [ChatMessageUser(content="Hello?")]
    with pytest.raises(aiohttp.ClientConnectionError) as caught:
        asyncio.run(api().generate(messages, [], "none", GenerateConfig()))
    assert api().should_retry(caught.value)


def test_a_bug_is_not_tried_again():
    assert not api().should_retry(ZeroDivisionError())


def test_address_and_key_come_from_the_service(monkeypatch):
    monkeypatch.setenv("MY_LAB_BASE_URL", "http://127.0.0.1:1/v1/")
    monkeypatch.setenv("MY_LAB_API_KEY", "secret")
    found = CompatibleAPI("my-lab/tiny")
    assert found.base_url == "http://127.0.0.1:1/v1/"
    assert found.api_key == "secret"


@pytest.mark.parametrize(
    ("name", "message"), [("tiny", "<service>/<model>"), ("nowhere/tiny", "NOWHERE_BASE_URL")]
)
def test_a_model_without_service_or_address_is_refused(name, message):
    with pytest.raises(EvaluationError, match=message):
        CompatibleAPI(name)


def api():
    return CompatibleAPI("local/tiny", base_url="http://127.0.0.1:1/v1")
