"""ProADA: programs decide, and each fact they lack becomes a question (paper, section 3)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import anyio.to_thread

from benyfits_data.evaluation.codegen.checker_translation import to_key_value
from benyfits_data.evaluation.codegen.code_rules import UNKNOWN, Key, KeyType, Value
from benyfits_data.evaluation.codegen.coding import Coder, WrittenProgram
from benyfits_data.evaluation.codegen.sandbox import Finished, Missing, Sandbox, Step
from benyfits_data.evaluation.conversation import Conversation, QuestionLimitReached
from benyfits_data.evaluation.players.interpreters import Interpreter, Need
from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.canonical import name_member as unnamed
from benyfits_data.understanding.typed import NOTHING, Nothing

CLARIFICATIONS = 3
FAILURE_KINDS = {
    "crashed": "code_crashed",
    "looped": "code_looped",
    "not_boolean": "code_not_boolean",
}
NAME_KEYS = ("name", "first_name", "full_name")
"""Keys under which a program may have learned what a member is called."""


@dataclass
class ProadaAgent:
    """Has a program written for each benefit; what a program lacks becomes a question.

    Attributes:
        coder: Who writes the programs.
        interpreter: Who phrases questions and reads answers.
        sandbox: Where the programs run.
        clarifications: How often an answer without a value is asked about again.
        known: Values found out, by member and key.
        written: The program of each benefit that has one.
        asked: The question that was put for each key.
    """

    coder: Coder
    interpreter: Interpreter
    sandbox: Sandbox
    clarifications: int = CLARIFICATIONS
    known: dict[Key, Value] = field(default_factory=dict)
    written: dict[str, WrittenProgram] = field(default_factory=dict)
    asked: dict[Key, str] = field(default_factory=dict)

    roles = ("dialog", "user", "code")

    @classmethod
    def equip(cls, coder: Coder, interpreter: Interpreter, sandbox: Sandbox) -> "ProadaAgent":
        """Return a fresh agent for one dialog, with those who help it."""
        return cls(coder, interpreter, sandbox)

    async def run(self, conversation: Conversation) -> dict[str, bool]:
        """Return the programs' verdicts; where one fails, the dialog model's."""
        written = self.written = await self._write(conversation)
        for item in written.values():
            self.known.update(item.given)
        verdicts, undecided = dict[str, bool](), []
        for program in conversation.programs:
            verdict = None
            if program in written:
                verdict = await self._decide(conversation, program, written[program])
            if verdict is None:
                undecided.append(program)
            else:
                verdicts[program] = verdict
        if undecided:
            verdicts |= await self.interpreter.predict(conversation, undecided, self.known)
        return verdicts

    async def _write(self, conversation: Conversation) -> dict[str, WrittenProgram]:
        written: dict[str, WrittenProgram] = {}
        types: dict[str, KeyType] = {}
        for program in conversation.programs:
            item = await self.coder.write(conversation, program, types)
            if item is not None:
                written[program] = item
                conversation.code[program] = item.source
                types |= item.types
        return written

    async def _decide(
        self, conversation: Conversation, program: str, item: WrittenProgram
    ) -> bool | None:
        while isinstance(step := await self._run(item), Missing):
            try:
                self.known[step.key] = await self._find_out(conversation, program, item, step)
            except QuestionLimitReached:
                reason = f"all {conversation.limit} questions were used up"
                conversation.fail("limit_reached", reason, program)
                return None
        conversation.traces[program] = list(step.trace)
        if isinstance(step, Finished):
            return step.verdict
        kind = FAILURE_KINDS[step.kind]
        conversation.fail(kind, step.message, program, step.line)
        return None

    async def _run(self, item: WrittenProgram) -> Step:
        return await anyio.to_thread.run_sync(self.sandbox.run, item.source, self.known)

    async def _find_out(
        self, conversation: Conversation, program: str, item: WrittenProgram, step: Missing
    ) -> Value:
        member, key = step.key
        person = name_member(member, self.known)
        need = Need(
            program=program,
            key=key,
            member=member,
            person=person,
            kind=item.types.get(key, KeyType("choice", ("yes", "no"))),
            line=step.line,
            code=item.source.splitlines()[step.line - 1].strip(),
            suggestion=item.suggest(key, person),
        )
        if not isinstance(value := _settled(conversation, need), Nothing):
            return value
        question = self.asked.get(step.key) or await self.interpreter.phrase(conversation, need)
        self.asked[step.key] = question
        for attempt in range(self.clarifications + 1):
            answer = await conversation.ask(
                question,
                kind="clarification" if attempt else "question",
                program=program,
                key=key,
                member=member,
                line=need.line,
                code=need.code,
            )
            value = await self.interpreter.extract(
                conversation,
                need,
                question,
                answer,
                # Without CLARITY every answer has to become a value, as in the paper.
                allow_unknown=self.clarifications > 0,
            )
            if not isinstance(value, Nothing):
                conversation.turns[-1].value = str(value)
                conversation.settled.learn(key, member, value)
                return value
            if attempt < self.clarifications:
                question = await self.interpreter.clarify(conversation, need, question, answer)
        conversation.fail("answer_not_parsed", f"{key}: {answer!r}", program, need.line)
        conversation.turns[-1].value = UNKNOWN
        return need.kind.unknown


@dataclass
class ProadaWithoutClarityAgent(ProadaAgent):
    """ProADA that never asks about the same fact twice: each answer is made into a value."""

    clarifications: int = 0


def _settled(conversation: Conversation, need: Need) -> Value | Nothing:
    """Return the value of a key that relation, age and sex settle, if the key may have it."""
    value = conversation.settled.value(need.key, need.member)
    if isinstance(value, Nothing):
        return NOTHING
    return need.kind.read("never" if value is None else to_key_value(FEATURES[need.key], value))


def name_member(member: int | None, known: Mapping[Key, Value]) -> str:
    """Return how to speak of a member: by name once known, otherwise by number."""
    for key in NAME_KEYS if member else ():
        name = known.get((member, key))
        if isinstance(name, str) and name != UNKNOWN:
            return name
    return unnamed(member)
