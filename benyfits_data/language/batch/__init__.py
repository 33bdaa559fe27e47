"""The NumPy reader: labels, traces, constraints and measures of many households at once."""

from benyfits_data.language.batch.programs import CHUNK, Batch, ProgramReader, label_and_trace
from benyfits_data.language.batch.reading import holds, measure, possible, violators

__all__ = [
    "CHUNK",
    "Batch",
    "ProgramReader",
    "holds",
    "label_and_trace",
    "measure",
    "possible",
    "violators",
]
