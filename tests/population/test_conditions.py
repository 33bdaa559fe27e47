"""The language of conditions."""

import numpy as np
import pytest

from benyfits_data.population.conditions import (
    ConditionError,
    Frame,
    parse_condition,
    parse_range,
)


@pytest.fixture
def people() -> Frame:
    homes = Frame(2)
    homes.put("borough", np.array([0, 1], np.int8), ("Bronx", "Queens"))
    frame = Frame(4, homes, np.array([0, 0, 1, 1]))
    frame.put("age", np.array([3, 17, 18, 70]))
    frame.put("disabled", np.array([True, False, True, False]))
    frame.put("months", np.array([-1, 0, 5, 12]))
    return frame


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("all", [True, True, True, True]),
        ("age 0-17", [True, True, False, False]),
        ("age 18+", [False, False, True, True]),
        ("age 18-110 & disabled yes", [False, False, True, False]),
        ("disabled no", [False, True, False, True]),
        ("months none", [True, False, False, False]),
        ("months 0-5", [False, True, True, False]),
        ("borough Queens", [False, False, True, True]),
        ("borough Bronx|Queens", [True, True, True, True]),
    ],
)
def test_a_condition_holds_for_whom_it_says(
    people: Frame, condition: str, expected: list[bool]
) -> None:
    assert people.mask(condition).tolist() == expected


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("weight 3", "No column 'weight'"),
        ("borough Jersey", "never 'Jersey'"),
        ("disabled maybe", "expected yes or no"),
        ("age young", "expected a range"),
    ],
)
def test_a_condition_that_cannot_be_read_says_why(
    people: Frame, condition: str, words: str
) -> None:
    with pytest.raises(ConditionError, match=words):
        people.mask(condition)


def test_an_atom_without_value_is_refused() -> None:
    with pytest.raises(ConditionError, match="expected a column and a value"):
        parse_condition("age 0-17 & disabled")


def test_ranges_may_be_negative_open_or_single() -> None:
    assert parse_range("-15--6") == (-15, -6)
    assert parse_range("7") == (7, 7)
    assert parse_range("200+") is not None
    assert parse_range("Bronx") is None


def test_a_household_column_that_changed_is_seen_once_it_is_put_again(people: Frame) -> None:
    assert people["borough"].tolist() == [0, 0, 1, 1]
    homes = people.parent
    assert homes is not None
    homes.put("borough", np.array([1, 1], np.int8), ("Bronx", "Queens"))
    assert people["borough"].tolist() == [1, 1, 1, 1]
