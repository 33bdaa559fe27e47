"""Whatever is written in the checker language keeps to it, with each edition's switches."""

import importlib.util
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.workspace import program_folders
from benyfits_data.language.grammar import LintFinding, check_checker
from benyfits_data.language.source import Source


def outside_the_language(path: Path) -> list[LintFinding]:
    """Return what leaves the language in one checker file."""
    spec = importlib.util.spec_from_file_location(f"scanned_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return check_checker(Source.of(module.is_eligible))


@pytest.mark.parametrize("year", EDITIONS)
def test_every_checker_keeps_to_the_language(year: int) -> None:
    programs = load_edition(year).values()
    found = [str(it) for program in programs for it in check_checker(Source.of(program.checker))]
    assert len(programs) == 82
    assert found == []


def test_a_checker_that_leaves_the_language_is_caught(tmp_path: Path) -> None:
    folder = next(
        it for it in program_folders() if it.name == "commodity_supplemental_food_program"
    )
    text = (folder / "checker.py").read_text(encoding="utf-8")
    planted = tmp_path / "checker.py"
    planted.write_text(text.replace("return False\n", "return 1 in (1,)\n", 1), encoding="utf-8")
    assert [problem.what for problem in outside_the_language(planted)] == ["`return 1 in (1,)`"]
