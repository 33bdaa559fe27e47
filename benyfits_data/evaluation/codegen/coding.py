"""The code role: who turns a program's requirements into a program that asks for what it needs."""

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.to_thread

from benyfits_data.evaluation.codegen import code_rules
from benyfits_data.evaluation.codegen.code_rules import UNKNOWN, Key, KeyType, Value, compared_words
from benyfits_data.evaluation.codegen.sandbox import GeneratedCodeError, Sandbox
from benyfits_data.evaluation.conversation import CODE_TOKENS, Conversation
from benyfits_data.evaluation.replies import clean_text, one_property

REPAIRS = 3
"""How often a program is sent back with its error."""
MOST_VALUES = 40
"""Words one fact may be; the longest choice of a feature here has some 20."""
VALUE_LETTERS = 80

TYPE = one_property("type", {"enum": ["int", "float", "choice"]})
_VALUES = one_property("values", {"type": "array", "items": {"type": "string"}})

_FENCE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^[ \t]*(?P=mark)[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)

Suggest = Callable[[str, str], str]
"""Returns the question an author suggests for a key and a person, such as "you"; "" without one."""


@dataclass(frozen=True)
class WrittenProgram:
    """A program that can run, the type of every key it reads, and facts it needs no question for.

    Attributes:
        source: Its text.
        suggest: What its author would ask.
    """

    source: str
    types: Mapping[str, KeyType]
    suggest: Suggest
    given: Mapping[Key, Value] = field(default_factory=dict)


class Coder:
    """Programs written by a language model, linted, and sent back with their errors.

    Args:
        sandbox: Where the programs will run; what it cannot read is an error to repair.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    async def write(
        self, conversation: Conversation, program: str, known: Mapping[str, KeyType]
    ) -> WrittenProgram | None:
        """Return the program for one benefit, or `None`, recorded, when none can be made."""
        rules = conversation.rules_of([program])
        error = ""
        for attempt in range(1, REPAIRS + 2):
            try:
                reply = await conversation.complete(
                    "generate_checker",
                    role="code",
                    with_dialog=False,
                    max_tokens=CODE_TOKENS,
                    attempt_no=attempt,
                    eligibility_requirement=rules,
                    preexisting_keys=describe_keys(known, conversation.code.values()),
                    error=error,
                )
                source = code_in(reply)
                await anyio.to_thread.run_sync(self._sandbox.check, source)
            except GeneratedCodeError as problem:
                error = str(problem)
                continue
            types = await self._find_types(conversation, program, source, known)
            return WrittenProgram(source, types, comments_of(source))
        conversation.fail("code_not_parsed", error, program)
        return None

    async def _find_types(
        self, conversation: Conversation, program: str, code: str, known: Mapping[str, KeyType]
    ) -> dict[str, KeyType]:
        # At once: a prompt holds one key and the program. A program's holds the keys before it.
        keys = list(dict.fromkeys(key for key, _ in code_rules.literal_keys(code)))
        new = [key for key in keys if key not in known]
        new_types: dict[str, KeyType] = {}
        errors: list[Exception] = []

        async def find(key: str) -> None:
            try:
                new_types[key] = await self._find_type(conversation, program, code, key)
            except Exception as error:
                # Out of a group errors come in a group, which would be taken for the agent's own.
                errors.append(error)
                group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            for key in new:
                group.start_soon(find, key)
        if errors:
            raise errors[0]
        return {key: known.get(key) or new_types[key] for key in keys}

    async def _find_type(
        self, conversation: Conversation, program: str, code: str, key: str
    ) -> KeyType:
        rules = conversation.rules_of([program])
        words = compared_words(code, key)

        async def consult(prompt: str, schema: dict[str, object], name: str) -> Any:
            reply = await conversation.complete_object(
                prompt,
                schema,
                role="code",
                with_dialog=False,
                eligibility_requirements=rules,
                code=code,
                key=key,
            )
            return reply and reply[name]

        kind = await consult("get_type", TYPE, "type")
        if kind in ("int", "float") and not words:
            return KeyType(kind)
        if kind is None:
            # The program itself says how it uses the key: with words, or as a number.
            return KeyType("choice", words) if words else KeyType("float")
        listed = await consult("get_values", _VALUES, "values") if kind == "choice" else None
        listed_words = [clean_text(value, VALUE_LETTERS) for value in (listed or ())[:MOST_VALUES]]
        # Words the program compares with are values whatever the model says; so is their opposite.
        opposite = [] if len({*words, *listed_words}) > 1 else ["no" if "yes" in words else "other"]
        return KeyType("choice", tuple(dict.fromkeys([*words, *listed_words, *opposite])))


def code_in(reply: str) -> str:
    """Return the program in a reply: what its one code fence holds, or all of it without any.

    Args:
        reply: A model's reply. One with several fences is no program, and is returned as it is.
    """
    fenced = [part["code"] for part in _FENCE.finditer(reply)]
    return textwrap.dedent(fenced[0] if len(fenced) == 1 else reply).strip("\n") + "\n"


def comments_of(source: str) -> Suggest:
    """Return what suggests the questions in a program's comments, whoever they are about."""
    questions = suggested_questions(source)
    return lambda key, person: questions.get(key, "")


def suggested_questions(source: str) -> dict[str, str]:
    """Return the question that a comment suggests for a key, where its first line has one.

    A comment on a line that reads several new keys is left out: it cannot suit all of them.
    """
    lines = source.splitlines()
    first_reads = code_rules.literal_keys(source)
    questions = {}
    for key, line in first_reads:
        _, mark, comment = lines[line - 1].rpartition("#")
        if mark and sum(other == line for _, other in first_reads) == 1:
            questions[key] = comment.strip().strip('"')
    return {key: question for key, question in questions.items() if question}


def describe_keys(known: Mapping[str, KeyType], sources: Iterable[str]) -> str:
    """Return the keys of earlier programs as they are read, with their values, one a line.

    Args:
        known: The type of each key.
        sources: The programs that read them, of the household or of a member.
    """
    shared = set[str]().union(*map(code_rules.household_keys, sources))
    lines = []
    for key, kind in sorted(known.items()):
        words = [value for value in kind.values if value != UNKNOWN]
        read = f'hh["{key}"]' if key in shared else f'hh[i]["{key}"]'
        lines.append(f"{read}: {', '.join(words) if words else kind.kind}")
    return "\n".join(lines)
