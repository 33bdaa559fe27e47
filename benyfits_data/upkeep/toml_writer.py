"""Changes written into TOML files: comments and order stay, all files change or none does."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import InlineTable, Table

from benyfits_data.dataset import write_atomically
from benyfits_data.editions.edition import forget_editions
from benyfits_data.editions.workspace import base, staged_copy
from benyfits_data.staged_writes import staged
from benyfits_data.upkeep.changes import ValueUpdate
from benyfits_data.upkeep.stated_values import SHARED


def write_changes(changes: Sequence[ValueUpdate]) -> list[Path]:
    """Write changes into the files that hold the thresholds, and return these files."""
    by_file: dict[Path, list[ValueUpdate]] = {}
    for change in changes:
        by_file.setdefault(change.old.path, []).append(change)
    with staged(base()) as stage:
        written = []
        for path, its in by_file.items():
            text = changed_text(path, its)
            place = staged_copy(path, stage)
            write_atomically(place, text)
            written.append(base() / place.relative_to(stage))
    forget_editions()
    return sorted(written)


def replace_all(texts: Mapping[Path, str]) -> None:
    """Write several files of `base()`, all or none; one that lies elsewhere is written first."""
    with staged(base()) as stage:
        elsewhere = [path for path in texts if not path.resolve().is_relative_to(base())]
        for path in texts:
            if path not in elsewhere:
                write_atomically(stage / path.resolve().relative_to(base()), texts[path])
        for path in elsewhere:
            write_atomically(path, texts[path])
    forget_editions()


def changed_text(path: Path, changes: Sequence[ValueUpdate]) -> str:
    """Return the text of a file with some thresholds stated anew."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    for change in changes:
        home: Any = document
        if change.old.program != SHARED:
            home = document[change.old.name]
        key = str(change.year)
        if isinstance(home.get(key), Table):
            _update(home[key], change)
        else:
            home.pop(key, None)
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
