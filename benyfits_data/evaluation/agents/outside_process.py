"""The process of somebody else's agent: what the agent sees of a dialog, and nothing else."""

import inspect
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

import anyio
import numpy as np

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation import hiding
from benyfits_data.evaluation.agents import ALL_ROLES, find_agent, play, roles_for_models
from benyfits_data.evaluation.break_offs import format_traceback
from benyfits_data.evaluation.conversation import DialogView, QuestionLimitReached
from benyfits_data.evaluation.fact_answers import FactAnswer
from benyfits_data.evaluation.record import Turn
from benyfits_data.understanding.canonical import ROSTER_FACTS


class RemoteConversation(DialogView):
    """A dialog as an agent in another process sees it: what `Conversation` offers agents.

    Args:
        opening: What the dialog is about.
        received: Where answers come from.
        sent: Where calls go.
    """

    def __init__(self, opening: Mapping[str, Any], received: TextIO, sent: TextIO) -> None:
        random = np.random.default_rng(opening["seed"])
        super().__init__(opening["programs"], opening["requirements"], random, opening["limit"])
        self._received = received
        self._sent = sent

    async def ask(self, question: str) -> str:
        """Return the user's answer to a question; it counts as a turn."""
        answer = str(self._call("ask", question))
        self.turns.append(Turn(question, answer))
        return answer

    async def ask_fact(self, fact: str, member: int | None = None) -> FactAnswer:
        """Return what the user says of one fact, asked in canonical words."""
        return self._ask_fact((fact,), "ask_fact", fact, member)

    async def ask_everybody(self, fact: str) -> FactAnswer:
        """Return what the user says of one fact of every member; its value is a list."""
        return self._ask_fact((fact,), "ask_everybody", fact)

    async def ask_roster(self) -> FactAnswer:
        """Return who lives there: its value has a dictionary of age and relation a member."""
        return self._ask_fact(ROSTER_FACTS, "ask_roster")

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

    def _ask_fact(self, facts: tuple[str, ...], call: str, *args: Any) -> FactAnswer:
        reply = self._send(call, *args)
        answer = FactAnswer.from_data(reply["value"], facts)
        self.turns.append(Turn(reply["question"], answer.text))
        return answer

    def _call(self, call: str, *args: Any, **settings: Any) -> Any:
        return self._send(call, *args, **settings)["value"]

    def _send(self, call: str, *args: Any, **settings: Any) -> dict[str, Any]:
        _write(self._sent, {"call": call, "args": args, "settings": settings})
        reply: dict[str, Any] = json.loads(self._received.readline())
        if "limit_reached" in reply:
            raise QuestionLimitReached(reply["limit_reached"])
        return reply


def main(name: str, action: str) -> None:
    """Describe or play an agent; runs in the agent's process.

    Args:
        name: `my_module:MyAgent`.
        action: `describe` or `play`.
    """
    # What an agent prints must not stand between the messages.
    sent, sys.stdout = sys.stdout, sys.stderr
    opening = json.loads(sys.stdin.readline())
    opened = set[str]()

    def report(path: str) -> None:
        if path not in opened and action == "play":
            opened.add(path)
            _write(sent, {"call": "fail", "args": ["dataset_opened", path]})

    hiding.refuse(opening["hidden"], report)
    path = None
    try:
        make = find_agent(name)
        path = Path(inspect.getfile(make))
        if action == "describe":
            declared = {"roles": list(getattr(make, "roles", ALL_ROLES))}
            _write(sent, {**declared, "model_roles": roles_for_models(make), "file": str(path)})
            return
        conversation: Any = RemoteConversation(opening, sys.stdin, sent)
        _write(sent, {"verdicts": anyio.run(play, make(), conversation)})
    except Exception as error:
        # Whatever an agent raises is told to the process that plays the dialog.
        kind, is_ours = type(error).__name__, isinstance(error, EvaluationError)
        message = str(error) if is_ours else f"{kind}: {error}"
        traceback = format_traceback(error, path)
        _write(sent, {"error": message, "kind": kind, "traceback": traceback})


def _write(sent: TextIO, message: Mapping[str, Any]) -> None:
    sent.write(json.dumps(message) + "\n")
    sent.flush()
