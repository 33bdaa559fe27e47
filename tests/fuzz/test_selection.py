from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz import concentration, exact, selection
from benyfits_data.fuzz.covers import (
    MOST_PROGRAMS,
    Cover,
    line_covers,
    mutant_covers,
    trace_covers,
    unpack,
)
from benyfits_data.fuzz.exact import choose, covering_bound, household_bound, households_of
from benyfits_data.fuzz.filling import fewest_households, fill_by_cover
from benyfits_data.fuzz.greedy import select_greedily, spread, uncovered
from benyfits_data.fuzz.matching import Matching
from benyfits_data.fuzz.pricing import covering_prices
from benyfits_data.fuzz.selection import select
from benyfits_data.fuzz.slots import Slot, essential_elements, fewest_slots, fillers


def cover_of(matrix: np.ndarray, name: str = "P") -> Cover:
    packed = np.packbits(matrix, axis=1, bitorder="little")
    sets = np.zeros((len(matrix), -(-matrix.shape[1] // 64)), np.uint64)
    sets.view(np.uint8)[:, : packed.shape[1]] = packed
    return Cover.of(name, range(matrix.shape[1]), sets)


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
def test_slots_are_as_few_as_the_smallest_cover_and_whoever_fills_them_covers_all(matrix):
    cover = cover_of(np.array(matrix, bool))
    smallest = smallest_by_trying(cover.classes)
    (fewest,) = fewest_slots([cover])
    slots, bound = fewest.slots, fewest.bound
    assert len(slots) == bound == smallest
    if not slots:
        return
    asked = [element for slot in slots for element in slot.elements]
    assert sorted(asked) == sorted(cover.elements)
    can = fillers(slots, [cover])
    assert can.any(axis=1).all()
    last = [int(np.flatnonzero(row)[-1]) for row in can]
    assert uncovered([cover], [(household, 0) for household in last]) == {}


@given(matrices, st.integers(1, 8))
@settings(max_examples=150, deadline=None)
def test_only_households_of_larger_classes_can_make_do_with_fewer_pairs(matrix, n_before):
    both = np.array(matrix, bool)
    old, new = cover_of(both[:n_before]), cover_of(both)
    before, after = (len(found.slots) for found in fewest_slots([old]) + fewest_slots([new]))
    if not concentration._has_larger_classes(old, new):
        assert after == before
    assert not concentration._has_larger_classes(new, new)


def test_a_household_of_a_larger_class_is_noticed():
    rows = np.array([[1, 1, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]], bool)
    old, equal, smaller, larger = (cover_of(rows[[0, 1, *more]]) for more in ([], [0], [2], [3]))
    assert not concentration._has_larger_classes(old, equal)
    assert not concentration._has_larger_classes(old, smaller)
    assert concentration._has_larger_classes(old, larger)


def test_what_the_solver_leaves_open_lowers_the_bound(monkeypatch):
    def unsure(*arguments, **options):
        result = milp(*arguments, **options)
        result.mip_dual_bound -= 1
        return result

    cover = cover_of(np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], bool))
    (sure,) = fewest_slots([cover])
    monkeypatch.setattr("benyfits_data.fuzz.slots.milp", unsure)
    (open_to_doubt,) = fewest_slots([cover])
    assert len(sure.slots) == sure.bound == len(open_to_doubt.slots) == 2
    assert open_to_doubt.bound == 1


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


def test_bred_households_let_a_selection_end_at_its_bound():
    programs = 14
    alone = [cover_of(np.eye(programs, dtype=bool)[:, [p]], f"P{p}") for p in range(programs)]
    poor = choose(alone)
    assert len(households_of(poor.pairs)) == programs

    serves = [np.eye(programs, dtype=bool)]

    def breed(hosts, donors, taken):
        """Children serve what the host serves, and the program taken over."""
        children = np.concatenate(serves)[hosts] | np.eye(programs, dtype=bool)[taken]
        serves.append(children)
        return [cover_of(children[:, [p]], f"P{p}") for p in range(programs)]

    rich = choose(alone, breed, np.random.default_rng(1))
    assert len(rich.pairs) == len(poor.pairs) == programs
    households = rich.certificate(alone)["households"]
    assert households == {"value": 2, "bound": 2, "gap": 0.0}
    served = np.concatenate(serves)
    assert all(served[household, program] for household, program in rich.pairs)


def test_nobody_is_bred_where_the_pool_is_enough():
    calls = []

    def breed(hosts, donors, taken):
        calls.append(len(hosts))
        return [cover_of(np.ones((5, 1), bool), f"P{program}") for program in range(14)]

    easy = [cover_of(np.ones((30, 1), bool), f"P{program}") for program in range(14)]
    assert len(households_of(choose(easy, breed, np.random.default_rng(1)).pairs)) == 2
    assert not calls
    hard = [cover_of(np.eye(14, dtype=bool)[:, [p]], f"P{p}") for p in range(14)]
    assert len(households_of(choose(hard, breed, np.random.default_rng(1)).pairs)) == 2
    assert len(calls) == 1


def filled(matching: Matching) -> int:
    """Count the filled slots; no slot is filled twice."""
    slots = list(matching.held.values())
    together = sum(slots)
    assert sum(map(int.bit_count, slots)) == together.bit_count()
    assert together & matching.left == 0
    return together.bit_count()


@pytest.mark.parametrize("seed", range(20))
def test_a_matching_fills_as_many_slots_as_a_flow(seed):
    rng = np.random.default_rng(seed)
    can = rng.random((7, 60)) < 0.3
    masks = [sum(1 << int(slot) for slot in np.flatnonzero(row)) for row in can]
    matching = Matching(masks, 60)
    gains = [(matching.gain(household), matching.add(household)) for household in range(7)]
    assert all(promised == kept for promised, kept in gains)
    graph = np.zeros((69, 69), np.int32)
    graph[0, 1:8] = MOST_PROGRAMS
    graph[1:8, 8:68] = can
    graph[8:68, 68] = 1
    assert filled(matching) == maximum_flow(csr_array(graph), 0, 68).flow_value
    assert max(map(matching.load, matching.held)) <= MOST_PROGRAMS
    assert all(slots & ~masks[filler] == 0 for filler, slots in matching.held.items())
    matching.remove(3)
    graph[0, 4] = 0
    assert filled(matching) == maximum_flow(csr_array(graph), 0, 68).flow_value


def test_idle_households_are_left_out():
    matching = Matching([0b111, 0b011, 0b100], 3)
    assert [matching.add(household) for household in (1, 2, 0)] == [2, 1, 0]
    matching.thin_out()
    assert matching.held == {1: 0b011, 2: 0b100}


@pytest.mark.parametrize("seed", range(6))
def test_the_fewest_households_reach_every_row_and_nobody_does_with_fewer(seed):
    rng = np.random.default_rng(seed)
    can = rng.random((9, 12)) < 0.25
    can[np.arange(9), rng.integers(0, 12, 9)] = True
    chosen, bound = fewest_households(can)
    assert can[:, chosen].any(axis=1).all()
    assert len(chosen) == bound == smallest_by_trying(can.T)


def test_whoever_reaches_all_slots_gives_way_to_ten_a_household():
    programs = 3 * MOST_PROGRAMS
    can = np.ones((programs, 5), bool)
    slots = [Slot(program, (0,)) for program in range(programs)]
    pairs = fill_by_cover(can, slots, np.arange(5) + 100)
    assert sorted(program for _, program in pairs) == list(range(programs))
    counts = np.bincount([household - 100 for household, _ in pairs])
    assert counts[counts > 0].tolist() == [MOST_PROGRAMS] * 3
    assert fill_by_cover(can[:, :2], slots, np.arange(2)) is None


def test_the_bound_of_a_pool_counts_who_must_be_in_it():
    alone = np.eye(30, dtype=bool)
    covers = [cover_of(alone[:, :15], "P0"), cover_of(alone[:, 15:], "P1")]
    choice = choose(covers)
    assert choice.household_bound == 15
    assert covering_bound(covers) == 30
    assert choice.certificate(covers)["households"] == {"value": 30, "bound": 30, "gap": 0.0}


def test_prices_are_the_duals_of_covering_every_slot():
    can = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]], bool)
    prices, least = covering_prices(can)
    assert least == 2
    assert prices.sum() == pytest.approx(2)
    assert ((can * prices[:, None]).sum(axis=0) <= 1 + 1e-9).all()


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


