"""Mutants run by CPython, which is what the readers of formulas are held against."""

import ast
import inspect
from collections.abc import Sequence

from benyfits_data.adequacy.mutants.operators import Mutant
from benyfits_data.editions import Program
from benyfits_data.errors import ThresholdNotFoundError
from benyfits_data.household.model import Household


def answers(mutant: Mutant, households: Sequence[Household]) -> list[bool | None]:
    """Return what a mutant answers for each household, `None` where it fails."""
    source = mutant.source
    space = {**inspect.unwrap(source.function).__globals__, **source.names}
    module = ast.Module([source.node], [])
    exec(compile(ast.fix_missing_locations(module), str(source.path), "exec"), space)
    function = space[source.name]
    found: list[bool | None] = []
    for household in households:
        try:
            found.append(bool(function(household, mutant.thresholds)))
        except (TypeError, ThresholdNotFoundError):
            found.append(None)
    return found


def is_told_apart(mutant: Mutant, program: Program, households: Sequence[Household]) -> bool:
    """Return whether CPython answers otherwise for one of the households, or fails."""
    right = [bool(program.checker(one, program.thresholds)) for one in households]
    return answers(mutant, households) != right
