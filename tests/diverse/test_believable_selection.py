"""A household that would ask about too many programs gives one away, if another can take it."""

import numpy as np

from benyfits_data.diverse.believable_selection import _relieved
from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.set_cover import Slot, Slots

SLOTS = Slots(tuple(Slot(program, (0,)) for program in range(MOST_PROGRAMS + 2)), 0)
LOAD = {0: MOST_PROGRAMS + 1, 1: 1}


def owners():
    """Return a household with all slots but the last, and one with that."""
    return np.array([0] * (MOST_PROGRAMS + 1) + [1])


def test_one_slot_goes_to_a_household_with_room_that_can_fill_it():
    owner, can = owners(), np.zeros((len(SLOTS.slots), 2), bool)
    can[[4, 7], 1] = True
    assert _relieved(owner, [0], LOAD, can, SLOTS)
    assert np.flatnonzero(owner == 1).tolist() == [4, MOST_PROGRAMS + 1]


def test_nobody_takes_a_slot_that_cannot_fill_it_or_has_no_room():
    owner, can = owners(), np.zeros((len(SLOTS.slots), 2), bool)
    assert not _relieved(owner, [0], LOAD, can, SLOTS)
    can[:, 1] = True
    assert not _relieved(owner, [0], LOAD | {1: MOST_PROGRAMS - 1}, can, SLOTS)
    assert owner.tolist() == owners().tolist()
