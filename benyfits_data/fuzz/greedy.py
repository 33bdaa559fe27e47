"""The paper's selection: households that bring most, then without the pairs that bring nothing.

Source: BeNYfits paper, section 2.5.
"""

from collections.abc import Sequence

import numpy as np

from benyfits_data.fuzz.covers import MOST_PROGRAMS, Cover, Pair, covered


def select_greedily(covers: Sequence[Cover]) -> list[Pair]:
    """Return pairs that cover every element of every program, sorted.

    Households are added by the number of elements they bring, the first of equals; then pairs that
    bring no element of their own are dropped, the poorest first; then households with more than ten
    programs give the surplus to others that cover the same.
    """
    chosen = _add_households(covers)
    pairs = [
        (household, program)
        for program, cover in enumerate(covers)
        for household in drop_idle(cover, chosen)
    ]
    return spread(covers, pairs)


def _add_households(covers: Sequence[Cover]) -> list[int]:
    missing = [np.ones(len(cover.elements), np.bool_) for cover in covers]
    gains = [cover.classes.sum(axis=1) for cover in covers]
    total = np.zeros(len(covers[0].class_of), np.int64)
    for cover, gain in zip(covers, gains, strict=True):
        total += gain[cover.class_of]
    chosen: list[int] = []
    while total.max(initial=0) > 0:
        best = int(total.argmax())
        chosen.append(best)
        for program, cover in enumerate(covers):
            own = cover.classes[cover.class_of[best]]
            if not (own & missing[program]).any():
                continue
            missing[program] &= ~own
            gain = (cover.classes & missing[program]).sum(axis=1)
            total += (gain - gains[program])[cover.class_of]
            gains[program] = gain
    return chosen


def drop_idle(cover: Cover, households: Sequence[int]) -> list[int]:
    """Return the households without those that bring no element of their own, in order.

    Those that cover the fewest elements are dropped first; of equals, the last added.
    """
    own = cover.classes[cover.class_of[list(households)]]
    times = own.sum(axis=0)
    kept = list(range(len(households)))
    for position in sorted(kept, key=lambda place: (own[place].sum(), -place)):
        if (times[own[position]] > 1).all():
            times -= own[position]
            kept.remove(position)
    return [households[position] for position in kept]


def spread(covers: Sequence[Cover], pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs with at most ten programs a household, sorted.

    A surplus pair moves to a household of the same class: one already chosen that has room, else
    the one of the pool that takes most of the surplus.
    """
    of: dict[int, list[int]] = {}
    for household, program in pairs:
        of.setdefault(household, []).append(program)
    surplus: list[Pair] = []
    for household, programs in of.items():
        # Pairs of small classes stay: few other households could take them.
        programs.sort(key=lambda program: _class_size(covers[program], household))
        surplus += [(household, program) for program in programs[MOST_PROGRAMS:]]
        del programs[MOST_PROGRAMS:]
    surplus = [pair for pair in surplus if not _taken_in(covers, of, pair)]
    while surplus:
        counts = np.zeros(len(covers[0].class_of), np.int64)
        for household, program in surplus:
            class_of = covers[program].class_of
            counts += class_of == class_of[household]
        counts[list(of)] = 0
        best = int(counts.argmax())
        if counts[best] == 0:
            # Nobody else covers these: keeping the limit would lose elements.
            for household, program in surplus:
                of[household].append(program)
            break
        of[best] = []
        surplus = [pair for pair in surplus if not _taken_in(covers, of, pair)]
    return sorted((household, program) for household, own in of.items() for program in own)


def _class_size(cover: Cover, household: int) -> int:
    return int((cover.class_of == cover.class_of[household]).sum())


def _taken_in(covers: Sequence[Cover], of: dict[int, list[int]], pair: Pair) -> bool:
    """Whether a chosen household with room took the pair in."""
    household, program = pair
    class_of = covers[program].class_of
    for other, programs in of.items():
        if (
            other != household
            and class_of[other] == class_of[household]
            and program not in programs
            and len(programs) < MOST_PROGRAMS
        ):
            programs.append(program)
            return True
    return False


def uncovered(covers: Sequence[Cover], pairs: Sequence[Pair]) -> dict[str, list[int]]:
    """Return the elements that a selection misses, by program; empty when it is complete."""
    missed = {}
    for program, cover in enumerate(covers):
        households = [household for household, other in pairs if other == program]
        seen = covered(cover, households)
        if not seen.all():
            missed[cover.program] = [
                element
                for element, is_seen in zip(cover.elements, seen, strict=True)
                if not is_seen
            ]
    return missed
