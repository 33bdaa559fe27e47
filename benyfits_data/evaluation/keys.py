"""What a key of a generated program may hold: its type, its JSON schema, its unknown value."""

import ast
import json
import math
from dataclasses import dataclass
from typing import Any, Literal

from benyfits_data.evaluation.sandbox import Value

Kind = Literal["int", "float", "choice"]

UNKNOWN = "unknown"
"""What a choice holds when the user could not tell; a number is then not-a-number."""


MEMBERS_KEY = "number_of_members"
"""The key of our own programs that is no feature: how many members there are."""


class Nothing:
    """Stands for an answer that holds no value, which differs from the value `None`."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


@dataclass(frozen=True)
class KeyType:
    """The type of one key.

    Attributes:
        kind: A whole number, a number, or one of several words.
        values: The words of a choice.
        is_optional: Whether "never" or "not applicable", `None`, is a value too.
    """

    kind: Kind
    values: tuple[str, ...] = ()
    is_optional: bool = False

    @property
    def unknown(self) -> Value:
        """The value that stands for not knowing; no comparison with a number holds for it."""
        return UNKNOWN if self.kind == "choice" else math.nan

    def schema(self, *, allow_unknown: bool) -> dict[str, Any]:
        """Return the JSON schema under which an answer is decoded, with one property, `value`.

        Args:
            allow_unknown: Whether the answer may be found to hold no value.
        """
        words = [value for value in self.values if value != UNKNOWN]
        if self.is_optional:
            words.append("never")
        if allow_unknown:
            words.append(UNKNOWN)
        if self.kind == "choice":
            value: dict[str, Any] = {"enum": words or [UNKNOWN]}
        else:
            number = {"type": "integer" if self.kind == "int" else "number"}
            value = {"anyOf": [number, {"enum": words}]} if words else number
        return one_property("value", value)

    def read(self, text: str) -> Value | Nothing:
        """Return the value that a reply under `schema` holds, or `NOTHING`.

        Args:
            text: The reply; plain words and numbers are read too, for models without schemas.
        """
        found = read_property(text, "value")
        if isinstance(found, str):
            word = found.strip().strip("\"'.")
            if self.is_optional and word.lower() in ("never", "none", "null"):
                return None
            if self.kind == "choice":
                matches = [value for value in self.values if value.lower() == word.lower()]
                return matches[0] if matches and matches[0] != UNKNOWN else NOTHING
            found = _number(word)
        if self.kind == "choice":
            if isinstance(found, bool):
                return self.read("yes" if found else "no")
            return NOTHING
        if isinstance(found, bool) or not isinstance(found, int | float):
            return NOTHING
        if not math.isfinite(found):
            return NOTHING
        return round(found) if self.kind == "int" else float(found)


def one_property(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with one required property.

    Args:
        name: The property.
        schema: What it may hold.
    """
    return {
        "type": "object",
        "properties": {name: schema},
        "required": [name],
        "additionalProperties": False,
    }


def read_json(text: str) -> Any:
    """Return the first JSON value in a reply, or the reply itself when it holds none.

    Args:
        text: A model's reply, perhaps with words or a code fence around the JSON.
    """
    decoder = json.JSONDecoder()
    for start, letter in enumerate(text):
        if letter in '{["' or (start == 0 and not letter.isspace()):
            try:
                return decoder.raw_decode(text[start:])[0]
            except json.JSONDecodeError:
                continue
    return text.strip()


def read_property(text: str, name: str) -> Any:
    """Return one property of the JSON object in a reply; a reply that is no object is the value.

    Args:
        text: A model's reply.
        name: The property.
    """
    found = read_json(text)
    return found.get(name) if isinstance(found, dict) else found


def read_bool(text: str, name: str) -> bool | None:
    """Return the truth value a reply gives, in JSON or as a word; `None` when it gives none.

    Args:
        text: A model's reply.
        name: The property that holds it in JSON.
    """
    found = read_property(text, name)
    if isinstance(found, str):
        word = found.strip().strip("\"'.!").lower()
        found = {"true": True, "yes": True, "false": False, "no": False}.get(word)
    return found if isinstance(found, bool) else None


def compared_words(source: str, key: str) -> tuple[str, ...]:
    """Return the words that a program compares a key with, in order.

    Args:
        source: A program that passes the rules.
        key: One of its literal keys.
    """
    words: dict[str, None] = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        if any(_reads(side, key) for side in sides):
            for side in sides:
                for part in ast.walk(side) if not _reads(side, key) else ():
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        words[part.value] = None
    return tuple(words)


def _reads(node: ast.AST, key: str) -> bool:
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Constant)
        and part.slice.value == key
        for part in ast.walk(node)
    )


def _number(word: str) -> int | float | None:
    plain = word.replace(",", "").replace("$", "").replace("%", "").strip()
    try:
        return int(plain)
    except ValueError:
        pass
    try:
        return float(plain)
    except ValueError:
        return None
