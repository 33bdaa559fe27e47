"""Rendered texts are laid out again without losing a word or a clause."""

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.program import parse_clauses
from benyfits_data.editions.text_layout import WIDTH, rewrap


def test_a_line_that_an_amount_left_short_is_filled() -> None:
    ragged = "1. The income is no more than\n   $5.\n\nThis decides\nnothing.\n"
    assert rewrap(ragged) == "1. The income is no more than $5.\n\nThis decides nothing.\n"


def test_no_wrapped_line_turns_into_a_clause() -> None:
    for width in range(60, WIDTH):
        text = "x" * width + " at least 65. That is b. or nothing. " + "y " * 60
        assert parse_clauses(rewrap(text)) == {}, width
        assert rewrap(text).split() == text.split(), width


@pytest.mark.parametrize("year", EDITIONS)
def test_every_text_fits_the_width_and_stays_when_wrapped_again(year: int) -> None:
    for program in load_edition(year).programs.values():
        text = program.requirements()
        prose = [line for line in text.splitlines() if not line.startswith("|")]
        assert max(map(len, prose)) <= WIDTH, program.name
        assert rewrap(text) == text, program.name
