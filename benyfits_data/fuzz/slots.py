"""The fewest pairs of each program, as slots: what each pair has to cover, whoever fills it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import block_diag, csr_array

from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.covers import Cover

_PREFERENCE = 0.9
"""What preferring common classes may cost in all: less than a pair, so that pairs stay fewest."""
_TOLERANCE = 1e-6
_SMALL = 10_000
"""Kinds times elements of a program that is solved together with others."""


@dataclass(frozen=True)
class Slot:
    """One pair of the fewest that cover a program.

    Attributes:
        program: Position of the program among the covers.
        elements: What the household must cover there; the slots of a program share no element.
    """

    program: int
    elements: tuple[int, ...]


@dataclass(frozen=True)
class Fewest:
    """A program's slots, as few as cover it.

    Attributes:
        slots: The slots.
        bound: The proven bound on their number.
    """

    slots: list[Slot]
    bound: int


@dataclass(frozen=True)
class _Puzzle:
    """What a program asks to be covered.

    Attributes:
        essential: Positions of the elements that imply all others.
        kinds: Which of them the households of each kind cover, shape `(kinds, elements)`.
        counts: How many households there are of each kind.
    """

    essential: NDArray[np.intp]
    kinds: NDArray[np.bool_]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, cover: Cover) -> "_Puzzle":
        essential = essential_elements(cover.classes)
        of_class = cover.classes[:, essential]
        kinds, kind_of = np.unique(of_class, axis=0, return_inverse=True)
        sizes = np.bincount(cover.class_of, minlength=len(of_class))
        counts = np.bincount(kind_of.reshape(-1), weights=sizes).astype(np.float64)
        return cls(essential, kinds, counts)

    @property
    def is_plain(self) -> bool:
        """Whether no household covers two elements: each needs a pair of its own."""
        return bool(self.kinds.sum(axis=1).max(initial=0) <= 1)

    def households(self, asked: NDArray[np.bool_]) -> float:
        """Return how many households cover some elements."""
        return float(self.counts[self.kinds[:, asked].all(axis=1)].sum())


def fewest_slots(covers: Sequence[Cover], programs: Sequence[int] | None = None) -> list[Fewest]:
    """Return the slots of some programs, as few as cover each.

    Of several smallest covers the integer program takes one of common classes, and each element
    that several of its classes cover is asked of one of them only: the less a slot asks, the more
    households can fill it.

    Args:
        covers: What the pool covers, by program.
        programs: Positions of the programs among the covers; all unless given.

    Raises:
        SelectionError: The solver stopped without a solution.
    """
    asked_for = range(len(covers)) if programs is None else programs
    puzzles = [_Puzzle.of(covers[program]) for program in asked_for]
    solved = iter(_smallest_covers([puzzle for puzzle in puzzles if not puzzle.is_plain]))
    found = []
    for program, puzzle in zip(asked_for, puzzles, strict=True):
        if puzzle.is_plain:
            asked, bound = np.eye(len(puzzle.essential), dtype=np.bool_), len(puzzle.essential)
        else:
            chosen, bound = next(solved)
            asked = _shared_out(chosen, puzzle)
        found.append(Fewest(_slots(program, covers[program], puzzle.essential, asked), bound))
    return found


def _smallest_covers(puzzles: Sequence[_Puzzle]) -> list[tuple[NDArray[np.bool_], int]]:
    """Return as few kinds as cover all elements, common ones, and the proven bound, of each.

    Small puzzles are solved as one: to start the solver takes longer than to solve them.
    """
    small = [place for place, puzzle in enumerate(puzzles) if puzzle.kinds.size <= _SMALL]
    groups = [small, *([place] for place in range(len(puzzles)) if place not in small)]
    found: dict[int, tuple[NDArray[np.bool_], int]] = {}
    for group in groups:
        if group:
            solved = _solve([puzzles[place] for place in group])
            found.update(zip(group, solved, strict=True))
    return [found[place] for place in range(len(puzzles))]


def _solve(puzzles: Sequence[_Puzzle]) -> list[tuple[NDArray[np.bool_], int]]:
    rarities = [np.log1p(puzzle.counts.sum() / puzzle.counts) for puzzle in puzzles]
    asked = block_diag([csr_array(puzzle.kinds.T.astype(float)) for puzzle in puzzles], "csr")
    n_kinds = asked.shape[1]
    result = milp(
        np.concatenate([1 + _PREFERENCE * rarity / rarity.sum() for rarity in rarities]),
        constraints=LinearConstraint(asked, lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(n_kinds),
        options={"mip_rel_gap": 0},
    )
    if result.x is None:
        raise SelectionError(
            f"HiGHS found no smallest cover: {result.message} Use --method greedy."
        )
    ends = np.cumsum([len(puzzle.kinds) for puzzle in puzzles])[:-1]
    chosen = np.split(result.x > 1 / 2, ends)
    # As far as all together may be too many, each may.
    spare = max(0.0, result.fun - result.mip_dual_bound)
    return [
        (puzzle.kinds[taken], int(np.ceil(taken.sum() - spare - _PREFERENCE - _TOLERANCE)))
        for puzzle, taken in zip(puzzles, chosen, strict=True)
    ]


def _slots(
    program: int, cover: Cover, essential: NDArray[np.intp], asked: NDArray[np.bool_]
) -> list[Slot]:
    """Return slots that ask for some essential elements each, and for what these imply.

    Whoever covers an essential element covers what it implies, in the pool; households that are
    bred later may not.
    """
    if not len(essential):
        return []
    reasons = _implied(cover.classes)[essential].argmax(axis=0)
    asked_for = [essential[row].tolist() for row in asked]
    for element, reason in enumerate(essential[reasons].tolist()):
        if element != reason:
            next(own for own in asked_for if reason in own).append(element)
    return [
        Slot(program, tuple(cover.elements[element] for element in sorted(own)))
        for own in asked_for
    ]


def essential_elements(classes: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return positions of elements that together imply all others.

    An element is implied if every class that covers some other element covers it too; of elements
    covered by the same classes the first stays.
    """
    implied = _implied(classes)
    kept: list[int] = []
    for element in np.argsort(classes.sum(axis=0), kind="stable").tolist():
        if not implied[kept, element].any():
            kept.append(element)
    return np.array(sorted(kept), np.intp)


def _implied(classes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether every class that covers one element covers another, shape `(one, another)`."""
    sets = np.packbits(classes, axis=0).T
    implied = [~(own & ~sets).any(axis=1) for own in sets]
    return np.array(implied, np.bool_).reshape(len(sets), len(sets))


def _shared_out(chosen: NDArray[np.bool_], puzzle: _Puzzle) -> NDArray[np.bool_]:
    """Return the chosen kinds without what others of them cover, where that helps most first."""
    asked = chosen.copy()
    fill = [puzzle.households(row) for row in asked]
    while True:
        spare = np.argwhere(asked & (asked.sum(axis=0) > 1))
        if not len(spare):
            return asked
        trials = []
        for place, element in spare.tolist():
            row = asked[place].copy()
            row[element] = False
            more = puzzle.households(row)
            trials.append((more / fill[place], -fill[place], -place, -element, more))
        _, _, place, element, more = max(trials)
        asked[-int(place), -int(element)] = False
        fill[-int(place)] = more


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
