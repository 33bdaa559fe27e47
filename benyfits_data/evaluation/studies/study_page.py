"""A page on this machine where one person reads, types, and fills in forms."""

import json
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benyfits_data.errors import EvaluationError

_HTML = Path(__file__).parent / "study_page.html"
_LONGEST_REPLY = 100_000


class StudyEndedError(EvaluationError):
    """The person left the study, or the server was stopped, before all was done."""


@dataclass(frozen=True)
class Request:
    """What the page asks of the person.

    Attributes:
        kind: `consent`, `line` (one line of text), `form`, or `done`.
        text: What is asked.
        fields: For a form: name, label and kind (`scale` from 0 to 100, or `text`) of each field.
        labels: What the ends of a scale mean, by field.
    """

    kind: str
    text: str
    fields: Sequence[tuple[str, str, str]] = ()
    labels: Mapping[str, tuple[str, str]] | None = None


class StudyPage:
    """A local server with one page; a `Console` for who plays a role there.

    It listens on the loopback address only and answers nobody without the token of `address`.
    """

    def __init__(self) -> None:
        self._token = secrets.token_urlsafe(16)
        self._changed = threading.Condition()
        self._shown: list[str] = []
        self._request: Request | None = None
        self._number = self._seen = 0
        self._reply: Any = None
        self._is_closed = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the page."""
        return f"http://127.0.0.1:{self._server.server_port}/?token={self._token}"

    def close(self) -> None:
        """Stop the server; who waits for the person is told that the study ended."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def clear(self) -> None:
        """Take away what was shown."""
        with self._changed:
            self._shown = []

    def show(self, text: str) -> None:
        """Show some text."""
        with self._changed:
            self._shown.append(text.strip())

    def read(self, text: str) -> str:
        """Show a question and wait for the line that is typed; both stay on the page."""
        reply = str(self.ask(Request("line", text)))
        with self._changed:
            self._shown += [text, f"> {reply or '(nothing)'}"]
        return reply

    def ask(self, request: Request) -> Any:
        """Return what the person replies.

        Raises:
            StudyEndedError: The study ended first.
        """
        with self._changed:
            self._number += 1
            self._request, self._reply = request, None
            self._changed.wait_for(lambda: self._reply is not None or self._is_closed)
            self._request = None
            if self._reply is None:
                raise StudyEndedError("The study ended before the person had answered.")
            return self._reply

    def done(self, text: str) -> None:
        """Show the closing message and return at once."""
        with self._changed:
            self._number += 1
            self._shown = []
            self._request = Request("done", text)

    def wait_until_seen(self, seconds: float = 5) -> None:
        """Wait a little until the page has fetched the last words."""
        with self._changed:
            self._changed.wait_for(lambda: self._seen == self._number, seconds)

    def _state(self) -> dict[str, Any]:
        with self._changed:
            self._seen = self._number
            self._changed.notify_all()
            asked = None if self._request is None else vars(self._request)
            return {"number": self._number, "shown": self._shown, "request": asked}

    def _take(self, number: Any, reply: Any) -> bool:
        """Take a reply to the request of a number; a second one to the same is not taken."""
        with self._changed:
            is_awaited = self._request is not None and self._reply is None
            if not is_awaited or number != self._number or reply is None:
                return False
            self._reply = reply
            self._changed.notify_all()
            return True

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, _, query = self.path.partition("?")
                if query != f"token={page._token}" or path not in ("/", "/state"):
                    self.send_error(HTTPStatus.NOT_FOUND)
                elif path == "/state":
                    self._send(json.dumps(page._state()), "application/json")
                else:
                    self._send(_HTML.read_text(encoding="utf-8"), "text/html; charset=utf-8")

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                if self.path != f"/reply?token={page._token}" or length > _LONGEST_REPLY:
                    self.send_error(HTTPStatus.NOT_FOUND)
                    return
                try:
                    message = json.loads(self.rfile.read(length))
                    is_taken = page._take(message["number"], message["reply"])
                except (ValueError, KeyError, TypeError):
                    self.send_error(HTTPStatus.BAD_REQUEST)
                    return
                self._send(json.dumps({"taken": is_taken}), "application/json")

            def _send(self, text: str, kind: str) -> None:
                content = text.encode()
                self.send_response(HTTPStatus.OK)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Stay silent: the terminal is for the study."""

        return Handler
