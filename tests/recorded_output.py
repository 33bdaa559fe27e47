"""A small output folder, made of the recorded Diverse set."""

import shutil
from pathlib import Path

from benyfits_data.evaluation.recorded import unpack


def write_output(folder: Path, n: int = 3) -> Path:
    """Return a folder with the first households of the recorded Diverse set and its manifest."""
    packed = unpack("diverse")
    lines = packed.read_text(encoding="utf-8").splitlines()[:n]
    (folder / "diverse.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(packed.with_name("diverse.manifest.json"), folder)
    return folder