def test_a_selection_ends_where_one_household_is_alone_with_more_than_ten_programs():
    programs = 2 * MOST_PROGRAMS + 1
    alone = [cover_of(np.array([[True], [False]]), f"P{program}") for program in range(programs)]
    choice = choose(alone)
    assert choice.pairs == [(0, program) for program in range(programs)]
    assert choice.certificate(alone)["households"] == {"value": 1, "bound": 3, "gap": -2.0}

    def breed(hosts, donors, taken):
        return [cover_of(np.ones((2, 1), bool), f"P{program}") for program in range(programs)]

    relieved = choose(alone, breed, np.random.default_rng(1))
    assert relieved.certificate(alone)["households"] == {"value": 3, "bound": 3, "gap": 0.0}


def test_no_household_takes_two_pairs_of_one_program():
    assert household_bound([7, 1, 1]) == 7
    assert household_bound([5] * 8) == 5
    assert household_bound([2] * 26) == 6


def test_a_selection_that_misses_an_element_is_refused(monkeypatch):
    monkeypatch.setattr(selection, "select_greedily", lambda covers: [])
    with pytest.raises(SelectionError, match="misses elements of P0"):
        select(random_covers(1), "greedy")


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


def test_thousands_of_slots_are_filled_by_those_fewest_who_reach_all(monkeypatch):
    monkeypatch.setattr(exact, "fill", None)
    each_its_own = [cover_of(np.eye(350, dtype=bool), f"P{program}") for program in range(3)]
    choice = choose(each_its_own)
    assert len(choice.pairs) == choice.pair_bound == 3 * 350
    assert uncovered(each_its_own, choice.pairs) == {}
    households = choice.certificate(each_its_own)["households"]
    assert households == {"value": 350, "bound": 350, "gap": 0.0}


def test_the_mutants_objective_covers_lines_and_mutants():
    traces = {"P": np.array([[0b01], [0b11], [0b11]], np.uint64)}
    bits = {"P": np.array([[0b00], [0b01], [0b10]], np.uint64)}
    covers = mutant_covers({"P": (10, 11)}, traces, bits, {"P": ["a", "b", "c"]})
    assert covers[0].elements == (10, 11, -1, -2)
    assert select(covers, "exact").pairs == [(1, 0), (2, 0)]
