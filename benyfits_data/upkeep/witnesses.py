"""Smallest households whose label differs between two checkers of a program, found by Z3."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from benyfits_data.editions import Program
from benyfits_data.errors import ProofError
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.household.schema import Feature
from benyfits_data.language.explain import explain
from benyfits_data.language.source import Source, features_read
from benyfits_data.language.symbolic_execution import HouseholdArgument
from benyfits_data.language.z3_backend import World

Direction = Literal["gains", "loses"]


@dataclass(frozen=True)
class Witness:
    """A household that two editions decide differently, or the proof that there is none.

    Attributes:
        direction: `gains` if the household is eligible under the new edition only.
        status: `found`, `none` (proven: no possible household) or `unknown`.
        household: The household, with as few members as possible.
        facts: What of it either checker asks and is not as usual, one line a person.
        old: How the old edition decides.
        new: How the new one does.
    """

    direction: Direction
    status: Literal["found", "none", "unknown"]
    household: Household | None
    facts: tuple[str, ...]
    old: str
    new: str


def find_witness(old: Program, new: Program, direction: Direction, world: World) -> Witness:
    """Return the smallest household whose answer changes in one direction.

    Raises:
        ProofError: CPython does not confirm the household: readers disagree.
    """
    builder = world.executor.builder
    before, after = (
        world.executor.execute(
            Source.of(program.checker), [HouseholdArgument(), program.thresholds]
        ).value
        for program in (old, new)
    )
    yes, no = (after, before) if direction == "gains" else (before, after)
    changes = builder.both(yes, builder.negate(no))
    answer = world.find(changes)
    if answer.household is None:
        return Witness(direction, answer.status, None, (), "", "")
    household = answer.household
    for size in range(1, len(household.members)):
        small = world.find(builder.both(changes, builder.negate(builder.present(size))))
        if small.household is not None:
            household = small.household
            break
    if new.is_eligible(household) != (direction == "gains") or old.is_eligible(household) != (
        direction == "loses"
    ):
        raise ProofError(
            f"{old.name}: the solver's household is decided alike in {old.edition} and "
            f"{new.edition}. The Z3 reader and CPython disagree: report it with this household.",
            program=old.name,
            household=household,
        )
    return Witness(
        direction,
        "found",
        household,
        tuple(unusual_facts(household, features_read(old.checker) | features_read(new.checker))),
        explain(old, household).summary,
        explain(new, household).summary,
    )


def unusual_facts(household: Household, names: frozenset[str]) -> Iterator[str]:
    """Yield the facts among some features that are not as they are by default, line by line."""
    facts = household.facts()
    shared = [
        _fact(HOUSEHOLD_FEATURES[name], facts[name])
        for name in names & HOUSEHOLD_FEATURES.keys()
        if facts.get(name) != HOUSEHOLD_FEATURES[name].default
    ]
    if shared:
        yield "household: " + ", ".join(sorted(shared))
    for position, member in enumerate(facts["members"], start=1):
        unusual = [
            _fact(FEATURES[name], member[name])
            for name in sorted(names & member.keys())
            if name not in ("age", "relation") and member[name] != FEATURES[name].default
        ]
        told = [f"relation {member['relation']}", f"age {member['age']}", *unusual]
        yield f"member {position}: " + ", ".join(told)


def _fact(feature: Feature, value: object) -> str:
    name = feature.name.replace("_", " ")
    if value is True:
        return name
    if value is False:
        return f"not {name}"
    return f"{name} {'never' if value is None else value}"
