"""Files that appear under their names only when they are whole, several together too.

They are written into a temporary folder beside their places and moved there at the end. What a
killed command leaves is a folder whose name begins with a dot; nobody reads it.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benyfits_data.errors import WriteFailedError

PRIVATE = ".benyfits-data-"
"""How the name of a temporary folder begins."""


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Give an empty folder; at the end its files replace those of the same names.

    Args:
        folder: Where the files go; made if it does not exist.

    Raises:
        WriteFailedError: The disk is full, or a file may not be written.
    """
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=PRIVATE, dir=folder))
    try:
        yield stage
        with _explained(folder):
            _put_into_place(stage, folder)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, then move it there: nobody ever reads half of it.

    Raises:
        WriteFailedError: The disk is full, or the file may not be written.
    """
    with writing(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file that appears under its name only when it is whole.

    Raises:
        WriteFailedError: The disk is full, or the file may not be written.
    """
    with staged(path.parent) as stage, _explained(path), (stage / path.name).open("wb") as file:
        yield file


def _put_into_place(stage: Path, folder: Path) -> None:
    """Move the files, once it is known that each has a place."""
    paths = sorted(stage.rglob("*"))
    for path in paths:
        target = folder / path.relative_to(stage)
        if target.exists() and target.is_dir() != path.is_dir():
            raise FileExistsError(errno.EEXIST, "a file and a folder have the same name", target)
    for path in paths:
        target = folder / path.relative_to(stage)
        if path.is_dir():
            target.mkdir(exist_ok=True)
        else:
            path.replace(target)


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Turn an error of the system into one that says what was not written, and what to do."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        path = Path(os.fsdecode(error.filename)) if error.filename else place
        raise WriteFailedError(
            f"{path} cannot be written: {error.strerror or error}. Make room or give leave to "
            "write there, or name another place, and run the command again.",
            path=path,
        ) from error
