"""Datasets on disk: rows as JSON Lines, manifests, checksums, and the published layout."""

from benyfits_data.dataset.audit import Audit, audit_rows, label_row
from benyfits_data.dataset.files import (
    check_replaceable,
    digest,
    read_checksums,
    write_atomically,
    write_checksums,
    write_json,
)
from benyfits_data.dataset.manifest import library_versions, read_manifest, write_manifest
from benyfits_data.dataset.partial import Layout, PartialRow, read_partial_rows
from benyfits_data.dataset.published import as_published_line, to_published
from benyfits_data.dataset.rows import Row, read_lines, read_rows, write_rows
from benyfits_data.dataset.tables import programs_table, to_csv

__all__ = [
    "Audit",
    "Layout",
    "PartialRow",
    "Row",
    "as_published_line",
    "audit_rows",
    "check_replaceable",
    "digest",
    "label_row",
    "library_versions",
    "programs_table",
    "read_checksums",
    "read_lines",
    "read_manifest",
    "read_partial_rows",
    "read_rows",
    "to_csv",
    "to_published",
    "write_atomically",
    "write_checksums",
    "write_json",
    "write_manifest",
    "write_rows",
]
