"""Rare facts: each is needed by a line that its household must run, or drawn again.

A rare fact is needed if, wherever it is replaced by a commoner value, what was needed is lost: the
household becomes impossible, and no repair of it keeps all its lines. The line that goes is what
the fact is needed for.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import Row
from benyfits_data.editions import Edition
from benyfits_data.errors import SelectionError
from benyfits_data.fuzz.believable.donors import DonorCity
from benyfits_data.fuzz.believable.local_search import Needs, in_order, put
from benyfits_data.fuzz.corpus import CoverageReader
from benyfits_data.household.columns import Households
from benyfits_data.household.constants import AGE_COUNTED_IN_YEARS
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import repair_within
from benyfits_data.household.schema import NONE_CODE
from benyfits_data.language.numpy_backend import label_and_trace, possible, violators
from benyfits_data.language.source import place
from benyfits_data.plausibility import Plausibility
from benyfits_data.plausibility.circumstances import BANDS
from benyfits_data.plausibility.fact_surprise import HOUSEHOLD_FACTS, MEMBER_FACTS

PASSES = 12
"""How often rare facts are drawn again, one of each household at a time."""
REPAIRS = 6
"""How often what a replaced fact makes impossible is repaired, each time in another way."""
Fact = tuple[int, int | None, str]
"""A household, a member of it (`None` for the home) and the name of a fact."""


Needed = dict[str, tuple[str, int]]
"""Program and line that a household's rare facts are needed for, by fact."""


@dataclass(frozen=True)
class Replaced:
    """Copies of households in each of which one rare fact has another value.

    Attributes:
        copies: The copies.
        facts: The rare facts.
        fact: Which of them each copy lacks, by position.
    """

    copies: Households
    facts: list[Fact]
    fact: NDArray[np.intp]

    @property
    def of(self) -> NDArray[np.intp]:
        """The household of each copy."""
        homes = np.array([home for home, _, _ in self.facts], np.intp)
        return homes[self.fact]

    def take(self, places: NDArray[np.intp]) -> "Replaced":
        """Return some of the copies."""
        return Replaced(self.copies.take(places), self.facts, self.fact[places])

    def repeated(self, times: int) -> "Replaced":
        """Return each copy several times."""
        return self.take(np.repeat(np.arange(len(self.fact)), times))

    def and_by(self, other: "Replaced") -> "Replaced":
        """Return these copies and others of the same facts."""
        copies = Households.concatenate([self.copies, other.copies])
        return Replaced(copies, self.facts, np.concatenate([self.fact, other.fact]))

    def commoner(self, homes: Households, belief: Plausibility) -> "Replaced":
        """Return the copies with fewer rare facts, of which that one is none any more."""
        before = np.bincount([home for home, _, _ in self.facts], minlength=len(homes))
        rare = belief.rare(self.copies)
        after = np.bincount([copy for copy, _, _ in rare], minlength=len(self.fact))
        still = set(rare)
        kept = [
            copy
            for copy in np.flatnonzero(after < before[self.of]).tolist()
            if (copy, *self.facts[self.fact[copy]][1:]) not in still
        ]
        return self.take(np.array(kept, np.intp))


def replaced(homes: Households, belief: Plausibility, facts: list[Fact]) -> Replaced:
    """Return copies of households in which each of some facts has each value, one or two a bin.

    Args:
        homes: The households.
        belief: Tells the bins of a fact.
        facts: The facts.
    """
    values = [(at, code) for at, one in enumerate(facts) for code in _values(one[2], belief)]
    fact = np.array([at for at, _ in values], np.intp)
    made = Replaced(homes.take(np.array([facts[at][0] for at in fact], np.intp)), facts, fact)
    for column, (at, code) in enumerate(values):
        _set(made.copies, facts[at][1], facts[at][2], column, code)
    return made


