"""A small output folder, made of a recorded set."""

import shutil
from pathlib import Path

from benyfits_data.recorded import unpack


def write_output(folder: Path, n: int = 3, name: str = "diverse") -> Path:
    """Return a folder with the first households of a recorded set and its manifest."""
    packed = unpack(name)
    lines = packed.read_text(encoding="utf-8").splitlines()[:n]
    (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(packed.with_name(f"{name}.manifest.json"), folder)
    return folder
