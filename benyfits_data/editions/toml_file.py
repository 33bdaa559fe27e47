"""TOML files read strictly: what nobody reads is refused, with the name that was meant."""

import tomllib
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from benyfits_data.errors import ProgramFolderError


def read_text(path: Path) -> str:
    """Return the text of a file of a program folder.

    Raises:
        ProgramFolderError: It cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProgramFolderError(
            f"{path} cannot be read: {error}. Save it as UTF-8.", path=path
        ) from error


def read_toml(path: Path, text: str | None = None) -> dict[str, Any]:
    """Return the tables of a file, or of a part of its text.

    Raises:
        ProgramFolderError: It cannot be read or is not valid TOML.
    """
    try:
        return tomllib.loads(read_text(path) if text is None else text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ProgramFolderError(
            f"{path}: not valid TOML: {error}. Correct that line.", path=path
        ) from error


def is_in_force(table: Mapping[str, Any], edition: int) -> bool:
    """Return whether what a table states holds in an edition: from `since` on, and to `until`."""
    return bool(table.get("since", edition) <= edition <= table.get("until", edition))


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
        raise ProgramFolderError(f"{path}: {where} is {table!r}, expected a table.", path=path)
    for key, value in table.items():
        if key not in types:
            near = get_close_matches(key, types, 1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known are {', '.join(types)}."
            raise ProgramFolderError(f"{path}: {where} has {key!r}. {hint}", path=path)
        # A bool is an int for Python, and no year.
        if not isinstance(value, types[key]) or (types[key] is int and isinstance(value, bool)):
            raise ProgramFolderError(
                f"{path}: {where}: {key} is {value!r}, expected {types[key].__name__}. Correct it.",
                path=path,
            )
    missing = [key for key in needed if key not in table]
    if missing:
        raise ProgramFolderError(f"{path}: {where} lacks {', '.join(missing)}. Add it.", path=path)
