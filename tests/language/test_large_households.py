"""Households of up to twenty are labelled, audited and explained; builders stay at six."""

import json
from pathlib import Path

import numpy as np
import pytest

import benyfits_data as bd
from benyfits_data.editions import load_edition
from benyfits_data.errors import FeatureValueError
from benyfits_data.household.columns import Households
from benyfits_data.household.model import MOST_MEMBERS, Household
from benyfits_data.language.numpy_backend import label_and_trace, possible
from benyfits_data.language.partial import PartialReader, household_facts
from benyfits_data.language.reading_labels import contested
from tests.commands import invoke
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


def test_twenty_are_the_most() -> None:
    with pytest.raises(FeatureValueError, match="21 members, expected 1 to 20"):
        family(21)


@pytest.mark.slow
def test_partial_readers_take_them_too(families: list[Household]) -> None:
    household = families[2]
    rules = load_edition(2026)
    reader = PartialReader(rules, list(rules)[::8], places=len(household.members))
    facts = household_facts(household)
    some = {fact: value for number, (fact, value) in enumerate(facts.items()) if number % 3}
    for known, is_whole in ((facts, True), (some, False)):
        for program, verdict in reader.know(len(household.members), known).verdicts().items():
            assert verdict is rules[program](household) or (verdict is None and not is_whole)


@pytest.mark.slow
def test_commands_take_them(families: list[Household], tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"id": f"h{n}", "household": it.facts()} for n, it in enumerate(families[::4])]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    labelled = invoke("label", path, "--edition", "2026")
    assert labelled.exit_code == 0, labelled.output
    labels = [json.loads(line)["labels"] for line in labelled.stdout.splitlines()]
    rules = load_edition(2026)
    expected = [{name: rules[name](it) for name in rules} for it in families[::4]]
    assert labels == expected
    open_labels = contested(rules, Households.from_households(families[::4]))
    whole = [
        row
        | {"edition": 2026, "eligible": {}, "programs": [], "profile": "", "labels": own}
        | {"contested": {name: list(readings) for name, readings in hanging.items()}}
        for row, own, hanging in zip(rows, labels, open_labels, strict=True)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in whole))
    audited = invoke("audit", path)
    assert "nothing wrong" in audited.output, audited.output
    told = invoke("explain", path, "h0", "FairFaresNYC")
    assert told.exit_code == 0, told.output
