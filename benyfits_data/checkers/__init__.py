"""The program folders (docs/program-folder.md), and those of a workspace above them.

A workspace is a folder with an `editions.toml` beside a folder `programs`. In use is the one that
BENYFITS_WORKSPACE names, or else the first at or above the folder that a command runs in. Its
program folders come before those of the package, also when Python imports a checker.
"""

import os
from pathlib import Path

PACKAGED = Path(__file__).parent
VARIABLE = "BENYFITS_WORKSPACE"


def is_workspace(folder: Path) -> bool:
    """Return whether a folder is a workspace."""
    return (folder / "editions.toml").is_file() and (folder / "programs").is_dir()


def find_workspace() -> Path | None:
    """Return the workspace in use, or `None`."""
    if named := os.environ.get(VARIABLE):
        return Path(named).resolve()
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if is_workspace(folder)), None)


WORKSPACE = find_workspace()
if WORKSPACE is not None:
    __path__.insert(0, str(WORKSPACE / "programs"))
