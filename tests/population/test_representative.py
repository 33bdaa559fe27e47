"""The Representative set: a probability sample whose weights add up to the city."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benyfits_data.dataset import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.population import representative
from benyfits_data.population.representative import (
    Representative,
    RepresentativeError,
    build_representative,
    move_thresholds,
    reproducible,
    strata_of,
    write_representative,
)
from benyfits_data.population.sample_design import (
    allocate,
    as_arrays,
    design,
    draw_systematically,
    linearise,
    power_table,
    round_dependently,
    standard_error,
)
from benyfits_data.population.synthesis import households_of_chunk
from tests.commands import invoke

SMALL_CITY = 20_000


def build(seed: int = 0, households: int = 250, city: int = SMALL_CITY) -> Representative:
    return build_representative(
        load_edition(2024),
        households=households,
        programs=10,
        seed=seed,
        city=city,
        workers=1,
    )


@pytest.fixture(scope="module")
def built() -> Representative:
    return build()


@pytest.fixture(scope="module")
def frame() -> Households:
    return households_of_chunk(SMALL_CITY, 0, 0)


@pytest.mark.slow
def test_250_distinct_households_ask_about_10_programs_each(built: Representative) -> None:
    assert [len(row.programs) for row in built.rows] == [10] * 250
    assert len({row.household for row in built.rows}) == 250
    assert all(row.weights.keys() == set(row.programs) for row in built.rows)
    assert all(weight >= 1 for row in built.rows for weight in row.weights.values())
    assert not any(row.contested_pairs for row in built.rows)


@pytest.mark.slow
def test_both_verdicts_of_every_program_are_in_the_set_unless_the_city_lacks_them(
    built: Representative, frame: Households
) -> None:
    labels = label_and_trace(built.edition, frame).labels
    for program, answers in labels.items():
        asked = {row.eligible[program] for row in built.rows if program in row.programs}
        # A verdict that the city has but once is one pair, and may be passed over.
        assert asked >= {verdict for verdict in (False, True) if (answers == verdict).sum() > 1}
        assert asked <= set(answers.tolist()), program
        absent = [
            verdict
            for verdict, names in built.manifest_facts["without"].items()
            if program in names
        ]
        assert len(absent) == 2 - len(asked)


@pytest.mark.slow
def test_weights_add_up_to_the_pairs_of_the_city(built: Representative, frame: Households) -> None:
    weights, labels = as_arrays(built.rows)
    strata = strata_of(built.edition, frame)
    inside = strata < 4 * labels.shape[1]
    assert built.manifest_facts["city_pairs"] == inside.sum()
    assert weights.sum() == pytest.approx(inside.sum(), rel=0.03)
    eligible = (inside & (strata // 2 % 2 == 1)).sum()
    assert (weights * labels).sum() == pytest.approx(eligible, rel=0.06)


@pytest.mark.slow
def test_samples_are_right_on_average(frame: Households) -> None:
    """What many samples say of a share is the city's: the weights are one over inclusion.

    Of right means 95 in 100 lie within two standard errors. Strata share households, so their
    means err together, and fewer are asked for. Weights that leave out either factor of the chance
    of inclusion give 30 in 100.
    """
    strata = strata_of(load_edition(2024), frame)
    outside = 4 * len(load_edition(2024).programs)
    counts = np.bincount(strata.ravel(), minlength=outside + 1)[:outside]
    targets = np.append(allocate(counts.reshape(-1, 2, 2).astype(float), 1500), 0)
    plan = design(strata, targets, 150, 10)
    assert plan.households.sum() == pytest.approx(150)
    assert plan.households.max() <= 1
    order = np.arange(len(strata))
    totals = np.zeros((32, outside))
    for number, found in enumerate(totals):
        rng = np.random.default_rng(number)
        chosen = draw_systematically(plan.households, order, rng)
        given_ = plan.given(chosen)
        asked = round_dependently(given_, strata[chosen] // 2, rng)
        weights = 1 / (given_ * plan.households[chosen, None])[asked]
        np.add.at(found, strata[chosen][asked], weights)
    common = counts > len(frame) / 10
    means, errors = totals.mean(axis=0), totals.std(axis=0, ddof=1) / np.sqrt(len(totals))
    off = np.abs(means - counts)[common] / errors[common]
    assert np.mean(off < 2) > 0.75
    assert off.max() < 5


@pytest.mark.slow
def test_the_interval_of_an_agent_with_recall_70_is_at_most_6_points_wide(
    built: Representative,
) -> None:
    weights, labels = as_arrays(built.rows)
    rng = np.random.default_rng(0)
    widths = []
    for _ in range(20):
        verdicts = (labels * (rng.random(labels.shape) < 0.7)).astype(float)
        f1, parts = linearise(weights, labels, verdicts)
        assert f1 == pytest.approx(2 * 0.7 / 1.7, abs=0.08)
        widths.append(2 * 1.96 * standard_error(parts))
    assert np.mean(widths) <= 0.06


@pytest.mark.slow
def test_guessing_the_likelier_verdict_is_far_below_a_perfect_agent(
    built: Representative, frame: Households
) -> None:
    weights, labels = as_arrays(built.rows)
    answers = label_and_trace(built.edition, frame).labels
    likelier = np.array([answers[name].mean() > 0.5 for name in built.edition.programs], float)
    guessed, _ = linearise(weights, labels, np.broadcast_to(likelier, labels.shape))
    assert guessed < 0.8
    assert linearise(weights, labels, labels)[0] == 1


@given(st.integers(1, 8), st.integers(1, 12), st.integers(0, 10**6))
def test_rounding_keeps_rows_and_columns(rows: int, width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances = rng.random((rows, width))
    wanted = rng.integers(0, width + 1, rows)
    for _ in range(200):  # Rows are scaled to whole numbers, entries capped at 1.
        chances = np.minimum(chances * (wanted / np.maximum(chances.sum(1), 1e-9))[:, None], 1)
    chances[np.abs(chances.sum(1) - wanted) > 1e-9] = 0
    columns = rng.integers(0, 3, (rows, width)) + 3 * np.arange(width)
    drawn = round_dependently(chances, columns, rng)
    assert np.array_equal(drawn.sum(1), np.rint(chances.sum(1)))
    for column in np.unique(columns):
        here = columns == column
        assert abs(drawn[here].sum() - chances[here].sum()) < 1 + 1e-6


def test_rounding_draws_each_entry_with_its_chance() -> None:
    chances = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3]])
    columns = np.array([[0, 1, 2], [0, 1, 2]])
    rng = np.random.default_rng(1)
    drawn = np.mean([round_dependently(chances, columns, rng) for _ in range(4000)], axis=0)
    assert np.abs(drawn - chances).max() < 0.03


def test_allocation_gives_every_verdict_some_and_no_stratum_more_than_it_has() -> None:
    sizes = np.array([[[9_000.0, 500.0], [400.0, 100.0]], [[9_990.0, 0.0], [10.0, 0.0]]])
    found = allocate(sizes, 100)
    assert found.sum() == pytest.approx(100)
    assert (found <= sizes).all()
    assert found.sum(axis=2).min() >= 4
    assert found[0, 1, 1] / 100 > found[0, 1, 0] / 400


@pytest.mark.slow
def test_power_needs_more_households_for_smaller_differences(built: Representative) -> None:
    header, *lines = (line.split(",") for line in power_table(built.rows).splitlines())
    needed = {(line[0], line[1]): int(line[header.index("households_needed")]) for line in lines}
    assert needed["2", "0.0"] > needed["3", "0.0"] > needed["5", "0.0"]
    assert needed["3", "0.0"] > needed["3", "0.5"] > needed["3", "0.8"]
    assert power_table(built.rows) == power_table(built.rows)


@pytest.mark.slow
def test_moved_limits_change_who_is_eligible_only_near_them(frame: Households) -> None:
    edition = load_edition(2024)
    higher = move_thresholds(edition, share=0.05)
    table, moved = (it["FairFaresNYC"].thresholds for it in (edition, higher))
    assert table != moved
    before, after = (label_and_trace(it, frame).labels for it in (edition, higher))
    gained = (~before["FairFaresNYC"] & after["FairFaresNYC"]).mean()
    assert 0 < gained < 0.05
    assert not (before["FairFaresNYC"] & ~after["FairFaresNYC"]).any()
    assert len(move_thresholds(edition)) == 0
    older = move_thresholds(edition, years=1)
    assert older["AdvanceEarn"].thresholds.min_age == edition["AdvanceEarn"].thresholds.min_age + 1


@pytest.mark.slow
def test_written_rows_read_back_with_their_weights(built: Representative, tmp_path: Path) -> None:
    manifest = write_representative(built, tmp_path)
    assert read_rows(tmp_path / "representative.jsonl") == built.rows
    assert manifest["sampled"] == SMALL_CITY
    assert set(manifest["files"]) == set(reproducible("representative"))


@pytest.mark.slow
def test_sizes_that_cannot_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RepresentativeError, match="Raise --city to 1000"):
        build(city=500)
    monkeypatch.setattr(representative, "_MOST_DRAWS", 0)
    with pytest.raises(RepresentativeError, match="was always missing"):
        build(households=9, city=100)


def test_designs_are_kept_apart() -> None:
    refused = invoke("representative", "--households", "30", "--repeats", "3")
    assert refused.exit_code == 2
    assert "--repeats" in refused.output
