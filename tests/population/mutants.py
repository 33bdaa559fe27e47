"""Mutants of the city: one dependence removed, margins kept. What does the check notice?

`python -m tests.population.mutants` tries all of them and names those that nobody notices.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benyfits_data.population.check import count_figures, countable, evaluate_tally, tally
from benyfits_data.population.conditions import Frame, parse_condition
from benyfits_data.population.synthesis import build_city, default_distributions, default_sources
from benyfits_data.population.synthetic_city import City
from benyfits_data.rng import stream


@dataclass(frozen=True)
class Mutant:
    """A column shuffled among rows that are alike in everything else it is drawn by."""

    feature: str
    column: str
    level: str
    within: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.feature} from {self.column}"


def mutants() -> Iterator[Mutant]:
    """Yield every dependence that a draw or a cross-tabulation names, each once."""
    seen = set()
    for one in (*_of_draws(), *_of_tables()):
        if (one.feature, one.column) not in seen:
            seen.add((one.feature, one.column))
            yield one


def _of_draws() -> Iterator[Mutant]:
    for feature, told in default_distributions().items():
        groups = (*told.draws, *told.odds)
        columns = {atom.column for group in groups for atom in parse_condition(group.given)}
        margins = [group.given for group in told.margins]
        for column in sorted(columns):
            rest = [
                " & ".join(f"{it.column} {it.value}" for it in parse_condition(group.given)
                           if it.column != column)
                for group in groups
            ]  # fmt: skip
            within = tuple(sorted({*margins, *filter(None, rest)} - {"all"}))
            if not any(column in given.split() for given in margins):
                yield Mutant(feature, column, told.level, within)


def _of_tables() -> Iterator[Mutant]:
    for joint in default_sources().joints.values():
        if not joint.level:
            continue
        columns = [joint.columns.get(each, each) for each in joint.dimensions]
        for first, feature in enumerate(columns):
            for second, column in enumerate(columns):
                others = [
                    joint.condition(dimension, value)
                    for place, dimension in enumerate(joint.dimensions)
                    if place not in (first, second)
                    for value in {key[place] for key in joint.cells}
                ]
                if first != second:
                    within = tuple(sorted({joint.among, *others} - {"all"}))
                    yield Mutant(feature, column, joint.level, within)


def shuffled(frame: Frame, mutant: Mutant) -> np.ndarray:
    """Return the column, shuffled among the rows of which the same conditions hold."""
    cell = alike(frame, mutant)
    order = np.argsort(cell, kind="stable")
    mixed = np.lexsort((stream(0, "mutant", str(mutant)).random(frame.size), cell))
    column = frame[mutant.feature].copy()
    column[order] = column[mixed]
    return column


def alike(frame: Frame, mutant: Mutant) -> np.ndarray:
    """Return a number for each row, the same for rows of which the same conditions hold."""
    cell = np.zeros(frame.size, np.int64)
    for condition in mutant.within:
        cell = np.unique(cell * 2 + frame.mask(condition), return_inverse=True)[1]
    return cell


def is_equivalent(frame: Frame, mutant: Mutant) -> bool:
    """Return whether a draw adds up to the same without the dependence, to within one person.

    The numbers that rows alike in all else would bring are compared with the city's own, in every
    condition that names the column. Dependences that only a cross-tabulation names always count.
    """
    told = default_distributions().get(mutant.feature)
    groups = (*told.draws, *told.odds) if told else ()
    named = [it.given for it in groups if mutant.column in it.given.split()]
    if not told or not named:
        return False
    cell = alike(frame, mutant)
    size = np.bincount(cell)
    for category in countable(told.categories):
        has = frame.mask(f"{mutant.feature} {category}")
        share = np.bincount(cell, has) / size
        for given in named:
            inside = frame.mask(given)
            if abs(share[cell[inside]].sum() - has[inside].sum()) >= 1:
                return False
    return True


def notices(city: City, sound: set[str], mutant: Mutant) -> list[str]:
    """Return the problems and misses of the mutant that the sound city has not."""
    own = city.households if mutant.level == "household" else city.people
    original = own[mutant.feature]
    levels = own.levels(mutant.feature)
    try:
        own.put(mutant.feature, shuffled(own, mutant), levels)
        found = findings(city, mutant.feature)
    finally:
        own.put(mutant.feature, original, levels)
    return [one for one in found if one.split(": ")[0] not in sound]


def findings(city: City, column: str | None = None) -> list[str]:
    """Return problems and misses of a city, of all figures or of those about one column."""
    check = evaluate_tally(count_figures(city, column))
    return [str(row) for row in (*check.problems(), *check.misses())]


def run(households: int, every: int = 1) -> tuple[int, list[Mutant], int, list[Mutant]]:
    """Return how many mutants were tried, which nobody notices, how many published figures notice.

    Mutants that nobody notices and that change nothing are equivalent: last, and not among the
    tried.

    Args:
        households: Size of the city.
        every: Only every so many mutants are tried.
    """
    city = build_city(households, seed=0)
    tally(city)
    sound = {one.split(": ")[0] for one in findings(city)}
    tried, survivors, published, same = 0, [], 0, []
    # What members have in common is not shuffled among them: the other way round it is tried.
    frames = {"household": city.households, "member": city.people}
    own = [it for it in mutants() if it.feature in frames[it.level].columns()]
    for mutant in own[::every]:
        found = notices(city, sound, mutant)
        if not found and is_equivalent(frames[mutant.level], mutant):
            same.append(mutant)
            continue
        tried += 1
        if not found:
            survivors.append(mutant)
        published += any(not one.startswith(("draw ", "rule ")) for one in found)
    return tried, survivors, published, same


if __name__ == "__main__":
    tried, survivors, published, same = run(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    for survivor in survivors:
        sys.stdout.write(f"not noticed: {survivor}\n")
    for one in same:
        sys.stdout.write(f"equivalent, not counted: {one}\n")
    share = 100 * (tried - len(survivors)) / tried
    told = f"{100 * published / tried:.1f}% by published figures"
    sys.stdout.write(f"{share:.1f}% of {tried} mutants noticed; {told}\n")
