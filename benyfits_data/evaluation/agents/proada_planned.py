"""ProADA whose programs are read as formulas: each ends once its verdict cannot change any more.

A program fits if its keys are our facts with their types, and `read_function` reads it. Those that
do are evaluated in part after each answer, and the next question is the one that most of their
likely proofs need, as in the planner. The others run as in ProADA, and so does whatever stays open
because the user does not know.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benyfits_data.editions import load_edition
from benyfits_data.errors import FeatureValueError, LanguageError
from benyfits_data.evaluation.agents.planner import conduct
from benyfits_data.evaluation.agents.proada import ProadaAgent
from benyfits_data.evaluation.codegen.checker_translation import from_key_value, key_type
from benyfits_data.evaluation.codegen.code_rules import literal_keys
from benyfits_data.evaluation.codegen.sandbox import Missing
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.keys import UNKNOWN, Key, KeyType, Value
from benyfits_data.evaluation.rules.function_reader import read_function
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import MOST_MEMBERS
from benyfits_data.language.ir import Node
from benyfits_data.language.partial import Fact, PartialReader
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from benyfits_data.planner import Interview, Planner, Question
from benyfits_data.understanding.facts import MEMBERS_KEY


@dataclass
class ProadaPlannedAgent(ProadaAgent):
    """ProADA that asks what decides most, and stops when nothing more can."""

    async def _plan(self, conversation: Conversation) -> dict[str, bool]:
        """Return the verdicts that cannot change any more, of programs read as formulas."""

        async def ask(
            interview: Interview, question: Question
        ) -> tuple[dict[Fact, Any], int | None]:
            key = _key_of(question)
            if key not in self.known:
                self.known[key] = await self._ask(conversation, interview, key)
            return _read(key, self.known[key])

        interview = await conduct(
            conversation, lambda places: self._interview(conversation, places), ask
        )
        verdicts = interview.verdicts()
        return {
            name: verdict
            for name, verdict in verdicts.items()
            if name in self.written and verdict is not None and verdicts[crash_of(name)] is False
        }

    def _interview(self, conversation: Conversation, places: int) -> Interview:
        written = {name: (item.program.source, item.types) for name, item in self.written.items()}

        def read(executor: SymbolicExecutor) -> dict[str, Node]:
            return read_written(executor, written)

        edition = load_edition(conversation.edition)
        reader = PartialReader(edition, places=places, read=read)
        return Interview(Planner(edition, places=places, reader=reader))

    async def _ask(self, conversation: Conversation, interview: Interview, key: Key) -> Value:
        """Return what the user says of a key, asked for the first open program that reads it."""
        verdicts = interview.verdicts()
        reading = {
            name: line
            for name, item in self.written.items()
            for read, line in literal_keys(item.program.source)
            if read == key[1]
        }
        is_open = [
            name
            for name in reading
            if verdicts.get(name) is None or verdicts[crash_of(name)] is None
        ]
        program = (is_open or list(reading))[0]
        missing = Missing(key, reading[program], b"")
        return await self._find_out(conversation, program, self.written[program], missing)


def _key_of(question: Question) -> Key:
    if question.kind == "size":
        return (None, MEMBERS_KEY)
    return (question.member, question.feature)


def _read(key: Key, value: Value) -> tuple[dict[Fact, Any], int | None]:
    """Return the fact, or the number of members, that a value of a key tells; nothing if none."""
    member, name = key
    if name == MEMBERS_KEY:
        is_size = isinstance(value, int) and 1 <= value <= MOST_MEMBERS
        return {}, (int(value) if is_size and value is not None else None)
    if value == UNKNOWN or value != value:
        return {}, None
    feature = FEATURES[name]
    try:
        return {(name, member): feature.parse(from_key_value(feature, value))}, None
    except FeatureValueError:
        return {}, None


def read_written(
    executor: SymbolicExecutor, written: Mapping[str, tuple[str, Mapping[str, KeyType]]]
) -> dict[str, Node]:
    """Return the formulas of the programs that fit: of each its verdict, and whether it crashes.

    Args:
        executor: Makes the nodes.
        written: Text and types of each program.
    """
    formulas: dict[str, Node] = {}
    for name, (source, types) in written.items():
        if not all(_is_ours(key, types.get(key)) for key, _ in literal_keys(source)):
            continue
        try:
            read = read_function(executor, source, "keys")
        except LanguageError:
            continue
        formulas[name], formulas[crash_of(name)] = read.verdict, read.crash
    return formulas


def crash_of(name: str) -> str:
    """Return the name of the formula that says whether a program crashes."""
    return f"{name} crashes"


def _is_ours(key: str, declared: KeyType | None) -> bool:
    """Whether a key is one of our facts, with its values."""
    if declared is None or (key not in FEATURES and key != MEMBERS_KEY):
        return False
    ours = key_type(key)
    return (declared.kind, set(declared.values), declared.is_optional) == (
        ours.kind,
        set(ours.values),
        ours.is_optional,
    )
