from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import milp

from benyfits_data.fuzz.search.slots import (
    Slot,
    Slots,
    essential_elements,
    fewest_slots,
)
from tests.fuzz.matrices import coverage_of, matrices, smallest_by_trying


@pytest.mark.slow
@given(matrices)
@settings(max_examples=150, deadline=None)
def test_slots_are_as_few_as_the_smallest_cover_and_whoever_fills_them_covers_all(matrix):
    coverage = [coverage_of(np.array(matrix, bool))]
    found = fewest_slots(coverage)
    assert len(found.slots) == found.pair_bound == smallest_by_trying(coverage[0].classes)
    if not found.slots:
        return
    asked = [element for slot in found.slots for element in slot.elements]
    assert sorted(asked) == np.flatnonzero(coverage[0].reached).tolist()
    can = found.fillers(coverage)
    assert can.any(axis=1).all()
    last = [int(np.flatnonzero(row)[-1]) for row in can]
    assert coverage[0].of_households(last)[coverage[0].reached].all()


def test_what_the_solver_leaves_open_lowers_the_bound(monkeypatch):
    def unsure(*arguments, **options):
        result = milp(*arguments, **options)
        result.mip_dual_bound -= 1
        return result

    own = coverage_of(np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], bool))
    sure = fewest_slots([own])
    monkeypatch.setattr("benyfits_data.fuzz.search.slots.milp", unsure)
    open_to_doubt = fewest_slots([own])
    assert len(sure.slots) == sure.pair_bound == len(open_to_doubt.slots) == 2
    assert open_to_doubt.pair_bound == 1


@given(matrices)
@settings(max_examples=100, deadline=None)
def test_covering_the_essential_elements_covers_all(matrix):
    own = coverage_of(np.array(matrix, bool))
    kept = essential_elements(own.classes)
    for size in range(1, len(own.classes) + 1):
        for chosen in combinations(range(len(own.classes)), size):
            union = own.classes[list(chosen)].any(axis=0)
            assert union[kept].all() == union[own.reached].all()


@pytest.mark.parametrize(("needs", "bound"), [([7, 1, 1], 7), ([5] * 8, 5), ([2] * 26, 6)])
def test_no_household_takes_two_pairs_of_one_program_nor_more_than_ten(needs, bound):
    slots = [Slot(program, (0,)) for program, n in enumerate(needs) for _ in range(n)]
    assert Slots(tuple(slots), len(slots)).household_bound == bound


def test_of_the_smallest_covers_the_one_without_dear_classes_is_taken_and_never_one_pair_more():
    # One household covers all; then two cover it in two ways.
    alone = coverage_of(np.array([[1, 1], [1, 0], [0, 1]], bool))
    assert len(fewest_slots([alone], cost=np.array([[90_000, 0, 0]])).slots) == 1
    classes = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]], bool)
    own = coverage_of(classes)
    for cost, chosen in (
        ([0, 0, 5_000, 5_000], {0, 1}),
        ([5_000, 5_000, 0, 0], {2, 3}),
        ([9_000, 0, 5_000, 5_000], {2, 3}),
    ):
        slots = fewest_slots([own], cost=np.array([cost])).slots
        assert len(slots) == 2
        can = np.array([own.of_household(home) for home in sorted(chosen)])
        assert all(can[:, list(slot.elements)].all(axis=1).any() for slot in slots)
