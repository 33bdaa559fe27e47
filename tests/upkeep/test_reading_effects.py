"""What hangs on a reading: shares are those of the labels, witnesses are decided otherwise."""

from dataclasses import replace

from benyfits_data.editions import Edition, Option, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import Household
from benyfits_data.language.z3_backend import whole_world
from benyfits_data.upkeep.label_changes import Flips
from benyfits_data.upkeep.reading_effects import measure_readings

VOUCHER = "SectionEightHousingChoiceVoucherProgram"
CITY = Households.from_households(
    [
        Household.complete(members=[{"age": 30}], housing_type=housing)
        for housing in ("NYCHA development", "Section 8", "unregulated rental", "homeless")
    ]
)


def test_shares_count_whose_label_changes_and_in_which_direction() -> None:
    first, second, status, pay = measure_readings(load_edition(2024), [VOUCHER], CITY)
    assert [effect.flips for effect in first.effects] == [Flips(0, 2, 4)]
    for reading in (second, status, pay):
        assert [effect.flips for effect in reading.effects] == [Flips(0, 0, 4)]
    assert "changes 50.00% of the city's labels: 0.00% gain, 50.00% lose" in str(first)


def test_a_witness_is_small_and_decided_otherwise() -> None:
    program = load_edition(2024)[VOUCHER]
    *refused, status, pay = measure_readings(load_edition(2024), [VOUCHER], world=whole_world())
    assert pay.effects[0].witness is not None
    assert pay.effects[0].witness.household is not None
    assert len(pay.effects[0].witness.household.members) == 2
    assert "\n      eligible under it only, for example:" in str(status)
    for found in refused:
        (effect,) = found.effects
        assert effect.flips is None
        assert effect.witness is not None
        home = effect.witness.household
        assert home is not None
        other = program.under(found.reading.id, effect.option.id)
        assert program.is_eligible(home) != other.is_eligible(home)
        assert len(home.members) == 1
        assert "not eligible under it only, for example:" in str(found)


def test_an_option_that_changes_nothing_is_proven_to() -> None:
    program = load_edition(2024)[VOUCHER]
    reading = program.readings[0]
    # Nobody has more than six members, so that this row decides nothing.
    table = program.thresholds.income_limit
    same = Option("same", "It is the same.", {"income_limit": replace(table, rows={**table.rows})})
    planted = replace(program, readings=(replace(reading, options=(reading.options[0], same)),))
    edition = Edition(2024, {VOUCHER: planted})
    (found,) = measure_readings(edition, [VOUCHER], world=whole_world())
    assert found.effects[0].witness is not None
    assert found.effects[0].witness.status == "none"
    assert "separated by nobody: no possible household" in str(found)
