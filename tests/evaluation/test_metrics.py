import math
from dataclasses import replace

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.record import Dialog, Failure, Turn
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import pairs_of
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
        assert metrics.score(pairs_of(dialogs), statistic) == pytest.approx(value)


def test_f1_without_any_positive_is_not_a_number():
    assert math.isnan(metrics.score(pairs_of([dialog("a", [0, 0], [0, 0])])))


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
    both = {"diverse": pairs_of(perfect), "representative": pairs_of(wrong)}
    f1, turns, weighted = (interval.value for interval in metrics.bootstrap_combined(both))
    assert (f1, turns) == (50, 20)
    assert weighted == pytest.approx(50 / 1.2)


@pytest.mark.slow
def test_interval_covers_the_truth_about_as_often_as_it_says():
    covered = 0
    for run in range(40):
        draw = stream(run, "coverage test")
        labels = draw.random((40, 5)) < 0.5
        right = draw.random((40, 5)) < 0.7
        dialogs = [
            dialog(str(n), labels[n], [a == b for a, b in zip(labels[n], right[n], strict=True)])
            for n in range(40)
        ]
        interval = metrics.bootstrap(pairs_of(dialogs), seed=run)
        covered += interval.low <= 70 <= interval.high
    assert 34 <= covered <= 40


def test_interval_repeats_with_its_seed():
    dialogs = [dialog(str(n), [1, 0], [n % 2, 0], n) for n in range(20)]
    assert metrics.bootstrap(pairs_of(dialogs), seed=3) == metrics.bootstrap(
        pairs_of(dialogs), seed=3
    )
    assert (
        len(
            {metrics.bootstrap(pairs_of(dialogs), metrics.mean_turns, seed=n).low for n in range(5)}
        )
        > 1
    )


def test_paired_difference_of_an_agent_with_itself_is_exactly_zero():
    dialogs = [dialog(str(n), [1, 0], [n % 2, 0], n) for n in range(20)]
    assert metrics.compare(pairs_of(dialogs), pairs_of(dialogs)) == metrics.Interval(0, 0, 0)


def test_paired_difference_is_narrower_than_the_two_intervals_suggest():
    better = [dialog(str(n), [1, 0], [n % 2 or n == 4, 0]) for n in range(20)]
    worse = [dialog(str(n), [1, 0], [n % 2, 0]) for n in range(20)]
    difference = metrics.compare(pairs_of(better), pairs_of(worse))
    single = metrics.bootstrap(pairs_of(better))
    assert difference.low >= 0
    assert difference.high - difference.low < single.high - single.low


def test_pairs_are_one_frame_that_knows_their_dialogs():
    dialogs = [
        dialog("a", [1, 0], [1, 0], 3, 1, size=10),
        dialog("b", [1, 1], [0, 1], 4, size=2),
        dialog("c", [0], [0], size=2, contested=["program_0"]),
    ]
    pairs = pairs_of(dialogs)
    assert list(pairs.household) == ["a", "a", "b", "b", "c"]
    assert list(pairs.asked) == [2, 2, 2, 2, 1]
    assert metrics.score(pairs[pairs["size"] == 2], metrics.accuracy) == pytest.approx(200 / 3)
    assert metrics.score(pairs[pairs.program == "program_1"]) == 100
    # A dialog's turns count once, however many programs it is about.
    assert metrics.score(pairs, metrics.mean_turns) == pytest.approx(7 / 3)
    assert list(pairs.contested) == [False] * 4 + [True]


def test_a_dialog_survives_its_log():
    item = dialog("a", [1, 0], [1, 1], 3, 1, failures=[Failure("looped", "m", "p", 3)])
    assert Dialog.from_record(item.to_record()) == item


def test_a_dialog_of_another_version_is_refused():
    with pytest.raises(EvaluationError, match="version 99"):
        Dialog.from_record({**dialog("a", [1], [1]).to_record(), "version": 99})


def test_averages_over_both_sets_have_intervals_that_hold_them():
    both = {
        name: pairs_of([dialog(str(n), [1, 0], [n % 3 > 0, 0], n) for n in range(20)])
        for name in ("diverse", "representative")
    }
    for interval in metrics.bootstrap_combined(both):
        assert interval.low < interval.value < interval.high


def test_pairs_count_by_their_weights():
    dialogs = [
        dialog("a", [1, 0], [1, 1], weights={"program_0": 30.0, "program_1": 10.0}),
        dialog("b", [1, 0], [0, 0], weights={"program_0": 10.0, "program_1": 50.0}),
    ]
    assert metrics.score(pairs_of(dialogs)) == pytest.approx(100 * 60 / (60 + 10 + 10))
    assert metrics.score(pairs_of(dialogs), metrics.accuracy) == 80
    ten = [replace(each, household=f"{each.household}{n}") for each in dialogs for n in range(5)]
    interval = metrics.bootstrap(pairs_of(ten))
    # Of ten that are drawn, 2 to 8 are like "a", k of them giving an F1 of 60k / (60k + 100).
    assert interval.low == pytest.approx(100 * 120 / 220)
    assert interval.high == pytest.approx(100 * 480 / 580)