def with_partners(made: Replaced, belief: Plausibility) -> Replaced:
    """Return copies in which a fact that shares a constraint with the replaced one changes too."""
    changes = [
        (copy, row, name, code)
        for copy, at in enumerate(made.fact.tolist())
        for row, name in _partners(made.facts[at], int(made.copies.size[copy]))
        for code in _values(name, belief)
    ]
    found = made.take(np.array([copy for copy, *_ in changes], np.intp))
    for column, (_, row, name, code) in enumerate(changes):
        _set(found.copies, row, name, column, code)
    return found


def without_needless(
    homes: Households, needs: Needs, city: DonorCity, rng: np.random.Generator
) -> tuple[Households, list[Needed]]:
    """Return households without rare facts that they do not need, and what they need the rest for.

    Args:
        homes: The households.
        needs: What each must keep.
        city: Measures belief, and draws what repair asks for.
        rng: Repairs.
    """
    current = homes.take(np.arange(len(homes)))
    for _ in range(PASSES):
        current = in_order(current, needs)
        made = replaced(current, city.belief, city.belief.rare(current))
        is_possible = possible(made.copies)
        tried = made.take(np.flatnonzero(is_possible))
        tried = tried.and_by(_repaired(made.take(np.flatnonzero(~is_possible)), city, rng))
        tried = tried.commoner(current, city.belief)
        found = _named(tried, needs, len(homes))
        if _take_over(current, tried, needs, city):
            continue
        unnamed = [fact_name(row, name) not in found[home] for home, row, name in made.facts]
        made = made.take(np.flatnonzero(np.array(unnamed)[made.fact]))
        made = with_partners(made, city.belief)
        tried = made.take(np.flatnonzero(possible(made.copies)))
        for own, more in zip(found, _named(tried, needs, len(homes)), strict=True):
            own.update(more)
        if not _take_over(current, tried.commoner(current, city.belief), needs, city):
            break
    _name_tied(current, found, needs, city)
    return current, needs.run(found, current)


def check_needed(
    rows: Sequence[Row], edition: Edition, belief: Plausibility, covers: CoverageReader
) -> None:
    """Check from scratch that no row has a rare fact without need.

    Args:
        rows: The rows.
        edition: Gives the checkers.
        belief: Says what is rare.
        covers: Tells what else than lines and branches counts: conditions and mutants.

    Raises:
        SelectionError: A fact that is said to be needed is not rare, its program is none of the
            household's or does not run that line, or a commoner value would change nothing that
            the household's programs run.
    """
    table = Households.from_households([row.household for row in rows])
    rare = belief.rare(table)
    names = {(home, fact_name(row, name)) for home, row, name in rare}
    batch = label_and_trace(edition, table)
    for home, row in enumerate(rows):
        for fact, (program, line) in row.needed.items():
            runs = {place(one)[0] for one in batch.trace(program, home)}
            if (home, fact) not in names or program not in row.programs or line not in runs:
                raise SelectionError(
                    f"{row.id} says that {fact} is needed for line {line} of {program}, but it is "
                    "not rare, or does not run that line there. Report this as a bug.",
                    row=row.id,
                    fact=fact,
                )
    made = replaced(table, belief, rare).commoner(table, belief)
    made = made.take(np.flatnonzero(possible(made.copies)))
    same = np.ones(len(made.fact), np.bool_)
    asked = {name: np.array([name in row.programs for row in rows]) for name in edition.programs}
    there = {name: np.flatnonzero(some[made.of]) for name, some in asked.items()}
    before = covers.covered(table)
    for name, after in covers.covered(made.copies, there).items():
        same[there[name]] &= (before[name][made.of[there[name]]] == after).all(axis=1)
    for copy in np.flatnonzero(same).tolist():
        home, member, name = rare[made.fact[copy]]
        raise SelectionError(
            f"{rows[home].id} has a rare fact, {fact_name(member, name)}, that nothing needs. "
            "Report this as a bug.",
            row=rows[home].id,
            fact=fact_name(member, name),
        )


