"""Refusals as servers word them, held against what a run makes of them."""

import httpx
import openai
import pytest
from tenacity import Future, RetryError

from benyfits_data.evaluation.model_calls import (
    advise,
    describe_error,
    find_status,
    is_context_full,
    refused_parameter,
)


def refusal(body, status=400):
    """What OpenAI's client raises for a response."""
    request = httpx.Request("POST", "http://127.0.0.1/v1/chat/completions")
    is_text = isinstance(body, str)
    response = httpx.Response(
        status, request=request, **({"text": body} if is_text else {"json": body})
    )
    client = openai.OpenAI(api_key="none", base_url="http://127.0.0.1/v1")
    return client._make_status_error_from_response(response)


def raised_by_httpx(response):
    with pytest.raises(httpx.HTTPStatusError) as caught:
        response.raise_for_status()
    return caught.value


def openai_body(message, **more):
    return {"error": {"message": message, "type": "invalid_request_error", **more}}


CONTEXT = {
    "openai": (
        "This model's maximum context length is 8192 tokens. However, your messages resulted "
        "in 9001 tokens."
    ),
    "llama.cpp": (
        "the request exceeds the available context size. try increasing the context size or "
        "enable context shift"
    ),
    "lm studio": (
        "Trying to keep the first 11490 tokens when context the overflows. However, the model"
        " is loaded with context length of only 4096 tokens, which is not enough."
    ),
    "lm studio mlx": "Reached context length of 4096 tokens with model (arch: qwen3).",
    "mistral": (
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 "
        "maximum context length"
    ),
    "groq": "Please reduce the length of the messages or completion.",
    "vllm": (
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096. "
        "Make sure that `max_model_len` is no smaller than the number of text tokens."
    ),
    "vllm by max_tokens": (
        "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum "
        "context length is 4096 tokens and your request has 1500 input tokens"
    ),
    "sglang": "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "tgi": "Input validation error: `inputs` must have less than 1024 tokens. Given: 9",
    "tgi with reply": (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: "
        "1500 `inputs` tokens and 4096 `max_new_tokens`"
    ),
    "anthropic": "prompt is too long: 200001 tokens > 200000 maximum",
    "gemini": (
        "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."
    ),
    "ollama": "input exceeds maximum context length and cannot be truncated further",
    "xai": "The maximum prompt length is 131072, the request contains 150000.",
    "lmdeploy": "The input token length 9000 exceeds the session_len 8192.",
    "mlx": "Prompt has 9000 tokens but the KV cache holds 8192.",
    "exllama": "prompt length 9000 + max_new_tokens 512 exceeds max_seq_len 8192",
    "kobold": "Token count of 9000 exceeds the limit of 8192",
    "zhipu": "Prompt exceeds max length",
    "sambanova": "Input sequence too long: more tokens than the 8192 it may have",
    "cohere": "too many tokens: a prompt cannot exceed 4081 - received 5500",
    "anthropic by max_tokens": (
        "input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000"
    ),
    "a slot": "slot unavailable: prompt (9000) exceeds n_ctx_slot (8192)",
    "bedrock": "Input is too long for requested model. Too many input tokens.",
}


@pytest.mark.parametrize("name", CONTEXT)
@pytest.mark.parametrize("status", [400, 413, 500])
def test_a_full_context_is_no_outage(name, status):
    error = refusal(openai_body(CONTEXT[name]), status)
    assert is_context_full(error)
    assert refused_parameter(error) is None


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (openai_body("Rate limit reached on tokens per minute. Limit 6000, context length"), 429),
        (openai_body("Request too large: tokens per minute (TPM): Limit 6000, asked 7000"), 413),
        (openai_body("The server is overloaded."), 503),
        (openai_body("Invalid API token 12345 for organisation 778899"), 400),
        (openai_body("Incorrect API key provided."), 401),
        (openai_body("The model `x` does not exist."), 404),
        ("<html><title>502 Bad Gateway</title></html>", 502),
    ],
)
def test_other_errors_are_neither_full_contexts_nor_parameters(body, status):
    error = refusal(body, status)
    assert not is_context_full(error)
    assert refused_parameter(error) is None


