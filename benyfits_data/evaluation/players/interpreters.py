"""The dialog role inside ProADA, a model's and ours: a key becomes a question, an answer a value.

The reference players are deterministic and need no model: their code role hands over our own
checkers, their dialog role asks canonical questions and reads answers exactly. The reference user
is `DialogReading` without a reader.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation.codegen.checker_translation import (
    from_key_value,
    key_types,
    to_key_value,
    translate,
)
from benyfits_data.evaluation.codegen.code_rules import UNKNOWN, Key, KeyType, Value
from benyfits_data.evaluation.codegen.coding import Coder, WrittenProgram
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.reading import AGAIN, CHOICES
from benyfits_data.evaluation.replies import question_in
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.understanding.canonical import ask_fact
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import (
    NOTHING,
    Nothing,
    is_no_answer,
    read_value,
)

GIVEN: Mapping[Key, Value] = {(0, "relation"): "self"}
"""Facts nobody needs to be asked: member 0 is the person who answers."""


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
        """Return a question for a fact; an empty one, which counts as a turn, if there is none."""
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
        reply = await conversation.complete_object(
            "extract_value",
            need.kind.schema(allow_unknown=allow_unknown),
            with_dialog=False,
            cq=question,
            answer=answer,
            **_variables(conversation, need),
        )
        return NOTHING if reply is None else need.kind.read(reply["value"])

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
        return question_in(reply)


def _variables(conversation: Conversation, need: Need) -> dict[str, Any]:
    values = ", ".join(value for value in need.kind.values if value != UNKNOWN)
    if need.kind.is_optional:
        values = f"{values or 'a plain number'}, never"
    return {
        "eligibility_requirements": conversation.rules_of([need.program]),
        # Its comment may hold a question about nobody in particular.
        "line": need.code.partition("  # ")[0],
        "key": need.key,
        "person": need.person,
        "values": values,
        "suggestion": need.suggestion,
    }


class ReferenceCoder(Coder):
    """Hands over our own checkers, rewritten as programs.

    Args:
        programs: The programs of the edition, by name.
    """

    def __init__(self, programs: Mapping[str, Program]) -> None:
        self._programs = programs
        self._written: dict[str, WrittenProgram] = {}

    async def write(
        self, conversation: Conversation, program: str, known: Mapping[str, KeyType]
    ) -> WrittenProgram:
        """Return our checker as a program."""
        if program not in self._written:
            ours = self._programs[program]
            source = translate(ours.checker, ours.thresholds)
            self._written[program] = WrittenProgram(source, key_types(source), ask_fact, GIVEN)
        return self._written[program]


class ReferenceInterpreter(Interpreter):
    """Asks canonical questions and reads the answers exactly; for keys named like features.

    Args:
        programs: The programs of the edition, by name, for verdicts on what is known.
    """

    def __init__(self, programs: Mapping[str, Program]) -> None:
        self._programs = programs

    async def phrase(self, conversation: Conversation, need: Need) -> str:
        """Return the canonical question, or a plain one for a key that is no feature."""
        if need.key == MEMBERS_KEY or need.key in FEATURES:
            return ask_fact(need.key, need.person)
        who = f" of {need.person}" if need.person else ""
        values = f" ({', '.join(need.kind.values)})" if need.kind.values else ""
        return f"What is the {need.key.replace('_', ' ')}{who}?{values}"

    async def clarify(
        self, conversation: Conversation, need: Need, question: str, answer: str
    ) -> str:
        """Return the same question with the values it may have."""
        values = f"{CHOICES} {', '.join(need.kind.values)}." if need.kind.values else ""
        return f"{AGAIN}{await self.phrase(conversation, need)}{values}"

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
        if is_no_answer(answer):
            return NOTHING
        if need.key != MEMBERS_KEY and need.key not in FEATURES:
            return need.kind.read(_literal(answer.rstrip(".")))
        read: Value | Nothing = read_value(need.key, answer)
        if isinstance(read, Nothing) or need.key == MEMBERS_KEY:
            return read
        value: Value = to_key_value(FEATURES[need.key], read)
        return value

    async def predict(
        self, conversation: Conversation, programs: Sequence[str], known: Mapping[Key, Value]
    ) -> dict[str, bool]:
        """Return our checkers' verdicts if everything nobody asked about is unremarkable."""
        household = guess_household(known)
        return {name: self._programs[name].is_eligible(household) for name in programs}


def _literal(word: str) -> Any:
    """The number that a word is, or the word."""
    try:
        return float(word)
    except ValueError:
        return word


def guess_household(known: Mapping[Key, Value]) -> Household:
    """Return the household that the values found out suggest, the rest filled in.

    Args:
        known: Values by key; those that are unknown or of no feature are left out.
    """
    numbers = [member for member, _ in known if member is not None]
    size = known.get((None, MEMBERS_KEY), max(numbers, default=0) + 1)
    count = min(max(size, 1), LARGEST_HOUSEHOLD) if isinstance(size, int) else 1
    shared: dict[str, Any] = {}
    members: list[dict[str, Any]] = [{"relation": "other relative"} for _ in range(count)]
    members[0]["relation"] = "self"
    for (member, key), value in known.items():
        if key not in FEATURES or (member is not None and member >= count):
            continue
        facts = shared if member is None else members[member]
        try:
            facts[key] = FEATURES[key].parse(from_key_value(FEATURES[key], value))
        except FeatureValueError:
            continue
    return Household.fill_in({"members": members, **shared})
