import numpy as np
import pytest

from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.greedy import select_greedily, spread
from tests.fuzz.matrices import coverage_of, missed, random_coverage


@pytest.mark.parametrize("seed", range(5))
def test_a_greedy_selection_covers_everything_with_at_most_ten_programs_a_household(seed):
    coverage = random_coverage(seed)
    pairs = select_greedily(coverage)
    assert missed(coverage, pairs) == {}
    assert len(set(pairs)) == len(pairs)
    assert np.bincount([household for household, _ in pairs]).max() <= MOST_PROGRAMS


def test_pairs_that_bring_nothing_of_their_own_are_dropped():
    coverage = [coverage_of(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]], bool))]
    assert select_greedily(coverage) == [(2, 0)]


def test_surplus_programs_move_to_a_household_of_the_same_class():
    same = np.ones((3, 1), bool)
    coverage = [coverage_of(same, f"P{program}") for program in range(MOST_PROGRAMS + 4)]
    pairs = spread(coverage, [(0, program) for program in range(len(coverage))])
    assert len(pairs) == len(coverage)
    assert np.bincount([household for household, _ in pairs]).max() == MOST_PROGRAMS
    assert missed(coverage, pairs) == {}


def test_a_household_nobody_can_relieve_keeps_more_than_ten_programs():
    alone = np.array([[True], [False]])
    coverage = [coverage_of(alone, f"P{program}") for program in range(MOST_PROGRAMS + 1)]
    pairs = spread(coverage, [(0, program) for program in range(len(coverage))])
    assert missed(coverage, pairs) == {}
    assert len(pairs) == MOST_PROGRAMS + 1
