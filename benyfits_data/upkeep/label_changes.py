"""Whose label differs between two checkers of a program, of two editions or of two readings.

Households are counted; Z3 finds a smallest one, or proves that there is none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Program
from benyfits_data.errors import ProofError
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.intervals import wilson
from benyfits_data.language.explain import explain
from benyfits_data.language.source import features_read
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import World

Labels = NDArray[np.bool_]


@dataclass(frozen=True)
class Flips:
    """How many households get another answer.

    Attributes:
        gained: How many are eligible under the new checker only.
        lost: How many under the old one only.
        of: How many were asked.
        ids: The households that get another answer, where they have names.
    """

    gained: int
    lost: int
    of: int
    ids: tuple[str, ...] = ()

    @classmethod
    def between(cls, before: Labels, after: Labels, ids: Sequence[str] = ()) -> "Flips":
        """Return the difference of two columns of labels, shape `(n,)`, of the same households."""
        gained, lost = after & ~before, before & ~after
        changed = tuple(compress(ids, gained | lost))
        return cls(int(gained.sum()), int(lost.sum()), len(before), changed)

    @property
    def share(self) -> float:
        """The share of households that get another answer."""
        return (self.gained + self.lost) / self.of if self.of else 0.0

    @property
    def margin(self) -> float:
        """Half the width of the 95% interval of the share, for households drawn at random.

        Wilson's interval: it is not empty when no household was found.
        """
        low, high = wilson(self.gained + self.lost, self.of) if self.of else (0.0, 0.0)
        return (high - low) / 2

    def __str__(self) -> str:
        return (
            f"{100 * self.share:.2f}% ± {100 * self.margin:.2f} "
            f"({self.gained} gain, {self.lost} lose, of {self.of:,})"
        )


@dataclass(frozen=True)
class Witness:
    """A household that two checkers decide differently, or the proof that there is none.

    Attributes:
        direction: `gains` if the household is eligible under the new one only.
        status: `found`, `none` (proven: no possible household) or `unknown`.
        household: The household, with as few members as possible.
        facts: What of it either checker asks and is not as usual, one line a person.
        old: How the old one decides.
        new: How the new one does.
    """

    direction: Literal["gains", "loses"]
    status: Literal["found", "none", "unknown"]
    household: Household | None = None
    facts: tuple[str, ...] = ()
    old: str = ""
    new: str = ""

    def says(self, years: tuple[int, int]) -> str:
        """Return what it shows of two editions, in words."""
        now, then = years[::-1] if self.direction == "gains" else years
        if self.status == "none":
            return f"Proven: no possible household is eligible in {now} and not in {then}."
        if self.status == "unknown":
            return f"Unknown: whether any household is eligible in {now} and not in {then}."
        return (
            f"Eligible in {now}, not in {then}. In {years[0]}: {self.old}. "
            f"In {years[1]}: {self.new}."
        )


def find_witness(
    old: Program, new: Program, direction: Literal["gains", "loses"], world: World
) -> Witness:
    """Return the smallest household whose answer changes in one direction.

    Raises:
        ProofError: CPython does not confirm the household: readers disagree.
    """
    builder = world.executor.builder
    before, after = (
        world.executor.call(program.checker, (HouseholdArgument(), program.thresholds)).value
        for program in (old, new)
    )
    yes, no = (after, before) if direction == "gains" else (before, after)
    changes = builder.both(yes, builder.negate(no))
    answer = world.find(changes)
    if answer.household is None:
        return Witness(direction, answer.status)
    household = answer.household
    for size in range(1, len(household.members)):
        small = world.find(builder.both(changes, builder.negate(builder.present(size))))
        if small.household is not None:
            household = small.household
            break
    answers = old.is_eligible(household), new.is_eligible(household)
    if answers != (direction == "loses", direction == "gains"):
        raise ProofError(
            f"{old.name}: the solver's household is decided alike in {old.edition} and "
            f"{new.edition}. The Z3 reader and CPython disagree: report it with this household.",
            program=old.name,
            household=household,
        )
    asked = features_read(old.checker) | features_read(new.checker)
    says = (explain(program, household).summary for program in (old, new))
    return Witness(direction, "found", household, tuple(unusual_facts(household, asked)), *says)


def unusual_facts(household: Household, names: frozenset[str]) -> Iterator[str]:
    """Yield the facts among some features that are not as they are by default, line by line."""
    facts = household.facts()
    if shared := _unusual(facts, HOUSEHOLD_FEATURES, names):
        yield "household: " + ", ".join(sorted(shared))
    for position, member in enumerate(facts["members"], start=1):
        usual = [f"relation {member['relation']}", f"age {member['age']}"]
        unusual = _unusual(member, FEATURES, names - {"age", "relation"})
        yield f"member {position}: " + ", ".join(usual + unusual)


def _unusual(
    facts: Mapping[str, Any], features: Mapping[str, Feature], names: frozenset[str]
) -> list[str]:
    return [
        _fact(name.replace("_", " "), facts[name])
        for name in sorted(names & features.keys() & facts.keys())
        if facts[name] != features[name].default
    ]


def _fact(name: str, value: object) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {'never' if value is None else value}"
