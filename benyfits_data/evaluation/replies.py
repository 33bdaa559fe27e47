"""The border where text of models, users and agents comes in: cleaned, cut, read.

Every reply passes `clean_text`, so that nothing behind it meets lone surrogates, control and escape
characters, endless texts or numbers of thousands of digits. Values are read leniently, for models
that are not decoded under a schema: `true, false`, `**True**`, `{"A": "true"}`, numbered lines.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

MOST_DIGITS = 40
"""Digits of a number that are kept: a float holds 17, and Python refuses to read 4,301."""
LARGEST = 1e15
"""Greatest number that is a value: beyond it a float no longer tells one dollar from the next."""
LONGEST_REPLY = 60_000
"""Characters of a reply that are kept: four times the longest program of a checker here."""
MOST_STARTS = 200
"""Places in a reply where JSON is looked for: `[[[[...` has one at every character."""

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?", re.DOTALL)
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
_NUMBERS = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")
_DIGITS = re.compile(rf"(\d{{{MOST_DIGITS}}})\d+")
_TRUTHS = {
    "true": True,
    "yes": True,
    "eligible": True,
    "false": False,
    "no": False,
    "ineligible": False,
}
_NUMBERING = re.compile(r"^[\W_]*(?:\d+[.):]+)?[\W_]*")


def clean_text(text: str, longest: int = LONGEST_REPLY) -> str:
    """Return a text without what could harm a reader behind it; letters, lines and tabs stay.

    Args:
        text: What a model, a person or an agent wrote.
        longest: Characters that are kept.
    """
    # Escape sequences may be long, what is cut away need not be looked at.
    text = text[: 4 * longest].replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", _ESCAPES.sub("", text))
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _DIGITS.sub(r"\1", text)[:longest]


def read_json(text: str) -> Any:
    """Return the first JSON value in a reply, or the reply itself when it holds none.

    Args:
        text: A model's reply, perhaps with words or a code fence around the JSON.
    """
    starts = [0, *(place for place, letter in enumerate(text) if letter in '{["')]
    for start in starts[:MOST_STARTS]:
        try:
            return _DECODER.raw_decode(text.lstrip() if start == 0 else text[start:])[0]
        except (ValueError, RecursionError):
            continue
    return text.strip()


def read_property(text: str, name: str) -> Any:
    """Return one property of the JSON object in a reply; a reply that is no object is the value."""
    found = read_json(text)
    if isinstance(found, dict) and name not in found and len(found) == 1:
        # Wrapped once more, as in {"answer": {"value": 3}}, or under another name.
        (inner,) = found.values()
        return inner.get(name) if isinstance(inner, dict) else inner
    return found.get(name) if isinstance(found, dict) else found


def read_bool(text: str, name: str) -> bool | None:
    """Return the truth value a reply gives, in JSON or in words; `None` when it gives none."""
    found = _truth(read_property(text, name))
    if found is not None or not isinstance(read_json(text), str):
        return found
    said = {_TRUTHS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _TRUTHS}
    return said.pop() if len(said) == 1 else None


def read_verdicts(reply: str, programs: Sequence[str]) -> dict[str, bool]:
    """Return the verdicts a reply gives: by name, in order, or a line each.

    A program whose verdict is not plain is left out.
    """
    found = read_json(reply)
    if isinstance(found, dict) and not _by_name(found, programs) and len(found) == 1:
        # Wrapped, as in {"predictions": [true, false]}.
        (found,) = found.values()
    if isinstance(found, list) and found and all(isinstance(item, dict) for item in found):
        found = dict(pair for item in found if (pair := _named(item)) is not None)
    if isinstance(found, list):
        return _in_order(found, programs)
    if isinstance(found, dict):
        return _by_name(found, programs)
    by_line = _by_name(dict(map(_split_line, reply.splitlines())), programs)
    return by_line or _in_order(re.findall(r"\w+", reply), programs)


def read_numbers(text: str) -> set[float]:
    """Return the numbers in a text, with or without separators and signs of money."""
    plain = text.replace("-$", "-").replace("$", " ")
    found = {number.replace(",", "") for number in _NUMBERS.findall(plain)}
    return {float(number) for number in found if len(number) <= MOST_DIGITS}


def one_property(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with one required property."""
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def _by_name(found: Mapping[str, Any], programs: Sequence[str]) -> dict[str, bool]:
    plain = {str(name).strip(" *`\"'").lower(): value for name, value in found.items()}
    told = {program: _truth(plain.get(program.lower())) for program in programs}
    return {program: verdict for program, verdict in told.items() if verdict is not None}


def _split_line(line: str) -> tuple[str, str]:
    """The name and the verdict in a line such as "1. A: **true**"."""
    parts = re.split(r"[:=]|\s-\s", line)
    return _NUMBERING.sub("", ":".join(parts[:-1])), parts[-1]


def _in_order(found: Sequence[Any], programs: Sequence[str]) -> dict[str, bool]:
    told = [_truth(value) for value in found]
    if len(told) != len(programs) or any(verdict is None for verdict in told):
        return {}
    return {name: bool(verdict) for name, verdict in zip(programs, told, strict=True)}


def _named(item: Mapping[str, Any]) -> tuple[str, Any] | None:
    """The name and the verdict of an object such as {"program": "A", "eligible": true}."""
    verdicts = [value for value in item.values() if _truth(value) is not None]
    names = [value for value in item.values() if isinstance(value, str) and _truth(value) is None]
    return (names[0], verdicts[0]) if len(names) == len(verdicts) == 1 else None


def _truth(value: Any) -> bool | None:
    if isinstance(value, str):
        return _TRUTHS.get(value.strip().strip("\"'`*_.!").lower())
    return value if isinstance(value, bool) else None


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError
    return int(digits)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_int=_whole, parse_constant=_refuse)
