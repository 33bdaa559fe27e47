import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from benyfits_data.adequacy import fewest_pairs
from benyfits_data.adequacy.fewest_pairs import FewestProver, ProgramPairs, prove_fewest
from benyfits_data.adequacy.noticed import Solver
from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace_many
from benyfits_data.language.source import Source
from benyfits_data.language.z3_backend import Answer, Store, World, whole_world
from tests.fuzz.matrices import smallest_by_trying
from tests.language.draws import draw_possible
from tests.language.writing import (
    WRITTEN_THRESHOLDS,
    WrittenProgram,
    checker_bodies,
    thresholds,
    written_checker,
)

ONE_CONDITION = "if household.receives_snap:\n    return True\nreturn False"
THREE = """
count = 0
if household.receives_snap:
    count += 1
if household.heat_included_in_rent:
    count += 1
if household.acs:
    count += 1
return count > thresholds.limit
"""
NEVER_THREE = """
if household.receives_snap:
    if household.heat_included_in_rent:
        if household.acs:
            return False
""" + THREE.strip("\n")
FLAGS = ("receives_snap", "heat_included_in_rent", "acs")


def some(*flags: Sequence[int]) -> list[Household]:
    """Return tenants of whom three flags hold or not."""
    return [
        Household.complete(
            members=[{"age": 40, "name_is_on_lease": True}],
            tenure="renter",
            monthly_rent_spending=900,
            **dict(zip(FLAGS, map(bool, own), strict=True)),
        )
        for own in flags
    ]


def program_of(body: str, folder: Path) -> Any:
    return WrittenProgram(written_checker(folder, body), thresholds(limit=1))


def task_of(program: Any, households: list[Household], wanted: str = "") -> ProgramPairs:
    """Return what pairs with these households run, of it the lines that read `wanted`."""
    source = Source.of(program.checker)
    lines = source.text.splitlines()
    traces = np.array(
        [
            [element in one.elements for element in source.elements]
            for one in trace_many(program, households)
        ]
    )
    asked = [not wanted or (type(it) is int and wanted in lines[it - 1]) for it in source.elements]
    known = Households.from_households(households)
    return ProgramPairs("Written", len(households), traces.any(axis=0) & asked, known, traces)


class Mute(World):
    """A solver that gives one answer, or fails where it is asked."""

    def __init__(self, answer: Answer | None = None) -> None:
        self.executor, self._answer = whole_world().executor, answer

    def find(self, *_: Any, **__: Any) -> Answer:
        assert self._answer is not None, "the solver was asked again"
        return self._answer


@pytest.mark.slow
def test_a_pair_too_many_is_a_gap_of_one(tmp_path: Path) -> None:
    program = program_of(ONE_CONDITION, tmp_path)
    homes = some((0, 0, 0), (1, 0, 0), (1, 1, 0))
    for n, gap in ((2, 0), (3, 1)):
        found = FewestProver(program, task_of(program, homes[:n]), whole_world()).prove()
        assert (found.pairs, found.possible, found.proven, found.gap) == (n, 2, 2, gap)
        assert len(found.households) == 2 * gap


def test_the_solver_finds_a_household_that_does_with_fewer_pairs_than_any_known(
    tmp_path: Path,
) -> None:
    program = program_of(THREE, tmp_path)
    task = task_of(program, some((1, 0, 0), (0, 1, 0), (0, 0, 1)), wanted="+= 1")
    found = FewestProver(program, task, whole_world()).prove()
    assert (found.pairs, found.possible, found.proven) == (3, 1, 1)
    (household,) = found.households
    assert all(getattr(household, flag) for flag in FLAGS)


@pytest.mark.parametrize("most", [1, 2])
def test_three_of_which_any_two_go_together_need_two_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    # With weights of one alone nothing but sharing the elements out proves it.
    monkeypatch.setattr(fewest_pairs, "LARGEST_MOST", most)
    program = program_of(NEVER_THREE, tmp_path)
    task = task_of(program, some((1, 1, 0), (1, 0, 1), (0, 1, 1)), wanted="+= 1")
    found = FewestProver(program, task, whole_world()).prove()
    assert (found.pairs, found.possible, found.proven) == (3, 2, 2)


