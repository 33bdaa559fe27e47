"""Agents of somebody else's, in a process of their own that holds neither household nor labels.

What such an agent sees is what goes through the pipe: programs, texts, answers and replies. Both
sides write one JSON object a line; the agent's process asks, ours answers.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TextIO

import anyio
import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.conversation import Conversation, QuestionLimitReached
from benyfits_data.evaluation.record import Turn

CALLS = ("ask", "complete", "judge", "predict")
"""What an agent may call and has to wait for."""
ENDED = (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError)
LONGEST_LINE = 10_000_000
"""Characters of one message: longer ones are no question and no verdict."""


@cache
def describe_agent(name: str) -> Mapping[str, Any]:
    """Return the roles and the file of an agent, found without loading it here.

    Args:
        name: `my_module:MyAgent`.

    Raises:
        EvaluationError: There is no such agent, or it lacks a step.
    """
    done = subprocess.run(
        _command(name, "describe"), capture_output=True, text=True, env=_environment(), check=False
    )
    try:
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["no message"])[-1][:300]
        raise EvaluationError(f"--agent {name} cannot be loaded: {last}", agent=name) from None
    if "error" in told:
        raise EvaluationError(str(told["error"]), agent=name)
    return told


class OutsideAgent:
    """Plays one dialog with an agent in another process.

    Args:
        name: `my_module:MyAgent`.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the agent's verdicts.

        Raises:
            EvaluationError: The agent failed, or its process ended.
        """
        with tempfile.TemporaryDirectory() as empty:
            process = await anyio.open_process(
                _command(self._name, "play"), env=_environment(), cwd=empty, stderr=None
            )
            try:
                return await self._serve(process, conversation)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.aclose()

    async def _serve(self, process: Any, conversation: Conversation) -> dict[str, bool]:
        lines = _Lines(process.stdout)
        seed = int(conversation.random.integers(2**32))
        told = {
            "programs": conversation.programs,
            "requirements": conversation.requirements,
            "limit": conversation.limit,
            "seed": seed,
        }
        await _send(process, told)
        while True:
            message = await lines.read()
            if "verdicts" in message:
                verdicts: dict[str, bool] = message["verdicts"]
                return verdicts
            if "error" in message:
                raise EvaluationError(str(message["error"]))
            if message.get("call") == "fail":
                kind, what = message["args"]
                conversation.fail(str(kind), str(what))
                continue
            await _send(process, await _answer(conversation, message))


async def _answer(conversation: Conversation, message: Mapping[str, Any]) -> dict[str, Any]:
    if message.get("call") not in CALLS:
        raise EvaluationError(f"An agent may call {', '.join(CALLS)}, not {message.get('call')!r}.")
    call = getattr(conversation, str(message["call"]))
    try:
        value = await call(*message.get("args", []), **message.get("settings", {}))
    except QuestionLimitReached as error:
        return {"limit_reached": str(error)}
    return {"value": value}


async def _send(process: Any, message: Mapping[str, Any]) -> None:
    try:
        await process.stdin.send((json.dumps(message) + "\n").encode())
    except ENDED:
        raise EvaluationError("The agent's process ended without a verdict.") from None


class _Lines:
    """The messages of an agent's process, one a line."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._received = b""

    async def read(self) -> dict[str, Any]:
        while b"\n" not in self._received:
            try:
                self._received += await self._stream.receive()
            except ENDED:
                raise EvaluationError("The agent's process ended without a verdict.") from None
            if len(self._received) > LONGEST_LINE:
                raise EvaluationError("The agent's process sent an endless message.")
        line, _, self._received = self._received.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise EvaluationError(f"The agent's process sent no message: {line[:80]!r}.") from None
        return message if isinstance(message, dict) else {}


class RemoteConversation:
    """A dialog as an agent in another process sees it: what `Conversation` offers agents.

    Args:
        told: What the dialog is about.
        received: Where answers come from.
        sent: Where calls go.
    """

    def __init__(self, told: Mapping[str, Any], received: TextIO, sent: TextIO) -> None:
        self.programs: list[str] = told["programs"]
        self.requirements: dict[str, str] = told["requirements"]
        self.limit: int = told["limit"]
        self.random = np.random.default_rng(told["seed"])
        self.turns: list[Turn] = []
        self._received = received
        self._sent = sent

    @property
    def questions_left(self) -> int:
        """How many questions may still be asked."""
        return self.limit - len(self.turns)

    @property
    def rules(self) -> str:
        """The eligibility texts of all programs, each under its name."""
        return self.rules_of(self.programs)

    def rules_of(self, programs: Sequence[str]) -> str:
        """Return the eligibility texts of some programs, each under its name."""
        return "\n\n".join(f"## {name}\n{self.requirements[name].strip()}" for name in programs)

    async def ask(self, question: str) -> str:
        """Return the user's answer to a question; it counts as a turn."""
        answer = str(self._call("ask", question))
        self.turns.append(Turn(question, answer))
        return answer

    async def complete(self, prompt: str, **settings: Any) -> str:
        """Return a model's reply to a prompt."""
        return str(self._call("complete", prompt, **settings))

    async def judge(self, prompt: str, **settings: Any) -> bool | None:
        """Return the dialog model's yes or no to a prompt."""
        verdict: bool | None = self._call("judge", prompt, **settings)
        return verdict

    async def predict(self, *args: Any, **settings: Any) -> dict[str, bool]:
        """Return the dialog model's verdict per program."""
        verdicts: dict[str, bool] = self._call("predict", *args, **settings)
        return verdicts

    def fail(self, kind: str, message: str) -> None:
        """Record something that went wrong and was survived."""
        _write(self._sent, {"call": "fail", "args": [kind, message]})

    def _call(self, call: str, *args: Any, **settings: Any) -> Any:
        _write(self._sent, {"call": call, "args": args, "settings": settings})
        reply = json.loads(self._received.readline())
        if "limit_reached" in reply:
            raise QuestionLimitReached(reply["limit_reached"])
        return reply["value"]


def main(name: str, action: str) -> None:
    """Describe or play an agent; runs in the agent's process.

    Args:
        name: `my_module:MyAgent`.
        action: `describe` or `play`.
    """
    import inspect

    from benyfits_data.evaluation.agents import ALL_ROLES, find_agent
    from benyfits_data.evaluation.agents.loop import play

    # What an agent prints must not stand between the messages.
    sent, sys.stdout = sys.stdout, sys.stderr
    try:
        make = find_agent(name)
        if action == "describe":
            roles = list(getattr(make, "roles", ALL_ROLES))
            _write(sent, {"roles": roles, "file": inspect.getfile(make)})
            return
        conversation: Any = RemoteConversation(json.loads(sys.stdin.readline()), sys.stdin, sent)
        _write(sent, {"verdicts": anyio.run(play, make(), conversation)})
    except Exception as error:
        # Whatever an agent raises is told to the process that plays the dialog.
        is_ours = isinstance(error, EvaluationError)
        _write(sent, {"error": str(error) if is_ours else f"{type(error).__name__}: {error}"})


def _write(sent: TextIO, message: Mapping[str, Any]) -> None:
    sent.write(json.dumps(message) + "\n")
    sent.flush()


def _command(name: str, action: str) -> list[str]:
    start = f"import sys; from {__name__} import main; main(*sys.argv[1:])"
    return [sys.executable, "-c", start, name, action]


def _environment() -> dict[str, str]:
    # A script's own folder is not on the path of an installed command.
    path = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path}
