"""The built sets packed into this package, so that it carries them wherever it is installed.

`python -m benyfits_data.publishing.packing OUTPUT` packs what `make diverse representative
thorough` built.
"""

import csv
import lzma
import sys
from collections.abc import Sequence
from pathlib import Path

from benyfits_data import recorded
from benyfits_data.dataset import digest, read_manifest, read_rows, to_csv, write_atomically
from benyfits_data.editions import EDITIONS
from benyfits_data.errors import EvaluationError
from benyfits_data.par.par_file import par_path, read_par, rows_without
from benyfits_data.recorded import NAMES, SHARES, THOROUGH
from benyfits_data.staged_writes import staged

KEPT = ("program", "edition", "share")
"""What is kept of the table of shares."""


def pack(output: Path, editions: Sequence[int] = EDITIONS) -> None:
    """Pack the built sets of a folder into this package.

    Args:
        output: A folder with one of each edition, which holds all sets, their manifests, their par
            and the table of shares.
        editions: Which.

    Raises:
        EvaluationError: A set, its par or the table of shares is not there, or a set is not the one
            that its manifest names.
    """
    for edition in editions:
        with staged(recorded.FOLDER / str(edition)) as stage:
            for name in (*NAMES, THOROUGH):
                _pack(output / str(edition), name, stage)
            write_atomically(stage / SHARES, _shares(output / str(edition) / SHARES, edition))


def _pack(output: Path, name: str, stage: Path) -> None:
    path, manifest = output / f"{name}.jsonl", read_manifest(output, name)
    if manifest is None or manifest["files"].get(path.name) != digest(path):
        raise EvaluationError(f"{path} is not what a manifest beside it names. Build it again.")
    files = [path] if name == THOROUGH else [path, par_path(path)]
    for floors in files[1:]:
        if rows_without(read_rows(path), read_par(floors)):
            raise EvaluationError(
                f"{floors} lacks rows of {path}. Compute them: `benyfits-data par {path} --write`."
            )
    for file in files:
        packed = lzma.compress(file.read_bytes(), preset=9)
        write_atomically(stage / f"{file.name}.xz", packed)
    beside = output / f"{name}.manifest.json"
    write_atomically(stage / beside.name, beside.read_bytes())


def _shares(path: Path, edition: int) -> str:
    """Return the shares of a table of who may claim what; they suffice to evaluate."""
    if not path.exists():
        raise EvaluationError(
            f"{path} does not exist. Count who may claim what: `benyfits-data population "
            f"eligibility --edition {edition} --output {path.parent}`."
        )
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[row[name] for name in KEPT] for row in csv.DictReader(file)]
    return to_csv(KEPT, rows)


if __name__ == "__main__":
    pack(Path(sys.argv[1]))
