"""Every program's examples hold in every edition, by CPython and by the explanation."""

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.language.explain import explain
from benyfits_data.language.source import Source

PROGRAMS = [
    pytest.param(year, name, marks=() if year == EDITIONS[-1] else pytest.mark.slow)
    for year in EDITIONS
    for name in load_edition(year).programs
]
"""Of all editions; `make check` lints them, and so traces each example, before any test."""


@pytest.mark.parametrize(("year", "name"), PROGRAMS)
def test_the_examples_of_a_program_hold(year: int, name: str) -> None:
    program = load_edition(year).program(name)
    examples = program.examples()
    asks_something = bool(Source.of(program.checker).decisions)
    assert {example.eligible for example in examples} == {True, not asks_something}
    for example in examples:
        household = example.household(program.thresholds)
        assert program.is_eligible(household) is example.eligible, example.name
        assert explain(program, household).eligible is example.eligible, example.name
