"""What a key of a generated program may hold: its type, its JSON schema, its unknown value."""

import ast
import math
from dataclasses import dataclass
from typing import Any, Literal

from benyfits_data.evaluation.replies import LARGEST, one_property
from benyfits_data.understanding.typed import NOTHING, Nothing

Value = int | float | str | bool | None
Key = tuple[int | None, str]
"""A member's number, or nothing for the household, and the name of the fact."""

Kind = Literal["int", "float", "choice"]

UNKNOWN = "unknown"
"""What a choice holds when the user could not tell; a number is then not-a-number."""


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

    def read(self, value: Any) -> Value | Nothing:
        """Return what a key holds that was given a value, or `NOTHING`.

        Args:
            value: JSON under `schema`: a number, a word of the choice, "never" or "unknown".
        """
        if self.is_optional and value == "never":
            return None
        if self.kind == "choice":
            return value if value in self.values and value != UNKNOWN else NOTHING
        # A number beyond the greatest cannot be compared to the dollar.
        if isinstance(value, bool | str) or not abs(value) <= LARGEST:
            return NOTHING
        return round(value) if self.kind == "int" else float(value)


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
