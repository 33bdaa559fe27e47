"""Files that appear under their names only when they are whole, several together too.

They are written into a temporary folder beside their places and moved there at the end. What a
killed command leaves is a folder whose name begins with a dot; the next one that writes there from
the same machine removes it. A full disk, or a file that may not be written, raises a
`WriteFailedError`.
"""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TextIO

from benyfits_data.errors import WriteFailedError

PRIVATE = ".benyfits-data-"
"""How the name of a temporary folder begins; machine and process follow."""
_OF_MACHINE = f"{PRIVATE}{platform.node()}+"


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Give an empty folder; at the end its files replace those of the same names in another.

    Where the block fails, folders that were made for it and are empty go again.
    """
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _remove_stale(folder)
        prefix = f"{_OF_MACHINE}{os.getpid()}+"
        stage = tempfile.TemporaryDirectory(prefix=prefix, dir=folder, ignore_cleanup_errors=True)
    try:
        with stage as name:
            yield Path(name)
            with _explained(folder):
                for path in sorted(Path(name).rglob("*")):
                    target = folder / path.relative_to(name)
                    target.mkdir(exist_ok=True) if path.is_dir() else path.replace(target)
    except BaseException:
        with suppress(OSError):  # The first that is not empty ends it.
            for place in made:
                place.rmdir()
        raise


def make_folder(folder: Path) -> None:
    """Make a folder that others write to, and see that it may be written."""
    with _explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()


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


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> list[Path]:
    """Write several files, which appear together, and return their paths.

    Args:
        folder: Where they go; files and folders that lie there and have other names stay.
        files: The content of each, by its address below the folder.
    """
    with staged(folder) as stage:
        for address, content in files.items():
            path = stage / address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return [folder / address for address in files]


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file that appears under its name only when it is whole."""
    with staged(path.parent) as stage, _explained(path), (stage / path.name).open("wb") as file:
        yield file


@contextmanager
def writing_text(path: Path) -> Iterator[TextIO]:
    """Give a text file that appears under its name only when it is whole; for `-` the output."""
    if str(path) == "-":
        yield sys.stdout
        return
    with writing(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


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
