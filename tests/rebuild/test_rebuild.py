"""Same seed, edition, version: same bytes on every processor. CHECKSUMS files record the digests.

After a change that is meant to change datasets, `make record` writes them anew.
"""

from pathlib import Path

import pytest

from benyfits_data.dataset import digest, read_checksums, read_manifest, read_rows
from benyfits_data.editions import EDITIONS
from benyfits_data.par import compute_par, row_digest
from benyfits_data.population.representative import reproducible
from benyfits_data.recorded import NAMES, carried_editions, read_recorded_par, unpack
from tests.shared import build_plainly

ROOT = Path(__file__).parents[2]
SMALL = Path(__file__).parent / "CHECKSUMS"
DIVERSE = ["diverse.jsonl", "diverse.coverage.json", "diverse.programs.csv", "diverse.features.csv"]
RECORDED = {year: ROOT / "output" / str(year) / "CHECKSUMS" for year in EDITIONS}


def assert_same_bytes(folder, recorded, names):
    known = read_checksums(recorded)
    for name in names:
        assert digest(folder / name) == known[name], f"{name} is not what {recorded} says"


def assert_same_sets(folder, edition):
    """Check all files of the sets that README's first command builds."""
    names = [*DIVERSE, *reproducible("representative"), *reproducible("representative-25")]
    assert_same_bytes(folder, RECORDED[edition], names)


def assert_believable(folder):
    """Check that the build says of its set that all limits hold."""
    manifest = read_manifest(folder, "diverse")
    assert manifest["selection"]["beyond_limits"] == []
    assert manifest["selection"]["certificate"]["pairs"]["is_certified"]
    assert manifest["plausibility"]["median"] <= 50
    assert manifest["plausibility"]["largest"] <= 99.5


@pytest.mark.slow
@pytest.mark.xdist_group("build")
def test_a_small_diverse_set_is_rebuilt_byte_for_byte(small_set):
    assert_same_bytes(small_set, SMALL, DIVERSE)


@pytest.mark.slow
@pytest.mark.xdist_group("build")
def test_an_older_edition_is_rebuilt_byte_for_byte(published_2024):
    """With the instructions that all processors have.

    README's first command rebuilds the newest edition, with all of this processor's
    (tests/docs/test_pages.py).
    """
    assert_same_sets(published_2024, 2024)
    assert_believable(published_2024)


@pytest.mark.slow
@pytest.mark.xdist_group("build")  # It takes longest, and this group begins early.
def test_the_newest_thorough_set_is_rebuilt_byte_for_byte(tmp_path):
    build_plainly("thorough", EDITIONS[-1], tmp_path)
    names = ["thorough.jsonl", "thorough.coverage.json", "thorough.programs.csv"]
    assert_same_bytes(tmp_path, RECORDED[EDITIONS[-1]], names)
    found = read_manifest(tmp_path, "thorough")["coverage"]
    for counts in (found["independence_pairs"], found["mutants"]):
        assert counts["covered"] + counts["impossible"] == counts["made"]


@pytest.mark.slow
@pytest.mark.parametrize("edition", carried_editions())
@pytest.mark.parametrize("name", NAMES)
def test_par_of_recorded_rows_is_computed_anew(name, edition):
    rows, known = read_rows(unpack(name, edition)), read_recorded_par()
    assert {row_digest(row) for row in rows} <= known.keys()
    some = compute_par(rows[::20])
    assert [it.turns for it in some.values()] == [known[of].turns for of in some]
