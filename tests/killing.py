"""Commands killed, or out of disk, at any of the steps in which they change a folder.

A command runs in a forked process whose audit hook counts what changes files: opened for writing,
renamed, removed, made, synced. At the step asked for, the process kills itself, or the system seems
to refuse. What a kill leaves is what the file system holds at that step.
"""

import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

WATCHED = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link"}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
OUTPUT = "said.txt"


class Refused(OSError):
    """What the system seems to say."""


def run(
    argv: Sequence[str],
    folder: Path,
    step: int | None = None,
    refusal: int | None = None,
    workspace: Path | None = None,
    prepare: Callable[[], object] = lambda: None,
) -> tuple[int, int, str]:
    """Return the exit code of a command (negative if killed), its steps, and what it printed.

    Args:
        argv: The command's words.
        folder: Where it runs; only changes below are steps.
        step: At which step something happens, from 0; nothing unless given.
        refusal: The error number of the system from that step on; a kill unless given.
        workspace: The workspace to use.
        prepare: Called in the child before the command.
    """
    said = folder.parent / f"{folder.name}.{OUTPUT}"
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.close(readable)
            code = _child(argv, folder, step, refusal, workspace, prepare, said, writable)
        except BaseException:
            with said.open("a") as file:
                traceback.print_exc(file=file)
        finally:
            os._exit(code)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        steps = len(pipe.read())
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), steps, said.read_text(encoding="utf-8")


def _child(
    argv: Sequence[str],
    folder: Path,
    step: int | None,
    refusal: int | None,
    workspace: Path | None,
    prepare: Callable[[], object],
    said: Path,
    pipe: int,
) -> int:
    from benyfits_data.cli.main import main
    from benyfits_data.editions.edition import forget_editions
    from benyfits_data.editions.workspace import use_workspace

    os.chdir(folder)
    sys.dont_write_bytecode = True
    target = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(target, 1)
    os.dup2(target, 2)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", buffering=1)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", buffering=1)
    use_workspace(workspace)
    forget_editions()
    prepare()
    prefix, count = f"{folder}{os.sep}", 0

    def happens(path: object) -> None:
        nonlocal count
        try:
            name = os.fsdecode(path)  # type: ignore[arg-type]
        except TypeError:
            name = ""  # A handle, which ours alone use.
        if os.path.isabs(name) and not name.startswith(prefix):
            return
        os.write(pipe, b".")
        if step is not None and count >= step and refusal is None:
            os.kill(os.getpid(), signal.SIGKILL)
        if step is not None and count >= step and refusal is not None:
            raise Refused(refusal, os.strerror(refusal), name)
        count += 1

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in WATCHED or (event == "open" and arguments[2] & _WRITING):
            happens(arguments[0])

    sync = os.fsync

    def synced(handle: int) -> None:
        happens(handle)
        sync(handle)

    os.fsync = synced
    sys.addaudithook(hook)
    try:
        main(list(argv), prog_name="benyfits-data")
    except SystemExit as error:
        code = error.code
        return code if isinstance(code, int) else int(code is not None)
    return 0


def visible(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths, without what commands keep for themselves."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not is_private(path.relative_to(folder))
    }


def is_private(path: Path) -> bool:
    """Return whether a path is one that commands keep for themselves while they run."""
    return ".benyfits-data" in path.parts or path.name.endswith(".part")


def leftovers(folder: Path) -> list[str]:
    """Return what commands that ended have left behind."""
    return [str(path) for path in sorted(folder.rglob("*")) if is_private(path.relative_to(folder))]
