"""The tables in sources/ hold, and every check of them catches a planted violation."""

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from benyfits_data.household.features import FEATURES
from benyfits_data.population.source_checks import (
    CHECKS,
    check_sources,
    evaluate,
    feature_statuses,
)
from benyfits_data.population.sources import (
    Assumption,
    Share,
    Sources,
    SourcesError,
    load_sources,
    sources_folder,
)

SOURCES = load_sources()


def with_rows(change: Callable[[Share], Share], *, feature: str) -> Sources:
    """Return the sources with some rows of one feature changed."""
    return dataclasses.replace(
        SOURCES,
        shares=tuple(change(row) if row.feature == feature else row for row in SOURCES.shares),
    )


def test_the_tables_have_no_problem() -> None:
    assert check_sources(SOURCES) == []


def test_at_least_78_sources_are_in_use() -> None:
    assert len(SOURCES.cited()) >= 78
    publications = {(s.publisher, s.title) for s in SOURCES.registry.values()}
    assert len(publications) >= 78


def test_three_fifths_of_the_features_rest_on_sources() -> None:
    statuses = feature_statuses(SOURCES)
    assert set(statuses) == set(FEATURES)
    assert sum(status != "assumption" for status in statuses.values()) >= 0.6 * len(statuses)


def drop_feature() -> Sources:
    return dataclasses.replace(
        SOURCES, shares=tuple(row for row in SOURCES.shares if row.feature != "receives_snap")
    )


def unsourced() -> Sources:
    return with_rows(lambda row: dataclasses.replace(row, sources=()), feature="receives_snap")


def assumed_without_reason() -> Sources:
    return with_rows(lambda row: dataclasses.replace(row, status="assumption"), feature="disabled")


def unknown_source() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, sources=("nobody_2020",)), feature="disabled"
    )


def sum_of_90_percent() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, share=(row.share or 0) * 0.9, arithmetic=""),
        feature="sex",
    )


def cumulated() -> Sources:
    total = 0.0

    def add(row: Share) -> Share:
        nonlocal total
        total += row.share or 0.0
        return dataclasses.replace(row, share=min(total, 1.0), arithmetic="")

    return with_rows(add, feature="household_income")


def wrong_arithmetic() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, arithmetic="1/3"), feature="eligible_for_medicaid"
    )


def range_upside_down() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, given="age 64-18"), feature="consecutive_work_weeks"
    )


def unused_source() -> Sources:
    extra = dataclasses.replace(next(iter(SOURCES.registry.values())), id="unused_2020")
    return dataclasses.replace(SOURCES, registry={**SOURCES.registry, extra.id: extra})


def orphan_figure() -> Sources:
    figure = dataclasses.replace(SOURCES.figures[0], features=("shoe_size",))
    return dataclasses.replace(SOURCES, figures=(*SOURCES.figures, figure))


def orphan_assumption() -> Sources:
    extra = Assumption("shoe_size", "all of it", "nobody measured it", "a shoemaker")
    return dataclasses.replace(SOURCES, assumptions=(*SOURCES.assumptions, extra))


def mislabelled_constant() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, status="verified", arithmetic="0.617"),
        feature="receives_snap",
    )


def derived_called_verified() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, status="verified"), feature="works_outside_home"
    )


def margin_that_nobody_printed() -> Sources:
    return with_rows(
        lambda row: dataclasses.replace(row, arithmetic="0.217") if row.role == "margin" else row,
        feature="works_outside_home",
    )


def broken_address() -> Sources:
    first = next(iter(SOURCES.registry.values()))
    broken = dataclasses.replace(first, address="census.gov, table 4")
    return dataclasses.replace(SOURCES, registry={**SOURCES.registry, first.id: broken})


def everything_assumed() -> Sources:
    return dataclasses.replace(
        SOURCES,
        shares=tuple(dataclasses.replace(row, status="assumption") for row in SOURCES.shares),
    )


@pytest.mark.parametrize(
    ("plant", "check", "words"),
    [
        (drop_feature, "features_without_distribution", "receives_snap has no distribution"),
        (unsourced, "distributions_without_source", "names no source"),
        (assumed_without_reason, "distributions_without_source", "does not say why"),
        (unknown_source, "unknown_sources", "nobody_2020"),
        (sum_of_90_percent, "shares_off_one", "sum to 0.9"),
        (cumulated, "shares_off_one", "expected 1"),
        (wrong_arithmetic, "arithmetic_that_does_not_give_the_share", "1/3 is 0.333333"),
        (range_upside_down, "unreadable_conditions", "upside down"),
        (unused_source, "orphans", "uses 'unused_2020'"),
        (orphan_figure, "orphans", "shoe_size"),
        (orphan_assumption, "orphans", "shoe_size"),
        (mislabelled_constant, "numbers_that_no_source_prints", "0.617 is verified"),
        (margin_that_nobody_printed, "numbers_that_no_source_prints", "0.217 is derived"),
        (derived_called_verified, "numbers_that_no_source_prints", "call it derived"),
        (broken_address, "addresses", "census.gov, table 4"),
        (everything_assumed, "too_many_assumptions", f"0 of {len(FEATURES)}"),
    ],
)
def test_every_check_catches_its_planted_violation(
    plant: Callable[[], Sources], check: str, words: str
) -> None:
    planted = plant()
    found = [p for function in CHECKS if function.__name__ == check for p in function(planted)]
    assert any(words in problem for problem in found)


def test_every_check_has_a_planted_violation() -> None:
    marks = test_every_check_catches_its_planted_violation.pytestmark  # type: ignore[attr-defined]
    planted = {case[1] for case in marks[0].args[1]}
    assert planted == {check.__name__ for check in CHECKS}


def test_arithmetic_knows_numbers_and_four_operators_only() -> None:
    assert evaluate("(1+2)*3/4-1") == pytest.approx(1.25)
    with pytest.raises(ValueError, match="only numbers"):
        evaluate("__import__('os')")


def test_a_share_that_is_no_number_is_named_with_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    shutil.copytree(sources_folder(), folder)
    path = folder / "distributions" / "04_health.csv"
    lines = path.read_text().splitlines()
    lines[1] = lines[1].replace(",0.", ",zero.", 1)
    path.write_text("\n".join(lines))
    with pytest.raises(SourcesError, match=r"04_health.csv:2"):
        load_sources(folder)


def test_a_source_named_twice_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "sources"
    shutil.copytree(sources_folder(), folder)
    path = folder / "registry.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines, lines[1]]))
    with pytest.raises(SourcesError, match="twice"):
        load_sources(folder)
