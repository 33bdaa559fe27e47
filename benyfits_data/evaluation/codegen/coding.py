"""The code role: who turns a program's requirements into a program that asks for what it needs."""

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import anyio
import anyio.to_thread

from benyfits_data.evaluation.codegen import code_rules
from benyfits_data.evaluation.codegen.sandbox import (
    GeneratedCodeError,
    GeneratedProgram,
    Sandbox,
    build_program,
)
from benyfits_data.evaluation.conversation import CODE_TOKENS, Conversation
from benyfits_data.evaluation.keys import (
    UNKNOWN,
    Key,
    KeyType,
    Value,
    compared_words,
)
from benyfits_data.evaluation.replies import one_property, read_json, read_property

REPAIRS = 3
"""How often a program is sent back with its error."""
MOST_VALUES = 40
"""Words one fact may be; the longest choice of a feature here has some 20."""
VALUE_LETTERS = 80

TYPE = one_property("type", {"enum": ["int", "float", "choice"]})
_VALUES = one_property("values", {"type": "array", "items": {"type": "string"}})

_FENCE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*\{?\.?(?P<language>[\w+-]*)[^\n]*\n"
    r"(?P<code>.*?)(?:^[ \t]*(?P=mark)[`~]*[ \t]*$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_PYTHON = re.compile(r"(?:i?python|py)[\d-]*(?:repl)?|", re.IGNORECASE)
_QUOTED = re.compile(r"^[ \t]*> ?", re.MULTILINE)
_DEFINES = re.compile(r"^[ \t]*(?:async )?def\s", re.MULTILINE)
_TOP_LEVEL = re.compile(
    r"(?:async |def |class |import |from |if |else|elif |for |@|#|[A-Za-z_]\w* ?=)"
)
"""How lines of a program begin that are not indented; prose around it begins otherwise."""

Suggest = Callable[[str, str], str]
"""Returns the question an author suggests for a key and a person, such as "you"; "" without one."""


@dataclass(frozen=True)
class WrittenProgram:
    """A program that can run, the type of every key it reads, and facts it needs no question for.

    Attributes:
        suggest: What its author would ask.
    """

    program: GeneratedProgram
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
                    preexisting_keys=describe_keys(known),
                    error=error,
                )
                built = build_program(code_in(reply))
                await anyio.to_thread.run_sync(self._sandbox.check, built)
            except GeneratedCodeError as problem:
                error = str(problem)
                continue
            types = await self._find_types(conversation, program, built.source, known)
            return WrittenProgram(built, types, comments_of(built.source))
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

        async def consult(prompt: str, schema: dict[str, object], name: str) -> object:
            reply = await conversation.complete(
                prompt,
                role="code",
                with_dialog=False,
                schema=schema,
                eligibility_requirements=rules,
                code=code,
                key=key,
            )
            return read_property(reply, name)

        kind = await consult("get_type", TYPE, "type")
        if kind in ("int", "float") and not words:
            return KeyType("int" if kind == "int" else "float")
        if kind not in ("int", "float", "choice"):
            # The program itself says how it uses the key: with words, or as a number.
            conversation.fail("type_not_parsed", f"{key}: {kind!r}", program)
            return KeyType("choice", words) if words else KeyType("float")
        listed = await consult("get_values", _VALUES, "values") if kind == "choice" else []
        values = listed[:MOST_VALUES] if isinstance(listed, list) else []
        listed_words = [
            str(value)[:VALUE_LETTERS] for value in values if isinstance(value, str | int)
        ]
        # Words the program compares with are values whatever the model says; so is their opposite.
        opposite = [] if len({*words, *listed_words}) > 1 else ["no" if "yes" in words else "other"]
        return KeyType("choice", tuple(dict.fromkeys([*words, *listed_words, *opposite])))


def code_in(reply: str) -> str:
    """Return the program in a reply: the last that defines something, or all of it.

    Args:
        reply: A model's reply; fences of backticks or tildes, of any case, closed or not, quoted or
            indented; JSON; or a program with words around it.
    """
    if not _FENCE.search(reply):
        reply = _QUOTED.sub("", reply)
    fenced = [part for part in _FENCE.finditer(reply) if _PYTHON.fullmatch(part["language"])]
    texts = [part["code"] for part in fenced if part["code"].strip()]
    programs = [text for text in texts if _DEFINES.search(text)]
    if not programs and (value := read_json(reply)) and isinstance(value, dict):
        programs = [
            entry for entry in value.values() if isinstance(entry, str) and _DEFINES.search(entry)
        ]
    if not programs and not texts and _DEFINES.search(reply):
        programs = [_without_words(reply)]
    text = (programs or texts or [reply])[-1]
    return textwrap.dedent(text).strip("\n") + "\n"


def _without_words(reply: str) -> str:
    """The lines of a reply from its first that begins a program to the last that is one."""
    lines = reply.splitlines()
    begins = re.compile(r"[ \t]*(?:async |def |class |import |from \w+ import|@|#)")
    first = next(place for place, line in enumerate(lines) if begins.match(line))
    program = textwrap.dedent("\n".join(lines[first:])).splitlines()
    last = next(
        (
            place
            for place, line in enumerate(program)
            if line.strip() and not line[0].isspace() and not _TOP_LEVEL.match(line)
        ),
        len(program),
    )
    return "\n".join(program[:last])


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


def describe_keys(known: Mapping[str, KeyType]) -> str:
    """Return the keys of earlier programs with their values, one a line, for the prompt."""
    lines = []
    for key, kind in sorted(known.items()):
        words = [value for value in kind.values if value != UNKNOWN]
        lines.append(f"{key}: {', '.join(words) if words else kind.kind}")
    return "\n".join(lines)
