"""Every program's examples hold in every edition, by CPython and by the explanation."""

import pytest

from benyfits_data.editions import EDITIONS, Program, load_edition
from benyfits_data.language.explain import explain
from benyfits_data.language.source import Source


@pytest.mark.slow  # `make check` lints the examples, and so traces each, before any test.
@pytest.mark.parametrize("year", EDITIONS)
def test_the_examples_of_every_program_hold(year: int, subtests: pytest.Subtests) -> None:
    for name, program in load_edition(year).programs.items():
        with subtests.test(name, year=year):
            check_examples(program)


def check_examples(program: Program) -> None:
    """Check that a program's examples say both, and that both readers say the same."""
    examples = program.examples()
    asks_something = bool(Source.of(program.checker).decisions)
    assert {example.eligible for example in examples} == {True, not asks_something}
    for example in examples:
        household = example.household(program.thresholds)
        assert program.is_eligible(household) is example.eligible, example.name
        assert explain(program, household).eligible is example.eligible, example.name