PARAMETERS = [
    ("seed", openai_body("Unrecognized request argument supplied: seed")),
    ("seed", openai_body("property 'seed' is unsupported")),
    ("seed", {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}),
    (
        "temperature",
        openai_body(
            "Unsupported value: 'temperature' does not support 0 with this model. Only the default "
            "(1) value is supported."
        ),
    ),
    (
        "max_tokens",
        openai_body(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead."
        ),
    ),
    ("max_tokens", openai_body("max_tokens must be less than or equal to 4096, got 8192")),
    ("system_role", openai_body("System role not supported")),
    ("system_role", openai_body("Conversation roles must alternate user/assistant/user/...")),
    ("system_role", openai_body("Developer instruction is not enabled for models/gemma-3-27b-it")),
    (
        "system_role",
        openai_body("Unsupported value: 'messages[0].role' does not support 'system'."),
    ),
    ("system_role", openai_body("Only user, assistant and tool roles are supported, got system.")),
    ("response_schema", openai_body("'response_format.type' must be 'text' or 'json_object'")),
    ("response_schema", openai_body("This model does not support json_schema.")),
    ("response_schema", {"detail": "guided decoding: unknown schema keyword additionalProperties"}),
    ("seed", openai_body("unknown field `seed` at line 1 column 1543")),
    ("seed", {"message": "Malformed input request: extraneous key [seed] is not permitted"}),
    ("temperature", openai_body("`temperature` is deprecated for this model.")),
    ("system_role", {"message": "This model doesn't support system messages."}),
    ("system_role", openai_body("messages.0.role: Input should be 'user' or 'assistant'")),
    (
        "system_role",
        {"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "permitted: 'user', 'model'"}]},
    ),
    ("system_role", {"error": "template error: System messages cannot be rendered"}),
    ("system_role", openai_body("Jinja exception: Only user and assistant roles allowed!")),
    ("max_tokens", {"message": "The max_completion_tokens you requested exceeds the limit."}),
    (None, openai_body("Stream must be set to true")),
    (None, openai_body("No.")),
]


@pytest.mark.parametrize(("name", "body"), PARAMETERS)
def test_what_a_server_refuses_is_named(name, body):
    assert refused_parameter(refusal(body)) == name


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (openai_body("No such model."), "No such model."),
        ([{"error": {"message": "No such model."}}], "No such model."),
        ({"detail": "No such model."}, "No such model."),
        ({"error": "No such model."}, "No such model."),
        ({"object": "error", "message": "No such model."}, "No such model."),
        ({"detail": [{"loc": ["body", "n"], "msg": "Not a number"}]}, "body.n: Not a number"),
        ("<html><head><title>No such model.</title></head></html>", "No such model."),
        ("No such model.", "No such model."),
        ({"reason": "No such model."}, '{"reason": "No such model."}'),
        (
            openai_body("Provider error", metadata={"raw": '{"error": "No such model."}'}),
            "No such model.",
        ),
        ([], "no reason given"),
        ("", "no reason given"),
        ("<html></html>", "no reason given"),
    ],
)
@pytest.mark.parametrize("raised", ["openai", "httpx"])
def test_the_servers_own_words_are_shown_with_the_status(raised, body, sentence):
    error = refusal(body, 404)
    if raised == "httpx":
        error = raised_by_httpx(error.response)
    assert describe_error(error) == f"{sentence} (HTTP 404)"
    assert find_status(error) == 404


@pytest.mark.parametrize(
    ("model", "body", "status", "advice"),
    [
        ("openai-api/local/m", openai_body("Stream must be set to true"), 400, "-M stream=true"),
        ("openai/m", {"detail": "Not Found"}, 404, "named openai-api/SERVER/MODEL"),
        ("openai-api/local/m", {"detail": "Not Found"}, 404, "--without seed,"),
        ("openai/m", openai_body("max_tokens: 8192 > 4096"), 400, "Give --max-tokens"),
        ("openai-api/local/m", openai_body("I would rather not."), 422, "--without seed,"),
        ("openai-api/local/m", openai_body("Busy."), 503, ""),
    ],
)
def test_what_helps_is_said_beside_a_refusal(model, body, status, advice):
    said = advise(refusal(body, status), model)
    assert advice in said
    assert bool(said) is bool(advice)


def test_a_refusal_that_httpx_raised_is_read_too():
    response = refusal(openai_body("property 'seed' is unsupported")).response
    error = raised_by_httpx(response)
    assert refused_parameter(error) == "seed"
    assert describe_error(error) == "property 'seed' is unsupported (HTTP 400)"


def test_what_was_tried_last_is_shown_where_retries_wrap_it():
    attempt = Future(5)
    attempt.set_exception(refusal({"detail": "The queue is full."}, 503))
    error = RetryError(attempt)
    assert describe_error(error) == "The queue is full. (HTTP 503)"
    assert find_status(error) == 503


def test_an_error_without_a_response_names_itself():
    error = RuntimeError("request failed")
    error.__cause__ = ConnectionRefusedError("nobody listens at 127.0.0.1:9")
    assert describe_error(error) == "ConnectionRefusedError: nobody listens at 127.0.0.1:9"
