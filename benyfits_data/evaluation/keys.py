"""What a key of a generated program may hold: its type, its JSON schema, its unknown value."""

import ast
import math
import re
from dataclasses import dataclass
from typing import Any, Literal

from benyfits_data.evaluation.replies import LARGEST, one_property, read_property
from benyfits_data.evaluation.verdict_reading import truth_of
from benyfits_data.understanding.typed import NOTHING, Nothing, read_numbers, spell_out

Value = int | float | str | bool | None
Key = tuple[int | None, str]
"""A member's number, or nothing for the household, and the name of the fact."""

Kind = Literal["int", "float", "choice"]

UNKNOWN = "unknown"
"""What a choice holds when the user could not tell; a number is then not-a-number."""

_NO_NUMBER = re.compile(r"\b(?:no|half|quarter)\b|\bone (?:of|can)\b", re.IGNORECASE)
"""No one, half a million, one of them: words of numbers that are not read."""
_BOUND = re.compile(
    r"\b(?:not|(?:more|less|fewer|greater|other)\s+than|over|under|above|below|up\s+to"
    r"|at\s+(?:least|most))\s+\W*\d|\d\s*(?:\+|(?:or|and)\s+(?:more|less|over|above|under|fewer)\b)",
    re.IGNORECASE,
)
"""What makes a number a bound, or denies it: "more than 30" is not 30."""
_DENIAL = r"\b(?:not|never|no\s+longer|\w+n['\u2019]t)\s+(?:an?\s+|the\s+|yet\s+)?"


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
        value = read_property(text, "value")
        if isinstance(value, dict | list) and self.kind != "choice":
            parts = value.values() if isinstance(value, dict) else value
            amounts = [part for part in parts if isinstance(part, int | float)]
            value = amounts[0] if len(amounts) == 1 else None
        if isinstance(value, str):
            word = value.strip().strip("\"'.*`")
            if self.is_optional and word.lower() in ("never", "none", "null"):
                return None
            if self.kind == "choice":
                return self._read_word(word)
            word = re.sub(r"\\boxed\b", " ", word)
            numbers = read_numbers(word)
            if not numbers and not _NO_NUMBER.search(word):
                word = spell_out(word)
                numbers = read_numbers(word)
            value = numbers.pop() if len(numbers) == 1 and not _BOUND.search(word) else None
        if self.kind == "choice":
            return self._read_word("yes" if value else "no") if isinstance(value, bool) else NOTHING
        if isinstance(value, bool) or not isinstance(value, int | float):
            return NOTHING
        # A number that no float holds cannot be compared.
        if abs(value) > LARGEST or not math.isfinite(value):
            return NOTHING
        return round(value) if self.kind == "int" else float(value)

    def _read_word(self, text: str) -> Value | Nothing:
        """The one value that a word is, or that a sentence holds."""
        said = _plain(text)
        values = {_plain(value): value for value in self.values}
        if said not in values:
            held = [word for word in values if re.search(rf"\b{re.escape(word)}\b", said)]
            longest = [word for word in held if not any(word in other != word for other in held)]
            is_denied = any(re.search(rf"{_DENIAL}{re.escape(word)}\b", said) for word in longest)
            if is_denied or ("no" in longest and re.search(r"\bno\s+\w", said)):
                return NOTHING
            said = longest[0] if len(longest) == 1 else ""
        if not said and {"yes", "no"} <= values.keys():
            truth = truth_of(text)
            return NOTHING if truth is None else values["yes" if truth else "no"]
        value = values.get(said, UNKNOWN)
        return NOTHING if value == UNKNOWN else value


def compared_words(source: str, key: str) -> tuple[str, ...]:
    """Return the words that a program compares a key with, in order."""
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


def _plain(word: str) -> str:
    return " ".join(word.lower().replace("_", " ").replace("-", " ").split())
