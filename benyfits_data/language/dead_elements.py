"""Lines and branches that no possible household runs, proven by propagation, without a solver.

What it does not prove dead may be dead; Z3 then has the last word (`z3_backend`).
"""

from collections.abc import Mapping, Sequence
from contextlib import closing

from benyfits_data.editions import Edition
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.case_analysis import cases
from benyfits_data.language.interval_propagation import FormulaGraph, Intervals
from benyfits_data.language.source import Element, Source
from benyfits_data.language.symbolic_execution import HouseholdArgument, execute_constraints

SPLITS = 16
"""Cases told apart for one element; the seven dead branches of 2024 and 2026 need none."""


def dead_elements(
    edition: Edition, asked: Mapping[str, Sequence[Element]]
) -> dict[str, list[Element]]:
    """Return those of some elements that are proven dead, by program; programs without left out.

    Args:
        edition: Whose checkers.
        asked: Lines and branches by program.
    """
    executor, held = execute_constraints(tuple(CONSTRAINTS.values()))
    masks = {}
    for name, elements in asked.items():
        program = edition.program(name)
        arguments = [HouseholdArgument(), program.thresholds]
        summary = executor.execute(Source.of(program.checker), arguments)
        masks.update({(name, element): summary.elements[element] for element in elements})
    graph = FormulaGraph([*masks.values(), *held], LARGEST_HOUSEHOLD)
    known = Intervals(graph)
    known.settle()
    known.require([(graph.positions[node], 1, 1) for node in held])
    dead: dict[str, list[Element]] = {}
    for (name, element), mask in masks.items():
        with closing(cases(known, graph.positions[mask], 1, SPLITS)) as found:
            if not any(True for _ in found):
                dead.setdefault(name, []).append(element)
    return dead
