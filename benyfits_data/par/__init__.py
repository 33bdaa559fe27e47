"""Par: the fewest questions that force all labels of a household, proven."""

from benyfits_data.par.certificate import FloorChecker
from benyfits_data.par.floors import Floor, floor, floors
from benyfits_data.par.par_file import (
    KnownPar,
    RowPar,
    compute_par,
    digest_of,
    join_par,
    par_path,
    read_par,
    row_digest,
    rows_without,
    summarize_par,
    write_par,
)
from benyfits_data.par.tracks import TRACKS, Refutation, Track

__all__ = [
    "TRACKS",
    "Floor",
    "FloorChecker",
    "KnownPar",
    "Refutation",
    "RowPar",
    "Track",
    "compute_par",
    "digest_of",
    "floor",
    "floors",
    "join_par",
    "par_path",
    "read_par",
    "row_digest",
    "rows_without",
    "summarize_par",
    "write_par",
]
