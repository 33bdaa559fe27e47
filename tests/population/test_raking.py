"""Raking and exact allotment."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benyfits_data.population.raking import (
    Margin,
    allocate,
    exponential_tilting,
    rake,
    systematic_rounding,
)


def test_raked_cells_meet_both_margins() -> None:
    counts = np.array([400.0, 600.0, 1000.0])
    seed = np.array([[0.2, 0.8], [0.5, 0.5], [0.1, 0.9]])
    yes = np.array([True, False])
    whole = np.ones(3, np.bool_)
    first = np.array([True, False, False])
    fitted = rake(counts, seed, [Margin(whole, yes, 0.3), Margin(first, yes, 0.4)])
    assert fitted.sum(axis=1) == pytest.approx(1)
    assert counts @ fitted[:, 0] / counts.sum() == pytest.approx(0.3, abs=1e-4)
    assert fitted[0, 0] == pytest.approx(0.4, abs=1e-4)


def test_raking_keeps_impossible_cells_impossible() -> None:
    fitted = rake(
        np.array([10.0, 10.0]),
        np.array([[0.0, 1.0], [0.5, 0.5]]),
        [Margin(np.ones(2, np.bool_), np.array([True, False]), 0.4)],
    )
    assert fitted[0, 0] == 0
    assert fitted[1, 0] == pytest.approx(0.8, abs=1e-4)


def test_margins_that_contradict_each_other_do_not_hang() -> None:
    cells, yes = np.ones(1, np.bool_), np.array([True, False])
    fitted = rake(
        np.array([10.0]), np.array([[0.5, 0.5]]), [Margin(cells, yes, 0.2), Margin(cells, yes, 0.8)]
    )
    assert np.isfinite(fitted).all()


def test_tilted_weights_have_the_wanted_expectations() -> None:
    start = np.full(4, 0.25)
    features = np.array([[0.0, 1], [1, 0], [2, 1], [3, 0]])
    fitted = exponential_tilting(start, features, np.array([1.2, 0.4]))
    assert fitted.sum() == pytest.approx(1)
    assert fitted @ features == pytest.approx([1.2, 0.4], abs=1e-5)


@given(st.lists(st.floats(0, 50), min_size=1, max_size=40), st.integers(0, 2**32))
def test_whole_numbers_are_never_off_by_one(expected: list[float], seed: int) -> None:
    wanted = np.array(expected)
    found = systematic_rounding(wanted, np.random.default_rng(seed))
    assert (np.abs(found - wanted) < 1 + 1e-6).all()
    assert abs(found.sum() - wanted.sum()) < 1 + 1e-6


def test_allotment_is_exact_in_every_cell() -> None:
    cell = np.repeat([0, 1], [1000, 500])
    shares = np.array([[0.1, 0.2, 0.7], [0.5, 0.0, 0.5]])
    found = allocate(cell, shares, np.random.default_rng(1))
    for position in range(2):
        counts = np.bincount(found[cell == position], minlength=3)
        assert np.abs(counts - shares[position] * (cell == position).sum()).max() <= 1


def test_a_category_of_probability_zero_is_never_given() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        cell = rng.integers(0, 30, 900)
        shares = rng.random((30, 4)) * (rng.random((30, 4)) > 0.5)
        shares[:, 0] += 1e-3
        shares /= shares.sum(axis=1, keepdims=True)
        found = allocate(cell, shares, rng)
        assert (shares[cell, found] > 0).all()


def test_the_lowest_scores_come_first() -> None:
    score = np.arange(100, dtype=float)[::-1]
    found = allocate(
        np.zeros(100, np.int64), np.array([[0.3, 0.7]]), np.random.default_rng(0), score
    )
    assert set(np.flatnonzero(found == 0)) == set(range(70, 100))


def test_same_stream_same_allotment() -> None:
    cell = np.repeat([0, 1, 2], 50)
    shares = np.full((3, 2), 0.5)
    one, two = (allocate(cell, shares, np.random.default_rng(9)) for _ in range(2))
    assert (one == two).all()


def test_margins_across_scattered_cells_come_out_even() -> None:
    rng = np.random.default_rng(4)
    cell = rng.integers(0, 200, 3_000)
    shares = rng.random((200, 2))
    shares /= shares.sum(axis=1, keepdims=True)
    yes = np.array([True, False])
    margins = [Margin(rng.random(200) < 0.3, yes, 0.5) for _ in range(12)]

    def most_off(given: list[Margin]) -> float:
        found = allocate(cell, shares, np.random.default_rng(1), margins=given) == 0
        inside = (margin.cells[cell] for margin in margins)
        return max(abs(found[who].sum() - shares[cell[who], 0].sum()) for who in inside)

    assert most_off([]) > 4
    assert most_off(margins) < 2
