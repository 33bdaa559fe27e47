import numpy as np
import pytest

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.constraints.registry import Constraint
from benyfits_data.household.model import Household, Member
from benyfits_data.language.batch import is_met_by_turning, possible, violators
from benyfits_data.language.settling import KEPT, settle
from benyfits_data.streams import stream
from tests.language.drawing import draw_households


def draw_at_random(feature, households, rows, columns, rng):
    """Draw from the domain alone: what settling has to cope with."""
    if feature.name == "relation":
        return households.member["relation"][rows, columns]
    if feature.kind == "flag":
        return rng.random(len(columns)) < 0.5
    if feature.kind == "choice":
        return rng.integers(-1 if feature.optional else 0, len(feature.choices), len(columns))
    low, high = int(feature.minimum), int(feature.maximum)
    codes = rng.integers(low, high + 1, len(columns)).astype(float)
    if feature.optional:
        codes[rng.random(len(columns)) < 0.4] = -1
    return codes


def nobody_is_forty(household: Household, member: Member) -> bool:
    """Nobody can be forty years old or more, or less."""
    return member.age < 0


def adults_living_alone(n: int) -> Households:
    table = Households.of_defaults(n)
    table.size[:] = 1
    return table


def test_households_drawn_from_the_domains_alone_become_possible():
    table = adults_living_alone(300)
    rng = stream(7, "test")
    for name, column in table.shared.items():
        feature = feature_named(name)
        column[:] = draw_at_random(feature, table, None, np.arange(300), rng)
    for name, column in table.member.items():
        if name not in {"relation", "age"}:
            rows = np.zeros(300, int)
            column[0] = draw_at_random(feature_named(name), table, rows, np.arange(300), rng)
    assert not possible(table).all()
    settled = settle(table, draw_at_random, stream(7, "settle"))
    assert possible(settled).all()
    assert len(settled) == 300


def test_settling_twice_from_the_same_stream_gives_the_same_households():
    def settled() -> Households:
        table = adults_living_alone(200)
        table.member["has_itin"][0] = True
        table.shared["tenure"][:] = 0
        return settle(table, draw_at_random, stream(3, "settle"))

    first, second = settled(), settled()
    for name, column in first.member.items():
        assert np.array_equal(column, second.member[name]), name


def test_facts_that_no_constraint_objects_to_stay_as_they_are():
    table = adults_living_alone(50)
    table.member["has_itin"][0, :10] = True
    settle(table, draw_at_random, stream(1, "settle"))
    assert not table.member["has_itin"].any()
    assert (table.member["age"][0] == 40).all()
    assert table.member["has_ssn"][0].all()


def test_a_constraint_that_nothing_can_meet_is_named():
    hopeless = Constraint(
        "nobody_is_forty", "Nobody can be of any age.", True, ("age",), nobody_is_forty
    )
    with pytest.raises(ImpossibleHouseholdError, match="nobody_is_forty") as error:
        settle(adults_living_alone(3), draw_at_random, stream(1, "settle"), [hopeless])
    assert error.value.constraint == "nobody_is_forty"
    assert error.value.households == 3


def test_only_constraints_that_read_a_changed_feature_are_checked():
    table = adults_living_alone(5)
    table.member["has_itin"][0] = True
    settle(table, draw_at_random, stream(1, "settle"), changed=["monthly_rent_spending"])
    assert table.member["has_itin"][0].all()
    settle(table, draw_at_random, stream(1, "settle"), changed=["has_itin"])
    assert not table.member["has_itin"][0].any()


def feature_named(name: str):
    from benyfits_data.household.features import FEATURES

    return FEATURES[name]


def test_every_constraint_settles_declared_features():
    for constraint in CONSTRAINTS.values():
        assert constraint.settles, constraint.name
        for name in constraint.settles:
            assert feature_named(name)


def test_a_constraint_said_to_be_met_by_turning_a_flag_over_is():
    table = draw_households(2_000, np.random.default_rng(5))
    turned = 0
    for constraint in CONSTRAINTS.values():
        for name in constraint.settles:
            if not is_met_by_turning(constraint, name):
                continue
            rows, columns = violators(constraint, table)
            changed = table.take(np.arange(len(table)))
            if name in changed.shared:
                columns = np.unique(columns)
                changed.shared[name][columns] ^= True
            else:
                changed.member[name][rows, columns] ^= True
            rows_after, columns_after = violators(constraint, changed)
            if name in changed.shared or rows is None:
                assert not set(columns) & set(columns_after), constraint.name
            else:
                before = set(zip(rows, columns, strict=True))
                assert not before & set(zip(rows_after, columns_after, strict=True))
            turned += len(columns) > 0
    assert turned > 80


@pytest.mark.parametrize("name", sorted(CONSTRAINTS))
def test_a_constraint_settled_alone_holds_for_everybody(name):
    constraint = CONSTRAINTS[name]
    rng = np.random.default_rng(9)
    table = draw_households(300, rng)
    try:
        settle(table, draw_at_random, stream(2, "settle"), [constraint])
    except ImpossibleHouseholdError:
        # Relations and ages drawn at random cannot all be settled by one constraint.
        assert set(constraint.settles) & KEPT
        return
    _, columns = violators(constraint, table)
    assert not len(columns)
