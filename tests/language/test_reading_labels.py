"""Labels under every reading: as the reference tracer gives them, and what hangs on a reading."""

from dataclasses import replace

import numpy as np
import pytest

from benyfits_data.editions import Edition, Option, Program, load_edition
from benyfits_data.errors import CheckerFailedError
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace_many
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.reading_labels import contested, labels_under_readings, options_of

VOUCHER = "SectionEightHousingChoiceVoucherProgram"
TENANT = Household.complete(members=[{"age": 30}], housing_type="NYCHA development")
MINOR = Household.complete(
    members=[{"age": 17, "emancipated_minor": False}, {"relation": "grandparent", "age": 70}],
    housing_type="Section 8",
)
OTHER = Household.complete(members=[{"age": 30}], housing_type="unregulated rental")


def alone(program: Program) -> Edition:
    return Edition(program.edition, {program.name: program})


def test_labels_are_those_of_the_program_under_each_option() -> None:
    program = load_edition(2024)[VOUCHER]
    homes = sample_households(300, load_edition(2024), 3)
    people = [homes.household(row) for row in range(len(homes))]
    found = labels_under_readings(load_edition(2024), homes, [VOUCHER])
    assert list(found.options[VOUCHER]) == [
        (reading.id, option.id) for reading, option in options_of(program)
    ]
    for reading, option in options_of(program):
        taken = program.under(reading.id, option.id)
        reference = [trace.eligible for trace in trace_many(taken, people)]
        assert found.options[VOUCHER][reading.id, option.id].tolist() == reference
        assert any(found.changed(VOUCHER, reading.id)), reading.id


@pytest.mark.slow
@pytest.mark.parametrize("year", [2024, 2026])
def test_labels_in_force_are_those_of_every_reader(year: int) -> None:
    edition = load_edition(year)
    homes = sample_households(200, edition, 6)
    labels = label_and_trace(edition, homes).labels
    found = labels_under_readings(edition, homes)
    assert list(found.in_force) == list(labels)
    for name, column in labels.items():
        assert np.array_equal(found.in_force[name], column), name


def test_only_readings_that_are_not_scored_make_a_label_contested() -> None:
    homes = Households.from_households([TENANT, MINOR, OTHER])
    assert contested(load_edition(2024), homes, [VOUCHER]) == [{}, {VOUCHER: ("primarily",)}, {}]
    program = load_edition(2024)[VOUCHER]
    every = tuple(replace(reading, is_scored=False) for reading in program.readings)
    edition = alone(replace(program, readings=every))
    assert contested(edition, homes) == [
        {VOUCHER: ("already-housed",)},
        {VOUCHER: ("already-housed", "primarily")},
        {},
    ]


def test_nobody_is_contested_without_readings() -> None:
    edition = alone(replace(load_edition(2024)[VOUCHER], readings=()))
    assert contested(edition, Households.from_households([TENANT, MINOR])) == [{}, {}]


def test_an_option_that_would_fail_is_named() -> None:
    program = load_edition(2024)[VOUCHER]
    # A table that stops before the household's size.
    table = replace(program.thresholds.income_limit, rows={1: 1}, each_additional=None)
    options = (
        Option("yes", "It goes on.", {}),
        Option("short", "It stops.", {"income_limit": table}),
    )
    planted = replace(program.readings[0], id="sizes", options=options)
    voucher = replace(program, readings=(planted,))
    couple = Household.complete(members=[{"age": 30}, {"relation": "spouse", "age": 30}])
    with pytest.raises(CheckerFailedError, match=f"{VOUCHER} under sizes = short would fail"):
        labels_under_readings(alone(voucher), Households.from_households([couple]))
