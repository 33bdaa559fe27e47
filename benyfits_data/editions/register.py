"""The register of editions: which years there are, what each inherits, how it was corrected."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from benyfits_data.errors import RoomError

CHECKERS = Path(__file__).parent.parent / "checkers"
REGISTER = CHECKERS / "shared" / "editions.toml"
_STATUSES = ("draft", "published")


@dataclass(frozen=True)
class Correction:
    """Why a published edition changed.

    Attributes:
        day: When it was recorded.
        reason: Why.
        programs: The programs that changed.
        digest: The digest of the edition from then on.
    """

    day: date
    reason: str
    programs: tuple[str, ...]
    digest: str

    def as_json(self) -> dict[str, Any]:
        """Return the correction as a manifest holds it."""
        return {
            "date": self.day.isoformat(),
            "reason": self.reason,
            "programs": list(self.programs),
            "digest": self.digest,
        }


@dataclass(frozen=True)
class Record:
    """What the register says of one edition.

    Attributes:
        year: The edition's year.
        status: `published`, or `draft` while it is being prepared.
        inherits_from: The edition whose values hold where it states none; `None` for the first.
        digest: SHA-256 of all its rules, texts and values; empty until they are fixed.
        corrections: Changes made after it was published, oldest first.
        reviewed: For programs whose text was read again and found unchanged, the day.
    """

    year: int
    status: str
    inherits_from: int | None = None
    digest: str = ""
    corrections: tuple[Correction, ...] = ()
    reviewed: Mapping[str, date] = field(default_factory=dict)


def load_register(path: Path = REGISTER) -> dict[int, Record]:
    """Return the editions by year, oldest first.

    Raises:
        RoomError: The file is malformed, or an edition inherits from a later one or from none.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RoomError(f"{path}: the register cannot be read: {error}.", path=path) from error
    records: dict[int, Record] = {}
    for key, table in sorted(tables.items()):
        record = _record(path, key, table)
        latest = max(records, default=None)
        if record.inherits_from != latest:
            raise RoomError(
                f"{path}: edition {key} inherits from {record.inherits_from}, expected {latest}, "
                "the edition before it. Correct `inherits_from`.",
                path=path,
                edition=record.year,
            )
        records[record.year] = record
    return records


def _record(path: Path, key: str, table: Any) -> Record:
    if not key.isdecimal() or not isinstance(table, dict) or table.get("status") not in _STATUSES:
        raise RoomError(
            f"{path}: [{key}] is no edition; expected a year with status = "
            f"{' or '.join(_STATUSES)}. Correct it.",
            path=path,
        )
    try:
        corrections = tuple(
            Correction(entry["date"], entry["reason"], tuple(entry["programs"]), entry["digest"])
            for entry in table.get("corrections", [])
        )
    except KeyError as error:
        raise RoomError(
            f"{path}: a correction of edition {key} has no {error}. Add it.", path=path
        ) from error
    return Record(
        year=int(key),
        status=table["status"],
        inherits_from=table.get("inherits_from"),
        digest=table.get("digest", ""),
        corrections=corrections,
        reviewed=dict(table.get("reviewed", {})),
    )
