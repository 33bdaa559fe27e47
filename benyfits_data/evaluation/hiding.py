"""What the process of somebody else's agent must not see, and two ways to keep it from seeing it.

Where Linux lets anybody make namespaces, the process gets a private view of the file system in
which the hidden folders and files are empty, for its children too, and which it cannot undo.
Everywhere, an audit hook refuses to open or list what is hidden, and reports the attempt. A process
bent on it may get around the hook (by C code or another program), but not around the namespace.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

PACKAGES = ("adequacy", "fuzz", "population", "evaluation/recorded")
"""Folders of our package that hold datasets, or build them again from their seed."""
FOLDERS = ("output", "logs", ".git")
"""Folders of a project that hold datasets, and logs with households and labels."""

_named: set[Path] = set()

_NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount")
# The second namespace locks the mounts of the first: nobody in it can take them away.
_COVER = """
count=$1; shift
while [ "$count" -gt 0 ]; do
  if [ -d "$1" ]; then mount -t tmpfs none "$1" || exit 1
  elif [ -e "$1" ]; then mount --bind /dev/null "$1" || exit 1; fi
  shift; count=$((count - 1))
done
exec unshare --user --map-root-user --mount "$@"
"""


def hide(*paths: Path) -> None:
    """Hide files or folders from agents of others that are started from now on."""
    _named.update(path.resolve() for path in paths)


def hidden_paths() -> list[str]:
    """Return what is hidden: datasets, logs, checkers, and whatever `hide` was told of."""
    from benyfits_data import checkers
    from benyfits_data.evaluation.recorded import cache_folder

    package = Path(__file__).parents[1]
    places = [package / name for name in PACKAGES]
    places += [place / name for place in (Path.cwd(), package.parent) for name in FOLDERS]
    places += [*map(Path, checkers.__path__), cache_folder("datasets"), *_named]
    if "INSPECT_LOG_DIR" in os.environ:
        places.append(Path(os.environ["INSPECT_LOG_DIR"]))
    return sorted({str(place.resolve()) for place in places})


@cache
def has_namespaces() -> bool:
    """Return whether a process here can get a private view of the file system."""
    here = str(Path(__file__).parent)
    is_empty = ["sh", "-c", '[ -z "$(ls -A "$1")" ]', "sh", here]
    try:
        return subprocess.run(_cover([here], is_empty), capture_output=True).returncode == 0
    except OSError:
        return False


def describe() -> str:
    """Return how agents of others are kept apart here, in a word for manifests."""
    return "namespace" if has_namespaces() else "audit hook"


def without(hidden: Sequence[str], command: Sequence[str]) -> list[str]:
    """Return the command that runs another one where the hidden paths are empty, if it can be."""
    return _cover(hidden, command) if has_namespaces() else list(command)


def _cover(hidden: Sequence[str], command: Sequence[str]) -> list[str]:
    return [*_NAMESPACE, "sh", "-c", _COVER, "sh", str(len(hidden)), *hidden, *command]


def refuse(hidden: Sequence[str], report: Callable[[str], None]) -> None:
    """Refuse, from now on, to open or list what is hidden in this process.

    Args:
        hidden: Files and folders.
        report: Is told each path that was refused.
    """

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in ("open", "os.listdir", "os.scandir") or not arguments:
            return
        if not isinstance(arguments[0], str | bytes | os.PathLike):
            return
        path = os.path.realpath(os.fsdecode(arguments[0]))
        if any(path == place or path.startswith(place + os.sep) for place in hidden):
            report(path)
            raise PermissionError(
                f"{path} is hidden from agents: it may tell what they are to find"
            )

    sys.addaudithook(watch)
