"""How a constraint is declared, and the list of them all."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Constraint:
    """One condition that every possible household meets.

    Attributes:
        name: Its function's name.
        says: What it demands, in one or two sentences.
        of_member: Whether it is asked of each member, or once of the household.
        settles: Features that give way when it is violated.
        holds: The function: `(household)` or `(household, member)`, true when all is well.
    """

    name: str
    says: str
    of_member: bool
    settles: tuple[str, ...]
    holds: Callable[..., bool]


CONSTRAINTS: dict[str, Constraint] = {}


def settles(*features: str) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
    """Return a decorator that declares a constraint and the features that give way to it."""

    def declare(holds: Callable[..., bool]) -> Callable[..., bool]:
        code = holds.__code__
        CONSTRAINTS[holds.__name__] = Constraint(
            name=holds.__name__,
            says=" ".join((holds.__doc__ or "").split()),
            of_member="member" in code.co_varnames[: code.co_argcount],
            settles=features,
            holds=holds,
        )
        return holds

    return declare
