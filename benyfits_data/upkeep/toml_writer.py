"""Changes written into TOML files: comments and order stay, all files change or none does."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Table

from benyfits_data.dataset import write_atomically
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.workspace import writable
from benyfits_data.upkeep.changes import ValueUpdate
from benyfits_data.upkeep.stated_values import SHARED


def write_changes(changes: Sequence[ValueUpdate]) -> list[Path]:
    """Write changes into the files that hold the thresholds, and return these files.

    Nothing is written before all new texts are made; if a file cannot be written, those written
    before it get their old text back.
    """
    by_file: dict[Path, list[ValueUpdate]] = {}
    for change in changes:
        by_file.setdefault(writable(change.old.path), []).append(change)
    texts = {path: changed_text(path, its) for path, its in by_file.items()}
    replace_all(texts)
    return sorted(texts)


def replace_all(texts: Mapping[Path, str]) -> None:
    """Write several files; if one fails, the others get their old text back."""
    before = {path: path.read_text(encoding="utf-8") for path in texts if path.exists()}
    done: list[Path] = []
    try:
        for path, text in texts.items():
            write_atomically(path, text)
            done.append(path)
        forget_editions()
    except BaseException:
        for path in done:
            if path in before:
                write_atomically(path, before[path])
            else:
                path.unlink()
        raise


def changed_text(path: Path, changes: Sequence[ValueUpdate]) -> str:
    """Return the text of a file with some thresholds stated anew."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    for change in changes:
        home: Any = document
        if change.old.program != SHARED:
            home = document[change.old.threshold]
        key = str(change.year)
        if key in home:
            _update(home[key], change)
        else:
            _insert(home, key, change)
    return tomlkit.dumps(document).rstrip("\n") + "\n"


def _update(table: Table, change: ValueUpdate) -> None:
    told = _told(change)
    for key in [key for key in table if key not in told]:
        del table[key]
    for key, value in told.items():
        if key not in table or _unwrapped(table[key]) != _unwrapped(value):
            table[key] = value


def _unwrapped(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _insert(home: Any, key: str, change: ValueUpdate) -> None:
    table = tomlkit.table()
    for name, value in _told(change).items():
        table.add(name, value)
    table.add(tomlkit.nl())
    home.append(key, table)


def _told(change: ValueUpdate) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for key, value in change.stated.items():
        told[key] = _by_size(value) if key == "by_size" else value
    told |= {"source": change.source, "verified": change.verified}
    if change.note:
        told["note"] = change.note
    return told


def _by_size(rows: Mapping[int, Any]) -> InlineTable:
    # Parsed rather than built, for the spaces inside the braces that all the files have.
    inside = ", ".join(f"{size} = {rows[size]}" for size in sorted(rows))
    table = tomlkit.parse(f"by_size = {{ {inside} }}\n")["by_size"]
    assert isinstance(table, InlineTable)
    return table
