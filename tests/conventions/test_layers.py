"""Imports point down only, as the contracts in pyproject.toml say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in a folder, with the contracts of that folder."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_point_down_only() -> None:
    ran = lint_imports(ROOT)
    assert ran.returncode == 0, ran.stdout


def test_an_import_that_points_up_is_caught(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.toml", "*.md")
    shutil.copytree(ROOT / "benyfits_data", tmp_path / "benyfits_data", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    planted = tmp_path / "benyfits_data" / "household" / "constants.py"
    planted.write_text(planted.read_text() + "\nimport benyfits_data.language.source\n")
    ran = lint_imports(tmp_path)
    assert ran.returncode != 0
    assert "benyfits_data.household.constants -> benyfits_data.language.source" in ran.stdout
