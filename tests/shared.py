"""What several tests need and nobody should make twice: made once a session, by one process."""

import fcntl
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from benyfits_data.household.columns import Households
from benyfits_data.plausibility import Plausibility
from benyfits_data.population.synthesis import build_city, possible_households
from benyfits_data.population.synthetic_city import City
from tests.commands import invoke
from tests.copies import ROOT

SMALL = 2_000
"""Households of which the small Diverse set is chosen."""
SMALL_OPTIONS = ("--households", SMALL, "--edition", 2024, "--plausible", "off", "--no-pictures")


def once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder of the session that the first process to ask for it makes; others wait.

    Args:
        temporary: Gives the folder of this process; that of the session is above it.
        name: What is made.
        make: Fills the folder.
    """
    session = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        session = session.parent
    path, part = session / name, session / f"{name}.part"
    with (session / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            make(part)
            part.rename(path)
    return path


def build_small_set(folder: Path) -> None:
    """Build a Diverse set whose digests tests/rebuild/CHECKSUMS records."""
    result = invoke("diverse", *SMALL_OPTIONS, "--output", folder, catch_exceptions=False)
    assert result.exit_code == 0, result.output


def build_plainly(words: str, edition: int, folder: Path) -> None:
    """Run a command without the instructions that NumPy uses beyond those of every processor."""
    beyond = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(beyond)}
    command = [sys.executable, "-m", "benyfits_data", *words.split()]
    command += ["--edition", str(edition), "--output", str(folder)]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True)


def build_published_sets(edition: int, folder: Path) -> None:
    """Build the sets of a published edition that README's first command builds of the newest."""
    for words in ("diverse --no-pictures", "representative", "representative-25"):
        build_plainly(words, edition, folder)


def build_small_city(folder: Path) -> None:
    """Build the city of all tests that draw one."""
    (folder / "city.pickle").write_bytes(pickle.dumps(build_city(20_000, seed=5)))


def read_small_city(folder: Path) -> City:
    """Return the city in a folder."""
    city: City = pickle.loads((folder / "city.pickle").read_bytes())
    return city


class LearnedCity(NamedTuple):
    """A part of a city, how surprising households are in it, and the other part."""

    households: Households
    plausibility: Plausibility
    fresh: Households


def learn(city: City) -> LearnedCity:
    """Return a city of which two fifths are learned from."""
    everybody, _ = possible_households(city)
    is_learned = np.arange(len(everybody)) % 5 < 2
    homes, fresh = everybody.take(is_learned), everybody.take(~is_learned)
    is_held_out = np.arange(len(homes)) % 5 < 2
    learned = Plausibility(homes.take(~is_held_out), homes.take(is_held_out))
    return LearnedCity(homes, learned, fresh)
