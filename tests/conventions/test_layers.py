"""Imports point down only and run in no circle, as the contracts in pyproject.toml say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conventions.test_scans import ROOT


def lint_imports(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run import-linter on the package in a folder, with the contracts of that folder."""
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_point_down_only_and_in_no_circle() -> None:
    ran = lint_imports(ROOT)
    assert ran.returncode == 0, ran.stdout


def test_imports_that_break_the_contracts_are_caught(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.toml", "*.md")
    shutil.copytree(ROOT / "benyfits_data", tmp_path / "benyfits_data", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, imported in (("constants", "language.source"), ("repair", "household.columns")):
        path = tmp_path / "benyfits_data" / "household" / f"{module}.py"
        # Inside a function: an import made late is an import.
        path.write_text(f"{path.read_text()}\ndef late():\n    import benyfits_data.{imported}\n")
    ran = lint_imports(tmp_path)
    assert ran.returncode != 0
    household = "benyfits_data.household"
    assert f"{household}.constants -> benyfits_data.language.source" in ran.stdout
    assert f"No cycles are allowed in {household}." in ran.stdout
