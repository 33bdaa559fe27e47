"""The manifest beside a dataset: how it was built, what it covers, and its checksums."""

import json
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from benyfits_data.dataset.files import check_replaceable, write_json
from benyfits_data.errors import DatasetFormatError

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


def library_versions(names: Iterable[str] = LIBRARIES) -> dict[str, str]:
    """Return the versions of the libraries that matter."""
    return {name: metadata.version(name) for name in names}
