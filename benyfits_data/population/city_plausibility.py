"""The plausibility learned from the default synthetic city: fitted once, kept in the user's cache.

What is kept goes with a digest of the sources and of the code that it is made from.
"""

import hashlib
import pickle
import re
from functools import cache
from pathlib import Path

import numpy as np

from benyfits_data.household.columns import Households
from benyfits_data.plausibility import Plausibility
from benyfits_data.population.sources import sources_folder
from benyfits_data.population.synthesis import CHUNK, households_of_chunk
from benyfits_data.staged_writes import write_atomically
from benyfits_data.user_cache import cache_folder

CITY = CHUNK
"""Households that are learned from and compared with: one chunk of the synthetic city."""
SEED = 0
_MADE_BY = ("household", "language", "plausibility", "population", "rng.py")
"""The code on which the city depends, below the package."""
_HELD_OUT = 2, 5
"""Of every five households two are held out."""
_DIGITS = 16
"""Of the digest that names what is kept."""
_NAME = re.compile(rf"[0-9a-f]{{{_DIGITS}}}\.pickle")
_KEPT = 4
"""Cities that are kept, of 40 MB each: those of the versions that somebody works with by turns."""


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
    path = cache_folder("city") / f"{_digest()}.pickle"
    if path.exists():
        kept: tuple[Households, Plausibility] = pickle.loads(path.read_bytes())
        return kept
    learned = learn_city(CITY)
    write_atomically(path, pickle.dumps(learned, protocol=pickle.HIGHEST_PROTOCOL))
    cities = [each for each in path.parent.iterdir() if _NAME.fullmatch(each.name)]
    for old in sorted(cities, key=lambda each: each.stat().st_mtime_ns)[:-_KEPT]:
        old.unlink(missing_ok=True)
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
