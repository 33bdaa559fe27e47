"""The integer program takes the cheapest households that fill all slots, within limits."""

import numpy as np
import pytest

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.coverage import MOST_PROGRAMS
from benyfits_data.fuzz.search.candidates import Candidates
from benyfits_data.fuzz.search.integer_program import (
    PENALTY,
    CoverProgram,
    fillers_of_slots,
    shared_out,
    unfilled,
)
from benyfits_data.fuzz.search.set_limits import (
    BEYOND_99,
    HOUSEHOLDS,
    MIXED_SHARE,
    MONEY,
    SAME_AGE,
    broken_limits,
    limit_on_number,
)
from benyfits_data.household.columns import Households
from benyfits_data.household.features import MEMBER_FEATURES


def candidates(
    fills: list[list[int]],
    cost: list[int],
    percentile: tuple[float, ...] | None = None,
    homes: Households | None = None,
) -> Candidates:
    """Return candidates, each the slots that it fills; all are alone, of different ages."""
    n_slots = max(max(own) for own in fills) + 1
    can = np.array([[slot in own for own in fills] for slot in range(n_slots)])
    if homes is None:
        homes = Households.of_defaults(len(fills))
        homes.member["age"][0] = 20 + np.arange(len(fills)) % 80
    at = np.zeros(len(fills)) if percentile is None else np.array(percentile)
    return Candidates(homes, can, np.array(cost), at)


def costs(some: Candidates, percentile: float | None = None) -> list[int]:
    """Return what the chosen cost, in order."""
    return sorted(CoverProgram(percentile).cheapest(some).cost.tolist())


def test_the_cheapest_that_fill_all_slots_are_taken() -> None:
    some = candidates([[0, 1], [0], [1], [0, 1, 2], [2]], [900, 100, 100, 2_000, 300])
    assert costs(some) == [100, 100, 300]


def test_one_household_too_many_costs_more_than_what_few_surprise() -> None:
    n = HOUSEHOLDS + 1
    each = [[slot] for slot in range(n)]
    some = candidates([*each, [0, 1]], [0] * n + [9 * PENALTY])
    assert len(costs(some)) == HOUSEHOLDS
    assert limit_on_number(n, 10_000).most == 2_000


@pytest.mark.parametrize(
    ("percentile", "expected"),
    [((80.0, 20.0), [800]), ((99.7, 20.0), [800]), ((20.0, 20.0), [0])],
)
def test_who_is_beyond_a_percentile_is_avoided_at_a_cost(
    percentile: tuple[float, ...], expected: list[int]
) -> None:
    assert costs(candidates([[0], [0]], [0, 800], percentile), 50.0) == expected
    dear = candidates([[0], [0]], [0, 9 * PENALTY], percentile)
    assert costs(dear, 50.0) == [0]


def test_of_two_families_alike_one_is_taken() -> None:
    homes = Households.of_defaults(3)
    homes.member["age"][0] = (40, 40, 41)
    some = candidates([[0], [1], [1]], [0, 0, 300], homes=homes)
    assert costs(some) == [0, 0]
    assert costs(some, 50.0) == [0, 300]
    program = CoverProgram(50.0)
    twins = some.take(np.array([0, 1]))
    assert "no two families alike" in broken_limits(program.limits(twins), twins.homes)


def test_of_four_applicants_of_one_age_three_are_taken() -> None:
    homes = Households.of_defaults(5)
    homes.size[:] = 2
    homes.member["age"][0] = (40, 40, 40, 40, 41)
    homes.member["age"][1] = np.arange(5)
    some = candidates([[0], [1], [2], [3], [3]], [0, 0, 0, 0, 300], homes=homes)
    assert costs(some, 50.0) == [0, 0, 0, 300]
    program = CoverProgram(50.0)
    alike = some.take(np.arange(4))
    broken = broken_limits(program.limits(alike), alike.homes)
    assert f"{SAME_AGE} applicants of one age" in broken


def test_nobody_is_chosen_who_fills_no_slot() -> None:
    fills = np.array([[True, True, False], [True, False, False], [False, True, True]])
    assert shared_out(fills, np.array([0, 0, 2])).tolist() == [1, 0, 2]
    assert shared_out(fills, np.array([1, 0, 1])).tolist() == [1, 0, 2]


def test_each_limit_that_a_set_breaks_is_named() -> None:
    n, relation = 50, MEMBER_FEATURES["relation"]
    homes = Households.of_defaults(n)
    homes.size[:] = 2
    homes.member["age"][0] = 30 + np.arange(n)
    for name in MONEY:
        (homes.shared if name in homes.shared else homes.member)[name][:] = 0
    program = CoverProgram(50.0)

    def broken(percentile: np.ndarray) -> list[str]:
        some = candidates([[0]] * n, [0] * n, tuple(percentile), homes)
        return broken_limits(program.limits(some), homes)

    usual = np.linspace(0, 90, n)
    usual[n // 2 :] = 50
    assert broken(usual) == []
    assert broken(usual + 1) == ["a median within 50"]
    far = usual.copy()
    far[: BEYOND_99 + 1] = 99.2
    assert broken(far) == [f"{BEYOND_99} beyond the 99th percentile"]
    far[:] = usual
    far[0] = 99.6
    assert broken(far) == ["none beyond the 99.5th percentile"]
    large = n // 4 + 1
    homes.size[:large] = 6
    assert broken(usual) == ["25% with 6 members"]
    homes.size[:] = 4
    assert broken(usual) == ["3.9 members on average"]
    homes.size[round(MIXED_SHARE * n) + 1 :] = 2
    for row, name in enumerate(("child", "parent", "friend"), start=1):
        homes.member["relation"][row, : round(MIXED_SHARE * n) + 1] = relation.encode(name)
    assert broken(usual) == ["12% with mixed relations"]
    homes.size[:] = 1
    homes.member["annual_work_income"][0, :3] = 4_321
    assert broken(usual) == ["$4,321 of annual_work_income in 3 households"]


def test_nobody_fills_more_than_ten_slots() -> None:
    n = MOST_PROGRAMS + 2
    some = candidates([list(range(n)), [0, 1], [n - 1]], [0, 50, 40])
    chosen = CoverProgram(None).cheapest(some)
    assert sorted(chosen.cost.tolist()) == [0, 50]
    filler = fillers_of_slots(chosen.fills)
    assert chosen.fills[np.arange(n), filler].all()
    assert np.bincount(filler).max() == MOST_PROGRAMS


def test_slots_that_these_cannot_fill_are_named() -> None:
    n = MOST_PROGRAMS + 1
    alone = candidates([list(range(n)), [n]], [0, 0])
    assert unfilled(alone.fills).tolist() == list(range(n))
    assert not len(unfilled(alone.fills[1:]))
    with pytest.raises(SelectionError, match="alone with more than ten"):
        CoverProgram(None).cheapest(alone)
