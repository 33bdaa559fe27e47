"""Par: the fewest questions that force all labels of a household, proven."""

from benyfits_data.par.certificate import FloorChecker
from benyfits_data.par.floors import Floor, floor
from benyfits_data.par.par_file import (
    KnownPar,
    RowPar,
    compute_par,
    digest_of,
    par_path,
    read_par,
    row_digest,
    rows_without,
    summarize_par,
    write_par,
)
from benyfits_data.par.questions import Refutation

__all__ = [
    "Floor",
    "FloorChecker",
    "KnownPar",
    "Refutation",
    "RowPar",
    "compute_par",
    "digest_of",
    "floor",
    "par_path",
    "read_par",
    "row_digest",
    "rows_without",
    "summarize_par",
    "write_par",
]
