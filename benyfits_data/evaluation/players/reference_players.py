"""The reference players: deterministic and without a model, for tests and demonstrations.

The code role hands over our own checkers, the dialog role asks canonical questions and reads
answers exactly; the reference user is `GroundedUser` without a reader.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.errors import FeatureValueError
from benyfits_data.evaluation.codegen.checker_translation import (
    from_key_value,
    key_types,
    to_key_value,
    translate,
)
from benyfits_data.evaluation.codegen.coding import Coder, WrittenProgram
from benyfits_data.evaluation.codegen.sandbox import Sandbox, build_program
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.keys import Key, KeyType, Value
from benyfits_data.evaluation.players.interpreter import Interpreter, Need
from benyfits_data.evaluation.record import CANONICAL, Turn
from benyfits_data.evaluation.turn_reading import AGAIN, CHOICES, without_manner
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.understanding.answers import find_name
from benyfits_data.understanding.canonical import ROSTER_QUESTION, ask_fact
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import (
    NOTHING,
    Nothing,
    is_no_answer,
    read_value,
    split_people,
)

GIVEN: Mapping[Key, Value] = {(0, "relation"): "self"}
"""Facts nobody needs to be asked: member 0 is the person who answers."""


class ReferenceCoder(Coder):
    """Hands over our own checkers, rewritten as programs.

    Args:
        programs: The programs of the edition, by name.
        sandbox: Where they will run.
    """

    def __init__(self, programs: Mapping[str, Program], sandbox: Sandbox) -> None:
        super().__init__(sandbox)
        self._programs = programs
        self._written: dict[str, WrittenProgram] = {}

    async def write(
        self, conversation: Conversation, program: str, known: Mapping[str, KeyType]
    ) -> WrittenProgram:
        """Return our checker as a program."""
        if program not in self._written:
            ours = self._programs[program]
            built = build_program(translate(ours.checker, ours.thresholds))
            self._sandbox.check(built)
            types = key_types(built.source)
            self._written[program] = WrittenProgram(built, types, ask_fact, GIVEN)
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
            return ask_fact(need.key, name_heard(conversation.turns, need.member) or need.person)
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
        answer = without_manner(answer)
        if is_no_answer(answer):
            return NOTHING
        if need.key != MEMBERS_KEY and need.key not in FEATURES:
            return need.kind.read(answer.rstrip("."))
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


def name_heard(turns: Sequence[Turn], member: int | None) -> str:
    """Return the name that an answer in our own words gave of a member; empty as long as none did.

    Args:
        turns: The dialog so far.
        member: The member's number; nothing for the household.
    """
    for turn in turns if member else ():
        if turn.reader != CANONICAL or member is None:
            continue
        answer = without_manner(turn.answer)
        people = split_people(answer) if turn.question == ROSTER_QUESTION else []
        if member < len(people):
            return people[member].partition(",")[0]
        name = find_name(turn.key, answer) if turn.member == member and turn.key else ""
        if name:
            return name
    return ""


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
