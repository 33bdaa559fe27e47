"""The paper's design of the Representative set: every program on a few random households."""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset.rows import make_rows
from benyfits_data.editions import Edition
from benyfits_data.language.numpy_backend import label_households
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.population.representative import Representative, RepresentativeError
from benyfits_data.population.synthesis import synthesize
from benyfits_data.rng import stream

NAME = "representative-25"
"""Named after its households in the paper, however many it has."""
_STREAM = "representative"

CITY = 10_000
"""Households of the synthetic city that the set is a random sample of; more when it is larger."""
_LEAST, _MOST = 6 / 9.84, 19 / 9.84
"""Fewest and most programs of a household, in multiples of the mean: 6 to 19 in the paper's set."""


def build_equal_repeats(
    edition: Edition,
    *,
    households: int,
    repeats: int,
    seed: int,
) -> Representative:
    """Return a random sample of the synthetic city with programs assigned at random.

    Args:
        edition: Whose rules label it.
        households: How many.
        repeats: On how many distinct households every program is.
        seed: Same seed, same set.

    Raises:
        RepresentativeError: There are too few pairs or households.
    """
    programs = list(edition.programs)
    seconds = {}
    start = perf_counter()
    size = max(CITY, households)
    city = synthesize(size, seed)
    chosen = stream(seed, _STREAM, "households").choice(size, households, replace=False)
    table = city.take(np.asarray(chosen, np.intp))
    seconds["synthesize"] = round(perf_counter() - start, 3)
    start = perf_counter()
    is_contested = contested_mask(edition, table, programs).T
    shares = assign(
        len(programs), households, repeats, stream(seed, _STREAM, "programs"), is_contested
    )
    wanted = [[programs[code] for code in np.flatnonzero(share)] for share in shares]
    labels = label_households(edition, table)
    rows = make_rows(NAME, edition, seed, table, wanted, labels)
    seconds["label and render"] = round(perf_counter() - start, 3)
    facts = {"repeats": repeats, "sampled": size}
    return Representative(NAME, rows, edition, seed, facts, seconds)


def assign(
    programs: int,
    households: int,
    repeats: int,
    rng: np.random.Generator,
    contested: NDArray[np.bool_] | None = None,
) -> NDArray[np.bool_]:
    """Return which programs each household is interested in, shape `(households, programs)`.

    Every program is on `repeats` distinct households, drawn at random from those whose label is not
    contested, and from the others only where these are too few; households with too many programs
    then give some to those with too few, first those whose label is not contested there.

    Args:
        programs: How many there are.
        households: How many there are.
        repeats: On how many households each program is.
        rng: Draws.
        contested: Which labels are, shape `(households, programs)`; none unless given.

    Raises:
        RepresentativeError: A program cannot be on that many households, or some get none.
    """
    if repeats > households or repeats < 1:
        raise RepresentativeError(
            f"repeats is {repeats} for {households} households, expected 1 to {households}: a "
            "program is on each household once at most.",
            repeats=repeats,
            households=households,
        )
    mean = programs * repeats / households
    if mean < 1:
        raise RepresentativeError(
            f"{programs} programs on {repeats} households each leave some of {households} "
            f"households without any. Raise --repeats to {-(-households // programs)} or more.",
            repeats=repeats,
            households=households,
        )
    least = max(1, int(_LEAST * mean + 1e-9))
    most = min(programs, max(int(np.ceil(_MOST * mean - 1e-9)), int(np.ceil(mean))))
    given = np.zeros((households, programs), np.bool_)
    is_open = np.zeros_like(given) if contested is None else contested
    for program in range(programs):
        sure = np.flatnonzero(~is_open[:, program])
        given[rng.choice(sure, min(repeats, len(sure)), replace=False), program] = True
        if len(sure) < repeats:
            others = np.flatnonzero(is_open[:, program])
            given[rng.choice(others, repeats - len(sure), replace=False), program] = True
    while True:
        loads = given.sum(axis=1)
        poor, rich = int(loads.argmin()), int(loads.argmax())
        if loads[poor] >= least and loads[rich] <= most:
            return given
        # The fewest take from the most a program that they do not have yet.
        movable = given[rich] & ~given[poor]
        sure_there = movable & ~is_open[poor]
        program = int(rng.choice(np.flatnonzero(sure_there if sure_there.any() else movable)))
        given[rich, program], given[poor, program] = False, True
