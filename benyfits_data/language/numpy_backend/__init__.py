"""The NumPy reader: labels, traces, constraints and measures of many households at once."""

from benyfits_data.language.numpy_backend.programs import (
    Batch,
    ProgramReader,
    holds,
    label_and_trace,
    label_households,
    measure,
    possible,
    violators,
)

__all__ = [
    "Batch",
    "ProgramReader",
    "holds",
    "label_and_trace",
    "label_households",
    "measure",
    "possible",
    "violators",
]
