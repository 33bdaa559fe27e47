"""What a server's refusal means: a full context, a parameter it lacks, or an outage.

Servers that speak OpenAI's protocol agree on the status of an error at best. Its sentence is found
where they put it, and read for the two refusals that a run can do something about. The wordings
are those of public reports: OpenAI, Azure, Anthropic, Gemini, Mistral, Groq, DeepSeek, Cohere,
Together, OpenRouter, Bedrock, vLLM, SGLang, TGI, TensorRT-LLM, llama.cpp, LM Studio, Ollama.
"""

import json
import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Literal, get_args

from benyfits_data.evaluation.replies import clean_text

Parameter = Literal["seed", "temperature", "max_tokens", "response_schema", "system_role"]

PARAMETERS: tuple[Parameter, ...] = get_args(Parameter)
"""What of a call can be left out; the name of a limit is then another, a system text in front."""
LONGEST_SENTENCE = 300
REFUSALS = (400, 404, 405, 413, 415, 422, 424, 500, 501)
"""HTTP statuses under which servers refuse a call for what it holds. 429 and 5xx else: outages."""

_WRAPPERS = ("RetryError", "ModelGenerateError")

_CONTEXT = re.compile(
    r"context_(?:length|window)_exceeded|exceed_context_size|context (?:length|size|window|limit)"
    r"|context the overflows|(?:model|maximum (?:input|prompt)) length|max_model_len"
    r"|session_len|max_seq_len|\bn_ctx|token count of \d+ exceeds|tokens[^.]*kv cache"
    r"|(?:prompt|input|request|conversation) (?:is )?too (?:long|large)|too large for model"
    r"|too many (?:input |prompt )?tokens|reduce the length|input length|input token count"
    r"|inputs` tokens \+|tokens to keep from the initial prompt|token limit",
    re.IGNORECASE,
)
_PROMPT = r"\b(?:context|prompt|inputs?|messages|conversation|sequence|model)\b"
_OVER = (
    r"(?:too (?:long|large|many)|exceed\w*|(?:longer|larger|greater|more|less) than|overflow\w*"
    r"|does(?:n't| not) fit|must have)"
)
_TOO_LONG = re.compile(rf"{_PROMPT}[^.]*{_OVER}|{_OVER}[^.]*{_PROMPT}", re.IGNORECASE)
_LENGTH = re.compile(r"\b(?:tokens?|length|window)\b", re.IGNORECASE)
"""A prompt, that it is over a limit, and that the limit is one of length: in any wording."""
_TWO_NUMBERS = re.compile(
    r"(?<!code: )\b(\d{3,7})[ -]tokens?\b.*\b(?!\1)\d{3,7}\b"
    r"|(?<!code: )\b(\d{3,7})\b.*\b(?!\2)\d{3,7}[ -]tokens?\b",
    re.IGNORECASE,
)
"""What was sent, and the limit."""
_RATE = re.compile(r"per (?:second|minute|hour|day)|rate.?limit|\bTPM\b|quota", re.IGNORECASE)
_REFUSED = (
    r"(?:unsupported|unrecogni[sz]ed|unknown|unexpected|not (?:supported|permitted|allowed|enabled"
    r"|available|valid)|(?:not|n't) support|extra (?:inputs|fields)|isn't supported|invalid"
    r"|deprecated|must be|should be|has to be|at most|exceeds?|too large|only|greater than"
    r"|maximum allowed|less than)"
)
_REPLY_LIMIT = r"(?:max_(?:completion_|new_|output_)?tokens|max(?:imum)?(?: output)? tokens)"


def _refuses(name: str) -> str:
    """What says that something of a name is refused, before it or behind it."""
    return rf"{name}.*{_REFUSED}|{_REFUSED}.*{name}"


_PARAMETERS: dict[Parameter, re.Pattern[str]] = {
    "system_role": re.compile(
        r"\b(?:system|developer)\W+(?:role|message|prompt|instruction)s?\b"
        r"|\b(?:role|message)s?\b[^.\n]*\b(?:system|developer)\b"
        r"|roles? must alternate|only user[^.]* roles?|messages\[0\]\.role"
        r"|\brole\b.{0,80}(?:permitted|should be|must be|expected)\W+user\b",
        re.IGNORECASE,
    ),
    "seed": re.compile(_refuses(r"\bseed\b"), re.I | re.S),
    "response_schema": re.compile(
        r"response_format|json_schema|guided.?(?:json|decoding)|structured output|grammar"
        r"|json mode|schema keyword|constrained decoding",
        re.I,
    ),
    "temperature": re.compile(_refuses("temperature"), re.I | re.S),
    "max_tokens": re.compile(_refuses(_REPLY_LIMIT), re.I | re.S),
}
"""In the order in which they are looked for: a sentence on a schema may name other parameters."""
_BOUND = re.compile(
    r"at most|[<>]|less than|lower than|maximum|up to|limit|between|range|above", re.IGNORECASE
)
_SENTENCES = ("message", "error", "detail", "msg", "errors", "title")
"""Where OpenAI, FastAPI, Gemini, LM Studio and TGI put the sentence; others are searched for it."""


def find_status(error: BaseException | None) -> int | None:
    """Return the HTTP status behind what a provider raised, or `None`."""
    for cause in _causes(error):
        response = getattr(cause, "response", None)
        named = [(cause, name) for name in ("status_code", "code", "status")]
        for owner, name in (*named, (response, "status_code")):
            status = getattr(owner, name, None)
            if isinstance(status, int) and status >= HTTPStatus.BAD_REQUEST:
                return status
    return None


