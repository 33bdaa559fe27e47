"""Writing files whole or not at all, and never over somebody else's."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.errors import DatasetFormatError, OutputExistsError
from benyfits_data.staged_writes import write_atomically


def write_json(path: Path, content: Any) -> None:
    """Write indented JSON with a line end, atomically."""
    write_atomically(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def to_csv(header: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue()


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_replaceable(
    paths: Iterable[Path], built: Mapping[str, str], *, overwrite: bool = False
) -> None:
    """Check that output may be written.

    Args:
        paths: Files about to be written.
        built: SHA-256 by file name of what a build of ours left there, from its manifest.
        overwrite: Whether the user said that anything may be replaced.

    Raises:
        OutputExistsError: A file stands there that we did not build, or that was changed since.
    """
    if overwrite:
        return
    for path in paths:
        if path.exists() and built.get(path.name) != digest(path):
            raise OutputExistsError(
                f"{path} exists and is not as benyfits-data built it. Move it away, choose another "
                "--output, or give --overwrite.",
                path=path,
            )


def read_checksums(path: Path) -> dict[str, str]:
    """Return the SHA-256 by file name of a CHECKSUMS file, in the form of `sha256sum`.

    Raises:
        DatasetFormatError: A line is not a digest and a name.
    """
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        checksum, _, name = line.partition("  ")
        if len(checksum) != 64 or not name:
            raise DatasetFormatError(
                f"{path}:{number} is {line!r}, expected a SHA-256, two spaces and a file name.",
                path=path,
                line=number,
            )
        found[name] = checksum
    return found


def write_checksums(path: Path, checksums: Mapping[str, str]) -> None:
    """Write a CHECKSUMS file sorted by name."""
    lines = [f"{checksums[name]}  {name}\n" for name in sorted(checksums)]
    write_atomically(path, "".join(lines))
