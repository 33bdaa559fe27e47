import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benyfits_data.editions import load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household import measures
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household
from benyfits_data.language.numpy_backend import holds, measure, possible, violators
from benyfits_data.language.numpy_backend.column_program import bit_sets, n_words
from benyfits_data.rng import stream
from tests.language.draws import draw_households

MEASURES = [
    function
    for name, function in vars(measures).items()
    if getattr(function, "__module__", "") == measures.__name__ and name != "yearly"
]


@pytest.fixture(scope="module")
def households() -> Households:
    return draw_households(333, stream(1, "test", "batch"))


def test_constraints_agree_with_cpython(households: Households) -> None:
    found = {name: holds(constraint, households) for name, constraint in CONSTRAINTS.items()}
    for column in range(len(households)):
        household = households.household(column, constrained=False)
        broken = {(violation.constraint, violation.member) for violation in household.violations()}
        read = {
            (name, row)
            for name, met in found.items()
            if met.ndim == 2
            for row in np.flatnonzero(~met[:, column])
        } | {(name, None) for name, met in found.items() if met.ndim == 1 and not met[column]}
        assert read == broken


@pytest.mark.parametrize("n", [0, 1, 64, 333, 33_333])
def test_violators_are_those_for_whom_a_constraint_does_not_hold(
    households: Households, n: int
) -> None:
    table = households.take(np.arange(n) % len(households))
    for constraint in CONSTRAINTS.values():
        rows, columns = violators(constraint, table)
        expected = np.nonzero(~holds(constraint, table))
        assert (rows is not None) == constraint.of_member
        found = (columns,) if rows is None else (rows, columns)
        assert all(map(np.array_equal, found, expected)), constraint.name


@pytest.fixture(scope="module")
def one_by_one(households: Households) -> list[Household]:
    return [households.household(at, constrained=False) for at in range(len(households))]


def test_measures_agree_with_cpython(
    households: Households, one_by_one: list[Household], subtests: pytest.Subtests
) -> None:
    for function in MEASURES:
        with subtests.test(function.__name__):
            check_measure(function, households, one_by_one)


def check_measure(
    function: Callable[..., Any], households: Households, one_by_one: list[Household]
) -> None:
    found = measure(function, households)
    parameters = list(inspect.signature(function).parameters)
    for column, household in enumerate(one_by_one):
        for row, member in enumerate(household.members):
            facts = {"household": household, "member": member}
            expected = function(*(facts[name] for name in parameters))
            read = found[row, column] if "member" in parameters else found[column]
            assert read == expected, (column, row)


def test_possible_are_those_who_meet_every_constraint() -> None:
    table = sample_households(400, load_edition(2024), 3)
    assert possible(table).all()
    for place, name in enumerate(table.member):
        # Each fact changes in some households, and is taken from another.
        some = np.arange(place % 41, 400, 41)
        table.member[name][:, some] = table.member[name][:, (some + 1) % 400]
    met = np.ones(400, np.bool_)
    for constraint in CONSTRAINTS.values():
        found = holds(constraint, table)
        met &= found.all(axis=0) if constraint.of_member else found
    assert 20 < met.sum() < 380
    assert (possible(table) == met).all()


def test_large_sums_do_not_overflow() -> None:
    table = Households.of_defaults(2)
    table.size[:] = 6
    table.member["annual_work_income"][:] = 2_000_000
    table.member["annual_investment_income"][:] = 2_000_000
    assert measure(measures.household_income, table).tolist() == [24_000_000, 24_000_000]


def test_a_measure_of_a_plain_number_is_refused() -> None:
    with pytest.raises(LanguageError, match="expected a household, a member"):
        measure(measures.yearly, Households.of_defaults(1))


@pytest.mark.parametrize(("n_masks", "n"), [(1, 1), (7, 100), (8, 64), (65, 130), (140, 1000)])
def test_bit_sets_turn_masks_of_households_into_sets_of_masks(n_masks: int, n: int) -> None:
    flags = stream(3, "test", "bits").random((n_masks, n)) < 0.4
    sets = bit_sets(list(flags), n)
    assert sets.shape == (n, n_words(n_masks))
    if n_masks % 64:
        assert not (sets[:, -1] >> np.uint64(n_masks % 64)).any()
    for mask in range(n_masks):
        bit = (sets[:, mask // 64] >> np.uint64(mask % 64)) & np.uint64(1)
        assert np.array_equal(bit.astype(bool), flags[mask])
