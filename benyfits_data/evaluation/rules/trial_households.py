"""The households on which every program is run, and the smallest that shows a difference."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import Edition
from benyfits_data.evaluation.rules.program_runs import (
    Given,
    HouseholdBatch,
    batches,
    pack,
    pack_all,
)
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.language.ir import Node
from benyfits_data.language.numpy_backend import possible
from benyfits_data.language.numpy_backend.column_program import ColumnProgram
from benyfits_data.population.synthesis import synthesize
from benyfits_data.recorded import carried_editions, unpack

N = 2_000
"""Households of the city, and as many around the limits of the rules."""
TWINS, AGAIN = 200, 400
_WHO = ("relation", "age", "age_months")


@dataclass(frozen=True)
class TrialHouseholds:
    """Households of one to six members, small ones first.

    Attributes:
        table: Their facts.
        given: The same for the sandbox.
        is_of_city: Which are those of the city.
    """

    table: Households
    given: Sequence[Given]
    is_of_city: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.given)

    @cached_property
    def batches(self) -> list[HouseholdBatch]:
        """All of them, as each program gets them."""
        return batches(self.given)

    @property
    def again(self) -> range:
        """Those on which a program is called twice, the second time in another order."""
        return range(min(AGAIN, len(self)) - 1, -1, -1)

    @cached_property
    def second(self) -> list[HouseholdBatch]:
        """Those on which a program is called twice, in that order."""
        return batches([self.given[place] for place in self.again])

    def masks(self, conditions: Sequence[Node]) -> list[NDArray[np.bool_]]:
        """Return for which households each condition holds."""
        columns: list[list[Any]] = [[] for _ in conditions]
        for _, rows, masks in ColumnProgram([conditions]).run(self.table):
            for place, mask in enumerate(masks):
                columns[place].append(np.broadcast_to(mask, (rows.stop - rows.start,)))
        return [np.concatenate(parts) for parts in columns]


def draw_trials(edition: Edition, n: int = N) -> TrialHouseholds:
    """Return the households on which programs of an edition are run.

    They are the thorough set, which tells every mutant of a checker from it, and the Diverse set,
    both where the package carries them; the synthetic city; households around the limits of the
    rules; some in which two members are alike to the last fact; and one of defaults only.

    Args:
        edition: Whose rules.
        n: How many of the city, and how many around limits.
    """
    plain = Household.complete(members=[{}])
    tables, n_city = [synthesize(n, 0)], n
    around = sample_households(n, edition, 0)
    tables += [around, _twins(around.take(slice(0, TWINS))), Households.from_households([plain])]
    if edition.year in carried_editions():
        rows = [
            row.household
            for name in ("thorough", "diverse")
            for row in read_rows(unpack(name, edition.year))
        ]
        tables.append(Households.from_households(rows))
    for table in tables:
        if table.names is None:
            table.names = _numbered(table)
    table = Households.concatenate(tables)
    is_of_city = np.arange(len(table)) < n_city
    given = pack_all(table)
    n_facts = np.array([len(facts) + sum(map(len, members)) for facts, members in given])
    order = np.lexsort((n_facts, table.size))
    order = order[table.size[order] <= LARGEST_HOUSEHOLD]
    return TrialHouseholds(
        table.take(order).fitted(), [given[place] for place in order], is_of_city[order]
    )


def _numbered(table: Households) -> NDArray[np.object_]:
    names = np.array([f"Member {row + 1}" for row in range(table.places)], object)
    return np.repeat(names[:, None], len(table), axis=1)


def _twins(table: Households) -> Households:
    """The households in which the last member may be there twice, with another who is alike."""
    table = table.take(table.size < LARGEST_HOUSEHOLD)
    table.names = _numbered(table)
    columns = np.arange(len(table))
    for column in (*table.member.values(), table.names):
        column[table.size, columns] = column[table.size - 1, columns]
    table.size = (table.size + 1).astype(table.size.dtype)
    return table.take(possible(table))


def reduce_household(household: Household, differs: Callable[[Household], bool]) -> Household:
    """Return a household that still shows a difference, with nothing that it can do without.

    Members who do not matter go, the applicant too, and facts that do not matter go back to their
    defaults, or to what the others leave possible.

    Args:
        household: It shows a difference.
        differs: Tells whether another does.
    """
    before = None
    while household is not before:
        before = household
        for parts_of in (_members, _facts):
            for part in parts_of(household):
                smaller = _take_away(household, part)
                if smaller is not None and differs(smaller):
                    household = smaller
    return household


Part = tuple[int | None, str]
"""A fact of the household (`None`) or of a member; a member as a whole has no name."""


def _members(household: Household) -> list[Part]:
    return [(place, "") for place in reversed(range(len(household.members)))]


def _facts(household: Household) -> list[Part]:
    """The facts that are no defaults; who somebody is goes last: most others hang on it."""
    shared, members = pack(household)
    parts: list[Part] = [(place, name) for place, facts in enumerate(members) for name in facts]
    return sorted([*parts, *((None, name) for name in shared)], key=lambda part: part[1] in _WHO)


def _take_away(household: Household, part: Part) -> Household | None:
    """A smaller possible household without a part, if there is one."""
    place, name = part
    shared, members = pack(household)
    if place is None:
        shared.pop(name, None)
    elif name:
        members[place].pop(name, None)
    elif len(members) > 1:
        del members[place]
    members[0]["relation"] = "self"
    made = Household.fill_in({"members": members, **shared})
    is_smaller = _weight(made) < _weight(household)
    return made if is_smaller and not made.violations() else None


def _weight(household: Household) -> tuple[int, int]:
    """How many members there are, and facts that are no defaults."""
    return len(household.members), len(_facts(household))
