"""The NumPy reader against CPython under coverage.py: labels and lines, pair by pair."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from benyfits_data.editions import EDITIONS, Edition, SizeTable, load_edition
from benyfits_data.errors import CheckerFailedError
from benyfits_data.household.columns import Households
from benyfits_data.language.coverage_tracer import trace_checker, trace_many
from benyfits_data.language.numpy_backend import (
    Batch,
    ProgramReader,
    label_and_trace,
    label_households,
)
from benyfits_data.language.source import Source, named
from benyfits_data.rng import stream
from tests.language.draws import draw_households, draw_possible
from tests.language.writing import (
    WRITTEN_THRESHOLDS,
    checker_bodies,
    thresholds,
    written_checker,
)


def assert_agreement(body: str, households: Households, amounts: Any = WRITTEN_THRESHOLDS) -> None:
    with tempfile.TemporaryDirectory() as folder:
        checker = written_checker(Path(folder), body)
        batch = ProgramReader({"written": (Source.of(checker), amounts)}).read(households)
        people = [households.household(row, constrained=False) for row in range(len(households))]
        for row, trace in enumerate(trace_checker(checker, amounts, people)):
            assert bool(batch.labels["written"][row]) == trace.eligible, (body, people[row].facts())
            assert batch.trace("written", row) == trace.elements, (body, people[row].facts())


@pytest.mark.slow
@settings(max_examples=100, deadline=None)  # Others in every run.
@given(body=checker_bodies())
def test_readers_agree_on_very_many_checkers(body: str) -> None:
    assert_agreement(body, draw_households(200, stream(2, "test", body)))


def disagreements(batch: Batch, edition: Edition, households: Households) -> list[str]:
    """Return each program and row at which the NumPy reader and CPython differ, and in what."""
    people = [households.household(row, constrained=False) for row in range(len(households))]
    found = []
    for name, labels in batch.labels.items():
        for row, reference in enumerate(trace_many(edition.program(name), people)):
            ran = batch.trace(name, row)
            if (bool(labels[row]), ran) != (reference.eligible, reference.elements):
                apart = sorted(map(named, ran ^ reference.elements))
                found.append(f"{name}: {apart or 'the label'} of {people[row].facts()}")
    return found


def test_readers_agree_on_a_few_households_of_some_programs() -> None:
    edition, households = load_edition(2024), draw_possible(8, seed=2024)
    batch = label_and_trace(edition, households, list(edition)[::4])
    assert not disagreements(batch, edition, households)


@pytest.mark.slow
@pytest.mark.parametrize("year", EDITIONS)
def test_readers_agree_on_a_hundred_thousand_pairs(year: int) -> None:
    edition, households = load_edition(year), draw_possible(1250, seed=year + 1, edition=year)
    assert not disagreements(label_and_trace(edition, households), edition, households)


@pytest.mark.parametrize("kind", [int, tuple])
def test_a_line_or_branch_that_a_reader_forgets_is_a_disagreement(kind: type) -> None:
    edition, households = load_edition(2024), draw_possible(40, seed=3)
    elements = Source.of(edition["FairFaresNYC"].checker).elements
    second = [element for element in elements if isinstance(element, kind)][1]
    batch = label_and_trace(edition, households, ["FairFaresNYC", "IDNYC"])
    batch.traces["FairFaresNYC"] &= ~(np.uint64(1) << np.uint64(elements.index(second)))
    found = disagreements(batch, edition, households)
    assert found
    assert all(one.startswith(f"FairFaresNYC: {[named(second)]} of") for one in found)


def test_another_label_is_a_disagreement() -> None:
    edition, households = load_edition(2024), draw_possible(5, seed=3)
    batch = label_and_trace(edition, households, ["IDNYC"])
    batch.labels["IDNYC"] ^= True
    found = disagreements(batch, edition, households)
    assert [one.partition(" of ")[0] for one in found] == ["IDNYC: the label"] * 5


def test_a_flag_set_in_a_loop_is_seen_after_it() -> None:
    body = """
found = False
for member in household.members:
    if member.disabled:
        found = True
        continue
    if found:
        return False
if found:
    return True
return False
"""
    assert_agreement(body, draw_households(300, stream(4, "test", "flag")))


def test_a_table_without_a_row_fails_for_the_household_that_needs_it(tmp_path: Path) -> None:
    body = "if household_income(household) > thresholds.limit[household_size(household)]:\n"
    body += "    return False\nreturn True"
    checker = written_checker(tmp_path, body)
    short = thresholds(limit=SizeTable("limit", {1: 10, 2: 20}, None))
    reader = ProgramReader({"written": (Source.of(checker), short)})
    table = Households.of_defaults(3)
    table.size[:2] = 2
    assert reader.read(table).labels["written"].all()
    table.size[2] = 3
    with pytest.raises(CheckerFailedError, match=r"household 2: .*asked for size 3"):
        reader.read(table)


def test_a_number_that_is_none_fails_for_the_household_that_lacks_it(tmp_path: Path) -> None:
    body = "if household.applicant.gpa < thresholds.gpa:\n    return False\nreturn True"
    checker = written_checker(tmp_path, body)
    reader = ProgramReader({"written": (Source.of(checker), thresholds(gpa=2.5))})
    table = Households.of_defaults(2)
    table.member["gpa"][0] = 2.5
    assert reader.read(table).labels["written"].all()
    table.member["gpa"][0, 1] = -1
    with pytest.raises(CheckerFailedError, match=r"household 1: .*gpa.* is None"):
        reader.read(table)
    tested = f"if household.applicant.gpa is None:\n    return False\n{body}"
    safe = written_checker(tmp_path, tested, "tested")
    guarded = ProgramReader({"written": (Source.of(safe), thresholds(gpa=2.5))})
    assert guarded.read(table).labels["written"].tolist() == [True, False]


@pytest.mark.slow
def test_programs_can_be_chosen_and_chunks_change_nothing() -> None:
    edition = load_edition(2024)
    households = draw_possible(500, seed=6)
    whole = label_and_trace(edition, households)
    some = label_and_trace(edition, households, ["IDNYC", "FairFaresNYC"], chunk=128)
    assert list(some.labels) == ["IDNYC", "FairFaresNYC"]
    alone = label_households(edition, households)
    for name in whole.labels:
        assert np.array_equal(alone[name], whole.labels[name])
    for name in some.labels:
        assert np.array_equal(some.labels[name], whole.labels[name])
        assert np.array_equal(some.traces[name], whole.traces[name])


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize(("left", "right"), [("age", "limit"), ("limit", "age"), ("age", "first")])
def test_comparisons_turn_exactly_at_the_limit(operator: str, left: str, right: str) -> None:
    words = {
        "age": "member.age",
        "limit": "thresholds.limit",
        "first": "household.applicant.age",
    }
    body = f"for member in household.members:\n    if {words[left]} {operator} {words[right]}:\n"
    body += "        return True\nreturn False"
    table = Households.of_defaults(3)
    table.size[:] = 2
    table.member["age"][0] = 18 if right == "first" else 0 if left == "age" else 99
    table.member["age"][1] = [17, 18, 19]
    assert_agreement(body, table, thresholds(limit=18))
