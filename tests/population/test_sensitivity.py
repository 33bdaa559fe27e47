import csv
import json
from collections import defaultdict

import numpy as np
import pytest

from benyfits_data.population import sensitivity
from benyfits_data.population.sensitivity import MovedAssumption, assumptions_of, move, ranked
from benyfits_data.population.synthesis import default_sources
from tests.commands import invoke

AIR = MovedAssumption("distributions", "ac")
RENT = MovedAssumption("parameters", "rent_share")


@pytest.mark.slow
def test_every_assumption_moves_rows_of_its_own_and_no_other():
    sources = default_sources()
    found = assumptions_of(sources)
    assert len(found) > 100
    for assumption in found:
        moved = move(sources, assumption)
        shares = {
            old.feature for old, new in zip(sources.shares, moved.shares, strict=True) if old != new
        }
        parameters = {
            old.name
            for old, new in zip(sources.parameters, moved.parameters, strict=True)
            if old != new
        }
        poverty = {
            old.given for old, new in zip(sources.poverty, moved.poverty, strict=True) if old != new
        }
        changed = {"distributions": shares, "parameters": parameters, "poverty": poverty}
        assert changed.pop(assumption.table) == {assumption.name}
        assert not any(changed.values()), assumption


@pytest.mark.slow
def test_shares_of_one_condition_keep_their_sum():
    sources = default_sources()
    for assumption in assumptions_of(sources):
        if assumption.table != "distributions":
            continue
        before: dict = defaultdict(float)
        after: dict = defaultdict(float)
        for old, new in zip(sources.shares, move(sources, assumption).shares, strict=True):
            if old.share is not None and old.role != "odds":
                key = old.feature, old.role, old.table, old.given
                before[key] += old.share
                after[key] += new.share
                assert 0 <= new.share <= 1
        assert after == pytest.approx(before)


@pytest.mark.slow
def test_the_command_ranks_what_moves_and_writes_every_move(tmp_path):
    options = ["--assumption", "ac", "--assumption", "rent_share"]
    options += ["--households", "1500", "--workers", "1", "--output", str(tmp_path)]
    told = invoke("population", "sensitivity", *options)
    assert told.exit_code == 0, told.output
    names = [line.split("\t")[0] for line in told.stdout.splitlines()]
    assert sorted(names[1:]) == ["ac", "rent_share"]
    wrong = invoke("population", "sensitivity", "--assumption", "weather")
    assert wrong.exit_code != 0
    assert "No assumption is called 'weather'" in wrong.output + str(wrong.exception)
    told = invoke("population", "sensitivity", *options, "--json")
    assert {row["assumption"] for row in json.loads(told.stdout)} == {"ac", "rent_share"}
    rows = list(csv.DictReader((tmp_path / "sensitivity.csv").open(encoding="utf-8")))
    # Fewer homes lack air conditioning, which the grant for cooling asks for; rent does not.
    cooling = {row["program"]: float(row["points"]) for row in rows if row["assumption"] == "ac"}
    assert len(cooling) < 10
    assert all(float(row["points"]) != 0 for row in rows)


def test_a_correlation_or_share_stays_below_1():
    sources = default_sources()
    for row in sources.parameters:
        if row.status != "assumption":
            continue
        moved = move(sources, MovedAssumption("parameters", row.name)).parameter(
            row.name, row.given
        )
        if row.unit.startswith(("share", "correlation")) and row.value <= 1:
            assert moved < 1 or row.value == 1, row
    tied = MovedAssumption("parameters", "income_rank_correlation")
    assert move(sources, tied).parameter(tied.name) == pytest.approx(0.95)


def test_what_moves_most_comes_first():
    small = sensitivity.Sensitivity(AIR, "SNAP", 0.20, 0.21)
    large = sensitivity.Sensitivity(RENT, "SNAP", 0.20, 0.15)
    assert [it for it, *_ in ranked([small, large])] == [RENT, AIR]
    assert ranked([small, large])[0][1] == pytest.approx(5)
    by_chance = sensitivity.Sensitivity(RENT, "SNAP", 0.20, 0.15, chance=0.045)
    assert [it for it, *_ in ranked([small, by_chance])] == [AIR, RENT]
    assert ranked([small, by_chance])[1][2] == pytest.approx(4.5)


@pytest.mark.slow
def test_chance_is_told_only_where_other_people_are_drawn():
    ages = MovedAssumption("parameters", "age_spread")
    found = sensitivity.measure_sensitivity([AIR, ages], 500, 0, 1, 2024)
    told = {it: chance for it, _, chance, _ in ranked(found)}
    assert told[AIR] == 0
    assert told[ages] > 0
    rng = np.random.default_rng(0)
    apart = rng.binomial(1000, 0.3, (2, 20_000)) / 1000
    seen = np.abs(apart[0] - apart[1]).mean()
    assert sensitivity.expected_difference(0.3, 1000) == pytest.approx(seen, rel=0.05)
