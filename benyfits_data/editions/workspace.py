"""Where programs, shared tables and the register stand: in the package, or in a workspace over it.

A file of the workspace comes before the packaged one of the same name. What the package holds is
copied into the workspace, a whole program folder at a time, before a command changes it.
"""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benyfits_data import checkers
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import UnknownProgramError, WorkspaceError
from benyfits_data.spelling import fold, suggest
from benyfits_data.staged_writes import PRIVATE, staged, write_atomically

PACKAGED = checkers.PACKAGED
_IGNORED = shutil.ignore_patterns("__pycache__")
_REGISTER = """# The editions of this workspace; those of the package come before them.
# `benyfits-data editions new YEAR --from YEAR` adds one, `editions publish YEAR` fixes it.
"""


def workspace() -> Path | None:
    """Return the workspace in use, or `None`.

    Raises:
        WorkspaceError: BENYFITS_WORKSPACE names a folder that is no workspace.
    """
    folder = checkers.WORKSPACE
    if folder is not None and not checkers.is_workspace(folder):
        raise WorkspaceError(
            f"{folder} is no workspace: it lacks editions.toml or the folder programs. "
            f"`benyfits-data init {folder}` makes one, or unset {checkers.VARIABLE}.",
            path=folder,
        )
    return folder


def use_workspace(folder: Path | None) -> None:
    """Use another workspace, or none, from now on: in this process and in those it starts.

    Editions and checkers that were loaded before keep the values they had.

    Raises:
        WorkspaceError: The folder is no workspace.
    """
    old, new = checkers.WORKSPACE, folder.resolve() if folder else None
    if old == new:
        return
    checkers.WORKSPACE = new
    try:
        workspace()
    except WorkspaceError:
        checkers.WORKSPACE = old
        raise
    os.environ.pop(checkers.VARIABLE, None)
    if old is not None:
        checkers.__path__.remove(str(old / "programs"))
    if new is not None:
        os.environ[checkers.VARIABLE] = str(new)
        checkers.__path__.insert(0, str(new / "programs"))
    for name in [module for module in sys.modules if module.startswith(f"{checkers.__name__}.")]:
        if name != f"{checkers.__name__}.types":
            del sys.modules[name]


def init_workspace(folder: Path) -> None:
    """Make an empty workspace.

    Raises:
        WorkspaceError: The folder holds something already.
    """
    with staged(folder) as stage:
        if any(not path.name.startswith(PRIVATE) for path in folder.iterdir()):
            raise WorkspaceError(
                f"{folder} is not empty. Name a new folder, or work in the workspace it holds.",
                path=folder,
            )
        (stage / "programs" / "shared").mkdir(parents=True)
        write_atomically(stage / "editions.toml", _REGISTER)
        write_atomically(stage / "CHANGELOG.md", "# Changelog\n\n## Unreleased\n")


@contextmanager
def trial_workspace() -> Iterator[None]:
    """Use a copy of the workspace, or an empty one where there is none, until the block ends."""
    before = workspace()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        init_workspace(folder)
        if before:
            shutil.copytree(before / "programs", folder / "programs", dirs_exist_ok=True)
            shutil.copy(before / "editions.toml", folder)
        use_workspace(folder)
        try:
            yield
        finally:
            use_workspace(before)


def roots() -> tuple[Path, ...]:
    """Return the folders that hold program folders, the one that comes first first."""
    folder = workspace()
    return (folder / "programs", PACKAGED) if folder else (PACKAGED,)


def program_folders() -> list[Path]:
    """Return all program folders, sorted by name; of two of one name the workspace's."""
    by_name: dict[str, Path] = {}
    for root in roots():
        for path in root.glob("*/requirements.md"):
            by_name.setdefault(path.parent.name, path.parent)
    return [by_name[name] for name in sorted(by_name)]


def shared_path(name: str) -> Path:
    """Return the file of shared values of that name; the packaged path where there is none."""
    return path_in_force(f"shared/{name}")


def path_in_force(name: str) -> Path:
    """Return the file of that name below the folders of programs; the packaged path of none."""
    paths = [root / name for root in roots()]
    return next((path for path in paths if path.exists()), paths[-1])


def shared_names() -> list[str]:
    """Return the names of the shared tables, sorted."""
    paths = (path for root in roots() for path in (root / "shared").glob("*.toml"))
    return sorted({path.stem for path in paths} - {"editions"})


def registers() -> tuple[Path, ...]:
    """Return the files that list the editions, oldest editions first."""
    folder = workspace()
    packaged = PACKAGED / "shared" / "editions.toml"
    return (packaged, folder / "editions.toml") if folder else (packaged,)


def writable_root() -> Path:
    """Return the folder in which program folders may be written.

    Raises:
        WorkspaceError: There is no workspace, and the package is an installed one.
    """
    if workspace() is None and not (PACKAGED.parent.parent / "pyproject.toml").exists():
        raise WorkspaceError(
            f"The programs in {PACKAGED} are an installed package, which stays as it is. "
            "`benyfits-data init DIR` makes a workspace; run the command inside it.",
            path=PACKAGED,
        )
    return roots()[0]


def base() -> Path:
    """Return the folder that holds all that commands about editions write."""
    return workspace() or PACKAGED.parent.parent


def writable(path: Path) -> Path:
    """Return the path under which a file may be changed, copied into the workspace if need be.

    Args:
        path: A file in a program folder, or one of the shared files.

    Raises:
        WorkspaceError: There is no workspace, and the package is an installed one.
    """
    with staged(base()) as stage:
        return base() / staged_copy(path, stage).relative_to(stage)


def staged_copy(path: Path, stage: Path) -> Path:
    """Return where a changed file is to be written before it replaces the one in force.

    Args:
        path: A file in a program folder, or one of the shared files.
        stage: Where files of `base()` are written first. A program of the package is copied there
            whole, as it is about to be one of the workspace.

    Raises:
        WorkspaceError: There is no workspace, and the package is an installed one.
    """
    root = writable_root()
    inside = stage / root.relative_to(base())
    if path.is_relative_to(root):
        return inside / path.relative_to(root)
    inner = path.relative_to(PACKAGED)
    copy = inside / inner
    if path.parent.name == "shared" and not (root / inner).exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    elif not (root / inner.parent).exists() and not copy.parent.exists():
        shutil.copytree(path.parent, copy.parent, ignore=_IGNORED)
    return copy


def find_folder(name: str) -> Path:
    """Return a program folder, by the program's name or title or the folder's name.

    Raises:
        UnknownProgramError: There is none.
    """
    folders = {}
    for folder in program_folders():
        text = read_text(folder / "requirements.md")
        spellings = re.findall(r'^(?:name|title) = "(.*)"$', text, re.MULTILINE)
        for spelling in (folder.name, *spellings):
            folders[fold(spelling)] = folder
    if match := folders.get(fold(name)):
        return match
    listed = "`benyfits-data programs list` names them all."
    hint = suggest(name, [folder.name for folder in folders.values()], listed)
    raise UnknownProgramError(f"No program is named {name!r}. {hint}", program=name)
