"""Every option of every reading decides some household otherwise than the one in force."""

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.language.reading_labels import labels_under_readings, options_of
from benyfits_data.language.z3_backend import program_difference


@pytest.mark.slow
@pytest.mark.parametrize("year", EDITIONS)
def test_every_option_decides_some_household_otherwise(year: int) -> None:
    edition = load_edition(year)
    found = labels_under_readings(edition, sample_households(20_000, edition, 15))
    idle = []
    for name, program in edition.items():
        for reading, option in options_of(program):
            labels = found.options[name][reading.id, option.id]
            if (labels != found.in_force[name]).any():
                continue
            # Nobody sampled: the solver knows whether there is anybody at all.
            if program_difference(program, program.under(reading.id, option.id)) is None:
                idle.append(f"{name} {reading.id}={option.id}")
    assert idle == []
