"""Whatever is written in the checker language keeps to it: dated checkers and constraints too."""

import importlib.util
from pathlib import Path

from benyfits_data.editions.edition import room_paths
from benyfits_data.language.grammar import Problem, check_checker
from benyfits_data.language.source import Source


def outside_the_language(path: Path) -> list[Problem]:
    """Return what leaves the language in one checker file."""
    spec = importlib.util.spec_from_file_location(f"scanned_{path.parent.name}_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return check_checker(Source.of(module.is_eligible))


def test_every_checker_file_keeps_to_the_language() -> None:
    paths = [path for room in room_paths() for path in sorted(room.glob("checker*.py"))]
    assert len(paths) >= 82
    assert [str(problem) for path in paths for problem in outside_the_language(path)] == []


def test_a_checker_that_leaves_the_language_is_caught(tmp_path: Path) -> None:
    text = (room_paths()[0] / "checker.py").read_text(encoding="utf-8")
    planted = tmp_path / "checker.py"
    planted.write_text(text.replace("return False\n", "return 1 in (1,)\n", 1), encoding="utf-8")
    assert [problem.found for problem in outside_the_language(planted)] == ["`return 1 in (1,)`"]
