"""Programs by chance, read as formulas and run by CPython, say the same of every household."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.rules import formula_reader, program_values
from tests.evaluation.rules import agreement
from tests.evaluation.rules.agreement import compare
from tests.evaluation.rules.programs import write_program


def compared(seeds, trials):
    """How many programs of some seeds are read; each that is agrees with CPython."""
    n_read = 0
    for seed in seeds:
        try:
            compare(write_program(seed), trials)
        except LanguageError:
            continue
        n_read += 1
    return n_read


def test_some_programs_by_chance_are_read_as_cpython_runs_them(trials):
    assert compared(range(8), trials) >= 3


@pytest.mark.slow
def test_programs_by_chance_are_read_as_cpython_runs_them(trials):
    assert compared(range(1_000, 1_080), trials) >= 40


FAULTS = {
    "below is at most": ("return builder.less(left, right)\n        if low is",
                         "return builder.negate(builder.less(right, left))\n        if low is"),
    "a quotient is one more": ("_steps(limit, number.bottom)", "_steps(limit, number.bottom) + 1"),
    "a sum leaves out conditions": ("total = self.choose(guard, more, total)", "total = more"),
    "a list counts everybody": ("count = builder.plus(count, self.number(guard))",
                                "count = builder.plus(count, builder.constant(1))"),
    "who returned goes on": ("before = self.builder.both(before, rest)", "continue"),
    "who goes on with the next round is gone": ("if left.how == how]", "if False]"),
    "a name keeps its first value": ("else self.choose(condition, value, other[name])",
                                     "else other[name]"),
    "the least is the greatest": ("self.less(number, best_number) if is_least",
                                  "self.less(best_number, number) if is_least"),
    "a list has no second name": ("not frame.binding.is_alone(name)", "False"),
    "`or` is `and`": ("goes_on = truth if is_and", "goes_on = truth if not is_and"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_of_the_reader_is_caught(name, trials, monkeypatch):
    n_planted = 0
    for module in (program_values, formula_reader):
        text = Path(module.__file__).read_text("utf-8")
        n_planted += text.count(FAULTS[name][0])
        wrong = ModuleType(module.__name__)
        monkeypatch.setitem(sys.modules, module.__name__, wrong)
        exec(text.replace(*FAULTS[name]), wrong.__dict__)
    assert n_planted
    monkeypatch.setattr(agreement, "read_function", wrong.read_function)
    for source in map(write_program, range(80)):
        try:
            compare(source, trials)
        except LanguageError:
            continue
        except AssertionError:
            return
    pytest.fail(f"nobody noticed: {name}")
