"""Coverage written as matrices of truth values: households by elements."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from benyfits_data.fuzz.coverage import Coverage, Pair, uncovered

matrices = st.integers(1, 8).flatmap(
    lambda width: st.lists(
        st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=9
    )
)


def sets_of(matrix: np.ndarray) -> np.ndarray:
    packed = np.packbits(matrix, axis=1, bitorder="little")
    sets = np.zeros((len(matrix), -(-matrix.shape[1] // 64)), np.uint64)
    sets.view(np.uint8)[:, : packed.shape[1]] = packed
    return sets


def coverage_of(matrix: np.ndarray, name: str = "P") -> Coverage:
    return Coverage.of(name, (range(matrix.shape[1]), sets_of(matrix)))


def random_coverage(seed: int, n: int = 60, programs: int = 14, width: int = 8) -> list[Coverage]:
    rng = np.random.default_rng(seed)
    found = []
    for program in range(programs):
        kinds = rng.random((9, width)) < 0.35
        kinds[:, 0] = True
        found.append(coverage_of(kinds[rng.integers(0, 9, n)], f"P{program}"))
    return found


def missed(coverage: list[Coverage], pairs: list[Pair]) -> dict[str, list]:
    """Return what pairs of household and program, by position, do not cover."""
    programs: list[list[int]] = [[] for _ in coverage[0].class_of]
    for household, program in pairs:
        programs[household].append(program)
    return uncovered(coverage, coverage, programs)


def smallest_by_trying(classes: np.ndarray) -> int:
    """Return how few rows cover all columns that any covers."""
    for size in range(len(classes) + 1):
        for chosen in combinations(range(len(classes)), size):
            if (classes[list(chosen)].any(axis=0) == classes.any(axis=0)).all():
                return size
    raise AssertionError
