"""Same seed, edition, version: same bytes on every processor. CHECKSUMS files record the digests.

After a change that is meant to change datasets, `make record` writes them anew.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from benyfits_data.cli.cmd_diverse import diverse
from benyfits_data.dataset import digest, read_checksums, read_manifest, read_rows
from benyfits_data.editions import EDITIONS
from benyfits_data.evaluation.recorded import NAMES, carried_editions, read_recorded_par, unpack
from benyfits_data.fuzz.believable.candidates import MIXED
from benyfits_data.household.columns import Households
from benyfits_data.par import compute_par, row_digest
from benyfits_data.plausibility.structure_surprise import kinds_of_relations
from benyfits_data.population.representative import reproducible

ROOT = Path(__file__).parents[2]
SMALL = Path(__file__).parent / "CHECKSUMS"
DIVERSE = ["diverse.jsonl", "diverse.coverage.json", "diverse.programs.csv", "diverse.features.csv"]
RECORDED = {year: ROOT / "output" / str(year) / "CHECKSUMS" for year in EDITIONS}


def build(command, *options):
    """Run a command as a user would; its failure is the test's."""
    CliRunner().invoke(command, [str(option) for option in options], catch_exceptions=False)


def assert_same_bytes(folder, recorded, names):
    known = read_checksums(recorded)
    for name in names:
        assert digest(folder / name) == known[name], f"{name} is not what {recorded} says"


def assert_same_sets(folder, edition):
    """Check all files of the sets that README's first command builds."""
    names = [*DIVERSE, *reproducible("representative"), *reproducible("representative-25")]
    assert_same_bytes(folder, RECORDED[edition], names)


def assert_believable(folder):
    """Check that the set is few households, and that few of them are far from the city's."""
    measured = read_manifest(folder, "diverse")["plausibility"]
    homes = [row.household for row in read_rows(folder / "diverse.jsonl")]
    mixed = kinds_of_relations(Households.from_households(homes)) >= MIXED
    assert len(homes) <= 60
    assert measured["median"] <= 50
    assert measured["within_99_9"] == len(homes)
    assert measured["within_99"] >= len(homes) - 3
    assert mixed.mean() <= 0.15


@pytest.mark.slow
def test_a_small_diverse_set_is_rebuilt_byte_for_byte(tmp_path):
    build(
        *(diverse, "--households", 2000, "--edition", 2024, "--plausible", "off"),
        *("--no-pictures", "--output", tmp_path),
    )
    assert_same_bytes(tmp_path, SMALL, DIVERSE)


def build_plainly(words, edition, folder):
    """Run a command without the instructions that NumPy uses beyond those of every processor."""
    beyond = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(beyond)}
    command = [sys.executable, "-m", "benyfits_data", *words.split()]
    command += ["--edition", str(edition), "--output", str(folder)]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS[:-1])
def test_published_editions_are_rebuilt_byte_for_byte(edition, tmp_path):
    """With the instructions that all processors have.

    README's first command rebuilds the newest edition, with all of this processor's
    (tests/docs/test_pages.py).
    """
    for words in ("diverse --no-pictures", "representative", "representative-25"):
        build_plainly(words, edition, tmp_path)
    assert_same_sets(tmp_path, edition)
    assert_believable(tmp_path)


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
