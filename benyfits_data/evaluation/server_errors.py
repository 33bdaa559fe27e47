"""What a server's refusal means: a full context, a parameter it lacks, or an outage.

Servers that speak OpenAI's protocol agree on the status of an error at best. Its sentence is read
for the few refusals that a run can do something about; any other is shown as it was sent.
"""

import json
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Literal, get_args

from benyfits_data.evaluation.replies import clean_text

Parameter = Literal["seed", "temperature", "max_tokens", "response_schema", "system_role"]

PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)
"""What of a call can be left out; the name of a limit is then another, a system text in front."""
LONGEST_SENTENCE = 300
REFUSALS = (400, 404, 405, 413, 415, 422, 424, 500, 501)
"""HTTP statuses under which servers refuse a call for what it holds. 429 and 5xx else: outages."""

_CONTEXT = re.compile(
    r"context.{0,3}(?:length|window|size|limit|the overflows)|\bn_ctx|max_model_len|max_seq_len"
    r"|session_len|maximum (?:model|prompt|input) length|kv cache|too (?:long|many.{0,7} tokens)"
    r"|(?:prompt|input|token count)\b.*\bexceeds|reduce the length|`inputs`",
    re.IGNORECASE,
)
_RATE = re.compile(r"per (?:second|minute|hour|day)|rate.?limit|\bTPM\b|quota", re.IGNORECASE)
_NAMED: Mapping[Parameter, re.Pattern[str]] = {
    "system_role": re.compile(
        r"\b(?:system|developer)\W+(?:role|message|prompt|instruction)|\broles?\b", re.IGNORECASE
    ),
    "response_schema": re.compile(r"response_format|schema|guided|grammar|json mode", re.I),
    "seed": re.compile(r"\bseed\b", re.IGNORECASE),
    "temperature": re.compile(r"\btemperature\b", re.IGNORECASE),
    "max_tokens": re.compile(r"max(?:imum)?[_ ](?:\w+[_ ])?tokens", re.IGNORECASE),
}
"""By which words a refusal names each, in the order in which they are looked for."""
_SENTENCES = ("metadata", "raw", "message", "error", "detail", "msg", "errors")
"""Where servers put the sentence, and proxies that of the server behind them."""


def find_status(error: BaseException) -> int | None:
    """Return the HTTP status behind what a provider raised, or `None`."""
    for cause in _causes(error):
        response = getattr(cause, "response", None)
        for owner, name in ((cause, "status_code"), (cause, "code"), (response, "status_code")):
            status = getattr(owner, name, None)
            if isinstance(status, int) and status >= HTTPStatus.BAD_REQUEST:
                return status
    return None


def describe_error(error: BaseException) -> str:
    """Return an error of a provider in one line: the server's own sentence, where it sent one."""
    status = find_status(error)
    if status is not None:
        return f"{_sentence(error) or 'no reason given'} (HTTP {status})"
    last = [*_causes(error)][-1]
    text = clean_text(" ".join(str(last).split()), LONGEST_SENTENCE)
    return f"{type(last).__name__}: {text}" if text else type(last).__name__


def advise(error: BaseException, model: str) -> str:
    """Return what to do about an error of a provider, as a sentence; empty where nobody knows.

    Args:
        error: What it raised.
        model: The name of the model that was asked.
    """
    sentence, status = _sentence(error), find_status(error)
    if re.search(r"\bstream\b", sentence, re.IGNORECASE):
        return "Give -M stream=true."
    if model.startswith("openai/") and status in (404, 405, 501):
        return "A server that lacks OpenAI's Responses API is named openai-api/SERVER/MODEL."
    if _NAMED["max_tokens"].search(sentence):
        return "Give --max-tokens as the server allows it."
    if status in REFUSALS:
        return f"What a server refuses is left out with --without {','.join(PARAMETERS)}."
    if isinstance([*_causes(error)][-1], ConnectionRefusedError | socket.gaierror):
        return "Start the server, or mend --base-url."
    if any("Timeout" in type(cause).__name__ for cause in _causes(error)):
        return "Give --timeout more seconds, or --concurrency fewer dialogs."
    return ""


