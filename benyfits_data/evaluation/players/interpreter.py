"""The dialog role inside ProADA: a missing key becomes a question, an answer becomes a value."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.keys import UNKNOWN, Key, KeyType, Value
from benyfits_data.understanding.typed import NOTHING, Nothing

_LABEL = re.compile(r"^(?:[^:?]{1,60}: )+(?=[A-Z].*\?$)")


@dataclass(frozen=True)
class Need:
    """One fact that a program needs, and the line that reads it.

    Attributes:
        member: The member's number; nothing for the household.
        person: How to name the member; empty for the household.
        kind: The key's type.
        suggestion: A question that the program's author suggests; empty if there is none.
    """

    program: str
    key: str
    member: int | None
    person: str
    kind: KeyType
    line: int
    code: str
    suggestion: str = ""


class Interpreter:
    """Phrases questions and reads answers: a language model, under constrained decoding."""

    async def phrase(self, conversation: Conversation, need: Need) -> str:
        """Return a question for a fact; a plain one, recorded, if the model gives none."""
        return await self._ask_model(conversation, "key_error", need)

    async def clarify(
        self, conversation: Conversation, need: Need, question: str, answer: str
    ) -> str:
        """Return another question for a fact whose answer held no value."""
        return await self._ask_model(conversation, "clarify", need, cq=question, answer=answer)

    async def extract(
        self,
        conversation: Conversation,
        need: Need,
        question: str,
        answer: str,
        *,
        allow_unknown: bool,
    ) -> Value | Nothing:
        """Return the value an answer gives, or `NOTHING`."""
        if not answer:
            return NOTHING
        reply = await conversation.complete(
            "extract_value",
            schema=need.kind.schema(allow_unknown=allow_unknown),
            with_dialog=False,
            cq=question,
            answer=answer,
            **_variables(conversation, need),
        )
        return need.kind.read(reply)

    async def predict(
        self, conversation: Conversation, programs: Sequence[str], known: Mapping[Key, Value]
    ) -> dict[str, bool]:
        """Return verdicts on programs that came to none: the model reads the answers themselves."""
        return await conversation.predict(programs)

    @staticmethod
    async def _ask_model(
        conversation: Conversation, prompt: str, need: Need, **variables: Any
    ) -> str:
        reply = await conversation.complete(
            prompt, with_dialog=False, **variables, **_variables(conversation, need)
        )
        question = last_line(reply)
        if not question:
            conversation.fail("question_missing", f"{prompt}: {reply!r}", need.program, need.line)
            who = f" of {need.person}" if need.person else ""
            question = f"Please tell me: {need.key.replace('_', ' ')}{who}?"
        return question


def last_line(reply: str) -> str:
    """Return the question in a reply: what follows the last "Question:", or the last line.

    A label before it, as in "The author suggests: How old are you?", is left out.
    """
    text = reply.rpartition("Question:")[2] if "Question:" in reply else reply
    lines = [line.strip().strip('"') for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return ""
    asking = [line for line in lines if line.endswith("?")]
    return _LABEL.sub("", (asking or lines)[-1])


def _variables(conversation: Conversation, need: Need) -> dict[str, Any]:
    words = [value for value in need.kind.values if value != UNKNOWN]
    return {
        "eligibility_requirements": conversation.rules_of([need.program]),
        # Its comment may hold a question about nobody in particular.
        "line": need.code.partition("  # ")[0],
        "key": need.key,
        "person": need.person,
        "values": ", ".join(words),
        "suggestion": need.suggestion,
    }
