"""The reference city is drawn once, however it is asked for."""

import os
from pathlib import Path

import pytest

from benyfits_data.population import city_plausibility as module
from benyfits_data.user_cache import VARIABLE


@pytest.mark.slow
def test_a_city_that_is_kept_is_neither_drawn_nor_fitted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    folder = tmp_path / "city"
    monkeypatch.setattr(module, "CITY", 2_000)
    module._kept_city.cache_clear()
    city, plausibility = module.reference_city(), module.city_plausibility()
    [kept] = folder.iterdir()
    module._kept_city.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(module, "learn_city", None)
        read = module.draw_chunk(2_000, module.SEED, 0)
        assert all((column == city.member[name]).all() for name, column in read.member.items())
        surprise = module.city_plausibility().surprise(read)
        assert (surprise == plausibility.surprise(city)).all()
    module._kept_city.cache_clear()
    # Other code makes another city: of ours the oldest goes, and nothing that is not ours.
    strangers = [folder / "model.pickle", folder / "notes.txt"]
    for stranger in strangers:
        stranger.write_text("mine")
        os.utime(stranger, ns=(0, 0))
    for digit in "12345":
        monkeypatch.setattr(module, "_digest", lambda digit=digit: digit * 16)
        module.city_plausibility()
        module._kept_city.cache_clear()
    cities = [folder / f"{digit * 16}.pickle" for digit in "2345"]
    assert {*folder.iterdir()} == {*strangers, *cities}
    assert kept not in cities
