"""Does an agent's reader map answers to typed values? The paper's answer-mapping study.

Every item is one answer to one question for one key of a program; the reader is ProADA's own, with
its prompt and its schema. An item is right if the reader finds the value the answer gives, or that
it gives none.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.codegen.code_rules import UNKNOWN, KeyType
from benyfits_data.evaluation.conversation import Conversation
from benyfits_data.evaluation.models import REFERENCE
from benyfits_data.evaluation.players.interpreters import Interpreter, Need, ReferenceInterpreter
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.studies import call_all, completers, count_outcomes
from benyfits_data.understanding.typed import NOTHING

ITEMS = Path(__file__).parent / "answer_items.toml"
EDITION = 2024
PROGRAM = "HomeEnergyAssistanceProgram"
"""Whose text stands where a prompt of one's own asks for eligibility requirements."""
NEVER = "never"
Outcome = Literal["right", "wrong", "missed", "invented"]
OUTCOMES = get_args(Outcome)


@dataclass(frozen=True)
class Item:
    """One answer to be read.

    Attributes:
        kind: The kind of key, by name.
        way: The way of answering, by name.
        need: The key, as the agent needs it.
        value: What the answer gives; `NOTHING` if it gives no value.
    """

    kind: str
    way: str
    need: Need
    question: str
    answer: str
    value: Any


@cache
def load_items() -> tuple[Item, ...]:
    """Return the items: every way of answering by every kind of key."""
    items = tomllib.loads(ITEMS.read_text("utf-8"))
    kinds: Mapping[str, Mapping[str, Any]] = items["kinds"]
    return tuple(
        _item(kind, way["name"], kinds[kind], answer, value)
        for way in items["ways"]
        for kind, (answer, value) in zip(kinds, way["answers"], strict=True)
    )


def _item(kind: str, way: str, declared: Mapping[str, Any], answer: str, value: Any) -> Item:
    key_type = KeyType(
        declared["type"], tuple(declared.get("values", ())), declared.get("optional", False)
    )
    member = declared.get("member")
    need = Need(
        program=PROGRAM,
        key=declared["key"],
        member=member,
        person="" if member is None else "you" if member == 0 else "your son",
        kind=key_type,
        line=1,
        code=declared["line"],
    )
    expected = NOTHING if value == UNKNOWN else None if value == NEVER else value
    return Item(kind, way, need, declared["question"], answer, expected)


class _Answering:
    """A user who gives one answer, whatever is asked."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    async def answer(self, question: str, turns: Sequence[Turn]) -> str:
        return self._answer


def read_answers(options: Options, limit: int | None = None) -> list[dict[str, Any]]:
    """Return how the reader of answers, the dialog role, reads each item in each trial.

    A reading holds the `kind` and `way` of the item, its `question`, `answer` and `value`, the
    value `read`, the `outcome` and the `trial`, from 1.

    Args:
        options: Who reads, and how often.
        limit: Read only the first ways of answering.
    """
    edition = load_edition(EDITION)
    rules = {PROGRAM: edition.program(PROGRAM).requirements()}
    is_reference = options.roles["dialog"] == REFERENCE
    reader = ReferenceInterpreter(edition.programs) if is_reference else Interpreter()
    prompts = Prompts(options.prompts)
    models = completers(options, options.trials)
    items = load_items()[: limit and limit * len({item.kind for item in load_items()})]

    async def read(job: tuple[int, Item]) -> dict[str, Any]:
        trial, item = job
        conversation = Conversation(
            [PROGRAM],
            rules,
            _Answering(item.answer),
            models[trial],
            prompts,
            np.random.default_rng(options.seed),
            EDITION,
        )
        answer = await conversation.ask(item.question)
        value = await reader.extract(
            conversation, item.need, item.question, answer, allow_unknown=True
        )
        names = ("kind", "way", "question", "answer")
        return {name: getattr(item, name) for name in names} | {
            "value": str(item.value),
            "read": str(value),
            "outcome": outcome_of(item.value, value),
            "trial": trial + 1,
        }

    return call_all(
        read, [(trial, item) for trial in range(options.trials) for item in items], options
    )


def outcome_of(value: Any, read: Any) -> Outcome:
    """Return how what was read stands to the value: right, wrong, missed or invented."""
    if value is NOTHING or read is NOTHING:
        if value is read:
            return "right"
        return "missed" if read is NOTHING else "invented"
    return "right" if read == value else "wrong"


HEADER = ("answers", "n", "right %", "from %", "to %", "wrong", "missed", "invented")


def tabulate_readings(readings: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return outcomes by kind of key, then by way of answering, then all, shares in percent."""
    groups = [(read[by].replace("_", " "), read) for by in ("kind", "way") for read in readings]
    return count_outcomes([*groups, *(("all", read) for read in readings)], OUTCOMES)
