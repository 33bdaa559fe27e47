"""A household that would ask about too many programs gives one away, if another can take it."""

import numpy as np

from benyfits_data.fuzz.believable.slot_reassignment import move_overload
from benyfits_data.fuzz.coverage import MOST_PROGRAMS

PROGRAMS = np.arange(MOST_PROGRAMS + 2)
LOAD = {0: MOST_PROGRAMS + 1, 1: 1}


def owners():
    """Return a household with all slots but the last, and one with that."""
    return np.array([0] * (MOST_PROGRAMS + 1) + [1])


def test_one_slot_goes_to_a_household_with_room_that_can_fill_it():
    owner, can = owners(), np.zeros((len(PROGRAMS), 2), bool)
    can[[4, 7], 1] = True
    assert move_overload(owner, LOAD, can, PROGRAMS)
    assert np.flatnonzero(owner == 1).tolist() == [4, MOST_PROGRAMS + 1]


def test_nobody_takes_a_slot_that_cannot_fill_it_or_has_no_room():
    owner, can = owners(), np.zeros((len(PROGRAMS), 2), bool)
    assert not move_overload(owner, LOAD, can, PROGRAMS)
    can[:, 1] = True
    assert not move_overload(owner, LOAD | {1: MOST_PROGRAMS - 1}, can, PROGRAMS)
    assert owner.tolist() == owners().tolist()


def test_nobody_is_asked_twice_about_one_program():
    owner, can = owners(), np.zeros((len(PROGRAMS), 2), bool)
    can[4, 1] = True
    programs = np.where(PROGRAMS == 4, PROGRAMS[-1], PROGRAMS)
    assert not move_overload(owner, LOAD, can, programs)
    assert move_overload(owner, LOAD, can, PROGRAMS)
