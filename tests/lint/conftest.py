"""A copy of a program folder that tests may spoil."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import benyfits_data.checkers
from benyfits_data.editions import load_edition
from benyfits_data.lint.program_folder import lint_folder

VOUCHER = "SectionEightHousingChoiceVoucherProgram"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a copy of the voucher program, importable under a name of its own."""
    copy = tmp_path / "planted_voucher"
    original = load_edition(2024)[VOUCHER].folder
    shutil.copytree(original, copy, ignore=shutil.ignore_patterns("__pycache__"))
    places = [*benyfits_data.checkers.__path__, str(tmp_path)]
    monkeypatch.setattr(benyfits_data.checkers, "__path__", places)
    text = (copy / "requirements.md").read_text(encoding="utf-8")
    (copy / "requirements.md").write_text(text.replace(VOUCHER, "PlantedVoucher"))
    yield copy
    for module in [name for name in sys.modules if "planted_voucher" in name]:
        del sys.modules[module]


@pytest.fixture
def lint_changed(folder: Path) -> Callable[[str, str, str], list[str]]:
    """Replace a text in a file of the copy and return what the linter says of the folder."""

    def lint(file: str, old: str, new: str) -> list[str]:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), encoding="utf-8")
        return [str(problem) for problem in lint_folder(folder)]

    return lint
