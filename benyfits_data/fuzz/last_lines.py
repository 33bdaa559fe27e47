"""The last lines that nobody runs: more households are bred from those that stand before them."""

import numpy as np

from benyfits_data.fuzz.breeding import Breeder
from benyfits_data.fuzz.draws import draws_of
from benyfits_data.fuzz.pool import Pool, collect
from benyfits_data.streams import stream

LAST = 20
"""A pool that misses more lines than these is too small: more should be sampled."""
ROUNDS = 5
CHILDREN = 500


def reach_last_lines(pool: Pool, seed: int) -> Pool:
    """Return the pool, joined by bred households that run lines which nobody ran.

    Args:
        pool: What was sampled.
        seed: The seed of the build.
    """
    if not _are_the_last(pool.unreached()):
        return pool
    draws = draws_of(pool.edition, stream(seed, "last lines", "moods"))
    breeder = Breeder(pool.edition, draws)
    everybody = pool
    for turn in range(ROUNDS):
        unreached = pool.unreached()
        if not _are_the_last(unreached):
            break
        born = breeder.breed(
            everybody.households, everybody.answers, CHILDREN, seed, "last lines", turn
        )
        children = collect(pool.edition, 0, [born])
        everybody = everybody.joined_by(children)
        runners = {
            int(np.flatnonzero(cover.classes[:, cover.elements.index(line)][cover.class_of])[0])
            for cover in children.covers()
            for line in unreached.get(cover.program, ())
            if line in cover.elements
        }
        if runners:
            pool = pool.joined_by(children.take(sorted(runners)))
    return pool


def _are_the_last(unreached: dict[str, list[int]]) -> bool:
    return 0 < sum(map(len, unreached.values())) <= LAST
