"""Which households are possible: named constraints in the checker language, one file per topic.

A constraint answers for the whole household, or for one member of it. Its docstring is what a
violation tells the user. "FEATURE only if ..." stands at the feature's declaration (`when`,
`needs`, `implied_by`); what relates facts in other ways stands here. `@repaired_by` names the
features that are changed where it is violated. Constraints are repaired in their order: each after
those that repair what it reads, as far as they do not read one another.
"""

from benyfits_data.household.constraints import (
    dwelling,
    employment,
    family_ties,
    generations,
    guards,
    health_and_care,
    schooling,
    structure,
)
from benyfits_data.household.constraints.derived import add_guards
from benyfits_data.household.registry import CONSTRAINTS, Constraint, put_in_order, repaired_by

__all__ = ["CONSTRAINTS", "Constraint", "repaired_by"]

TOPICS = (
    guards,
    structure,
    generations,
    family_ties,
    schooling,
    employment,
    health_and_care,
    dwelling,
)

add_guards()
put_in_order()
