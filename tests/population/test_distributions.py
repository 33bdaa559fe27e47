"""How a feature is drawn from its rows."""

import numpy as np
import pytest

from benyfits_data.population.conditions import Frame
from benyfits_data.population.distributions import Distribution, is_within
from benyfits_data.population.sources import Share


def row(role: str, given: str, category: str, share: float, feature: str = "plays") -> Share:
    return Share(
        feature,
        "member",
        role,  # type: ignore[arg-type]
        "",
        given,
        category,
        share,
        (),
        "",
        "derived",
        "high",
        "",
        "x:1",
    )


@pytest.fixture
def people() -> Frame:
    frame = Frame(10_000)
    frame.put("age", np.arange(10_000) % 100)
    return frame


def drawn(frame: Frame, rows: list[Share], feature: str = "plays") -> np.ndarray:
    Distribution.of(rows).draw(frame, np.random.default_rng(3))
    return frame[feature]


def flag(role: str, given: str, share: float) -> list[Share]:
    return [row(role, given, "yes", share), row(role, given, "no", 1 - share)]


def test_the_first_condition_that_holds_counts(people: Frame) -> None:
    found = drawn(people, flag("draw", "age 0-9", 1.0) + flag("draw", "age 0-49", 0.0))
    assert (found == (people["age"] < 10)).all()


def test_people_for_whom_no_condition_holds_have_nothing(people: Frame) -> None:
    found = drawn(people, flag("draw", "age 50-99", 0.5))
    assert not found[people["age"] < 50].any()
    assert found.sum() == pytest.approx(2500, abs=1)


def test_draws_are_raked_to_the_margin(people: Frame) -> None:
    rows = [
        *flag("draw", "age 0-49", 0.1),
        *flag("draw", "age 50-99", 0.2),
        *flag("margin", "all", 0.3),
    ]
    found = drawn(people, rows)
    assert found.mean() == pytest.approx(0.3, abs=5e-4)
    assert found[people["age"] >= 50].mean() > found[people["age"] < 50].mean()


def test_odds_multiply_what_is_drawn(people: Frame) -> None:
    rows = [*flag("draw", "all", 0.2), row("odds", "age 50-99", "yes", 4.0)]
    found = drawn(people, rows)
    assert found[people["age"] >= 50].mean() == pytest.approx(0.5, abs=1e-3)
    assert found[people["age"] < 50].mean() == pytest.approx(0.2, abs=1e-3)


def test_ranges_are_drawn_inside_their_ends(people: Frame) -> None:
    rows = [
        row("draw", "age 18-99", "1-10", 0.5),
        row("draw", "age 18-99", "none", 0.5),
        row("draw", "all", "0", 1.0),
    ]
    found = drawn(people, rows)
    adult = people["age"] >= 18
    assert set(np.unique(found[adult])) == {-1, *range(1, 11)}
    assert (found[~adult] == 0).all()


def test_a_margin_may_join_several_drawn_categories() -> None:
    assert is_within("41-48", "35-70")
    assert is_within("GED", "GED|HSE diploma")
    assert not is_within("1-14", "15-34")
    assert not is_within("bachelor", "graduate")
