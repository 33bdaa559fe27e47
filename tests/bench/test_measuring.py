"""One run of the bench: every step, every ratio from the same run, and the picture."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from benyfits_data.editions import load_edition
from tests.bench import measuring
from tests.bench.measuring import BUILD, RENDER, SAMPLE, SELECT, TRACE, Bench, measure

BENCH = Bench(
    edition=2024,
    households=1_000,
    programs=82,
    steps={TRACE: 0.5, BUILD: 4.0},
    compared=10,
    others={"trace": 100.0, "coverage.py": 50.0},
    growth=[(1_000, 1.0), (10_000, 5.0)],
    workers=2,
    memory=2**30,
)


def test_ratios_are_the_other_tracer_over_the_step() -> None:
    assert BENCH.times(TRACE, "trace") == 200
    assert BENCH.times(BUILD, "coverage.py") == 12.5


def test_json_says_from_how_many_households_others_are_extrapolated() -> None:
    told = BENCH.as_json()
    assert told["others"]["trace"] == {"seconds": 100.0, "extrapolated_from": 10}
    assert told["steps"][0]["times"] == {"trace": 200.0, "coverage.py": 100.0}
    assert told["growth"] == [
        {"households": 1_000, "seconds": 1.0},
        {"households": 10_000, "seconds": 5.0},
    ]


@pytest.mark.slow
def test_a_run_measures_every_step_and_shows_each(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    monkeypatch.setattr(measuring, "_build", lambda edition, n, seed: built.append(n))
    shown: list[str] = []
    done: list[int] = []

    @contextmanager
    def show(label: str, households: int) -> Iterator[Callable[[int], None]]:
        shown.append(label)
        yield done.append

    bench = measure(
        load_edition(2024),
        0,
        households=600,
        compared=1,
        sizes=[100, 200],
        workers=1,
        show=show,
    )
    assert list(bench.steps) == [SAMPLE, TRACE, SELECT, RENDER, BUILD]
    assert all(seconds > 0 for seconds in bench.steps.values())
    assert built == [600]
    assert set(bench.others) == {"trace", "coverage.py"}
    assert [n for n, _ in bench.growth] == [100, 200]
    assert done == [1] * 2 * 82 + [100, 200]
    assert shown[-2:] == ["100 households", "200 households"]
    assert bench.memory > 0
