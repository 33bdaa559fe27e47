"""How a constraint is declared, and the list of them all."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType
from typing import Any

from benyfits_data.household.features import FEATURES


@dataclass(frozen=True)
class Violation:
    """One constraint that a household breaks.

    Attributes:
        constraint: Name of the constraint.
        member: Position of the member it is about; `None` when it is about the household.
        says: What the constraint demands.
    """

    constraint: str
    member: int | None
    says: str


@dataclass(frozen=True)
class Constraint:
    """One condition that every possible household meets.

    Attributes:
        name: Its function's name.
        says: What it demands, in one or two sentences.
        repaired_by: Features that are changed where it is violated.
        holds: The function: `(household)` or `(household, member)`, true when all is well.
        guards: For a constraint derived from a guard, the feature that is off where it fails.
    """

    name: str
    says: str
    repaired_by: tuple[str, ...]
    holds: Callable[..., bool]
    guards: str | None = None

    @cached_property
    def of_member(self) -> bool:
        """Whether it is asked of each member, or once of the household."""
        code = self.holds.__code__
        return "member" in code.co_varnames[: code.co_argcount]

    def asked_of(self, household: Any) -> list[tuple[int | None, tuple[Any, ...]]]:
        """Return each position (`None` for the household) with the arguments of `holds`."""
        if not self.of_member:
            return [(None, (household,))]
        return [(row, (household, member)) for row, member in enumerate(household.members)]

    @cached_property
    def reads(self) -> frozenset[str]:
        """The features that it reads, through what it calls too, or that repair it."""
        return (names_in(self.holds) & FEATURES.keys()) | set(self.repaired_by)

    @cached_property
    def is_local(self) -> bool:
        """Whether it reads no other member."""
        return names_in(self.holds).isdisjoint({"members", "applicant"})


@cache
def names_in(function: Callable[..., Any]) -> frozenset[str]:
    """Return the names that a function of the checker language and what it calls use.

    Attributes there are facts or thresholds, globals are measures or constants.
    """
    names = set(function.__code__.co_names)
    for name in tuple(names):
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and called is not function:
            names |= names_in(called)
    return frozenset(names)


CONSTRAINTS: dict[str, Constraint] = {}


def repaired_by(*features: str) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Return a decorator that declares a constraint and the features that a repair changes."""

    def declare(holds: Callable[..., bool]) -> Callable[..., bool]:
        says = " ".join((holds.__doc__ or "").split())
        CONSTRAINTS[holds.__name__] = Constraint(holds.__name__, says, features, holds)
        return holds

    return declare


def put_in_order() -> None:
    """Put every constraint after those that repair what it reads, unless these wait for it.

    So most households are repaired in one pass.
    """
    entered = dict(sorted(CONSTRAINTS.items()))
    CONSTRAINTS.clear()
    seen: set[str] = set()

    def place(constraint: Constraint) -> None:
        if constraint.name in seen:
            return
        seen.add(constraint.name)
        for name in sorted(constraint.reads.difference(constraint.repaired_by)):
            for other in entered.values():
                if name in other.repaired_by:
                    place(other)
        CONSTRAINTS[constraint.name] = constraint

    for constraint in entered.values():
        place(constraint)
