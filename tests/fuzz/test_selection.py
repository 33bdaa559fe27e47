from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz import selection
from benyfits_data.fuzz.assignment import dissolve, household_bound, households_of
from benyfits_data.fuzz.cover_search import CoverSearch, essential_elements
from benyfits_data.fuzz.covers import (
    MOST_PROGRAMS,
    Cover,
    line_covers,
    mutant_covers,
    trace_covers,
    unpack,
)
from benyfits_data.fuzz.exact import fewest_pairs
from benyfits_data.fuzz.greedy import select_greedily, spread, uncovered
from benyfits_data.fuzz.selection import Selection, select


def cover_of(matrix: np.ndarray, name: str = "P") -> Cover:
    return Cover.of(name, range(matrix.shape[1]), matrix)


def random_covers(seed: int, n: int = 60, programs: int = 14, width: int = 8) -> list[Cover]:
    rng = np.random.default_rng(seed)
    covers = []
    for program in range(programs):
        kinds = rng.random((9, width)) < 0.35
        kinds[:, 0] = True
        covers.append(cover_of(kinds[rng.integers(0, 9, n)], f"P{program}"))
    return covers


matrices = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=9
    )
)


def smallest_by_trying(classes: np.ndarray) -> int:
    for size in range(len(classes) + 1):
        for chosen in combinations(range(len(classes)), size):
            if classes[list(chosen)].any(axis=0).all():
                return size
    raise AssertionError


@given(matrices)
@settings(max_examples=150, deadline=None)
def test_both_exact_searches_find_the_smallest_cover(matrix):
    cover = cover_of(np.array(matrix, bool))
    if not cover.elements:
        return
    smallest = smallest_by_trying(cover.classes)
    assert fewest_pairs(cover) == (smallest, smallest)
    search = CoverSearch(cover)
    assert search.least(search.full) == smallest


@given(matrices)
@settings(max_examples=100, deadline=None)
def test_covering_the_essential_elements_covers_all(matrix):
    classes = cover_of(np.array(matrix, bool)).classes
    kept = essential_elements(classes)
    for size in range(1, len(classes) + 1):
        for chosen in combinations(range(len(classes)), size):
            union = classes[list(chosen)].any(axis=0)
            assert union[kept].all() == union.all()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", ["greedy", "exact"])
def test_a_selection_covers_everything_with_at_most_ten_programs_a_household(method, seed):
    covers = random_covers(seed)
    chosen = select(covers, method)
    assert uncovered(covers, chosen.pairs) == {}
    assert len(set(chosen.pairs)) == len(chosen.pairs)
    counts = np.bincount([household for household, _ in chosen.pairs])
    assert counts.max() <= MOST_PROGRAMS


@pytest.mark.parametrize("seed", range(5))
def test_exact_never_takes_more_pairs_than_greedy_and_states_its_bounds(seed):
    covers = random_covers(seed)
    exact, greedy = select(covers, "exact"), select(covers, "greedy")
    assert len(exact.pairs) <= len(greedy.pairs)
    certificate = exact.certificate
    assert certificate["pairs"] == {
        "value": len(exact.pairs),
        "bound": len(exact.pairs),
        "gap": 0.0,
    }
    households = certificate["households"]
    assert households["value"] == len(households_of(exact.pairs)) >= households["bound"]


@pytest.mark.parametrize("seed", range(4))
def test_a_thorough_search_never_takes_more_and_its_bound_holds(seed):
    covers = random_covers(seed)
    quick, thorough = select(covers, "exact"), select(covers, "exact", thorough=True)
    assert len(thorough.pairs) == len(quick.pairs)
    households = thorough.certificate["households"]
    assert households["value"] == len(households_of(thorough.pairs))
    assert quick.certificate["households"]["bound"] <= households["bound"]
    assert households["bound"] <= households["value"] <= len(households_of(quick.pairs))
    assert uncovered(covers, thorough.pairs) == {}


def test_greedy_drops_pairs_that_bring_nothing_of_their_own():
    covers = [cover_of(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]], bool))]
    assert select_greedily(covers) == [(2, 0)]


def test_surplus_programs_move_to_a_household_of_the_same_class():
    same = np.ones((3, 1), bool)
    covers = [cover_of(same, f"P{program}") for program in range(MOST_PROGRAMS + 4)]
    pairs = spread(covers, [(0, program) for program in range(len(covers))])
    assert len(pairs) == len(covers)
    assert np.bincount([household for household, _ in pairs]).max() == MOST_PROGRAMS
    assert uncovered(covers, pairs) == {}


def test_a_household_nobody_can_relieve_keeps_more_than_ten_programs():
    alone = np.array([[True], [False]])
    covers = [cover_of(alone, f"P{program}") for program in range(MOST_PROGRAMS + 1)]
    pairs = spread(covers, [(0, program) for program in range(len(covers))])
    assert uncovered(covers, pairs) == {}


def test_a_household_whose_pairs_others_can_take_is_dissolved():
    covers = [cover_of(np.ones((2, 1), bool), name) for name in ("P", "Q")]
    assert dissolve(covers, [(0, 0), (1, 1)]) == [(1, 0), (1, 1)] or dissolve(
        covers, [(0, 0), (1, 1)]
    ) == [(0, 0), (0, 1)]


def test_no_household_takes_two_pairs_of_one_program():
    assert household_bound([7, 1, 1]) == 7
    assert household_bound([5] * 8) == 5
    assert household_bound([2] * 26) == 6


def test_a_selection_that_misses_an_element_is_refused(monkeypatch):
    monkeypatch.setattr(selection, "select_greedily", lambda covers: [])
    with pytest.raises(SelectionError, match="misses elements of P0"):
        select(random_covers(1), "greedy")
    monkeypatch.setattr(selection, "exact", lambda covers, thorough: Selection([]))
    with pytest.raises(SelectionError):
        select(random_covers(1), "exact")


def test_bit_sets_are_read_across_words():
    words = np.zeros((1, 2), np.uint64)
    words[0, 0], words[0, 1] = 1 | 1 << 63, 1 << 5
    assert np.flatnonzero(unpack(words, 70)).tolist() == [0, 63, 69]


def test_lines_nobody_runs_are_no_elements():
    traces = {"P": np.array([[0b011], [0b001]], np.uint64)}
    (cover,) = line_covers({"P": (10, 11, 12)}, traces)
    assert cover.elements == (10, 11)


def test_every_unique_trace_is_an_element_of_the_traces_objective():
    covers = random_covers(2)
    by_trace = trace_covers(covers)
    pairs = select_greedily(by_trace)
    assert len(pairs) == sum(len(cover.classes) for cover in covers)


def test_the_mutants_objective_covers_lines_and_mutants():
    traces = {"P": np.array([[0b01], [0b11], [0b11]], np.uint64)}
    bits = {"P": np.array([[0b00], [0b01], [0b10]], np.uint64)}
    covers = mutant_covers(line_covers({"P": (10, 11)}, traces), bits, {"P": ["a", "b", "c"]})
    assert covers[0].elements == (10, 11, -1, -2)
    assert select(covers, "exact").pairs == [(1, 0), (2, 0)]