def test_sharing_out_finds_households_that_weights_do_not(tmp_path: Path) -> None:
    program = program_of(NEVER_THREE, tmp_path)
    task = task_of(program, some((1, 0, 0), (0, 1, 0), (0, 0, 1)), wanted="+= 1")
    found = FewestProver(program, task, whole_world()).prove()
    assert (found.pairs, found.possible, found.proven) == (3, 2, 2)
    assert len(found.households) == 2


def test_a_solver_that_gives_up_leaves_the_gap_open(tmp_path: Path) -> None:
    program = program_of(ONE_CONDITION, tmp_path)
    task = task_of(program, some((0, 0, 0), (1, 0, 0)))
    found = FewestProver(program, task, Mute(Answer("unknown", None, 0.0))).prove()
    assert (found.pairs, found.possible, found.proven) == (2, 2, 1)


def test_answers_are_kept(tmp_path: Path) -> None:
    program, store = program_of(NEVER_THREE, tmp_path), Store(tmp_path / "kept")
    task = task_of(program, some((1, 0, 0), (0, 1, 0), (0, 0, 1)), wanted="+= 1")
    first = FewestProver(program, task, whole_world(), store).prove()
    assert FewestProver(program, task, Mute(), store).prove() == first
    (kept,) = (tmp_path / "kept").iterdir()
    kept.unlink()
    with pytest.raises(AssertionError, match="asked again"):
        FewestProver(program, task, Mute(), store).prove()


def test_a_proof_that_a_household_refutes_is_refused(tmp_path: Path) -> None:
    program, store = program_of(THREE, tmp_path), Store(tmp_path / "kept")
    source = Source.of(program.checker)
    one, other = (
        at
        for at, element in enumerate(source.elements)
        if element in (9, 11)  # The first two lines that count.
    )
    claim = {f"1: 1*{one} 1*{other}": Answer("none", None, 0.0)}
    store.write("limits", source, program.thresholds, claim)
    apart = task_of(program, some((1, 0, 0), (0, 1, 0)))
    FewestProver(program, apart, whole_world(), store)
    together = task_of(program, some((1, 1, 0)))
    with pytest.raises(ProofError, match="1 x line 9 \\+ 1 x line 11 is told otherwise"):
        FewestProver(program, together, whole_world(), store)


def test_a_household_that_does_not_run_what_the_solver_says_is_refused(tmp_path: Path) -> None:
    program = program_of(THREE, tmp_path)
    task = task_of(program, some((1, 0, 0), (0, 1, 0)), wanted="+= 1")
    (wrong,) = some((0, 0, 1))
    with pytest.raises(ProofError, match="told otherwise"):
        FewestProver(program, task, Mute(Answer("found", wrong, 0.0))).prove()


def test_households_of_seven_are_refused(tmp_path: Path) -> None:
    crowd = Household.complete(members=[{"age": 40}, *[{"age": 20, "relation": "child"}] * 6])
    table = Households.from_households([crowd])
    with pytest.raises(ProofError, match="of 7 members"):
        list(prove_fewest(load_edition(2024), table, {"IDNYC": [0]}, [], Solver(1)))


@pytest.mark.slow
def test_lines_alone_can_do_with_fewer_pairs(tmp_path: Path) -> None:
    edition = load_edition(2024)
    names = ("SafeAndSickLeave", "IDNYC")
    homes, solver = sample_households(300, edition, 0), Solver(1, folder=tmp_path)
    asked = {name: list(range(300)) for name in names}
    whole, lines = (
        {
            it.program: it
            for it in prove_fewest(edition, homes, asked, [], solver, lines_only=lines_only)
        }
        for lines_only in (False, True)
    )
    for found in (whole, lines):
        assert all(it.possible == it.proven < it.pairs == 300 for it in found.values())
    assert lines["SafeAndSickLeave"].proven < whole["SafeAndSickLeave"].proven


@cache
def sampled() -> list[Household]:
    table = draw_possible(60, seed=5)
    return [table.household(at) for at in range(len(table))]


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(body=checker_bodies())
def test_no_households_do_with_fewer_pairs_than_proven(body: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        program: Any = WrittenProgram(written_checker(Path(folder), body), WRITTEN_THRESHOLDS)
        task = task_of(program, sampled()[:10])
        found = FewestProver(program, task, whole_world()).prove()
        assert found.proven <= found.possible
        # Households that the proof did not know of.
        unseen = task_of(program, sampled()[10:]).traces[:, task.wanted]
        every = np.unique(np.concatenate([task.traces[:, task.wanted], unseen]), axis=0)
        assert found.proven <= smallest_by_trying(every)
