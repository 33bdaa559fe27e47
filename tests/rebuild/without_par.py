"""Digests of the larger published sets without par, so that CI rebuilds them in half the time.

`python -m tests.rebuild.without_par OUTPUT`, which `make record` runs, writes them from the sets in
a folder, those with par. Par itself is computed anew for Diverse and representative-25, and for
some rows of the others.
"""

import hashlib
import json
import sys
from pathlib import Path

from benyfits_data.dataset.files import write_checksums

WITHOUT_PAR = Path(__file__).parent / "WITHOUT_PAR"
NAMES = ("representative", "thorough")
FOLDERS = {2024: ".", 2026: "2026"}


def digest_without_par(path: Path) -> str:
    """Return the SHA-256 of the rows of a set as if they had been built without par."""
    found = hashlib.sha256()
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row.pop("par", None)
        found.update(json.dumps(row).encode())
    return found.hexdigest()


def write(output: Path) -> None:
    """Write the digests of all sets in the folders of both editions."""
    write_checksums(
        WITHOUT_PAR,
        {
            f"{edition}/{name}.jsonl": digest_without_par(output / folder / f"{name}.jsonl")
            for edition, folder in FOLDERS.items()
            for name in NAMES
        },
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
