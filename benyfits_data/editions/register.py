"""The register of editions: which years there are, what each inherits, how it was corrected."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from benyfits_data.editions.toml_file import malformed, read_as, read_toml
from benyfits_data.editions.workspace import registers


@dataclass(frozen=True)
class Correction:
    """Why a published edition changed.

    Attributes:
        day: When it was recorded.
        reason: Why.
        programs: The programs that changed.
        digest: The digest of the edition from then on.
    """

    day: date = field(metadata={"key": "date"})
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
        list: The list that texts of the edition come from where their folder names no other.
        copy: Whose copy of that list was read, where it was not the publisher's.
        read: The day it was read; `None` where nobody says.
        verified: The day its values were compared with it, where that is another day.
        watch: What may change the edition soon: a proposal, a lawsuit, an end that is announced.
    """

    year: int
    status: Literal["draft", "published"]
    inherits_from: int | None = None
    digest: str = ""
    corrections: tuple[Correction, ...] = ()
    reviewed: Mapping[str, date] = field(default_factory=dict)
    list: str = ""
    copy: str = ""
    read: date | None = None
    verified: date | None = None
    watch: tuple[str, ...] = ()


def load_register(path: Path | None = None) -> dict[int, Record]:
    """Return the editions by year, oldest first: the package's, then those of the workspace.

    Args:
        path: Another file to read instead.

    Raises:
        ProgramFolderError: A file is malformed, or an edition inherits out of order.
    """
    records: dict[int, Record] = {}
    for file in (path,) if path else registers():
        for key, table in sorted(read_toml(file).items()):
            if not key.isdecimal() or not isinstance(table, dict) or "year" in table:
                raise malformed(
                    file, f"[{key}] is no edition; expected a year, and a table without one."
                )
            record = read_as(Record, file, f"[{key}]", {"year": int(key), **table})
            latest = max(records, default=None)
            if record.inherits_from != latest:
                raise malformed(
                    file,
                    f"edition {key} inherits from {record.inherits_from}, expected {latest}, the "
                    "edition before it. Correct `inherits_from`.",
                )
            records[record.year] = record
    return records
