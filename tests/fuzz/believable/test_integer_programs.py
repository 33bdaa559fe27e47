"""The linear program prices slots; the integer program takes the cheapest that fill them."""

import numpy as np
import pytest

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.candidates import Columns
from benyfits_data.fuzz.believable.integer_programs import (
    PENALTY,
    CoverPrograms,
    assignment,
    unfilled,
)
from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.household.columns import Households


def columns(fills: list[list[int]], cost: list[int], above: tuple[int, ...] = ()) -> Columns:
    """Return columns, each the slots that it fills; some are above the median's percentile."""
    n_slots = max(max(own) for own in fills) + 1
    can = np.array([[slot in own for own in fills] for slot in range(n_slots)])
    is_over = np.isin(np.arange(len(fills)), above)
    return Columns(Households.of_defaults(len(fills)), can, np.array(cost), is_over)


def programs(n_slots: int) -> CoverPrograms:
    return CoverPrograms(np.arange(n_slots))


def test_the_cheapest_that_fill_all_slots_are_taken() -> None:
    some = columns([[0, 1], [0], [1], [0, 1, 2], [2]], [900, 100, 100, 2_000, 300])
    chosen = programs(3).cheapest(some, 9, gap=0)
    assert sorted(chosen.cost.tolist()) == [100, 100, 300]


def test_fewer_and_dearer_ones_are_taken_where_only_so_many_may_be() -> None:
    some = columns([[0, 1], [0], [1], [0, 1, 2], [2]], [900, 100, 100, 2_000, 300])
    assert programs(3).cheapest(some, 1, gap=0).cost.tolist() == [2_000]
    assert sorted(programs(3).cheapest(some, 2, gap=0).cost.tolist()) == [300, 900]


def test_a_median_above_the_percentile_is_avoided_at_a_cost() -> None:
    some = columns([[0, 1], [0, 1]], [0, 800], above=(0,))
    assert programs(2).cheapest(some, 9, gap=0).cost.tolist() == [800]
    dear = columns([[0, 1], [0, 1]], [0, 2 * PENALTY], above=(0,))
    assert programs(2).cheapest(dear, 9, gap=0).cost.tolist() == [0]


def test_nobody_fills_more_than_ten_slots() -> None:
    n = MOST_PROGRAMS + 2
    some = columns([list(range(n)), [0, 1], [n - 1]], [0, 50, 40])
    chosen = programs(n).cheapest(some, 9, gap=0)
    assert sorted(chosen.cost.tolist()) == [0, 50]
    assigned = assignment(chosen.fills)
    assert not assigned.left
    assert max(own.bit_count() for own in assigned.held.values()) == MOST_PROGRAMS


def test_slots_that_these_cannot_fill_are_named() -> None:
    n = MOST_PROGRAMS + 1
    alone = columns([list(range(n)), [n]], [0, 0])
    assert unfilled(alone.fills).tolist() == list(range(n))
    assert not len(unfilled(alone.fills[1:]))
    with pytest.raises(SelectionError, match="alone with more than ten"):
        programs(n + 1).cheapest(alone, 9, gap=0)


def test_a_slot_is_worth_what_its_only_filler_costs_and_children_are_judged_by_it() -> None:
    some = columns([[0], [1]], [700, 0])
    prices = programs(2).prices(some, 9)
    assert prices.slots.tolist() == [701, 1]
    child = columns([[0, 1], [0, 1]], [500, 900])
    assert prices.profit(child).tolist() == [202, -198]


def test_a_household_more_costs_where_households_are_few() -> None:
    some = columns([[0], [1], [0, 1]], [0, 0, 600])
    assert programs(2).prices(some, 2).limits[0] == 0
    assert programs(2).prices(some, 1).limits[0] > 0
