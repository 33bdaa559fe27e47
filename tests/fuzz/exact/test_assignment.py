import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.exact.assignment import Assignment, fill, fill_from, worth_of


def filled(assignment: Assignment) -> int:
    """Count the filled slots; no slot is filled twice."""
    slots = list(assignment.held.values())
    together = sum(slots)
    assert sum(map(int.bit_count, slots)) == together.bit_count()
    assert together & assignment.left == 0
    return together.bit_count()


@pytest.mark.parametrize("seed", range(20))
def test_an_assignment_fills_as_many_slots_as_a_flow(seed):
    rng = np.random.default_rng(seed)
    can = rng.random((60, 7)) < 0.3
    assignment = Assignment(can)
    gains = [(assignment.gain(household), assignment.add(household)) for household in range(7)]
    assert all(promised == kept for promised, kept in gains)
    graph = np.zeros((69, 69), np.int32)
    graph[0, 1:8] = MOST_PROGRAMS
    graph[1:8, 8:68] = can.T
    graph[8:68, 68] = 1
    assert filled(assignment) == maximum_flow(csr_array(graph), 0, 68).flow_value
    assert max(map(int.bit_count, assignment.held.values())) <= MOST_PROGRAMS
    assert all(can[slot, household] for household, slot in assignment.pairs())
    assignment.remove(3)
    graph[0, 4] = 0
    assert filled(assignment) == maximum_flow(csr_array(graph), 0, 68).flow_value


def test_idle_households_are_left_out():
    assignment = Assignment(np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1]], bool))
    assert [assignment.add(household) for household in (1, 2, 0)] == [2, 1, 0]
    assignment.thin_out()
    assert sorted(assignment.pairs()) == [(1, 0), (1, 1), (2, 2)]


def test_whoever_reaches_all_slots_is_joined_by_others_where_ten_are_too_few():
    n = 3 * MOST_PROGRAMS
    can = np.ones((n, 5), bool)
    assignment = fill_from(can, np.arange(1))
    assert sorted(slot for _, slot in assignment.pairs()) == list(range(n))
    assert sorted(map(int.bit_count, assignment.held.values())) == [MOST_PROGRAMS] * 3
    assert fill_from(can[:, :2], np.arange(2)) is None
    programs, prices = np.arange(n), np.ones(n, np.int32)
    assert len(fill(can, programs, prices).held) == 3
    assert fill(can[:, :2], programs, prices) is None


def test_a_household_is_worth_the_costliest_slot_of_ten_programs():
    programs = np.repeat(np.arange(12), 2)
    prices = np.arange(24, dtype=np.int32)
    can = np.ones((24, 2), bool)
    can[23, 1] = False
    ten_last = sum(range(5, 24, 2))
    assert worth_of(can, programs, prices).tolist() == [ten_last, ten_last - 1]
    assert worth_of(can[:2], programs[:2], prices[:2]).tolist() == [1, 1]
