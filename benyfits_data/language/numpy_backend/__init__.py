"""The NumPy reader: labels, traces, constraints and measures of many households at once."""

from benyfits_data.language.numpy_backend.functions import (
    holds,
    measure,
    possible,
    violators,
)
from benyfits_data.language.numpy_backend.programs import (
    Batch,
    ProgramReader,
    label_and_trace,
)

__all__ = [
    "Batch",
    "ProgramReader",
    "holds",
    "label_and_trace",
    "measure",
    "possible",
    "violators",
]
