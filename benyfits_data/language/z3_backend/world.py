"""All possible households as one formula, and questions about them."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from benyfits_data.errors import ImpossibleHouseholdError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints import CONSTRAINTS, Constraint
from benyfits_data.household.model import LARGEST_HOUSEHOLD, Household
from benyfits_data.language.ir import FALSE, Node, walk
from benyfits_data.language.numpy_backend.column_program import ColumnProgram
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from benyfits_data.language.z3_backend.translate import Translation

_WHO = ("name", "relation", "age", "age_months")
EFFORT = 2_000_000_000
"""What the solver may spend on one question, in its own units: 3 to 6 million take a second. A
tenth is enough. No clock is asked, so a busy machine answers alike."""


@dataclass(frozen=True)
class Answer:
    """What the solver says about one condition.

    Attributes:
        status: `found` a household, `none` exists, or `unknown`.
        household: The household found; possible unless constraints were left out.
        seconds: Time spent.
    """

    status: Literal["found", "none", "unknown"]
    household: Household | None
    seconds: float


class World:
    """Every possible household of one to six members, or more.

    Args:
        effort: What the solver may spend on one question, in its own units.
        constraints: What makes a household possible.
        places: The most members that a household may have.

    Attributes:
        constraints: What makes a household possible.
        executor: Makes formulas that share their parts with those of the constraints.
    """

    def __init__(
        self,
        effort: int = EFFORT,
        constraints: Mapping[str, Constraint] = CONSTRAINTS,
        places: int = LARGEST_HOUSEHOLD,
    ) -> None:
        self.constraints = constraints
        self.executor = SymbolicExecutor(places=places)
        self._translation = Translation(places)
        z3 = self._translation.z3
        self._solver = z3.Solver(ctx=self._translation.context)
        self._solver.set("rlimit", effort)
        self._solver.set("random_seed", 0)
        self._solver.add(*self._translation.domains())
        self._guards: dict[str, Any] = {}
        for constraint in constraints.values():
            guard = z3.Bool(f"constraint {constraint.name}", self._translation.context)
            self._guards[constraint.name] = guard
            broken = self._translation.term(self.executor.broken(constraint))
            self._solver.add(z3.Implies(guard, z3.Not(broken)))

    def find(self, condition: Node, without: Iterable[str] = ()) -> Answer:
        """Return a possible household that meets a condition, if there is one.

        Args:
            condition: A flag.
            without: Constraints that need not hold.
        """
        started = time.perf_counter()
        if condition is FALSE:
            return Answer("none", None, 0.0)
        left_out = set(without)
        guards = [guard for name, guard in self._guards.items() if name not in left_out]
        solver, z3 = self._solver, self._translation.z3
        solver.push()
        try:
            solver.add(self._translation.term(condition))
            status = solver.check(*guards)
            household = None
            if status == z3.sat:
                facts = self._translation.facts(solver.model())
                household = Household.from_facts(facts, constrained=not left_out)
                if not left_out:
                    household = _plainer(household, condition, self.executor.places)
        finally:
            solver.pop()
        seconds = time.perf_counter() - started
        if household is not None:
            return Answer("found", household, seconds)
        return Answer("none" if status == z3.unsat else "unknown", None, seconds)


@cache
def whole_world() -> World:
    """Return the possible households; made once in a process."""
    return World()


def _plainer(household: Household, condition: Node, places: int) -> Household:
    """Return a household that meets the condition and has few facts that are not defaults.

    The solver gives facts that do not matter any value; here they are what `complete` makes of
    them, where that works.
    """
    read = {node.fact for node in walk([condition]) if node.operation == "feature"}
    whole = household.facts()
    kept: dict[str, Any] = {name: whole[name] for name, position in read if position is None}
    kept["members"] = [
        {name: value for name, value in member.items() if name in _WHO or (name, position) in read}
        for position, member in enumerate(whole["members"])
    ]
    try:
        plain = Household.complete(**kept)
    except ImpossibleHouseholdError:
        return household
    table = Households.from_households([plain]).with_places(places)
    columns = ColumnProgram([[condition]]).run(table)
    return plain if np.all(next(columns)[2][0]) else household