def describe_error(error: BaseException) -> str:
    """Return an error of a provider in one line: the server's own sentence, where it sent one."""
    for cause in _causes(error):
        sentence = _sentence(cause)
        if sentence:
            status = find_status(cause)
            return clean_text(f"{sentence} (HTTP {status})" if status else sentence, 400)
    if status := find_status(error):
        # Clients word such errors at length, and say nothing of the server's.
        body = next(filter(None, map(_body, _causes(error))), "")
        text = clean_text(body if isinstance(body, str) else json.dumps(body), LONGEST_SENTENCE)
        return f"HTTP {status}, " + (f"body {text}" if text.strip() else "no reason given")
    # Without a status, what says most; wrappers of inspect's repeat the whole request.
    causes = [cause for cause in _causes(error) if type(cause).__name__ not in _WRAPPERS]
    most = max(causes or [error], key=lambda cause: len(str(cause)))
    text = clean_text(" ".join(str(most).split()), LONGEST_SENTENCE)
    return f"{type(most).__name__}: {text}" if text else type(most).__name__


def is_context_full(error: BaseException) -> bool:
    """Return whether a call was refused because prompt and reply do not fit the model's context."""
    status = find_status(error)
    is_outage = status is not None and status not in REFUSALS
    return not is_outage and _says_context_full(_all_text(error))


def is_refusal(sentence: str) -> bool:
    """Return whether a server's sentence refuses a call for what it holds."""
    return _says_context_full(sentence) or _parameter_in(sentence) is not None


def _says_context_full(text: str) -> bool:
    if _RATE.search(text) or _names_only(text, "response_schema"):
        return False
    is_too_long = _LENGTH.search(text) and (_TOO_LONG.search(text) or _TWO_NUMBERS.search(text))
    return bool(_CONTEXT.search(text) or (is_too_long and not _is_reply_limit(text)))


def _parameter_in(text: str) -> Parameter | None:
    return next((name for name, wording in _PARAMETERS.items() if wording.search(text)), None)


def is_timeout(error: BaseException) -> bool:
    """Return whether a call ended because its reply took too long."""
    return any("Timeout" in type(cause).__name__ for cause in _causes(error))


def refused_parameter(error: BaseException) -> Parameter | None:
    """Return what of a call a server refuses, of what a call can do without; `None` if nothing."""
    if find_status(error) not in REFUSALS or is_context_full(error):
        return None
    return _parameter_in(_all_text(error))


def allowed_tokens(error: BaseException, asked: int) -> int | None:
    """Return the greatest `max_tokens` that a refusal names, or `None`.

    Args:
        error: The refusal.
        asked: How many were asked for: what is allowed is less, and no reply of ours is that short.
    """
    sentence = next(filter(None, map(_sentence, _causes(error))), "")
    if not _BOUND.search(sentence):
        return None
    numbers = (int(number) for number in re.findall(r"(?<![\w.-])\d{2,7}(?![\w-])", sentence))
    return max((number for number in numbers if number < asked), default=None)


def _is_reply_limit(text: str) -> bool:
    """Whether a sentence on lengths is one on replies."""
    return bool(re.search(_REPLY_LIMIT, text, re.IGNORECASE))


def _names_only(text: str, name: Parameter) -> bool:
    return bool(_PARAMETERS[name].search(text)) and "token" not in text.lower()


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what lies behind it; what was tried last, where retries wrap it."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        yield error
        attempt = getattr(error, "last_attempt", None)
        inner = attempt.exception() if attempt is not None else None
        error = inner or error.__cause__ or error.__context__


def _all_text(error: BaseException) -> str:
    causes = (cause for cause in _causes(error) if type(cause).__name__ not in _WRAPPERS)
    return "\n".join(f"{cause}\n{_body(cause)}" for cause in causes)


def _body(error: BaseException) -> Any:
    """What the server sent: parsed JSON, or text."""
    body = getattr(error, "body", None)
    if not body:
        response = getattr(error, "response", None)
        # A response that was streamed has no text any more.
        try:
            body = response.text if response is not None else None
        except Exception:
            body = None
    if isinstance(body, bytes | str):
        text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
        try:
            return json.loads(text)
        except ValueError:
            return text
    return body


def _sentence(error: BaseException) -> str:
    return find_sentence(_body(error))


def find_sentence(body: Any) -> str:
    """Return the sentence in a body of an error, on one line; empty where it has none."""
    return clean_text(" ".join(_message(body).split()), LONGEST_SENTENCE)


def _message(body: Any) -> str:
    """The sentence in a body, wherever a server or a proxy put it."""
    if isinstance(body, list):
        return "; ".join(filter(None, map(_message, body)))
    if isinstance(body, dict):
        if "metadata" in body and (inner := _message(body["metadata"])):
            return inner  # Of a proxy, which itself says no more than that it was refused.
        named = [body[name] for name in _SENTENCES if body.get(name)]
        others = [
            part
            for part in body.values()
            if isinstance(part, dict | list) or (isinstance(part, str) and " " in part)
        ]
        for part in (*named, *others):
            if sentence := _message(part):
                place = body.get("loc")
                where = ".".join(map(str, place)) + ": " if isinstance(place, list) else ""
                return where + sentence
        return ""
    if isinstance(body, str):
        try:
            return _message(json.loads(body)) or body
        except ValueError:
            title = re.search(r"<title>(.*?)</title>", body, re.IGNORECASE | re.DOTALL)
            return title[1] if title else re.sub(r"<[^>]+>", " ", body)
    return ""
