"""Chosen households are told, counted and burdened like those of the city."""

from dataclasses import replace

import numpy as np

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import Needs, in_order
from benyfits_data.fuzz.believable.member_order import sort_members
from benyfits_data.fuzz.believable.repeated_amounts import Amounts, with_other_amounts
from benyfits_data.fuzz.believable.slot_reassignment import SlotReassignment
from benyfits_data.fuzz.corpus import CoverageReader, collect
from benyfits_data.fuzz.exact.set_cover import Slots
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household
from benyfits_data.language.numpy_backend import possible

EDITION = load_edition(2024)
COVERS = CoverageReader("branches", EDITION)
AMOUNT = "available_financial_resources"


def _shuffled(homes: Households) -> Households:
    """Return copies in which all but the applicant stand the other way round."""
    found = homes.take(np.arange(len(homes)))
    for home, size in enumerate(homes.size.tolist()):
        for values in found.member.values():
            values[1:size, home] = values[1:size, home][::-1]
    return found


def test_homes_of_the_city_are_told_in_order_already(city: DonorCity) -> None:
    found = city.households.take(np.arange(len(city.households)))
    sort_members(found)
    for name, values in found.member.items():
        assert (values == city.households.member[name]).all()


def test_members_who_were_moved_are_told_in_order_again_with_all_that_is_theirs(
    city: DonorCity,
) -> None:
    ages = np.where(city.households.present, city.households.member["age"], -1)
    ages[0] = np.where(np.isin(city.households.member["relation"][1], [1, 2]), 200, ages[0])
    apart = (np.diff(np.sort(ages, axis=0), axis=0) != 0) | (np.sort(ages, axis=0)[1:] < 0)
    some = city.households.take(np.flatnonzero(apart.all(axis=0))[:200])
    moved = _shuffled(some)
    assert any((moved.member["age"] != some.member["age"]).any(axis=0))
    sort_members(moved)
    for name, values in moved.member.items():
        assert (values == some.member[name]).all(), name


def test_the_order_stays_where_a_line_needs_it(city: DonorCity) -> None:
    some = city.households.take(np.flatnonzero(city.households.size > 2)[:4]).fitted()
    moved = _shuffled(some)
    free = Needs(COVERS, moved, [], ())
    ordered = in_order(moved, free)
    assert (ordered.member["age"] == some.member["age"]).all()

    class Refusing(Needs):
        def met(self, copies: Households, of: np.ndarray, *, contested: bool = True) -> np.ndarray:
            return np.asarray(of % 2 == 0)

    half = in_order(moved, Refusing(COVERS, moved, [], ()))
    assert (half.member["age"][:, ::2] == some.member["age"][:, ::2]).all()
    assert (half.member["age"][:, 1::2] == moved.member["age"][:, 1::2]).all()


def test_a_planted_amount_in_many_homes_becomes_others_but_where_a_line_needs_it(
    city: DonorCity,
) -> None:
    homes = city.households.take(np.flatnonzero(city.households.size == 2)[:12]).fitted()
    homes.shared[AMOUNT][:] = 73_381
    homes = homes.take(np.flatnonzero(possible(homes)))
    amounts = Amounts(FEATURES[AMOUNT], city.households)
    assert len(amounts.repeated(homes)[73_381]) == len(homes) > 4
    found = with_other_amounts(homes, Needs(COVERS, homes, [], ()), city, np.random.default_rng(0))
    assert possible(found).all()
    assert not amounts.repeated(found)
    assert (city.belief.surprise(found) <= city.belief.surprise(homes)).all()

    class Needed(Needs):
        def met(self, copies: Households, of: np.ndarray, *, contested: bool = True) -> np.ndarray:
            return np.asarray(copies.shared[AMOUNT] == 73_381)

    kept = with_other_amounts(homes, Needed(COVERS, homes, [], ()), city, np.random.default_rng(0))
    assert (kept.shared[AMOUNT] == 73_381).all()


def test_an_amount_that_many_of_the_city_have_may_stand_in_many_homes(city: DonorCity) -> None:
    hours = Amounts(FEATURES["work_hours_per_week"], city.households)
    assert hours.usual(40, 100) > 20
    assert Amounts(FEATURES[AMOUNT], city.households).usual(73_381, 100) == 1


def _home(n_needs: int) -> Household:
    facts = ("needs_semi_protective_care", "developmental_mental_day_treatment", "arson")
    needs = dict.fromkeys(facts[:n_needs], True)
    return Household.complete(members=[{"age": 48}, {"relation": "sibling", "age": 44, **needs}])


def test_several_rare_needs_in_one_home_weigh(city: DonorCity) -> None:
    homes = Households.from_households([_home(n_needs) for n_needs in range(4)])
    beyond = city.rare_needs.beyond(homes)
    assert beyond[0] == 0
    assert (np.diff(beyond) >= 0).all()
    assert beyond[3] >= 2
    assert (city.rare_needs.beyond(city.households) > 0).mean() < 0.06
    corpus = collect(EDITION, [homes])
    reassignment = SlotReassignment(COVERS, corpus.coverage, Slots((), 0), city, 50.0, 60)
    still = replace(reassignment, city=_without_needs(city))
    more = reassignment._cost(homes) - still._cost(homes)
    assert more[0] == 0
    assert more[3] > 1


def _without_needs(city: DonorCity) -> DonorCity:
    plain = DonorCity(city.households, city.belief, city.draw)
    plain.__dict__["rare_needs"] = type(
        "Nothing", (), {"beyond": lambda self, homes: np.zeros(len(homes), np.intp)}
    )()
    return plain
