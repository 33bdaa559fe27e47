"""The NumPy reader: labels, traces, constraints and measures of many households at once."""

from benyfits_data.language.batch.programs import CHUNK, Batch, ProgramReader, label_and_trace
from benyfits_data.language.batch.reading import (
    holds,
    is_met_by_turning,
    measure,
    possible,
    read_of_others,
    violators,
)

__all__ = [
    "CHUNK",
    "Batch",
    "ProgramReader",
    "holds",
    "is_met_by_turning",
    "label_and_trace",
    "measure",
    "possible",
    "read_of_others",
    "violators",
]
