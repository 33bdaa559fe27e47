"""Files written whole or not at all, several together too, whenever a command is killed.

Several files are first written into `FOLDER/.benyfits-data/new`. Renaming that to `whole` is the
one step that decides: before it nothing has changed, after it every file is moved to its place, by
the same command or by the next one that reads or writes the folder. While a command writes, it
holds a lock on `FOLDER/.benyfits-data/owner`, which names its process.
"""

import errno
import fcntl
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from benyfits_data.errors import FolderInUseError, WriteFailedError

PRIVATE = ".benyfits-data"
_NEW, _WHOLE, _OWNER = "new", "whole", "owner"


@contextmanager
def staged(folder: Path, *, wait: bool = False) -> Iterator[Path]:
    """Give an empty folder; at the end its files replace those of the same names, all or none.

    Args:
        folder: Where the files go. Nobody else can write there meanwhile.
        wait: Whether to wait for another process that writes there.

    Raises:
        FolderInUseError: Another process writes there.
        WriteFailedError: The disk is full, or a file may not be written.
    """
    with locked(folder, wait=wait) as private:
        stage = private / _NEW
        with _explained(stage):
            stage.mkdir()
        yield stage
        with _explained(folder):
            _check_targets(stage, folder)
            for path in stage.rglob("*"):
                _sync(path)
            stage.rename(private / _WHOLE)
            _sync(private)
        _finish(private)


@contextmanager
def locked(folder: Path, *, wait: bool = False) -> Iterator[Path]:
    """Hold a folder against other processes of ours, and clear up what a killed one left there.

    Args:
        folder: The folder, which is made if it does not exist.
        wait: Whether to wait for another process that holds it.

    Raises:
        FolderInUseError: Another process holds it.
        WriteFailedError: The folder may not be written.
    """
    private = folder / PRIVATE
    with _explained(folder):
        handle = _lock(private / _OWNER, wait=wait)
    try:
        with _explained(folder):
            os.ftruncate(handle, 0)
            os.write(handle, f"process {os.getpid()} ({' '.join(sys.argv)[:200]})".encode())
        _finish(private)
        yield private
    finally:
        shutil.rmtree(private / _NEW, ignore_errors=True)
        with suppress(OSError):
            # Removed while it is still locked, so that nobody locks a file that is about to go.
            (private / _OWNER).unlink()
            # Not empty where something is left to finish, or another process holds it by now.
            private.rmdir()
        os.close(handle)


def settle(folder: Path) -> None:
    """Finish what a killed command had decided to write to a folder but not moved to its place.

    Raises:
        WriteFailedError: It cannot be finished.
    """
    if (folder / PRIVATE / _WHOLE).exists():
        with locked(folder, wait=True):
            pass


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file beside its place, then move it there: nobody ever reads half of it.

    Raises:
        WriteFailedError: The disk is full, or the file may not be written.
    """
    with writing(path, wait=True) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def writing(path: Path, *, wait: bool = False) -> Iterator[IO[bytes]]:
    """Give a file that appears under its name only when it is whole.

    What a killed command left of it is written over.

    Args:
        path: The file.
        wait: Whether to wait for another process that writes it.

    Raises:
        FolderInUseError: Another process writes it.
        WriteFailedError: The disk is full, or the file may not be written.
    """
    part = _part(path)
    with _explained(path):
        handle = _lock(part, wait=wait)
        try:
            os.ftruncate(handle, 0)
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(handle)
                part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def is_left_unfinished(path: Path) -> bool:
    """Return whether a command was killed while it wrote this file, or writes it now."""
    return _part(path).exists()


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")


def _lock(path: Path, *, wait: bool) -> int:
    """Return the handle of a file, made if need be, that no other process holds."""
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except FileNotFoundError:  # Its holder has removed the folder just now.
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            with suppress(FileNotFoundError):
                if os.path.samestat(path.stat(), os.fstat(handle)):
                    return handle
        except BlockingIOError:
            owner = os.read(handle, 300).decode(errors="replace") if path.name == _OWNER else ""
            place = path.parent.parent if owner else path
            os.close(handle)
            raise FolderInUseError(
                f"{place} is being written by {owner or 'another process'}. Wait until it ends, "
                "or name another place.",
                path=place,
            ) from None
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # Its holder has removed or moved the file: lock the one there now.


def _finish(private: Path) -> None:
    """Move the files of a decided write to their places; throw away an undecided one."""
    whole, folder = private / _WHOLE, private.parent
    paths = sorted(whole.rglob("*"))
    with _explained(folder, f"{folder} is half written; the same command finishes it."):
        for path in paths:
            target = folder / path.relative_to(whole)
            if path.is_dir():
                target.mkdir(parents=True, exist_ok=True)
            else:
                path.replace(target)
        for leftover in (whole, private / _NEW):
            if leftover.exists():
                shutil.rmtree(leftover)


def _check_targets(stage: Path, folder: Path) -> None:
    """Find out before anything is moved whether every file can be."""
    for path in stage.rglob("*"):
        target = folder / path.relative_to(stage)
        if target.exists() and target.is_dir() != path.is_dir():
            raise FileExistsError(errno.EEXIST, "a file and a folder have the same name", target)
        place = next(parent for parent in target.parents if parent.exists())
        if not os.access(place, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), target)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _explained(place: Path, left: str = "Nothing was replaced.") -> Iterator[None]:
    """Turn an error of the system into one that says what was not written, and what is left."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        path = Path(os.fsdecode(error.filename)) if error.filename else place
        raise WriteFailedError(
            f"{path} cannot be written: {error.strerror or error}. {left} Make room or give leave "
            "to write there, or name another place, and run the command again.",
            path=path,
        ) from error
