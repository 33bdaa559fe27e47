"""The reference city is drawn once, however it is asked for."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benyfits_data.plausibility.circumstances import Circumstances
from benyfits_data.plausibility.fact_surprise import FACTS, FactSurprise
from benyfits_data.population import city_plausibility as module


@pytest.mark.slow
def test_city_and_measure_are_made_once_however_they_are_asked_for() -> None:
    assert module.reference_city(200) is module.reference_city(n=200)
    assert module.city_plausibility(200) is module.city_plausibility(n=200)


@pytest.mark.slow
def test_a_city_that_another_process_began_is_the_same_and_so_is_what_both_learn() -> None:
    n = 2_000
    city, plausibility = module.reference_city(n), module.city_plausibility(n)
    expected = plausibility.surprise(city)
    with fresh_caches():
        module.begin_city(n)
        module.begin_city(n)  # The first goes on: nothing is orphaned.
        assert len(multiprocessing.active_children()) <= 1
        found, learned = module.reference_city(n), module.city_plausibility(n)
        assert found is not city
        assert not multiprocessing.active_children()  # Nobody keeps a second city in memory.
    assert all((column == city.member[name]).all() for name, column in found.member.items())
    assert (learned.surprise(found) == expected).all()


@pytest.mark.slow
def test_facts_that_neither_process_learned_are_missed() -> None:
    city = module.reference_city(2_000)
    first, second = FactSurprise(city, FACTS[::2]), FactSurprise(city, FACTS[3::2])
    with pytest.raises(KeyError):
        dict(first.joined_by(second).items(Circumstances(city)))


@pytest.mark.slow
def test_a_city_that_is_kept_is_neither_drawn_nor_fitted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CACHE", tmp_path)
    monkeypatch.setattr(module, "CITY", 2_000)
    with fresh_caches():
        city, plausibility = module.reference_city(2_000), module.city_plausibility(2_000)
    [kept] = tmp_path.iterdir()
    with fresh_caches(), monkeypatch.context() as patched:
        for name in ("synthesize", "households_of_chunk", "FactSurprise", "Actor"):
            patched.setattr(module, name, None)
        module.begin_city(2_000)
        found, learned = module.reference_city(2_000), module.city_plausibility(2_000)
        assert all((column == city.member[name]).all() for name, column in found.member.items())
        assert (learned.surprise(found) == plausibility.surprise(city)).all()
        assert len(module.draw_chunk(2_000, module.SEED, 0)) == 2_000
    with fresh_caches(), monkeypatch.context() as patched:
        # Other code makes another city; the old one goes.
        patched.setattr(module, "_digest", lambda: "other")
        module.city_plausibility(2_000)
        assert [it.name for it in tmp_path.iterdir()] == ["other.pickle"] != [kept.name]


@pytest.mark.slow
def test_a_first_chunk_that_was_drawn_already_is_not_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CACHE", tmp_path)
    monkeypatch.setattr(module, "CITY", 2_000)
    with fresh_caches():
        drawn = module.draw_chunk(2_000, module.SEED, 0)
        module.use_drawn_chunk(drawn, module.SEED + 1)
        module.use_drawn_chunk(drawn.take(range(1_000)), module.SEED)
        assert not module._drawn
        module.use_drawn_chunk(drawn, module.SEED)
        assert module.reference_city(2_000) is drawn


@contextmanager
def fresh_caches() -> Iterator[None]:
    """Forget cities, and what another process was let begin, before and after."""
    forget()
    yield
    forget()


def forget() -> None:
    module._city.cache_clear()
    module._plausibility.cache_clear()
    module._kept.cache_clear()
    module._elsewhere.clear()
    module._drawn.clear()
