"""The fewest pairs of each program, as slots: what each pair has to cover, whoever fills it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.covers import Cover

_PREFERENCE = 0.9
"""What preferring common classes may cost in all: less than a pair, so that pairs stay fewest."""
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Slot:
    """One pair of the fewest that cover a program.

    Attributes:
        program: Position of the program among the covers.
        elements: What the household must cover there; the slots of a program share no element.
    """

    program: int
    elements: tuple[int, ...]


def fewest_slots(program: int, cover: Cover) -> tuple[list[Slot], int]:
    """Return a program's slots, as few as cover it, and the proven bound on their number.

    Of several smallest covers the integer program takes one of common classes, and each element
    that several of its classes cover is asked of one of them only: the less a slot asks, the more
    households can fill it.

    Args:
        program: Position of the program among the covers.
        cover: What the pool covers there.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    if not cover.elements:
        return [], 0
    essential = essential_elements(cover.classes)
    of_class = cover.classes[:, essential]
    kinds, kind_of = np.unique(of_class, axis=0, return_inverse=True)
    sizes = np.bincount(cover.class_of, minlength=len(of_class))
    counts = np.bincount(kind_of.reshape(-1), weights=sizes).astype(np.float64)
    if kinds.sum(axis=1).max() == 1:
        # No household covers two of them: each needs a pair of its own.
        asked, bound = np.eye(len(essential), dtype=np.bool_), len(essential)
    else:
        chosen, bound = _smallest_cover(cover.program, kinds, counts)
        asked = _shared_out(chosen, kinds, counts)
    return _slots(program, cover, essential, asked), bound


def _smallest_cover(
    program: str, kinds: NDArray[np.bool_], counts: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], int]:
    """Return as few classes as cover all essential elements, common ones, and the proven bound."""
    rarity = np.log1p(counts.sum() / counts)
    result = milp(
        1 + _PREFERENCE * rarity / rarity.sum(),
        constraints=LinearConstraint(csr_array(kinds.T.astype(float)), lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(kinds)),
    )
    if result.x is None:
        raise SelectionError(
            f"HiGHS found no cover of {program}: {result.message} Use --method greedy.",
            program=program,
        )
    bound = int(np.ceil(result.mip_dual_bound - _PREFERENCE - _TOLERANCE))
    return kinds[result.x > 1 / 2], bound


def _slots(
    program: int, cover: Cover, essential: NDArray[np.intp], asked: NDArray[np.bool_]
) -> list[Slot]:
    """Return slots that ask for some essential elements each, and for what these imply.

    Whoever covers an essential element covers what it implies, in the pool; households that are
    bred later may not.
    """
    sets = cover.classes.T
    asked_for: list[set[int]] = [set(essential[row].tolist()) for row in asked]
    for element in range(len(cover.elements)):
        reason = next(int(kept) for kept in essential if (sets[kept] <= sets[element]).all())
        next(own for own in asked_for if reason in own).add(element)
    return [
        Slot(program, tuple(cover.elements[element] for element in sorted(own)))
        for own in asked_for
    ]


def essential_elements(classes: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return positions of elements that together imply all others.

    An element is implied if every class that covers some other element covers it too; of elements
    covered by the same classes the first stays.
    """
    sets = classes.T
    order = np.argsort(sets.sum(axis=1), kind="stable")
    kept: list[int] = []
    for element in order:
        if not any((sets[other] <= sets[element]).all() for other in kept):
            kept.append(int(element))
    return np.array(sorted(kept), np.intp)


def _shared_out(
    chosen: NDArray[np.bool_], kinds: NDArray[np.bool_], counts: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Return the chosen classes without what others of them cover, where that helps most first."""
    asked = chosen.copy()
    fill = [_households(row, kinds, counts) for row in asked]
    while True:
        spare = np.argwhere(asked & (asked.sum(axis=0) > 1))
        if not len(spare):
            return asked
        trials = []
        for place, element in spare.tolist():
            row = asked[place].copy()
            row[element] = False
            more = _households(row, kinds, counts)
            trials.append((more / fill[place], -fill[place], -place, -element, more))
        _, _, place, element, more = max(trials)
        asked[-int(place), -int(element)] = False
        fill[-int(place)] = more


def _households(
    asked: NDArray[np.bool_], kinds: NDArray[np.bool_], counts: NDArray[np.float64]
) -> float:
    return float(counts[kinds[:, asked].all(axis=1)].sum())


def fillers(slots: Iterable[Slot], covers: Sequence[Cover]) -> NDArray[np.bool_]:
    """Return which households can fill which slots, shape `(slots, households)`."""
    positions = [
        {element: place for place, element in enumerate(cover.elements)} for cover in covers
    ]
    rows = []
    for slot in slots:
        cover, place = covers[slot.program], positions[slot.program]
        if all(element in place for element in slot.elements):
            asked = [place[element] for element in slot.elements]
            can = np.asarray(cover.classes[:, asked].all(axis=1))
            rows.append(can[cover.class_of])
        else:
            rows.append(np.zeros(len(cover.class_of), np.bool_))
    return np.stack(rows)
