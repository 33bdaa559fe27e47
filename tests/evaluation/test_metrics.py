import itertools
import math

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.record import Dialog, Failure, Turn
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.program_tables import macro_f1
from benyfits_data.rng import stream


def dialog(name, labels, verdicts, turns=0, clarifications=0, **more):
    programs = [f"program_{number}" for number in range(len(labels))]
    said = [Turn("q", "a") for _ in range(turns - clarifications)]
    said += [Turn("q", "a", kind="clarification") for _ in range(clarifications)]
    return Dialog(
        household=name,
        dataset="diverse",
        agent="test",
        roles={},
        size=more.pop("size", 1),
        labels=dict(zip(programs, map(bool, labels), strict=True)),
        verdicts=dict(zip(programs, map(bool, verdicts), strict=True)),
        turns=said,
        **more,
    )


def test_scores_are_micro_averages_over_pairs():
    dialogs = [dialog("a", [1, 1, 0], [1, 0, 1], 4, 1), dialog("b", [1], [1], 2)]
    expected = {
        metrics.accuracy: 50,
        metrics.precision: 100 * 2 / 3,
        metrics.recall: 100 * 2 / 3,
        metrics.f1: 100 * 2 / 3,
        metrics.mean_turns: 3,
        metrics.mean_first_turns: 2.5,
    }
    for statistic, value in expected.items():
        assert metrics.score(dialogs, statistic) == pytest.approx(value)


def test_f1_without_any_positive_is_not_a_number():
    assert math.isnan(metrics.score([dialog("a", [0, 0], [0, 0])]))


@pytest.mark.parametrize(
    ("f1", "turns", "published"),
    [
        (33.6, 6.0, 31.7),
        (46.2, 20.1, 38.5),
        (55.6, 16.5, 47.7),
        (36.3, 0, 36.3),
        (38.1, 27.2, 29.9),
    ],
)
def test_turn_weighted_f1_reproduces_the_published_rows(f1, turns, published):
    assert metrics.weight_by_turns(f1, turns) == pytest.approx(published, abs=0.06)


def test_datasets_weigh_the_same_whatever_their_size():
    perfect = [dialog(str(n), [1], [1], 10) for n in range(9)]
    wrong = [dialog("x", [1, 0], [0, 1], 30)]
    both = {"diverse": perfect, "representative": wrong}
    f1, turns, weighted = (interval.value for interval in metrics.bootstrap_combined(both))
    assert (f1, turns) == (50, 20)
    assert weighted == pytest.approx(50 / 1.2)


def test_random_expectation_equals_full_enumeration():
    total = 0.0
    labels = [True, True, True, False, False]
    for verdicts in itertools.product([True, False], repeat=5):
        tp = sum(a and b for a, b in zip(labels, verdicts, strict=True))
        fp = sum(b and not a for a, b in zip(labels, verdicts, strict=True))
        total += 100 * 2 * tp / (tp + fp + 3)
    assert metrics.expect_random(3, 2) == pytest.approx(total / 32)


def test_random_expectation_on_the_published_diverse_set_is_about_49():
    assert metrics.expect_random(146, 159) == pytest.approx(48.9, abs=0.1)
    assert metrics.expect_random(38, 208) == pytest.approx(23.6, abs=0.4)


def test_interval_covers_the_truth_about_as_often_as_it_says():
    covered = 0
    for run in range(100):
        draw = stream(run, "coverage test")
        labels = draw.random((40, 5)) < 0.5
        right = draw.random((40, 5)) < 0.7
        dialogs = [
            dialog(str(n), labels[n], [a == b for a, b in zip(labels[n], right[n], strict=True)])
            for n in range(40)
        ]
        interval = metrics.bootstrap(dialogs, seed=run)
        covered += interval.low <= 70 <= interval.high
    assert 88 <= covered <= 100


def test_interval_repeats_with_its_seed():
    dialogs = [dialog(str(n), [1, 0], [n % 2, 0], n) for n in range(20)]
    assert metrics.bootstrap(dialogs, seed=3) == metrics.bootstrap(dialogs, seed=3)
    assert len({metrics.bootstrap(dialogs, metrics.mean_turns, seed=n).low for n in range(5)}) > 1


def test_paired_difference_of_an_agent_with_itself_is_exactly_zero():
    dialogs = [dialog(str(n), [1, 0], [n % 2, 0], n) for n in range(20)]
    assert metrics.compare(dialogs, dialogs) == metrics.Interval(0, 0, 0)


def test_paired_difference_is_narrower_than_the_two_intervals_suggest():
    better = [dialog(str(n), [1, 0], [n % 2 or n == 4, 0]) for n in range(20)]
    worse = [dialog(str(n), [1, 0], [n % 2, 0]) for n in range(20)]
    difference = metrics.compare(better, worse)
    single = metrics.bootstrap(better)
    assert difference.low >= 0
    assert difference.high - difference.low < single.high - single.low


def test_paired_difference_refuses_other_households():
    with pytest.raises(EvaluationError, match="same households"):
        metrics.compare([dialog("a", [1], [1])], [dialog("b", [1], [1])])


