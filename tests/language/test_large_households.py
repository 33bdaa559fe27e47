"""Households of up to twenty are labelled, audited and explained; builders stay at six."""

import numpy as np
import pytest

import benyfits_data as bd
from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import MOST_MEMBERS, Household
from benyfits_data.language.numpy_backend import label_and_trace, possible
from benyfits_data.language.partial import household_facts
from tests.language.draws import draw_possible

SIZES = (7, 9, 14, MOST_MEMBERS)


def family(size: int, income: int = 0, **facts: object) -> Household:
    """Return a couple with children."""
    couple = [{"age": 40, "annual_work_income": income}, {"relation": "spouse", "age": 39}]
    children = [{"relation": "child", "age": 1 + number % 17} for number in range(size - 2)]
    return Household.complete(members=[*couple, *children], **facts)


@pytest.fixture(scope="module")
def families() -> list[Household]:
    return [
        family(size, income, tenure=tenure)
        for size in SIZES
        for income, tenure in ((0, "renter"), (20_000, "renter"), (90_000, "owner"))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("year", [2024, 2026])
def test_numpy_and_cpython_agree_on_large_households(year: int, families: list[Household]) -> None:
    rules = load_edition(year)
    labels = bd.label(rules, families)
    for position, household in enumerate(families):
        for program in rules:
            assert bool(labels.loc[position, program]) == rules[program](household), program


@pytest.mark.slow
def test_a_table_with_a_large_household_labels_small_ones_alike(families: list[Household]) -> None:
    rules, small = load_edition(2026), draw_possible(40, 3, 2026)
    mixed = Households.concatenate([small, Households.from_households(families[:1])])
    assert mixed.places == len(families[0].members)
    assert possible(mixed)[:40].all()
    alone, together = label_and_trace(rules, small), label_and_trace(rules, mixed)
    for program in rules:
        assert np.array_equal(alone.labels[program], together.labels[program][:40])
        assert np.array_equal(alone.traces[program], together.traces[program][:40])
    assert household_facts(mixed.household(40)) == household_facts(families[0])


def test_amounts_go_on_for_each_further_person() -> None:
    limit = load_edition(2026).program("FairFaresNYC").thresholds.income_limit
    assert limit.each_additional
    for size in SIZES:
        over = limit[size] + 1
        assert limit[size + 1] - limit[size] == limit.each_additional
        fair = load_edition(2026)["FairFaresNYC"]
        assert fair(family(size, limit[size]))
        assert not fair(family(size, over))
