"""An OpenAI-compatible server on loopback whose replies a test decides."""

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benyfits_data.evaluation import facts
from benyfits_data.evaluation.keys import MEMBERS_KEY, Nothing
from benyfits_data.evaluation.translation import to_key_value
from benyfits_data.household.features import FEATURES


@dataclass
class Reply:
    """What the server sends: text in the usual envelope, or a raw body with a status."""

    text: str = ""
    status: int = 200
    body: bytes | None = None
    delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)


Script = Callable[[dict[str, Any], int], Reply]


class Server:
    """A context manager with a `url`, that keeps every request it was sent."""

    def __init__(self, script: Script, delay: float = 0.0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with owner._lock:
                    owner.requests.append(request)
                    number = len(owner.requests)
                    owner._now += 1
                    owner.most_at_once = max(owner.most_at_once, owner._now)
                reply = script(request, number)
                time.sleep(delay + reply.delay)
                with owner._lock:
                    owner._now -= 1
                body = reply.body if reply.body is not None else envelope(reply.text)
                try:
                    self.send_response(reply.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that was killed is part of some tests."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "Server":
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def envelope(text: str) -> bytes:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
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
        found = facts.read_answer(key, answer)
        value: Any = "unknown"
        if not isinstance(found, Nothing) and not facts.is_no_answer(answer):
            value = found if key == MEMBERS_KEY else to_key_value(FEATURES[key], found)
        return Reply(json.dumps({"value": "never" if value is None else value}))
    if is_prediction(request):
        schema = request["response_format"]["json_schema"]["schema"]
        return Reply(json.dumps(dict.fromkeys(schema["properties"], False)))
    if "response_format" in request:
        return Reply(json.dumps({"ready": True}))
    suggested = re.findall(r"^The author of the program suggests: (.*)$", prompt, re.MULTILINE)
    person = re.findall(r"^Fact it lacks: (\w+)(?: of (.*))?$", prompt, re.MULTILINE)
    if suggested and person:
        who = person[-1][1]
        return Reply(suggested[-1].replace("this person", who) if who != "you" else _to_you(person))
    return Reply("How old are you?")


def _to_you(person: list[tuple[str, str]]) -> str:
    from benyfits_data.evaluation.wording import ask_fact

    return ask_fact(person[-1][0], "you")
