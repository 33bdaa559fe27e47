import numpy as np

from benyfits_data.fuzz.coverage import (
    element_coverage,
    line_coverage,
    trace_coverage,
    united,
)
from benyfits_data.fuzz.greedy import select_greedily
from tests.fuzz.matrices import coverage_of, missed, random_coverage


def test_lines_nobody_runs_are_not_reached():
    traces = {"P": np.array([[0b011], [0b001]], np.uint64)}
    (own,) = element_coverage({"P": (10, 11, 12)}, traces)
    assert own.elements == (10, 11, 12)
    assert own.named(own.reached) == [10, 11]
    assert own.named(own.of_household(1)) == [10]
    assert own.named(own.of_households([1, 0])) == [10, 11]


def test_households_that_differ_in_branches_alone_are_of_one_class_of_lines():
    traces = {"P": np.array([[0b0011], [0b0101], [0b1110]], np.uint64)}
    (whole,) = element_coverage({"P": (10, 11, (10, 11), (10, 12))}, traces)
    (own,) = line_coverage([whole])
    assert own.elements == (10, 11)
    assert [own.named(own.of_household(one)) for one in range(3)] == [[10, 11], [10], [11]]
    traces["P"][1] = 0b1011
    (own,) = line_coverage(element_coverage({"P": whole.elements}, traces))
    assert len(own.classes) == 2
    assert own.class_of[0] == own.class_of[1]


def test_households_of_equal_sets_are_one_class_across_words():
    matrix = np.zeros((4, 70), bool)
    matrix[[0, 2], 69] = matrix[[0, 2], 1] = matrix[3, 1] = True
    own = coverage_of(matrix)
    assert own.class_of[0] == own.class_of[2]
    assert len({own.class_of[place] for place in (0, 1, 3)}) == len(own.classes) == 3
    assert (own.classes[own.class_of] == matrix).all()


def test_a_selection_that_misses_an_element_is_told():
    coverage = [coverage_of(np.eye(3, dtype=bool), name) for name in ("P", "Q")]
    complete = [(household, program) for household in range(3) for program in range(2)]
    assert missed(coverage, complete) == {}
    assert missed(coverage, complete[:-1]) == {"Q": [2]}
    assert missed(coverage, []) == {"P": [0, 1, 2], "Q": [0, 1, 2]}


def test_tables_one_after_the_other_cover_what_each_does():
    rng = np.random.default_rng(3)
    some, more = rng.random((9, 70)) < 0.1, rng.random((7, 70)) < 0.1
    more[0] = some[0]
    [whole] = united([[coverage_of(some)], [coverage_of(more)]])
    assert (whole.classes[whole.class_of] == np.concatenate([some, more])).all()
    assert whole.class_of[0] == whole.class_of[9]
    assert len(np.unique(whole.classes, axis=0)) == len(whole.classes)
    assert (whole.reached == whole.classes.any(axis=0)).all()


def test_every_unique_trace_is_an_element_of_the_traces_objective():
    coverage = random_coverage(2)
    pairs = select_greedily(trace_coverage(coverage))
    assert len(pairs) == sum(len(own.classes) for own in coverage)
