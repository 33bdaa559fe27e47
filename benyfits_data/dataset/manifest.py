"""The manifest beside a dataset: how it was built, what it covers, and its checksums."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from benyfits_data.errors import DatasetFormatError, OutputExistsError
from benyfits_data.staged_writes import write_atomically
from benyfits_data.wording import count_of


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
            how = "was changed since it was built" if path.name in built else "exists already"
            raise OutputExistsError(
                f"{path} {how}. Move it away, choose another --output, or give --overwrite.",
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


def finish_build(
    output: Path,
    stage: Path,
    manifest: Mapping[str, Any],
    reproducible: Iterable[str],
    summary: str,
    *,
    record: bool,
) -> Iterator[str]:
    """Yield what was built, and record its digests or yield how they compare.

    Args:
        output: What it is built for.
        stage: Where it was built.
        manifest: Its manifest.
        reproducible: Its files that have the same bytes on every machine.
        summary: What else to say of it.
        record: Whether to write the digests to CHECKSUMS.
    """
    pairs = manifest["pairs"]
    eligible = f"{100 * manifest['eligible_pairs'] / pairs:.1f}% eligible"
    counts = f"{count_of(manifest['households'], 'household')}, {count_of(pairs, 'pair')}"
    yield f"{output / manifest['name']}.jsonl: {counts} ({eligible}), {summary}"
    digests = {file: manifest["files"][file] for file in reproducible}
    checksums = output / "CHECKSUMS"
    known = read_checksums(checksums) if checksums.exists() else {}
    if record:
        write_checksums(stage / "CHECKSUMS", {**known, **digests})
    elif checksums.exists():
        changed = [file for file, checksum in digests.items() if known.get(file) != checksum]
        compared = f"{', '.join(changed)} differ from" if changed else "same bytes as"
        yield f"{compared} {checksums}"


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that matter."""
    return {name: metadata.version(name) for name in LIBRARIES}
