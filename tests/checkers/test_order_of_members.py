"""Who of a couple is listed first, and in what order the others are, changes no label.

Unless the text itself speaks of the applicant as one person.
"""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from benyfits_data.editions import load_edition
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.language.numpy_backend import label_and_trace

N, SEED = 12_000, 43
SAME_OF_BOTH = ("spouse", "child", "adopted child", "stepchild", "foster child", "friend")
"""Relations that stay what they are when the spouse of a joint return is the one who asks."""
ONE_APPLICANT = {
    "OfficeOfChildSupportServices": "A parent asks (clause 2a); a spouse's children are untold."
}
"""Programs whose text says "the applicant" of one of a couple, and where it does."""


@cache
def sample(year: int) -> Households:
    return sample_households(N, load_edition(year), SEED)


def couples(table: Households) -> Households:
    """Return who files jointly, among households whose relations both spouses share."""
    relation, present = table.member["relation"], table.present
    codes = {name: MEMBER_FEATURES["relation"].encode(name) for name in SAME_OF_BOTH}
    shared = np.isin(relation, list(codes.values())) | ~present
    shared[0] = True
    chosen = table.shared["filing_jointly"] & shared.all(axis=0)
    return table.take(np.flatnonzero(chosen))


def with_spouse_first(table: Households) -> Households:
    """Return the same households, asked for by the spouse."""
    spouse = MEMBER_FEATURES["relation"].encode("spouse")
    place = (table.member["relation"] == spouse).argmax(axis=0)
    return reordered(table, place)


def reordered(table: Households, first: NDArray[np.intp]) -> Households:
    """Return households where the applicant and one other member have changed places."""
    found = table.take(np.arange(len(table)))
    columns = np.arange(len(table))
    for name, facts in found.member.items():
        if name == "relation":
            continue
        facts[0], facts[first, columns] = facts[first, columns], facts[0].copy()
    return found


def with_others_backwards(table: Households) -> Households:
    """Return the same households, the members after the applicant in the other order."""
    found = table.take(np.arange(len(table)))
    for facts in found.member.values():
        for size in range(3, table.places + 1):
            there = np.flatnonzero(table.size == size)
            facts[1:size, there] = facts[1:size, there][::-1]
    return found


def changed(year: int, one: Households, other: Households) -> dict[str, int]:
    """Return for how many households each label differs, where any does."""
    before, after = (label_and_trace(load_edition(year), it).labels for it in (one, other))
    counts = {name: int((before[name] != after[name]).sum()) for name in before}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.slow
@pytest.mark.parametrize("year", [2024, 2026])
def test_who_of_a_joint_return_asks_changes_no_label(year: int) -> None:
    pairs = couples(sample(year))
    assert len(pairs) > 400
    found = changed(year, pairs, with_spouse_first(pairs))
    assert found.keys() - ONE_APPLICANT.keys() == set(), (len(pairs), found)


@pytest.mark.slow
def test_a_rule_about_the_applicant_alone_is_found() -> None:
    asks_the_applicant = (
        load_edition(2026).program("ChildTaxCredit").under("filer-number", "applicant")
    )
    pairs = couples(sample(2026))
    checker, thresholds = asks_the_applicant.checker, asks_the_applicant.thresholds
    found = [
        checker(one, thresholds) is not checker(other, thresholds)
        for one, other in (
            (
                table.household(place, constrained=False)
                for table in (pairs, with_spouse_first(pairs))
            )
            for place in range(400)
        )
    ]
    assert any(found)


@pytest.mark.slow
@pytest.mark.parametrize("year", [2024, 2026])
def test_the_order_of_the_others_changes_no_label(year: int) -> None:
    table = sample(year)
    assert changed(year, table, with_others_backwards(table)) == {}
