"""The manifest beside a dataset: how it was built, what it covers, and its checksums."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
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
    checksums = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        checksum, _, name = line.partition("  ")
        if len(checksum) != 64 or not name:
            raise DatasetFormatError(
                f"{path}:{number} is {line!r}, expected a SHA-256, two spaces and a file name.",
                path=path,
                line=number,
            )
        checksums[name] = checksum
    return checksums


def write_checksums(path: Path, checksums: Mapping[str, str]) -> None:
    """Write a CHECKSUMS file sorted by name."""
    lines = [f"{checksums[name]}  {name}\n" for name in sorted(checksums)]
    write_atomically(path, "".join(lines))


LIBRARIES = ("coverage", "jinja2", "matplotlib", "numpy", "pandas", "scipy")
"""Libraries whose version may change what is built."""


def manifest_path(directory: Path, name: str) -> Path:
    """Return where the manifest of a dataset lies."""
    return directory / f"{name}.manifest.json"


def write_manifest(directory: Path, content: Mapping[str, Any]) -> None:
    """Write the manifest of the dataset named in `content`, atomically."""
    write_json(manifest_path(directory, content["name"]), dict(content))


def read_manifest(directory: Path, name: str) -> dict[str, Any] | None:
    """Return the manifest of a dataset; `None` where there is none.

    Raises:
        DatasetFormatError: The file is not a manifest.
    """
    path = manifest_path(directory, name)
    if not path.exists():
        return None
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DatasetFormatError(
            f"{path} is not JSON: {error}. Build the dataset again with --overwrite.", path=path
        ) from error
    if not isinstance(content, dict) or content.get("name") != name or "files" not in content:
        raise DatasetFormatError(
            f"{path} is not the manifest of {name!r}. Build the dataset again with --overwrite.",
            path=path,
        )
    return content


def check_output(directory: Path, name: str, files: Iterable[str], *, overwrite: bool) -> None:
    """Check that the files of a build may be written to a folder.

    Args:
        directory: Where to write.
        name: The dataset, whose manifest tells what we built there.
        files: Names of the files about to be written.
        overwrite: Whether the user said that anything may be replaced.

    Raises:
        OutputExistsError: A file stands there that we did not build, or that was changed since.
        DatasetFormatError: The manifest there is not ours.
    """
    manifest = None if overwrite else read_manifest(directory, name)
    built = manifest["files"] if manifest else {}
    check_replaceable((directory / file for file in files), built, overwrite=overwrite)


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that matter."""
    return {name: metadata.version(name) for name in LIBRARIES}
