"""Many possible households, drawn to meet every limit and alternative of the checkers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition
from benyfits_data.fuzz.aiming import aim
from benyfits_data.fuzz.boundaries import Boundaries, boundaries
from benyfits_data.fuzz.breeding import Breeder
from benyfits_data.fuzz.chances import MOODS
from benyfits_data.fuzz.composition import applicant_ages, draw_families
from benyfits_data.fuzz.draws import DRAWING_ORDER, Draws
from benyfits_data.household.columns import CODED_MEMBER_FEATURES, Households
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES
from benyfits_data.language.batch import label_and_trace
from benyfits_data.language.settling import settle
from benyfits_data.streams import stream

CHUNK = 10_000
"""Households drawn at once. Each chunk has streams of its own, so chunks may be drawn anywhere."""
AIMED_SHARE = 0.6
"""Share of households whose incomes or rent are moved to some limit."""
BRED_SHARE = 0.5
"""Share of households that are bred from those that run rare lines."""
ROUNDS = 3
"""In how many rounds: each breeds from all before it."""
_COMPOSED = {"relation", "age"}


def sample_households(n: int, edition: Edition, seed: int) -> Households:
    """Return `n` possible households without names.

    The same `n`, edition and seed give the same households on every machine.

    Args:
        n: How many.
        edition: Whose limits to draw around.
        seed: The seed of the build.

    Raises:
        ImpossibleHouseholdError: A constraint cannot be settled.
    """
    return Households.concatenate(sample_chunks(n, edition, seed))


def sample_chunks(n: int, edition: Edition, seed: int) -> Iterator[Households]:
    """Give the same households chunk by chunk, for pools that do not fit in memory."""
    limits = boundaries(edition)
    for chunk in range(max(1, -(-n // CHUNK))):
        yield sample_chunk(min(CHUNK, n - chunk * CHUNK), edition, limits, seed, chunk)


def sample_chunk(
    n: int, edition: Edition, limits: Boundaries, seed: int, chunk: int, rounds: int = ROUNDS
) -> Households:
    """Return one chunk of a pool: households drawn freely, then households bred from them.

    Args:
        n: How many.
        edition: Whose limits and lines count.
        limits: The edition's limits.
        seed: The seed of the build.
        chunk: Which chunk this is; each has streams of its own.
        rounds: In how many rounds to breed.
    """
    bred = int(n * BRED_SHARE) // rounds * rounds
    free = n - bred
    draws = Draws(limits, stream(seed, "fuzz", chunk, "moods").integers(0, MOODS, free))
    households = draw_freely(free, limits, draws, seed, chunk)
    breeder = Breeder(edition, draws)
    for turn in range(rounds if bred else 0):
        names = ("fuzz", chunk, "breed", turn)
        answers = label_and_trace(edition, households)
        children = breeder.breed(households, answers, bred // rounds, seed, *names)
        households = Households.concatenate([households, children])
    return households


def draw_freely(n: int, limits: Boundaries, draws: Draws, seed: int, chunk: int) -> Households:
    """Return households of which every feature is drawn on its own, then settled."""
    households = Households.of_defaults(n)
    families = draw_families(households, stream(seed, "fuzz", chunk, "relation"))
    _draw_ages(households, draws, applicant_ages(households, families), seed, chunk)
    rows, columns = np.nonzero(households.present)
    everybody = np.arange(n)
    for name in DRAWING_ORDER:
        if name in _COMPOSED:
            continue
        rng = stream(seed, "fuzz", chunk, name)
        if name in HOUSEHOLD_FEATURES:
            households.shared[name][:] = draws(FEATURES[name], households, None, everybody, rng)
        else:
            households.member[name][rows, columns] = draws(
                CODED_MEMBER_FEATURES[name], households, rows, columns, rng
            )
    settle(households, draws, stream(seed, "fuzz", chunk, "settle"))
    moved = aim(households, limits.balances, AIMED_SHARE, stream(seed, "fuzz", chunk, "aim"))
    return settle(households, draws, stream(seed, "fuzz", chunk, "settle again"), changed=moved)


def _draw_ages(
    households: Households,
    draws: Draws,
    applicant: tuple[NDArray[np.intp], NDArray[np.intp]],
    seed: int,
    chunk: int,
) -> None:
    rng = stream(seed, "fuzz", chunk, "age")
    relation, age = households.member["relation"], households.member["age"]
    age[0] = draws.ages.draw(relation[0], None, rng, within=applicant)
    rows, columns = np.nonzero(households.present[1:])
    age[rows + 1, columns] = draws.ages.draw(relation[rows + 1, columns], age[0, columns], rng)
