"""The paper's selection: households that bring most, then without the pairs that bring nothing.

Source: BeNYfits paper, section 2.5.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benyfits_data.fuzz.coverage import MOST_PROGRAMS, Coverage, Pair


def select_greedily(coverage: Sequence[Coverage]) -> list[Pair]:
    """Return pairs that cover every element of every program, sorted.

    Households are added by the number of elements they bring, the first of equals; then pairs that
    bring no element of their own are dropped, the poorest first; then households with more than ten
    programs give the surplus to others that cover the same.
    """
    chosen = _add_households(coverage)
    pairs = [
        (household, program)
        for program, of_program in enumerate(coverage)
        for household in _drop_idle(of_program, chosen)
    ]
    return spread(coverage, pairs)


def _add_households(coverage: Sequence[Coverage]) -> list[int]:
    missing = [of_program.reached.copy() for of_program in coverage]
    gains = [of_program.classes.sum(axis=1) for of_program in coverage]
    total = np.zeros(len(coverage[0].class_of), np.int64)
    for of_program, gain in zip(coverage, gains, strict=True):
        total += gain[of_program.class_of]
    chosen: list[int] = []
    while total.max(initial=0) > 0:
        best = int(total.argmax())
        chosen.append(best)
        for program, of_program in enumerate(coverage):
            brought = of_program.of_household(best)
            if not (brought & missing[program]).any():
                continue
            missing[program] &= ~brought
            gain = (of_program.classes & missing[program]).sum(axis=1)
            total += (gain - gains[program])[of_program.class_of]
            gains[program] = gain
    return chosen


def _drop_idle(coverage: Coverage, households: Sequence[int]) -> list[int]:
    """Return the households without those that bring no element of their own, in order.

    Those that cover the fewest elements are dropped first; of equals, the last added.
    """
    elements = coverage.classes[coverage.class_of[list(households)]]
    times = elements.sum(axis=0)
    kept = list(range(len(households)))
    for position in sorted(kept, key=lambda place: (elements[place].sum(), -place)):
        if (times[elements[position]] > 1).all():
            times -= elements[position]
            kept.remove(position)
    return [households[position] for position in kept]


def spread(coverage: Sequence[Coverage], pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs with at most ten programs a household, sorted.

    A surplus pair moves to a household of the same class: one already chosen that has room, else
    the one of the corpus that takes most of the surplus.
    """
    programs_of: dict[int, list[int]] = {}
    for household, program in pairs:
        programs_of.setdefault(household, []).append(program)
    surplus: list[Pair] = []
    for household, programs in programs_of.items():
        # Pairs of small classes stay: few other households could take them.
        programs.sort(key=lambda program: int(_same_class(coverage[program], household).sum()))
        surplus += [(household, program) for program in programs[MOST_PROGRAMS:]]
        del programs[MOST_PROGRAMS:]
    while surplus := [pair for pair in surplus if not _taken_in(coverage, programs_of, pair)]:
        counts = np.sum([_same_class(coverage[other], one) for one, other in surplus], axis=0)
        counts[list(programs_of)] = 0
        best = int(counts.argmax())
        if counts[best] == 0:
            # Nobody else covers these: keeping the limit would lose elements.
            for household, program in surplus:
                programs_of[household].append(program)
            break
        programs_of[best] = []
    return sorted(
        (household, program) for household, programs in programs_of.items() for program in programs
    )


def _same_class(coverage: Coverage, household: int) -> NDArray[np.bool_]:
    return np.asarray(coverage.class_of == coverage.class_of[household])


def _taken_in(coverage: Sequence[Coverage], programs_of: dict[int, list[int]], pair: Pair) -> bool:
    """Whether a chosen household with room took the pair in."""
    household, program = pair
    class_of = coverage[program].class_of
    for other, programs in programs_of.items():
        if (
            other != household
            and class_of[other] == class_of[household]
            and program not in programs
            and len(programs) < MOST_PROGRAMS
        ):
            programs.append(program)
            return True
    return False
