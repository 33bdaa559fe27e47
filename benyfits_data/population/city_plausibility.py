"""The plausibility learned from the default synthetic city: fitted once, kept in `.cache/`.

What is kept goes with a digest of the sources and of the code that it is made from. A build that
has other work to do first lets another process begin with the city, and both then learn half of the
facts each (`begin_city`).
"""

import hashlib
import pickle
from collections.abc import Collection
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.parallel import Actor
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.fact_surprise import FACTS, FactSurprise
from benyfits_data.population.sources import sources_folder
from benyfits_data.population.synthesis import CHUNK, households_of_chunk, synthesize
from benyfits_data.staged_writes import write_atomically

CITY = CHUNK
"""Households that are learned from and compared with: one chunk of the synthetic city."""
SEED = 0
CACHE = Path(".cache/city")
_MADE_BY = ("household", "language", "plausibility", "population", "rng.py")
"""The code on which the city depends, below the package."""
_HELD_OUT = 5, 2
"""Of every five households two are held out."""
_DIGITS = 16
"""Of the digest that names what is kept."""
_elsewhere: dict[int, Actor[Households]] = {}
"""Cities that another process has begun to make, by number of households."""
_drawn: dict[int, Households] = {}
"""Cities that were drawn for another purpose, by number of households."""


def begin_city(n: int = CITY) -> None:
    """Let another process begin to make a city, unless this one has made one, or one is kept."""
    if n not in _elsewhere and not _city.cache_info().currsize and not _is_kept(n):
        _elsewhere[n] = Actor(partial(synthesize, n, SEED))


def reference_city(n: int = CITY) -> Households:
    """Return the households that plausibility is learned from; the same for all seeds."""
    return _city(n)


def city_plausibility(n: int = CITY) -> Plausibility:
    """Return how surprising households are in the city."""
    return _plausibility(n)


def draw_chunk(n: int, seed: int, chunk: int) -> Households:
    """Return a chunk of a city; the one learned from is read where it is kept."""
    if (n, seed, chunk) == (CITY, SEED, 0) and _is_kept(n):
        return _kept(n)[0]
    return households_of_chunk(n, seed, chunk)


def use_drawn_chunk(households: Households, seed: int) -> None:
    """Learn from the first chunk of a city that was drawn for another purpose, if it is it.

    Args:
        households: The first chunk of a city.
        seed: Of that city.
    """
    if (len(households), seed) == (CITY, SEED):
        _drawn[CITY] = households


# Arguments by name, by place and left out are cached apart, so only these are cached.
@cache
def _city(n: int) -> Households:
    if _is_kept(n):
        return _kept(n)[0]
    if n in _drawn:
        return _drawn[n]
    return _elsewhere[n].call(_itself)() if n in _elsewhere else synthesize(n, SEED)


@cache
def _plausibility(n: int) -> Plausibility:
    if _is_kept(n):
        return _kept(n)[1]
    city = _city(n)
    is_held_out = _is_held_out(n)
    learned = city.take(~is_held_out)
    if n in _elsewhere:
        rest = _elsewhere[n].call(_learn, FACTS[1::2])
        facts = FactSurprise(learned, FACTS[::2]).joined_by(rest())
        # Its households would stay in memory while later steps run.
        _elsewhere.pop(n).close()
    else:
        facts = FactSurprise(learned)
    plausibility = Plausibility(learned, city.take(is_held_out), facts)
    if n == CITY:
        _keep(n, city, plausibility)
    return plausibility


def _is_kept(n: int) -> bool:
    return n == CITY and _place().exists()


@cache
def _kept(n: int) -> tuple[Households, Plausibility]:
    found: tuple[Households, Plausibility] = pickle.loads(_place().read_bytes())
    return found


def _keep(n: int, city: Households, plausibility: Plausibility) -> None:
    """Keep a city and what was learned of it; what others were made from is thrown away."""
    for old in CACHE.glob("*.pickle"):
        old.unlink(missing_ok=True)
    write_atomically(_place(), pickle.dumps((city, plausibility), protocol=pickle.HIGHEST_PROTOCOL))


def _place() -> Path:
    return CACHE / f"{_digest()}.pickle"


@cache
def _digest() -> str:
    """Return a digest of everything the city is made from."""
    package, found = Path(__file__).parents[1], hashlib.sha256(np.__version__.encode())
    for root in (*(package / name for name in _MADE_BY), sources_folder()):
        files = [root] if root.is_file() else sorted(it for it in root.rglob("*") if it.is_file())
        for path in files:
            if path.suffix != ".pyc":
                found.update(path.relative_to(root.parent).as_posix().encode() + path.read_bytes())
    return found.hexdigest()[:_DIGITS]


def _itself(city: Households) -> Households:
    return city


def _learn(city: Households, names: Collection[str]) -> FactSurprise:
    return FactSurprise(city.take(~_is_held_out(len(city))), names)


def _is_held_out(n: int) -> NDArray[np.bool_]:
    of, some = _HELD_OUT
    return np.asarray(np.arange(n) % of < some)