def is_context_full(error: BaseException) -> bool:
    """Return whether a call was refused because prompt and reply do not fit the model's context."""
    sentence = _sentence(error)
    is_refused = find_status(error) in REFUSALS and not _RATE.search(sentence)
    return is_refused and bool(_CONTEXT.search(sentence))


def refused_parameter(error: BaseException) -> Parameter | None:
    """Return what of a call a server refuses, of what a call can do without; `None` if nothing."""
    if find_status(error) not in REFUSALS or is_context_full(error):
        return None
    sentence = _sentence(error)
    return next((name for name, words in _NAMED.items() if words.search(sentence)), None)


async def refuse_odd_body(response: Any) -> None:
    """Give a response that is no chat completion the status of an error, so that it is shown.

    Args:
        response: A response of an HTTP client to a call that was not to be streamed.
    """
    kind = response.headers.get("content-type", "")
    is_chat = response.url.path.endswith("/chat/completions") and "event-stream" not in kind
    if response.status_code != HTTPStatus.OK or not is_chat:
        return
    try:
        body = json.loads(await response.aread())
    except ValueError:
        body = None
    if not _is_completion(body):
        # An error may pass, so clients try again; they do not where such a body is not acceptable.
        sent = body.get("error") if isinstance(body, dict) else None
        code = sent.get("code") if isinstance(sent, dict) else None
        is_status = isinstance(code, int) and code >= HTTPStatus.BAD_REQUEST
        other = HTTPStatus.BAD_GATEWAY if sent else HTTPStatus.NOT_ACCEPTABLE
        response.status_code = code if is_status else other


def _is_completion(body: Any) -> bool:
    """Whether a body holds what clients rely on: messages of text, and whole numbers of tokens."""
    if not isinstance(body, dict) or not isinstance(body.get("choices"), list):
        return False
    messages = [part.get("message") for part in body["choices"] if isinstance(part, dict)]
    said = [part.get("content") for part in messages if isinstance(part, dict)]
    names = ("prompt_tokens", "completion_tokens", "total_tokens")
    usage = body.get("usage") or dict.fromkeys(names, 0)
    return (
        len(said) == len(body["choices"])
        and all(isinstance(text, str | None) for text in said)
        and all(isinstance(usage.get(name), int) for name in names)
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what lies behind it; what was tried last, where retries wrap it."""
    cause: BaseException | None = error
    seen: list[BaseException] = []
    while cause is not None and cause not in seen:
        seen.append(cause)
        yield cause
        attempt = getattr(cause, "last_attempt", None)
        tried = attempt.exception() if attempt is not None else None
        cause = tried or cause.__cause__ or cause.__context__


def _sentence(error: BaseException) -> str:
    """What the server said, on one line."""
    causes = list(_causes(error))
    responses = [getattr(cause, "response", None) for cause in causes]
    texts = [getattr(response, "text", None) for response in responses]
    bodies = [*(getattr(cause, "body", None) for cause in causes), *texts]
    body = next(filter(None, bodies), "")
    return clean_text(" ".join(_words(body).split()), LONGEST_SENTENCE)


def _words(body: Any) -> str:
    """The sentence in a body, or all of it where it has none."""
    if isinstance(body, list):
        return "; ".join(map(_words, body))
    if not isinstance(body, str | Mapping):
        return json.dumps(body)
    if isinstance(body, Mapping):
        said = next((body[name] for name in _SENTENCES if body.get(name)), None)
        place = ".".join(map(str, body["loc"])) + ": " if isinstance(body.get("loc"), list) else ""
        return json.dumps(body) if said is None else place + _words(said)
    with suppress(ValueError):
        return _words(json.loads(body))
    return re.sub(r"<[^>]+>", " ", body)
