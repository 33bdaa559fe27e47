"""An OpenAI-compatible server on loopback whose replies a test decides."""

import asyncio
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Self

from benyfits_data.evaluation.codegen.checker_translation import to_key_value
from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import Nothing, is_no_answer, read_value


@dataclass
class Reply:
    """What the server sends: text in the usual envelope, or a raw body with a status."""

    text: str = ""
    status: int = 200
    body: bytes | None = None
    delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)


GIVE_UP_SECONDS = 60

Script = Callable[[dict[str, Any], int], Reply]


class Server:
    """A context manager with a `url`, that keeps every request it was sent.

    One thread with one event loop serves every connection, so that many waiting replies cost a
    client nothing but the wait. A script that takes long holds up all of them.

    Args:
        script: What is replied to each request, given its number.
        delay: Seconds before every reply.
        gather: Replies are held until that many requests have waited at the same time.
    """

    def __init__(self, script: Script, delay: float = 0.0, gather: int = 1) -> None:
        self.requests: list[dict[str, Any]] = []
        self.heads: list[dict[str, str]] = []
        self.most_at_once = 0
        self.url = ""
        self._now = 0
        self._script = script
        self._delay = delay
        self._gather = gather
        self._held: list[Callable[[], None]] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        serving = self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0, backlog=256)
        listener = asyncio.run_coroutine_threadsafe(serving, self._loop).result()
        self.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def take(self, head: str, body: bytes, send: Callable[[bytes], None]) -> None:
        """Answer one request, after the delay."""
        lines = (line.partition(": ") for line in head.splitlines()[1:])
        self.heads.append({name.lower(): value for name, _, value in lines})
        request = json.loads(body)
        self.requests.append(request)
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        reply = self._script(request, len(self.requests))

        def finish() -> None:
            self._now -= 1
            send(_message(reply))

        self._held.append(finish)
        if self.most_at_once >= self._gather:
            self._release(self._delay + reply.delay)
        elif len(self.requests) == 1:
            # A client that never sends so many gets its replies in the end, and fails its test.
            self._loop.call_later(GIVE_UP_SECONDS, self._release, 0)

    def _release(self, delay: float) -> None:
        for finish in self._held:
            self._loop.call_later(delay, finish)
        self._held.clear()


class _Connection(asyncio.Protocol):
    """One connection, kept alive, whose client sends a request at a time."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._received = bytearray()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if blank and head.startswith(b"GET "):
            # Nothing is there to be listed.
            self._received.clear()
            self._send(_message(Reply(status=404, body=b"{}")))
            return
        length = re.search(rb"(?i)^content-length: *(\d+)", head, re.MULTILINE)
        if blank and length and len(body) >= int(length.group(1)):
            self._received.clear()
            self._server.take(head.decode(), bytes(body), self._send)

    def _send(self, message: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(message)


def _message(reply: Reply) -> bytes:
    body = reply.body if reply.body is not None else envelope(reply.text)
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **reply.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return (
        f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\n{lines}\r\n".encode() + body
    )


def envelope(text: str, tokens: int = 30_000) -> bytes:
    """A reply to a prompt that took so many tokens."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}
    reply = {
        "id": "reply",
        "object": "chat.completion",
        "created": 0,
        "model": "test",
        "choices": [choice],
        "usage": usage,
    }
    return json.dumps(reply).encode()


def prompt_of(request: dict[str, Any]) -> str:
    return str(request["messages"][-1]["content"])


def is_extraction(request: dict[str, Any]) -> bool:
    return "Reply with the value of" in prompt_of(request)


def is_prediction(request: dict[str, Any]) -> bool:
    return "Decide for each of the" in prompt_of(request)


def play_dialog(request: dict[str, Any], number: int = 0) -> Reply:
    """Play the dialog role well: suggested questions, exact reading, and never eligible."""
    prompt = prompt_of(request)
    if is_extraction(request):
        key = re.findall(r"^Fact: (\w+)", prompt, re.MULTILINE)[-1]
        answer = re.findall(r"^Answer: (.*)$", prompt, re.MULTILINE)[-1]
        found = read_value(key, answer)
        value: Any = "unknown"
        if not isinstance(found, Nothing) and not is_no_answer(answer):
            value = found if key == MEMBERS_KEY else to_key_value(FEATURES[key], found)
        return Reply(json.dumps({"value": "never" if value is None else value}))
    if is_prediction(request):
        schema = request["response_format"]["json_schema"]["schema"]
        return Reply(json.dumps(dict.fromkeys(schema["properties"], False)))
    if "response_format" in request:
        return Reply(json.dumps({"ready": True}))
    suggested = re.findall(r"^The author of the program suggests: (.*)$", prompt, re.MULTILINE)
    return Reply(suggested[-1] if suggested else "How old are you?")
