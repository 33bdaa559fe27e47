"""The recorded datasets of each edition, packed, so that an installed package can be evaluated."""

import csv
import lzma
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from benyfits_data.dataset import digest, read_manifest, write_atomically
from benyfits_data.editions import DEFAULT_EDITION, EDITIONS
from benyfits_data.errors import EvaluationError
from benyfits_data.par.par_file import (
    SUFFIX,
    AskedRow,
    KnownPar,
    compute_par,
    par_path,
    parse_par,
    read_par,
    rows_without,
    write_par,
)
from benyfits_data.progress import Progress
from benyfits_data.staged_writes import staged
from benyfits_data.user_cache import cache_folder

FOLDER = Path(__file__).parent
NAMES = ("diverse", "representative", "representative-25")
THOROUGH = "thorough"
"""The set on whose households programs are judged; no agent plays it, so it has no par."""
SHARES = "eligibility.csv"
"""Who may claim what in the city, beside the sets: what the agent `prior` goes by."""


def carried_editions() -> list[int]:
    """Return the editions whose sets the package carries."""
    return [year for year in EDITIONS if (FOLDER / str(year) / "diverse.manifest.json").exists()]


def find_dataset(name: str) -> Path:
    """Return the file of one of the benchmark's sets: the one built here, else the recorded one.

    Args:
        name: One of `NAMES`.

    Raises:
        EvaluationError: Neither is there.
    """
    built = Path("output") / str(DEFAULT_EDITION) / f"{name}.jsonl"
    return built if built.exists() else unpack(name)


def unpack(name: str, edition: int | None = None) -> Path:
    """Return the unpacked file of a recorded set, with its manifest beside it.

    Args:
        name: One of `NAMES`, or `THOROUGH`.
        edition: Of which edition; the newest that is carried unless given.

    Raises:
        EvaluationError: The package carries no such set, or another than its manifest names.
    """
    edition = edition or max(carried_editions(), default=DEFAULT_EDITION)
    home = FOLDER / str(edition)
    packed = home / f"{name}.jsonl.xz"
    manifest = read_manifest(home, name) if home.is_dir() else None
    if manifest is None or not packed.exists():
        raise EvaluationError(
            f"output/{edition}/{name}.jsonl does not exist, and this package carries none. Build "
            "it with `benyfits-data diverse` or `benyfits-data representative`, or name a file "
            "with --dataset."
        )
    expected = str(manifest["files"][f"{name}.jsonl"])
    beside = home / f"{name}.manifest.json"
    # By the manifest, which changes with a correction of the edition though the rows do not.
    target = cache_folder("datasets") / digest(beside)[:16] / f"{name}.jsonl"
    if not target.exists() or digest(target) != expected:
        with staged(target.parent) as stage:
            write_atomically(stage / target.name, lzma.decompress(packed.read_bytes()))
            write_atomically(stage / beside.name, beside.read_bytes())
    if digest(target) != expected:
        raise EvaluationError(
            f"{packed} unpacks to another file than its manifest names. Install the package anew."
        )
    return target


@cache
def read_recorded_par() -> KnownPar:
    """Return the floors of the recorded sets."""
    floors: KnownPar = {}
    for packed in sorted(FOLDER.rglob(f"*{SUFFIX}.xz")):
        lines = lzma.decompress(packed.read_bytes()).decode().splitlines()
        floors |= parse_par(enumerate(lines, start=1), packed)
    return floors


def known_par(dataset: Path | None = None) -> KnownPar:
    """Return all floors that are known here; those beside a dataset come first."""
    carried = read_par(_computed()) | read_recorded_par()
    return carried | read_par(par_path(dataset)) if dataset else carried


def complete_par(
    rows: Sequence[AskedRow],
    known: KnownPar,
    show: Progress,
    workers: int | None = None,
    *,
    check: bool = False,
) -> KnownPar:
    """Return the floors of rows; those that are not known are computed, and kept for later.

    Args:
        rows: The rows.
        known: Floors that are known.
        show: Shows that floors are computed.
        workers: Processes; as many as processors unless given.
        check: Whether all are computed, and each is checked by a second function.
    """
    missing = rows if check else rows_without(rows, known)
    if not missing:
        return known
    with show("par", len(missing)) as tick:
        computed = compute_par(missing, workers, tick, check=check)
    write_par(_computed(), (read_par(_computed()) | computed).values())
    return known | computed


def _computed() -> Path:
    return cache_folder("par") / "fewest.par.jsonl"


@cache
def city_shares(edition: int) -> Mapping[str, float]:
    """Return the share of the city's households that may claim each program of an edition.

    Carried are those of the published editions; of any other, those counted in `output/YEAR`.

    Raises:
        EvaluationError: Nobody has counted them.
    """
    for path in (FOLDER / str(edition) / SHARES, Path("output") / str(edition) / SHARES):
        if path.exists() and (shares := _read(path, edition)):
            return shares
    raise EvaluationError(
        f"Who may claim the programs of edition {edition} has not been counted. Run `benyfits-data "
        f"population eligibility --edition {edition} --output output/{edition}`.",
        edition=edition,
    )


def likelier(edition: int) -> dict[str, bool]:
    """Return the likelier verdict on each program of an edition."""
    return {program: share > 0.5 for program, share in city_shares(edition).items()}


def _read(path: Path, edition: int) -> dict[str, float]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["edition"] == str(edition)]
    return {row["program"]: float(row["share"]) for row in rows}
