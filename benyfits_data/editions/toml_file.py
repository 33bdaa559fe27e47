"""TOML files read strictly, into dataclasses: what nobody reads is refused with a suggestion."""

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from benyfits_data.errors import ProgramFolderError, why_unreadable
from benyfits_data.spelling import suggest

T = TypeVar("T")


def read_text(path: Path) -> str:
    """Return the text of a file of a program folder.

    Raises:
        ProgramFolderError: It cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = why_unreadable(error)
        raise malformed(path, f"cannot be read: {why}. Give a file of UTF-8 text.") from error


def read_toml(path: Path, text: str | None = None) -> dict[str, Any]:
    """Return the tables of a file, or of a part of its text.

    Raises:
        ProgramFolderError: It cannot be read or is not valid TOML.
    """
    try:
        return tomllib.loads(read_text(path) if text is None else text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise malformed(path, f"not valid TOML: {error}. Correct that line.") from error


def malformed(path: Path, says: str) -> ProgramFolderError:
    """Return the error that says what is wrong with a file."""
    return ProgramFolderError(f"{path}: {says}", path=path)


def is_in_force(since: int | None, until: int | None, edition: int) -> bool:
    """Return whether what begins and ends with some editions holds in another one."""
    return (since or edition) <= edition <= (until or edition)


def latest(years: Iterable[int | str], edition: int) -> int | None:
    """Return the last of some years up to an edition; `None` if all are later."""
    return max((year for year in map(int, years) if year <= edition), default=None)


def check_table(
    path: Path, where: str, table: Any, types: Mapping[str, type], needed: Collection[str] = ()
) -> None:
    """Check the keys of a table and the types of their values.

    Args:
        path: The file, for messages.
        where: The table, for messages.
        table: What was read.
        types: The type of each key that may stand there; `object` for any.
        needed: The keys that must.

    Raises:
        ProgramFolderError: Something else stands there, something is missing or of another type.
    """
    if not isinstance(table, dict):
        raise malformed(path, f"{where} is {table!r}, expected a table.")
    for key, value in table.items():
        if key not in types:
            hint = suggest(key, types.keys(), f"Known are {', '.join(types)}.")
            raise malformed(path, f"{where} has {key!r}. {hint}")
        # A bool is an int for Python, and no year.
        if not isinstance(value, types[key]) or (types[key] is int and isinstance(value, bool)):
            raise malformed(
                path, f"{where}: {key} is {value!r}, expected {types[key].__name__}. Correct it."
            )
    missing = [key for key in needed if key not in table]
    if missing:
        raise malformed(path, f"{where} lacks {', '.join(missing)}. Add it.")


def read_as(kind: type[T], path: Path, where: str, table: Any) -> T:
    """Return a table as an object of a dataclass, whose fields are the keys that may stand there.

    Fields without a default must be stated. A field whose key has another name has that name as
    metadata `key`. A field is of a plain type, a `Literal` of words, or a tuple of plain values or
    of dataclasses; each of its alternatives but the first is `None`.

    Args:
        kind: The dataclass.
        path: The file, for messages.
        where: The table, for messages.
        table: What was read.

    Raises:
        ProgramFolderError: Something else stands there, something is missing or of another type.
    """
    form: Any = kind
    hints = _hints(form)
    keys: dict[str, Any] = {field.metadata.get("key", field.name): field for field in fields(form)}
    needed = [
        key for key, field in keys.items() if field.default is field.default_factory is MISSING
    ]
    types = {key: _plain_type(hints[field.name]) for key, field in keys.items()}
    check_table(path, where, table, types, needed)
    values = {}
    for key, value in table.items():
        name = keys[key].name
        if get_origin(hints[name]) is Literal:
            check_choice(path, where, key, value, get_args(hints[name]))
        if isinstance(value, list):
            part = get_args(hints[name])[0]
            is_plain = not is_dataclass(part)
            value = tuple(
                entry if is_plain else read_as(part, path, f"{where}: {key}", entry)
                for entry in value
            )
        values[name] = value
    return kind(**values)


_hints = cache(get_type_hints)


def _plain_type(hint: Any) -> type:
    """Return the type that TOML gives a value of an annotated type."""
    origin = get_origin(hint)
    if origin is UnionType:
        return _plain_type(get_args(hint)[0])
    plain: type = {Any: object, Literal: str, tuple: list, Mapping: dict}.get(origin or hint, hint)
    return plain


def check_choice(path: Path, where: str, key: str, value: Any, choices: Collection[str]) -> None:
    """Raise unless a value is one of some words.

    Raises:
        ProgramFolderError: It is none; the nearest is suggested.
    """
    if value not in choices:
        hint = suggest(str(value), choices, f"Write one of {', '.join(choices)}.")
        raise malformed(path, f"{where}: {key} is {value!r}. {hint}")
