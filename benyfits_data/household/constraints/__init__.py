"""Which households are possible: named constraints in the checker language, one file per topic.

A constraint answers for the whole household, or for one member of it. Its docstring is what a
violation tells the user. `@settles` names the features that give way when households are sampled
or completed: they are drawn anew until the constraint holds. Constraints stand in the order in
which they are settled, each after those it builds on.
"""

from benyfits_data.household.constraints import (  # noqa: I001 - the order is the order of settling
    structure,
    identity,
    family,
    school,
    work,
    health,
    benefits,
    history,
    home,
    property,
)
from benyfits_data.household.constraints.registry import CONSTRAINTS, Constraint, settles
from benyfits_data.household.model import Household, Violation

__all__ = ["CONSTRAINTS", "Constraint", "settles", "violations"]

TOPICS = (structure, identity, family, school, work, health, benefits, history, home, property)


def violations(household: Household) -> list[Violation]:
    """Return every violation in a household, in the order of the constraints."""
    found: list[Violation] = []
    for constraint in CONSTRAINTS.values():
        if not constraint.of_member:
            if not constraint.holds(household):
                found.append(Violation(constraint.name, None, constraint.says))
            continue
        for position, member in enumerate(household.members):
            if not constraint.holds(household, member):
                found.append(Violation(constraint.name, position, constraint.says))
    return found
