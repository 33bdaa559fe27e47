"""What servers send as a chat completion, made into one that every client reads, or into an error.

Servers and proxies that speak OpenAI's protocol leave parts out, send parts of another type, tell
an error under status 200, or stream what was not to be streamed. Clients stumble over that, and the
server's own words are lost. So each response is read here first, leniently, and written anew.
"""

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from benyfits_data.evaluation.server_errors import find_sentence, is_refusal

_COMPLETE = re.compile(r"stop|end|eos|complete|done|finish|success|normal|tool|function", re.I)
"""How the reasons begin that servers give where a model came to its end."""
_WITHHELD = re.compile(
    r"filter|safety|recitation|refus|block|prohibit|sensitive|spii|guardrail|moderat|policy", re.I
)
_FAILED = re.compile(r"error|abort|fail|cancel|time.?out|insufficient|overload|unavailable", re.I)
_THOUGHTS = re.compile(r"think|thought|reason", re.I)
_REASONING = ("reasoning_content", "reasoning")
"""Keys of thoughts that a server keeps apart; logs show them."""
_TEXTS = ("text", "content", "output_text", "value")
"""Keys of the text of a part of a message."""


async def mend_response(response: Any) -> None:
    """Give a response to a chat the body that clients expect, or the status of the error it tells.

    Args:
        response: A response of an HTTP client, before anybody reads it.
    """
    is_success = HTTPStatus.OK <= response.status_code < HTTPStatus.MULTIPLE_CHOICES
    if not is_success or not response.url.path.endswith("/chat/completions"):
        return
    if json.loads(response.request.content).get("stream"):
        return
    sent = await response.aread()
    body = _parse(sent.decode("utf-8-sig", "replace"))
    response.status_code, mended = mend_completion(body)
    if mended:
        response._content = json.dumps(mended).encode()
        response.headers["content-type"] = "application/json"


def mend_completion(body: Any) -> tuple[int, dict[str, Any]]:
    """Return a body as a chat completion, or as the error that it is, with its HTTP status.

    Where it is neither, nothing stands for it: what was sent says best what is wrong.

    Args:
        body: What a server sent with a status of success, parsed; `None` if it is no JSON.
    """
    body = body if isinstance(body, dict) else {}
    error = body.get("error")
    choices = body.get("choices")
    choices = [choices] if isinstance(choices, dict) else choices
    choice = next((part for part in choices or () if isinstance(part, dict)), {})
    error = choice.get("error") or error
    reason = choice.get("finish_reason")
    reason = reason if isinstance(reason, str) else ""
    if _FAILED.search(reason) and not find_sentence(error):
        error = f"The reply ended with finish_reason {reason}."
    if find_sentence(error):
        return _status_of(error), {"error": error}
    if not isinstance(choices, list):
        return HTTPStatus.BAD_GATEWAY, {}
    message = choice.get("message") or choice.get("delta") or {"content": choice.get("text")}
    if not isinstance(message, dict):
        message = {"content": message}
    text = _text(message.get("content"))
    if _WITHHELD.search(reason) or (message.get("refusal") and not text):
        finish = "content_filter"
    else:
        # What is no word for an end is no end: the reply is recorded as cut.
        finish = "stop" if not reason or _COMPLETE.match(reason) else "length"
    thoughts = {name: part for name in _REASONING if isinstance(part := message.get(name), str)}
    said = {"role": "assistant", "content": text, **thoughts}
    mended = {"index": 0, "finish_reason": finish, "message": said}
    completion = {
        "id": str(body.get("id")),
        "object": "chat.completion",
        "created": 0,
        "model": str(body.get("model") or ""),
        "choices": [mended] if choices else [],
    }
    usage = _usage(body.get("usage"))
    return HTTPStatus.OK, {**completion, "usage": usage} if usage else completion


def _parse(text: str) -> Any:
    """The JSON of a body, be it one document or events, behind comments that keep a line open."""
    lines = [line for line in text.splitlines() if not line.startswith(":")]
    events = [line.removeprefix("data:").strip() for line in lines if line.startswith("data:")]
    try:
        if not events:
            return json.loads("\n".join(lines))
        return _join([json.loads(event) for event in events if event not in ("", "[DONE]")])
    except ValueError:
        return None


def _join(events: list[Any]) -> dict[str, Any]:
    """The completion that was sent in events."""
    body: dict[str, Any] = {}
    text, reason = "", None
    for event in events:
        if not isinstance(event, dict):
            continue
        body |= {key: value for key, value in event.items() if value and key != "choices"}
        for choice in event.get("choices") or ():
            text += _text((choice.get("delta") or choice.get("message") or {}).get("content"))
            reason = choice.get("finish_reason") or reason
    # Events that say nothing of an end were broken off.
    choice = {"finish_reason": reason or "length", "message": {"content": text}}
    return {**body, "choices": [choice]}


def _text(content: Any) -> str:
    """The text of a message, whose parts may stand in a list; thoughts are none."""
    parts = content if isinstance(content, list) else [content]
    if all(isinstance(part, str) or _is_part(part) for part in parts):
        return "".join(map(_text_of_part, parts))
    # Some servers parse what a model wrote under a schema.
    return "" if content is None else json.dumps(content)


def _is_part(content: Any) -> bool:
    return isinstance(content, dict) and bool({"type", "text"} & content.keys())


def _text_of_part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if _THOUGHTS.search(str(part.get("type"))):
        return ""
    return next((_text(part[key]) for key in _TEXTS if part.get(key)), "")


def _usage(usage: Any) -> dict[str, Any] | None:
    """The tokens of a call, where a server counted them, under whatever names."""
    if not isinstance(usage, dict):
        return None
    read = _number(usage, "prompt_tokens", "input_tokens")
    written = _number(usage, "completion_tokens", "output_tokens")
    if read is None and written is None:
        return None
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    details = details if isinstance(details, dict) else {}
    cached = _number(details, "cached_tokens") or _number(usage, "prompt_cache_hit_tokens") or 0
    return {
        "prompt_tokens": read or 0,
        "completion_tokens": written or 0,
        "total_tokens": (read or 0) + (written or 0),
        "prompt_tokens_details": {"cached_tokens": min(cached, read or 0)},
    }


def _number(counts: Mapping[str, Any], *names: str) -> int | None:
    numbers = (counts.get(name) for name in names)
    return next(
        (int(number) for number in numbers if isinstance(number, int | float) and number >= 0), None
    )


def _status_of(error: Any) -> int:
    """The HTTP status of an error that was told under another one."""
    code = error.get("code") or error.get("status") if isinstance(error, dict) else None
    if str(code).isdecimal() and HTTPStatus.BAD_REQUEST <= int(str(code)) < 600:
        return int(str(code))
    return HTTPStatus.BAD_REQUEST if is_refusal(find_sentence(error)) else HTTPStatus.BAD_GATEWAY
