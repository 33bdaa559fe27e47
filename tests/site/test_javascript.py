"""Checkers in a real JavaScript engine (V8), held to CPython under coverage.py."""

import json

import numpy as np
import pytest
from py_mini_racer import JSEvalException, MiniRacer

from benyfits_data.editions import load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household
from benyfits_data.language.coverage_tracer import trace_many
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.site.javascript import compile_edition, compile_functions

_READ = """const H = %s;
JSON.stringify(Object.fromEntries(Object.keys(PROGRAMS).map(
    name => [name, H.map(home => { const it = check(name, home); return [it.eligible, it.lines]; })]
)))"""


def _read(engine, people):
    """Return label and lines of each program for each household, as JavaScript reads them."""
    return json.loads(engine.eval(_READ % json.dumps([person.facts() for person in people])))


def _people(n, edition, seed):
    table = sample_households(n, edition, seed)
    return table, [table.household(at, constrained=False) for at in range(n)]


@pytest.mark.slow
@pytest.mark.parametrize("year", [2024, 2026])
def test_labels_and_traces_are_those_of_cpython(year):
    edition = load_edition(year)
    engine = MiniRacer()
    engine.eval(compile_edition(edition))
    _, people = _people(60, edition, 3)
    read = _read(engine, people)
    for name in edition:
        expected = [
            [it.eligible, sorted(it.lines)] for it in trace_many(edition.program(name), people)
        ]
        assert read[name] == expected, name


@pytest.mark.slow
@pytest.mark.parametrize("year", [2026])
def test_half_a_million_pairs_are_read_as_numpy_reads_them(year):
    edition = load_edition(year)
    n_pairs = 0
    for seed in range(10):
        table, people = _people(610, edition, 100 + seed)
        batch = label_and_trace(edition, table)
        engine = MiniRacer()
        engine.eval(compile_edition(edition))
        for name, found in _read(engine, people).items():
            assert [it[0] for it in found] == batch.labels[name].tolist(), name
            assert [frozenset(it[1]) for it in found] == [
                {it for it in batch.trace(name, at) if isinstance(it, int)}
                for at in range(len(people))
            ], name
            n_pairs += len(found)
    assert n_pairs >= 500_000


def test_constraints_refuse_what_cpython_refuses():
    edition = load_edition(2024)
    engine = MiniRacer()
    engine.eval(compile_edition(edition, ["IDNYC"]))
    table, _ = _people(150, edition, 5)
    rng = np.random.default_rng(0)
    for column in [*table.member.values()]:
        rng.shuffle(column, axis=1)  # Facts of one stand with another: many become impossible.
    people = [table.household(at, constrained=False) for at in range(len(table))]
    read = json.loads(
        engine.eval(f"JSON.stringify({json.dumps([it.facts() for it in people])}.map(violations))")
    )
    expected = [[[it.constraint, it.member] for it in person.violations()] for person in people]
    assert [sorted(map(str, it)) for it in read] == [sorted(map(str, it)) for it in expected]
    assert sum(map(len, expected)) > 100
    assert len({name for person in expected for name, _ in person}) > len(CONSTRAINTS) // 4


def test_a_wrong_line_is_seen():
    edition = load_edition(2024)
    script = compile_edition(edition, ["FairFaresNYC"])
    assert "(member.age > thresholds.max_age)" in script
    engine = MiniRacer()
    engine.eval(
        script.replace("member.age > thresholds.max_age", "member.age >= thresholds.max_age")
    )
    old = Household.complete(members=[{"age": 64}], place_of_residence="New York City")
    expected = [
        [it.eligible, sorted(it.lines)] for it in trace_many(edition.program("FairFaresNYC"), [old])
    ]
    assert _read(engine, [old])["FairFaresNYC"] != expected


def test_conditions_come_with_whom_they_were_asked_of():
    engine = MiniRacer()
    engine.eval(compile_edition(load_edition(2024), ["FairFaresNYC"]))
    home = Household.complete(
        members=[{"age": 70}, {"relation": "child", "age": 40}], place_of_residence="New York City"
    )
    asked = json.loads(
        engine.eval(f"JSON.stringify(check('FairFaresNYC', {json.dumps(home.facts())}))")
    )
    assert asked["eligible"]
    assert [who for _, _, who in asked["asked"]] == [None, None, 0, 0, 1, 1]


def test_a_size_without_row_is_an_error_there_too():
    engine = MiniRacer()
    engine.eval(compile_edition(load_edition(2024), ["IDNYC"]))
    with pytest.raises(JSEvalException, match="no row for size 1"):
        engine.eval("row({rows: {2: 5}, largest: 2, more: 1}, 1)")


def outside_the_language(household):
    """Return whether there is a member with a long name."""
    return len(household.members[0].name) > len("Ana")


def test_what_leaves_the_language_is_refused_with_its_line():
    with pytest.raises(LanguageError, match=r"test_javascript.py:\d+: found `len"):
        compile_functions("GUARDS", {"name": [outside_the_language]})


def test_the_clause_that_a_change_turns_is_named():
    engine = MiniRacer()
    engine.eval(compile_edition(load_edition(2024), ["FairFaresNYC"]))
    home, older, elsewhere = (
        Household.complete(members=[{"age": age}], place_of_residence=place).facts()
        for age, place in ((64, "New York City"), (65, "New York City"), (64, "New Jersey"))
    )
    for changed, clause in ((older, "2"), (elsewhere, "1")):
        pair = f"{json.dumps(home)}, {json.dumps(changed)}"
        assert engine.eval(f"turned('FairFaresNYC', {pair}).join()") == clause