def test_breakdowns_group_by_size_and_by_program():
    dialogs = [
        dialog("a", [1, 0], [1, 0], size=10),
        dialog("b", [1, 1], [0, 1], size=2),
        dialog("c", [0], [0], size=2),
    ]
    sizes = metrics.group_dialogs(dialogs, lambda item: item.size)
    assert list(sizes) == [2, 10]
    assert metrics.score(sizes[2], metrics.accuracy) == pytest.approx(100 * 2 / 3)
    programs = metrics.split_programs(dialogs)
    assert [len(some) for some in programs.values()] == [3, 2]
    assert metrics.score(programs["program_1"]) == 100


def test_faithfulness_is_counted():
    item = dialog("a", [1], [1], 4)
    for turn, kind in zip(item.turns, ("faithful", "unfaithful", "no_answer"), strict=False):
        turn.faithfulness = kind
    shares = metrics.measure_faithfulness([item])
    assert (shares["not_read"], shares["not_understood"]) == (1, 0)
    assert shares["unfaithful_share"] == pytest.approx(100 / 3)


def test_a_dialog_survives_its_log():
    item = dialog("a", [1, 0], [1, 1], 3, 1, failures=[Failure("looped", "m", "p", 3)])
    assert Dialog.from_record(item.to_record()) == item


def test_a_dialog_of_another_version_is_refused():
    with pytest.raises(EvaluationError, match="version 99"):
        Dialog.from_record({**dialog("a", [1], [1]).to_record(), "version": 99})


def test_pass_k_is_the_chance_that_k_drawn_trials_are_all_right():
    trials = [dialog("a", [1], [1]), dialog("a", [1], [0]), dialog("a", [1], [1])]
    assert metrics.pass_k(trials, 1) == pytest.approx(100 * 2 / 3)
    assert metrics.pass_k(trials, 2) == pytest.approx(100 * 1 / 3)
    assert metrics.pass_k(trials, 3) == 0
    assert math.isnan(metrics.pass_k(trials, 4))


def test_no_interval_is_taken_of_one_household():
    interval = metrics.bootstrap([dialog("a", [1, 1], [1, 0])])
    assert interval.value == pytest.approx(100 * 2 / 3)
    assert math.isnan(interval.low)
    both = {"diverse": [dialog("a", [1], [1])], "representative": [dialog("b", [1], [1])]}
    assert all(math.isnan(interval.low) for interval in metrics.bootstrap_combined(both))


def test_averages_over_both_sets_have_intervals_that_hold_them():
    both = {
        name: [dialog(str(n), [1, 0], [n % 3 > 0, 0], n) for n in range(20)]
        for name in ("diverse", "representative")
    }
    for interval in metrics.bootstrap_combined(both):
        assert interval.low < interval.value < interval.high


def test_pairs_count_by_their_weights():
    dialogs = [
        dialog("a", [1, 0], [1, 1], weights={"program_0": 30.0, "program_1": 10.0}),
        dialog("b", [1, 0], [0, 0], weights={"program_0": 10.0, "program_1": 50.0}),
    ]
    assert metrics.score(dialogs) == pytest.approx(100 * 60 / (60 + 10 + 10))
    assert metrics.score(dialogs, metrics.accuracy) == 80
    interval = metrics.bootstrap(dialogs)
    assert interval.low == 0
    assert interval.high == pytest.approx(100 * 60 / 70)


def test_macro_f1_is_the_mean_over_programs_of_their_own():
    dialogs = [dialog("a", [1, 0, 0], [1, 1, 0]), dialog("b", [1, 1, 0], [1, 0, 0])]
    names = ["program_0", "program_1", "program_2"]
    # The first is perfect, the second wholly wrong, the third has nobody to find.
    found = macro_f1(dialogs, names)
    assert found.value == 50
    assert found.low <= 50 <= found.high
    assert macro_f1(dialogs, names[:1]).value == 100
    assert math.isnan(macro_f1(dialogs[:1], names).low)
    heavy = [dialog("a", [1], [1], weights={"program_0": 9.0}), dialog("b", [1], [0])]
    assert macro_f1(heavy, names[:1]).value == pytest.approx(100 * 18 / 19)


def test_above_another_is_how_much_is_scored_of_what_it_leaves_open():
    base = [dialog("a", [1, 0], [0, 0]), dialog("b", [1, 1], [1, 1])]
    half = [dialog("a", [1, 0], [1, 1]), dialog("b", [1, 1], [1, 1])]
    perfect = [dialog("a", [1, 0], [1, 0]), dialog("b", [1, 1], [1, 1])]
    # F1 of the base is 4/5, of the better one 6/7.
    assert metrics.compare_above(half, base).value == pytest.approx(100 * (6 / 7 - 4 / 5) / (1 / 5))
    assert metrics.compare_above(perfect, base).value == pytest.approx(100)
    assert metrics.compare_above(base, base).value == 0
    assert math.isnan(metrics.compare_above(base, perfect).value)
    with pytest.raises(EvaluationError, match="same households"):
        metrics.compare_above(half, base[:1])
    names = ["program_0", "program_1"]
    # By program the base scores 2/3 and 1, the better one 1 and 2/3, the perfect one 1 and 1.
    assert macro_f1(half, names, base).value == pytest.approx(0)
    assert macro_f1(perfect, names, base).value == pytest.approx(100)
    assert macro_f1(half, names[:1], base).value == pytest.approx(100)
    assert math.isnan(macro_f1(base, names, perfect).value)
