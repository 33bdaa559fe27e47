"""The recorded datasets of each edition, packed, so that an installed package can be evaluated.

`python -m benyfits_data.evaluation.recorded OUTPUT` packs what `make diverse representative` built.
"""

import csv
import lzma
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from benyfits_data.dataset import digest, read_manifest, read_rows, to_csv, write_atomically
from benyfits_data.editions import DEFAULT_EDITION, EDITIONS
from benyfits_data.errors import EvaluationError
from benyfits_data.par.par_file import (
    SUFFIX,
    KnownPar,
    par_path,
    parse_par,
    read_par,
    rows_without,
)
from benyfits_data.staged_writes import staged

FOLDER = Path(__file__).parent
NAMES = ("diverse", "representative", "representative-25")
SHARES = "eligibility.csv"
"""Who may claim what in the city, beside the sets: what the agent `prior` goes by."""
KEPT = ("program", "edition", "share")
CACHE_VARIABLE = "BENYFITS_CACHE"


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
        name: One of `NAMES`.
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
    target = cache_folder("datasets") / expected[:16] / f"{name}.jsonl"
    if not target.exists() or digest(target) != expected:
        with staged(target.parent) as stage:
            write_atomically(stage / target.name, lzma.decompress(packed.read_bytes()))
            beside = home / f"{name}.manifest.json"
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
        with staged(FOLDER / str(edition)) as stage:
            for name in NAMES:
                _pack(output / str(edition), name, stage)
            write_atomically(stage / SHARES, _shares(output / str(edition) / SHARES, edition))


def _pack(output: Path, name: str, stage: Path) -> None:
    path, manifest = output / f"{name}.jsonl", read_manifest(output, name)
    if manifest is None or manifest["files"].get(path.name) != digest(path):
        raise EvaluationError(f"{path} is not what a manifest beside it names. Build it again.")
    floors = par_path(path)
    if rows_without(read_rows(path), read_par(floors)):
        raise EvaluationError(
            f"{floors} lacks rows of {path}. Compute them: `benyfits-data par {path} --write`."
        )
    for file in (path, floors):
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


def cache_folder(name: str) -> Path:
    """Return a folder under `$BENYFITS_CACHE`, or under one in the home folder."""
    folder = os.environ.get(CACHE_VARIABLE)
    return (Path(folder) if folder else Path.home() / ".cache" / "benyfits-data") / name


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
