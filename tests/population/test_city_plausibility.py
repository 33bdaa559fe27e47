"""The reference city is drawn once, however it is asked for."""

from pathlib import Path

import pytest

from benyfits_data.population import city_plausibility as module


@pytest.mark.slow
def test_a_city_that_is_kept_is_neither_drawn_nor_fitted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CACHE", tmp_path)
    monkeypatch.setattr(module, "CITY", 2_000)
    module._kept_city.cache_clear()
    city, plausibility = module.reference_city(), module.city_plausibility()
    [kept] = tmp_path.iterdir()
    module._kept_city.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(module, "learn_city", None)
        read = module.draw_chunk(2_000, module.SEED, 0)
        assert all((column == city.member[name]).all() for name, column in read.member.items())
        surprise = module.city_plausibility().surprise(read)
        assert (surprise == plausibility.surprise(city)).all()
    module._kept_city.cache_clear()
    # Other code makes another city; the old one goes.
    monkeypatch.setattr(module, "_digest", lambda: "other")
    module.city_plausibility()
    assert [path.name for path in tmp_path.iterdir()] == ["other.pickle"] != [kept.name]
    module._kept_city.cache_clear()
