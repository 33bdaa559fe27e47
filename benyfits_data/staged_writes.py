"""Files that appear under their names only when they are whole, several together too.

They are written into a temporary folder beside their places and moved there at the end. What a
killed command leaves is a folder whose name begins with a dot; the next one that writes there from
the same machine removes it. A full disk, or a file that may not be written, raises a
`WriteFailedError`.
"""

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from benyfits_data.errors import WriteFailedError

PRIVATE = ".benyfits-data-"
"""How the name of a temporary folder begins; machine and process follow."""
_OF_MACHINE = f"{PRIVATE}{platform.node()}+"


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Give an empty folder; at the end its files replace those of the same names in another."""
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _remove_stale(folder)
        prefix = f"{_OF_MACHINE}{os.getpid()}+"
        stage = tempfile.TemporaryDirectory(prefix=prefix, dir=folder, ignore_cleanup_errors=True)
    with stage as name:
        yield Path(name)
        with _explained(folder):
            for path in sorted(Path(name).rglob("*")):
                target = folder / path.relative_to(name)
                target.mkdir(exist_ok=True) if path.is_dir() else path.replace(target)


def _remove_stale(folder: Path) -> None:
    """Remove the temporary folders of processes that have ended; those of other machines stay."""
    for stage in folder.glob(f"{_OF_MACHINE}*"):
        try:
            with suppress(PermissionError):  # It runs, for somebody else.
                os.kill(int(stage.name.split("+")[1]), 0)
        except ProcessLookupError:
            shutil.rmtree(stage, ignore_errors=True)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, then move it there: nobody ever reads half of it."""
    with writing(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file that appears under its name only when it is whole."""
    with staged(path.parent) as stage, _explained(path), (stage / path.name).open("wb") as file:
        yield file


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Turn an error of the system into one that says what was not written, and what to do."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        named = error.filename2 or error.filename
        path = Path(os.fsdecode(named)) if named else place
        says = f"{path} cannot be written: {error.strerror or error}. Make room or give leave to "
        says += "write there, or name another place, and run the command again."
        raise WriteFailedError(says, path=path) from error
