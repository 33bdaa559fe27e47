"""Imports point down only and run in no circle, as the contracts in pyproject.toml say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_imports_point_down_only_and_in_no_circle() -> None:
    ran = lint_imports(ROOT)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(
    ("module", "planted", "found"),
    [
        (
            "constants",
            "language.source",
            "benyfits_data.household.constants -> benyfits_data.language.source",
        ),
        ("repair", "household.columns", "No cycles are allowed in benyfits_data.household."),
    ],
    ids=["points up", "circle"],
)
def test_an_import_that_breaks_a_contract_is_caught(
    tmp_path: Path, module: str, planted: str, found: str
) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "*.toml", "*.md")
    shutil.copytree(ROOT / "benyfits_data", tmp_path / "benyfits_data", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / "benyfits_data" / "household" / f"{module}.py"
    # Inside a function: an import made late is an import.
    path.write_text(f"{path.read_text()}\ndef late():\n    import benyfits_data.{planted}\n")
    ran = lint_imports(tmp_path)
    assert ran.returncode != 0
    assert found in ran.stdout
