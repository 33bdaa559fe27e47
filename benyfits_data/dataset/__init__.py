"""Datasets on disk: rows as JSON Lines, manifests, checksums, and the published layout."""

from benyfits_data.dataset.audit import Audit, audit_rows
from benyfits_data.dataset.json_lines import read_lines
from benyfits_data.dataset.labelling import (
    LabelledRow,
    RejectedRow,
    ToldReader,
    edition_of,
    label_row,
    label_rows,
)
from benyfits_data.dataset.manifest import (
    check_output,
    check_replaceable,
    digest,
    finish_build,
    library_versions,
    read_checksums,
    read_manifest,
    to_csv,
    write_checksums,
    write_json,
    write_manifest,
)
from benyfits_data.dataset.partial_rows import (
    Layout,
    PartialRow,
    find_row,
    read_each_row,
    read_partial_rows,
)
from benyfits_data.dataset.rows import (
    Dataset,
    Row,
    programs_table,
    read_rows,
    write_rows,
)
from benyfits_data.staged_writes import write_atomically

__all__ = [
    "Audit",
    "Dataset",
    "LabelledRow",
    "Layout",
    "PartialRow",
    "RejectedRow",
    "Row",
    "ToldReader",
    "audit_rows",
    "check_output",
    "check_replaceable",
    "digest",
    "edition_of",
    "find_row",
    "finish_build",
    "label_row",
    "label_rows",
    "library_versions",
    "programs_table",
    "read_checksums",
    "read_each_row",
    "read_lines",
    "read_manifest",
    "read_partial_rows",
    "read_rows",
    "to_csv",
    "write_atomically",
    "write_checksums",
    "write_json",
    "write_manifest",
    "write_rows",
]
