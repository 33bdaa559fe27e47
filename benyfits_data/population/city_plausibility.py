"""The plausibility learned from the default synthetic city: fitted once, kept in `.cache/`.

What is kept goes with a digest of the sources and of the code that it is made from.
"""

import hashlib
import pickle
from functools import cache
from pathlib import Path

import numpy as np

from benyfits_data.household.columns import Households
from benyfits_data.plausibility import Plausibility
from benyfits_data.population.sources import sources_folder
from benyfits_data.population.synthesis import CHUNK, households_of_chunk
from benyfits_data.staged_writes import write_atomically

CITY = CHUNK
"""Households that are learned from and compared with: one chunk of the synthetic city."""
SEED = 0
CACHE = Path(".cache/city")
_MADE_BY = ("household", "language", "plausibility", "population", "rng.py")
"""The code on which the city depends, below the package."""
_HELD_OUT = 2, 5
"""Of every five households two are held out."""
_DIGITS = 16
"""Of the digest that names what is kept."""


def reference_city() -> Households:
    """Return the households that plausibility is learned from; the same for all seeds."""
    return _kept_city()[0]


def city_plausibility() -> Plausibility:
    """Return how surprising households are in the city."""
    return _kept_city()[1]


def draw_chunk(n: int, seed: int, chunk: int) -> Households:
    """Return a chunk of a city; the one that plausibility is learned from is drawn once."""
    if (n, seed, chunk) == (CITY, SEED, 0):
        return reference_city()
    return households_of_chunk(n, seed, chunk)


@cache
def learn_city(n: int) -> tuple[Households, Plausibility]:
    """Return a city of `n` households and how surprising households are in it."""
    city = households_of_chunk(n, SEED, 0)
    held_out, among = _HELD_OUT
    is_held_out = np.arange(n) % among < held_out
    return city, Plausibility(city.take(~is_held_out), city.take(is_held_out))


@cache
def _kept_city() -> tuple[Households, Plausibility]:
    path = CACHE / f"{_digest()}.pickle"
    if path.exists():
        kept: tuple[Households, Plausibility] = pickle.loads(path.read_bytes())
        return kept
    learned = learn_city(CITY)
    # What other code or other sources made is thrown away.
    for old in CACHE.glob("*.pickle"):
        old.unlink(missing_ok=True)
    write_atomically(path, pickle.dumps(learned, protocol=pickle.HIGHEST_PROTOCOL))
    return learned


def _digest() -> str:
    """Return a digest of everything the city is made from."""
    package, digest = Path(__file__).parents[1], hashlib.sha256(np.__version__.encode())
    for root in (*(package / name for name in _MADE_BY), sources_folder()):
        paths = [root] if root.is_file() else sorted(filter(Path.is_file, root.rglob("*")))
        for path in paths:
            if path.suffix != ".pyc":
                name = path.relative_to(root.parent).as_posix()
                digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()[:_DIGITS]
