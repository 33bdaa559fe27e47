"""Guards of declarations: each makes one constraint, which every reader understands."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benyfits_data.errors import LanguageError
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.constraints.derived import applies, guard_of
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.language.numpy_backend import violators
from tests.household.guard_texts import compare, declared_guards
from tests.language.draws import draw_households

GUARDED = {name: c for name, c in CONSTRAINTS.items() if c.guards}
IMPLIED = {name: c for name, c in CONSTRAINTS.items() if "_whenever_" in name}


def test_every_guard_makes_exactly_one_constraint():
    made = Counter(constraint.guards for constraint in GUARDED.values())
    assert made == {
        name: len(feature.when + feature.needs)
        for name, feature in FEATURES.items()
        if feature.when + feature.needs
    }
    assert len(made) > 90


def test_whatever_is_implied_or_told_exactly_where_its_guards_hold_has_a_constraint_for_it():
    stated = [feature.always + len(feature.implied_by) for feature in FEATURES.values()]
    assert len(IMPLIED) == sum(stated) > 20


def test_a_fact_that_is_off_where_another_implies_it_is_caught_by_cpython_and_numpy():
    table = draw_households(2_000, np.random.default_rng(8))
    for name, constraint in IMPLIED.items():
        rows, columns = violators(constraint, table)
        assert len(columns), f"no arbitrary household breaks {name}"
        household = table.household(int(columns[0]), constrained=False)
        member = None if rows is None else int(rows[0])
        assert (name, member) in {(it.constraint, it.member) for it in household.violations()}


def test_arbitrary_households_violate_what_the_texts_of_guards_say():
    asked, n_broken, _, different = compare(30)
    assert asked == 30 * len(list(declared_guards()))
    assert n_broken > 200
    assert different == set()


@pytest.mark.slow
def test_many_evaluations_violate_what_the_texts_of_guards_say():
    asked, _, _, different = compare(1_500)
    assert asked > 300_000
    assert different == set()


def test_a_guard_read_in_another_way_is_noticed(monkeypatch):
    name = "foster_age_out_only_if_age_at_least_18"

    def foster_age_out(household: Household, member: Member) -> bool:
        return not member.foster_age_out or member.age > 60

    assert any(each.constraint == name for each in declared_guards())
    monkeypatch.setitem(CONSTRAINTS, name, replace(CONSTRAINTS[name], holds=foster_age_out))
    *_, different = compare(40)
    assert {name for name, *_ in different} == {name}


def test_a_guard_that_names_no_fact_is_refused():
    with pytest.raises(LanguageError, match="'sunny'"):
        guard_of("is_therapist", "sunny")
    with pytest.raises(LanguageError, match="'age'"):
        guard_of("monthly_rent_spending", "age >= ADULT_AGE")


@cache
def _drawn(n):
    return draw_households(n, np.random.default_rng(8))


def _planted(constraint, n=1_000):
    """Return arbitrary households with the guarded fact on in all of them."""
    rng = np.random.default_rng(9)
    table = _drawn(n).take(np.arange(n))
    for read in (FEATURES[name] for name in constraint.reads if FEATURES[name].kind == "number"):
        column = (table.shared if read.level == "household" else table.member)[read.name]
        column[rng.random(column.shape) < 0.5] = read.encode(read.off)
    feature = FEATURES[constraint.guards]
    column = (table.shared if feature.level == "household" else table.member)[feature.name]
    off = feature.encode(feature.off)
    on = {"flag": True, "choice": 1}.get(feature.kind, max(1, int(feature.minimum or 0)))
    column[...] = np.where(column == off, on, column)
    return table


def test_a_fact_told_where_its_guard_fails_is_caught_by_cpython_and_numpy(subtests):
    for name in GUARDED:
        with subtests.test(name):
            check_guard(name)


def check_guard(name):
    constraint = GUARDED[name]
    table = _planted(constraint)
    rows, columns = violators(constraint, table)
    assert len(columns), "no arbitrary household fails the guard"
    for place in range(0, len(columns), max(1, len(columns) // 2)):
        household = table.household(int(columns[place]), constrained=False)
        member = None if rows is None else int(rows[place])
        found = {(each.constraint, each.member) for each in household.violations()}
        assert (name, member) in found
    met = np.setdiff1d(np.arange(len(table)), columns)[:2]
    for position in met:
        found = {
            each.constraint
            for each in table.household(int(position), constrained=False).violations()
        }
        assert name not in found


@pytest.mark.slow
def test_every_guard_is_asserted_by_z3():
    pytest.importorskip("z3")
    from benyfits_data.language.z3_backend import whole_world

    world = whole_world()
    for name, constraint in GUARDED.items():
        answer = world.find(world.executor.broken(constraint))
        assert answer.status == "none", name


def test_profiles_leave_out_what_when_rules_out_but_not_what_needs_rules_out():
    household = Household.complete(**{"members": [{"age": 40}]})
    assert not applies(FEATURES["emancipated_minor"], household, household.applicant)
    assert applies(FEATURES["receives_ssi"], household, household.applicant)
