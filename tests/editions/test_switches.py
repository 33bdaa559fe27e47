"""Switches: lines that are off are no part of an edition's checker, for any reader."""

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benyfits_data.adequacy.mutants import make_mutants
from benyfits_data.editions import Program, load_edition
from benyfits_data.editions.program import load_program
from benyfits_data.editions.switches import decide_switches, lines_off, whole_function
from benyfits_data.editions.thresholds import Thresholds
from benyfits_data.errors import ProgramFolderError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import Source
from benyfits_data.lint.program_folder import lint_folder

BABY = Household.complete(members=[{"age": 30}, {"relation": "child", "age": 0}])


def three_k(year: int) -> Program:
    return load_edition(year)["ThreeK"]


@pytest.mark.parametrize("year", [2024, 2026])
def test_readers_agree_on_the_lines_that_ran(year: int) -> None:
    program = three_k(year)
    reference = trace(program, BABY)
    assert reference.eligible == (year == 2024)
    assert reference.lines <= set(Source.of(program.checker).body_lines)
    batch = label_and_trace(load_edition(year), Households.from_households([BABY]), ["ThreeK"])
    assert np.asarray(batch.labels["ThreeK"]).tolist() == [reference.eligible]
    assert batch.trace("ThreeK", 0) == reference.elements


def test_no_mutant_changes_a_line_that_is_off() -> None:
    off = set(lines_off(three_k(2024).checker))
    assert off
    assert not off & {mutant.line for mutant in make_mutants(three_k(2024))}
    assert off & {mutant.line for mutant in make_mutants(three_k(2026))}


def test_a_program_travels_to_another_process() -> None:
    program = three_k(2024)
    assert program.checker is not whole_function(program.checker)
    copy = pickle.loads(pickle.dumps(program))
    assert copy.checker.__code__.co_code == program.checker.__code__.co_code


def test_what_stands_after_a_return_that_is_on_is_off(tmp_path: Path) -> None:
    chosen = decided(
        tmp_path, "    if thresholds.s:\n        return True\n    return False\n", True
    )
    assert (chosen(None, None), lines_off(chosen)) == (True, [2, 4])


def test_a_condition_with_nothing_left_to_do_is_off(tmp_path: Path) -> None:
    body = (
        "    if household:\n        if thresholds.s:\n            return True\n    return False\n"
    )
    assert lines_off(decided(tmp_path, body, False)) == [2, 3, 4]
    assert lines_off(decided(tmp_path, body.replace("thresholds", "not thresholds"), True)) == [
        2,
        3,
        4,
    ]


def test_a_condition_that_keeps_only_its_else_is_refused(tmp_path: Path) -> None:
    body = (
        "    if household:\n        if thresholds.s:\n            return True\n"
        "    else:\n        return False\n    return False\n"
    )
    with pytest.raises(ProgramFolderError, match="line 2 has nothing to do"):
        decided(tmp_path, body, False)


def decided(tmp_path: Path, body: str, state: bool):  # type: ignore[no-untyped-def]
    path = tmp_path / "checker.py"
    text = f"def is_eligible(household, thresholds):\n{body}"
    path.write_text(text, encoding="utf-8")
    space: dict[str, object] = {}
    exec(compile(text, str(path), "exec"), space)
    thresholds = load_edition(2024)["ThreeK"].thresholds
    entry = replace(thresholds.entry("goes_by_birth_year"), name="s", value=state)
    return decide_switches(space["is_eligible"], Thresholds("T", 2024, {"s": entry}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("requirements.md", "{% if goes_by_birth_year %}", "{% if true %}", "nothing in the text"),
        ("checker.py", "if thresholds.goes_by_birth_year:", "if True:", "nothing in the checker"),
        ("thresholds.toml", " = false", " = true", "same in every edition"),
        ("thresholds.toml", " = false", " = 0", "A switch is true or false"),
    ],
)
def test_a_switch_that_decides_nothing_is_found(
    tmp_path: Path, file: str, old: str, new: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = three_k(2024).folder
    folder = tmp_path / f"planted_{file[:3]}_{len(new)}"
    folder.mkdir()
    for path in original.glob("*.*"):
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(text.replace(old, new) if path.name == file else text)
    monkeypatch.setattr("benyfits_data.checkers.__path__", [str(tmp_path)])
    program = load_program(folder, 2024)
    assert program.folder == folder
    assert any(says in str(problem) for problem in lint_folder(folder))
