"""JSON Lines read safely: whatever stands in a file, the error says where and what.

Refused beside what is no JSON: keys given twice, `NaN` and infinities, lone surrogates (they cannot
be written again), and nesting or numbers beyond what a row can mean.
"""

import json
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from benyfits_data.errors import DatasetFormatError, why_unreadable

DEEPEST = 32
"""Levels of nesting that are read; a row of ours has five."""
MOST_DIGITS = 40
"""Digits of a number that are read."""
_SHOWN = 60
"""Characters of a faulty value that a message shows."""


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give the objects of a JSON Lines file with their line numbers; blank lines are left out.

    Args:
        path: The file; `-` is standard input.

    Raises:
        DatasetFormatError: The file cannot be read, or a line is no JSON object.
    """
    for number, text in text_lines(path):
        yield number, parse_object(text, path, number)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Give the lines of a file, numbered from 1, one at a time; blank lines are left out.

    Args:
        path: The file; `-` is standard input.

    Raises:
        DatasetFormatError: The file cannot be read.
    """
    try:
        if str(path) == "-":
            yield from _numbered(sys.stdin)
        else:
            # Other ends of lines than \n may stand inside a text.
            with path.open(encoding="utf-8", newline="\n") as file:
                yield from _numbered(file)
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFormatError(
            f"{path} cannot be read: {why_unreadable(error)}. Give a file of JSON Lines in UTF-8.",
            path=path,
        ) from error


def _numbered(file: TextIO | Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(file, start=1):
        if line.strip():
            yield number, line


def parse_object(text: str, path: Path, number: int) -> dict[str, Any]:
    """Return the JSON object on one line of a file.

    Args:
        text: The line.
        path: The file, for messages.
        number: The line's number, for messages.

    Raises:
        DatasetFormatError: The line is no JSON object, or one that no row can be.
    """

    def refuse(says: str, expected: str) -> DatasetFormatError:
        return DatasetFormatError(
            f"{path}:{number} {says}, expected {expected}.", path=path, line=number
        )

    try:
        content = json.loads(
            text.rstrip(),  # A line that ends too early has its fault where it ends.
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
            parse_int=_short_integer,
            parse_float=_finite_number,
        )
    except json.JSONDecodeError as error:
        says = f"is not JSON: {error.msg.removesuffix(' at')} at column {error.colno}"
        raise refuse(says, "one JSON object a line") from error
    except RecursionError as error:
        raise refuse("is nested too deeply", f"at most {DEEPEST} levels") from error
    except ValueError as error:
        raise refuse(*error.args) from error
    if not isinstance(content, dict):
        raise refuse(f"is a JSON {_kind(content)}", "an object")
    if _depth(content) > DEEPEST:
        raise refuse("is nested too deeply", f"at most {DEEPEST} levels")
    if "\\u" in text:
        try:
            json.dumps(content, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError as error:
            raise refuse("has half of a surrogate pair", "text that UTF-8 can hold") from error
    return content


def fault_of_line(error: DatasetFormatError) -> str:
    """Return what an error says of a line, without the place: for lists that name the line."""
    return str(error).removeprefix(f"{error.facts['path']}:{error.facts['line']} ").rstrip(".")


def shown(value: Any) -> str:
    """Return a value as messages show it: in JSON's words, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)"


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"has the key {shown(twice)} twice", "each key once")
    return content


def _refuse_constant(constant: str) -> Any:
    raise ValueError(f"has {constant} for a number", "digits")


def _short_integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"has a number of {len(digits)} digits", f"at most {MOST_DIGITS}")
    return int(digits)


def _finite_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("has a number beyond what a computer can hold", "a smaller one")
    return number


def _kind(content: Any) -> str:
    kinds = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return kinds.get(type(content), "number")


def _depth(content: Any) -> int:
    """Return the levels of nesting, counted without recursion."""
    deepest, stack = 0, [(content, 1)]
    while stack:
        value, level = stack.pop()
        deepest = max(deepest, level)
        if isinstance(value, dict):
            stack += [(inner, level + 1) for inner in value.values()]
        elif isinstance(value, list):
            stack += [(inner, level + 1) for inner in value]
    return deepest
