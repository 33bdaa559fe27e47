"""Datasets on disk: rows as JSON Lines, manifests, checksums, and the published layout."""

from benyfits_data.dataset.files import (
    check_replaceable,
    digest,
    read_checksums,
    write_atomically,
    write_checksums,
    write_json,
)
from benyfits_data.dataset.manifest import library_versions, read_manifest, write_manifest
from benyfits_data.dataset.rows import Row, read_lines, read_rows, write_rows

__all__ = [
    "Row",
    "check_replaceable",
    "digest",
    "library_versions",
    "read_checksums",
    "read_lines",
    "read_manifest",
    "read_rows",
    "write_atomically",
    "write_checksums",
    "write_json",
    "write_manifest",
    "write_rows",
]
