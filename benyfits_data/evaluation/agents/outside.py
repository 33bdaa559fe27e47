"""Agents of somebody else's, in a process of their own that holds neither household nor labels.

What such an agent is told is what goes through the pipe: programs, texts, answers and replies. Both
sides write one JSON object a line; the agent's process (`outside_process.py`) asks, ours answers.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation import hiding
from benyfits_data.evaluation.break_offs import RemoteAgentError
from benyfits_data.evaluation.conversation import Conversation, QuestionLimitReached
from benyfits_data.evaluation.fact_answers import FactAnswer

CALLS = ("ask", "ask_fact", "ask_everybody", "ask_roster", "complete", "judge", "predict")
"""What an agent may call and has to wait for."""
ENDED = (
    *(anyio.EndOfStream, anyio.IncompleteRead),
    *(anyio.ClosedResourceError, anyio.BrokenResourceError),
)
LONGEST_LINE = 10_000_000
"""Bytes of one message: longer ones are no question and no verdict."""


@cache
def outside_agent(name: str) -> type["OutsideAgent"]:
    """Return what plays an agent elsewhere, with what it says of itself; it is not loaded here.

    Args:
        name: `my_module:MyAgent`.

    Raises:
        EvaluationError: There is no such agent, or it lacks a step.
    """
    command, hidden = _command(name, "describe")
    done = subprocess.run(
        command,
        input=json.dumps({"hidden": hidden}) + "\n",
        capture_output=True,
        text=True,
        env=_environment(),
        check=False,
    )
    try:
        description = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["no message"])[-1][:300]
        raise EvaluationError(f"--agent {name} cannot be loaded: {last}", agent=name) from None
    if "error" in description:
        raise EvaluationError(str(description["error"]), agent=name)
    traits = {key: tuple(description[key]) for key in ("roles", "model_roles")}
    return type(
        "OutsideAgent", (OutsideAgent,), {"name": name, "file": description["file"], **traits}
    )


class OutsideAgent:
    """Plays one dialog with an agent in another process.

    Attributes:
        name: `my_module:MyAgent`.
        roles: The roles that it uses.
        model_roles: Those that only a model can play for it.
        file: Where it stands.
    """

    name: str
    roles: tuple[str, ...]
    model_roles: tuple[str, ...]
    file: str

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the agent's verdicts.

        Raises:
            EvaluationError: The agent failed, or its process ended.
        """
        command, hidden = _command(self.name, "play")
        opening = {
            "hidden": hidden,
            "programs": conversation.programs,
            "requirements": conversation.requirements,
            "limit": conversation.limit,
            "seed": int(conversation.random.integers(2**32)),
        }
        with tempfile.TemporaryDirectory() as empty:
            process = await anyio.open_process(command, env=_environment(), cwd=empty, stderr=None)
            try:
                return await _serve(process, conversation, opening)
            except ENDED:
                raise EvaluationError("The agent's process ended without a verdict.") from None
            except anyio.DelimiterNotFound:
                raise EvaluationError("The agent's process sent an endless message.") from None
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.aclose()


async def _serve(
    process: Any, conversation: Conversation, opening: Mapping[str, Any]
) -> dict[str, bool]:
    received, reply = BufferedByteReceiveStream(process.stdout), opening
    while True:
        await process.stdin.send((json.dumps(reply) + "\n").encode())
        message: Any = {"call": "fail"}
        while message.get("call") == "fail":
            line = await received.receive_until(b"\n", LONGEST_LINE)
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                raise EvaluationError(
                    f"The agent's process sent no message: {line[:80]!r}."
                ) from None
            if message.get("call") == "fail":
                kind, what = map(str, message["args"])
                conversation.fail(kind, what)
        if "error" in message:
            facts = {name: str(message[name]) for name in ("kind", "traceback")}
            raise RemoteAgentError(str(message["error"]), **facts)
        if "verdicts" in message:
            verdicts: dict[str, bool] = message["verdicts"]
            return verdicts
        reply = await _answer(conversation, message)


async def _answer(conversation: Conversation, message: Mapping[str, Any]) -> dict[str, Any]:
    if message.get("call") not in CALLS:
        raise EvaluationError(f"An agent may call {', '.join(CALLS)}, not {message.get('call')!r}.")
    call = getattr(conversation, str(message["call"]))
    try:
        value = await call(*message.get("args", []), **message.get("settings", {}))
    except QuestionLimitReached as error:
        return {"limit_reached": str(error)}
    if isinstance(value, FactAnswer):
        return {"value": value.to_data(), "question": conversation.turns[-1].question}
    return {"value": value}


def _command(name: str, action: str) -> tuple[list[str], list[str]]:
    """The command of an agent's process, and what is hidden from it."""
    hidden = hiding.hidden_paths()
    start = "import sys; from benyfits_data.evaluation.agents.outside_process import main; "
    command = [sys.executable, "-c", start + "main(*sys.argv[1:])", name, action]
    return hiding.without(hidden, command), hidden


def _environment() -> dict[str, str]:
    # A script's own folder is not on the path of an installed command.
    path = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path}
