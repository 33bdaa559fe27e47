"""Intervals of shares and of a few draws."""

import pytest

from benyfits_data.intervals import half_width, wilson


def test_the_interval_of_a_share_holds_it_and_shrinks() -> None:
    low, high = wilson(50, 100)
    assert low < 0.5 < high
    assert wilson(5_000, 10_000)[0] > low
    assert wilson(0, 100)[0] == 0


def test_few_draws_have_the_wider_tails_of_students_t() -> None:
    assert half_width([0.0, 2.0, 1.0]) == pytest.approx(4.302653)  # 2 degrees of freedom.
    assert half_width([0.25] * 12) == 0
