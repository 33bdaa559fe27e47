"""Copies of the house in a temporary folder, for commands that write into program folders."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benyfits_data.user_cache import cache_folder

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Copy:
    """A copy of the package and of what lies beside it, with a command of its own."""

    root: Path

    @property
    def checkers(self) -> Path:
        return self.root / "benyfits_data" / "checkers"

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "PATH": f"{self.root / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(self.root),
            "COLUMNS": "120",
        }

    def shell(self, command: str, timeout: float = 3000) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            shell=True,
            cwd=self.root,
            env=self.environment(),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            executable="/bin/bash",
        )

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.root / ".venv" / "bin" / "benyfits-data", *arguments],
            cwd=self.root,
            env=self.environment(),
            text=True,
            capture_output=True,
        )


def copy_house(folder: Path) -> Copy:
    """Return a copy of package, sources and guides; its commands run the copied package."""
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("benyfits_data", "sources", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in (
        "Makefile",
        "pyproject.toml",
        "constraints.txt",
        "constraints-dev.txt",
        "CHANGELOG.md",
        "README.md",
    ):
        shutil.copy(ROOT / name, folder / name)
    # The city is kept under a digest of all that it is made from, so that copies may share it.
    cache_folder("city").mkdir(parents=True, exist_ok=True)
    (folder / ".cache").mkdir()
    (folder / ".cache" / "city").symlink_to(cache_folder("city"))
    binaries = folder / ".venv" / "bin"
    binaries.mkdir(parents=True)
    # A symbolic link would make Python look for its packages in the copy.
    _write_command(binaries / "python", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    _write_command(
        binaries / "benyfits-data",
        f"#!{sys.executable}\n"
        "import sys\n"
        f"sys.path.insert(0, {str(folder)!r})\n"
        "from benyfits_data.cli.main import main\n"
        "if __name__ == '__main__':\n"
        "    main()\n",
    )
    # The Makefile sees an environment that is already made.
    for stamp in (".installed", ".installed-dev"):
        (folder / ".venv" / stamp).touch()
    return Copy(folder)


def fix_editions(house: Copy) -> None:
    """Fix the editions of a copy as they are now, also while programs are being changed."""
    script = (
        "from datetime import date\n"
        "from benyfits_data.editions import load_register\n"
        "from benyfits_data.upkeep.edition_register import correct, problems, publish\n"
        "for year, record in load_register().items():\n"
        "    if not record.digest:\n"
        "        publish(year)\n"
        "    elif problems([year]):\n"
        "        correct(year, 'as it is now', date(2026, 1, 1))\n"
    )
    path = house.root / "fix_editions.py"
    path.write_text(script, encoding="utf-8")
    done = house.shell(f"python {path.name}")
    assert done.returncode == 0, done.stdout
    path.unlink()


def _write_command(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