def _name_tied(homes: Households, found: list[Needed], needs: Needs, city: DonorCity) -> None:
    """Name for rare facts that nothing can replace what a fact is needed for that ties them."""
    left = [fact for fact in city.belief.rare(homes) if fact_name(*fact[1:]) not in found[fact[0]]]
    ties = {fact: _partners(fact, int(homes.size[fact[0]])) for fact in left}
    others = sorted({(fact[0], *other) for fact, own in ties.items() for other in own}, key=str)
    made = replaced(homes, city.belief, others)
    made = made.take(np.flatnonzero(possible(made.copies)))
    known = _named(made, needs, len(homes))
    for (home, row, name), own in ties.items():
        named = [(known[home] | found[home]).get(fact_name(*other)) for other in own]
        if first := next((line for line in named if line), None):
            found[home][fact_name(row, name)] = first


def _repaired(made: Replaced, city: DonorCity, rng: np.random.Generator) -> Replaced:
    """Return possible copies, each repaired in several ways."""
    tried = made.repeated(REPAIRS)
    is_possible = repair_within(tried.copies, violators, city.draw, rng, FEATURES, passes=2)
    return tried.take(np.flatnonzero(is_possible))


def _take_over(current: Households, made: Replaced, needs: Needs, city: DonorCity) -> bool:
    """Replace households by the least surprising copies that keep what is needed; say if any."""
    best = made.take(np.flatnonzero(needs.met(made.copies, made.of, contested=False)))
    order = np.lexsort((city.belief.surprise(best.copies), best.of))
    of, first = np.unique(best.of[order], return_index=True)
    put(current, of, best.copies.take(order[first]))
    return len(of) > 0


def _named(made: Replaced, needs: Needs, n: int) -> list[Needed]:
    """Return the line for which each rare fact is needed: the one that most copies lose."""
    votes: dict[int, Counter[tuple[str, int]]] = defaultdict(Counter)
    for name, there, lost in needs.lost(made.copies, made.of):
        for at in np.flatnonzero(lost.any(axis=1)).tolist():
            for element in needs.elements(name, lost[at]):
                votes[int(made.fact[there[at]])][name, needs.line(name, element)] += 1
    found: list[Needed] = [{} for _ in range(n)]
    for at, (home, row, name) in enumerate(made.facts):
        if votes[at]:
            first = min(votes[at].items(), key=lambda one: (-one[1], one[0]))[0]
            found[home][fact_name(row, name)] = first
    return found


def fact_name(row: int | None, name: str) -> str:
    """Return how a row names a fact, as `members[1].disabled` or `tenure`."""
    return name if row is None else f"members[{row}].{name}"


_AGES = [int(age) for age in BANDS if age >= AGE_COUNTED_IN_YEARS]
_FACTS = frozenset({*MEMBER_FACTS, *HOUSEHOLD_FACTS, "age"})


def _partners(fact: Fact, size: int) -> list[tuple[int | None, str]]:
    """Return the facts that share a constraint with one, and the same fact of other members."""
    _, row, name = fact
    shared = {one for each in CONSTRAINTS.values() if name in each.reads for one in each.reads}
    found: list[tuple[int | None, str]] = []
    for one in sorted(shared & _FACTS - {name}):
        if FEATURES[one].level == "household":
            found.append((None, one))
        else:
            found += [(other, one) for other in ([row] if row is not None else range(size))]
    return found + (
        [(other, name) for other in range(size) if other != row] if row is not None else []
    )


def _values(name: str, belief: Plausibility) -> list[int]:
    return _AGES if name == "age" else belief.examples(name)


def _set(homes: Households, row: int | None, name: str, column: int, code: int) -> None:
    if row is None:
        homes.shared[name][column] = code
    else:
        homes.member[name][row, column] = code
        if name == "age":
            homes.member["age_months"][row, column] = NONE_CODE
