import numpy as np
import pytest

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import Constraint
from benyfits_data.household.repair import KEPT, repair, violators_one_by_one
from benyfits_data.language.numpy_backend import possible, violators
from benyfits_data.rng import stream
from tests.language.draws import draw_households


def draw_at_random(feature, households, rows, columns, rng):
    """Draw from the domain alone: what repair has to cope with."""
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
    repair(table, violators, draw_at_random, stream(7, "repair"))
    assert possible(table).all()


def test_facts_that_no_constraint_objects_to_stay_as_they_are():
    table = adults_living_alone(50)
    table.member["has_itin"][0, :10] = True
    repair(table, violators, draw_at_random, stream(1, "repair"))
    assert not table.member["has_itin"].any()
    assert (table.member["age"][0] == 40).all()
    assert table.member["has_ssn"][0].all()


def test_a_constraint_that_nothing_can_meet_is_named():
    hopeless = Constraint("nobody_is_forty", "Nobody can be of any age.", ("age",), nobody_is_forty)
    with pytest.raises(ImpossibleHouseholdError, match="nobody_is_forty") as error:
        repair(adults_living_alone(3), violators, draw_at_random, stream(1, "repair"), [hopeless])
    assert error.value.constraint == "nobody_is_forty"
    assert error.value.households == 3


def test_only_constraints_that_read_a_changed_feature_are_checked():
    table = adults_living_alone(5)
    table.member["has_itin"][0] = True
    repair(table, violators, draw_at_random, stream(1, "repair"), changed=["monthly_rent_spending"])
    assert table.member["has_itin"][0].all()
    repair(table, violators, draw_at_random, stream(1, "repair"), changed=["has_itin"])
    assert not table.member["has_itin"][0].any()


def feature_named(name: str):
    from benyfits_data.household.features import FEATURES

    return FEATURES[name]


@pytest.mark.slow
def test_a_constraint_repaired_alone_holds_for_everybody(subtests):
    drawn = draw_households(300, np.random.default_rng(9))
    repaired = 0
    for name, constraint in CONSTRAINTS.items():
        table = drawn.take(np.arange(len(drawn)))
        with subtests.test(name):
            try:
                repair(table, violators, draw_at_random, stream(2, "repair"), [constraint])
            except ImpossibleHouseholdError:
                # Relations and ages drawn at random cannot all be repaired by one constraint.
                assert set(constraint.repaired_by) & KEPT
                continue
            _, columns = violators(constraint, table)
            assert not len(columns)
            repaired += 1
    assert repaired > len(CONSTRAINTS) / 2


def test_cpython_and_numpy_say_the_same_of_who_violates_what():
    table = draw_households(60, np.random.default_rng(4))
    for constraint in CONSTRAINTS.values():
        rows, columns = violators(constraint, table)
        own_rows, own_columns = violators_one_by_one(constraint, table)
        places = set(zip(columns, columns if rows is None else rows, strict=True))
        own = set(zip(own_columns, own_columns if own_rows is None else own_rows, strict=True))
        assert places == own, constraint.name
