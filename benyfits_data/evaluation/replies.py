"""The border where text of models, users and agents comes in: cleaned, and read under a schema.

A reply is one JSON object under the schema that was asked for, in one of the wrappings that
docs/models.md names, or it is refused: nothing is searched for in prose. A role that speaks freely
sends its whole text.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.understanding.facts import object_schema
from benyfits_data.understanding.typed import MOST_DIGITS

LARGEST = 1e15
"""Greatest number that is a value: beyond it a float no longer tells one dollar from the next."""
LONGEST_REPLY = 60_000
"""Characters of a reply that are kept: four times the longest program of a checker here."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", re.DOTALL)
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
_DIGITS = re.compile(rf"(\d{{{MOST_DIGITS}}})\d+")
_LABEL = re.compile(r"\A[\s*_#]*question[\s*_]*:[\s*_]*", re.IGNORECASE)


class ReplyRefusedError(EvaluationError):
    """A reply that does not have the form that was asked for."""


def clean_text(text: str, longest: int = LONGEST_REPLY) -> str:
    """Return a text without escape sequences and control characters, cut to a length.

    Args:
        text: What a model, a person or an agent wrote.
        longest: Characters that are kept.
    """
    # Escape sequences may be long, what is cut away need not be looked at.
    text = text[: 4 * longest].replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", _ESCAPES.sub("", text))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _DIGITS.sub(r"\1", text)[:longest]


def final_text(text: str) -> str:
    """Return a model's reply without its thoughts in `<think>`.

    Thoughts that are only closed began with the reply, as some chat templates open them; of
    thoughts that are only opened nothing is left.

    Args:
        text: What a server sent as the reply's content.
    """
    return text.rpartition("</think>")[2].partition("<think>")[0].strip()


def one_property(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with one required property."""
    return object_schema({name: schema})


def read_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the one object in a reply that fits a schema.

    Args:
        text: A model's reply; a code fence or words may stand around the object.
        schema: JSON schema of an object.

    Raises:
        ReplyRefusedError: No object fits, or several do, or something in braces is no JSON.
    """
    objects = list(_objects(text))
    validator = _validator(json.dumps(schema))
    fitting = [value for value in objects if validator.is_valid(value)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ReplyRefusedError(f"{len(fitting)} objects fit the schema, expected one")
    if not objects:
        raise ReplyRefusedError("no JSON object, expected one under the schema")
    fault = next(validator.iter_errors(objects[-1]))
    raise ReplyRefusedError(f"no object fits the schema: {clean_text(fault.message, 200)}")


def is_under(text: str, schema: Mapping[str, Any]) -> bool:
    """Return whether a text is JSON under a schema, without any wrapping."""
    try:
        return bool(_validator(json.dumps(schema)).is_valid(_DECODER.decode(text)))
    except (ValueError, RecursionError):
        return False


QUESTION = one_property("question", {"type": "string"})
"""The schema of a question that is sent as JSON."""


def question_in(text: str) -> str:
    """Return the question that a reply is: its whole text.

    A label `Question:` before it is left out; JSON under `QUESTION` is opened.

    Args:
        text: The reply of a role that was asked to write a question and nothing else.
    """
    with suppress(ReplyRefusedError):
        text = read_object(text, QUESTION)["question"]
    return _LABEL.sub("", text).strip()


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, none of them within another."""
    place = text.find("{")
    while place >= 0:
        try:
            value, end = _DECODER.raw_decode(text, place)
            # Half of a pair of UTF-16 is no letter: no prompt or log could hold it.
            json.dumps(value, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            shown = clean_text(text[place : place + 60], 60)
            raise ReplyRefusedError(f"no JSON at {shown!r}") from error
        yield value
        place = text.find("{", end)


@lru_cache(maxsize=1024)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema))


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"{len(digits)} digits")
    return int(digits)


def _real(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        raise ValueError("a number that no float holds")
    return number


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key comes twice")
    return value


_DECODER = json.JSONDecoder(
    parse_int=_whole, parse_float=_real, parse_constant=_refuse, object_pairs_hook=_unique
)
