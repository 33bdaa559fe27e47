"""The Z3 reader: elements proven reachable or dead, checkers proven equal or told apart."""

from benyfits_data.language.z3_backend.proofs import (
    ConstraintVerdict,
    Task,
    Verdict,
    covered_elements,
    difference,
    find_witnesses,
    program_difference,
    prove_constraint,
    prove_constraints,
    prove_elements,
    prove_many,
)
from benyfits_data.language.z3_backend.world import Answer, World, whole_world

__all__ = [
    "Answer",
    "ConstraintVerdict",
    "Task",
    "Verdict",
    "World",
    "covered_elements",
    "difference",
    "find_witnesses",
    "program_difference",
    "prove_constraint",
    "prove_constraints",
    "prove_elements",
    "prove_many",
    "whole_world",
]
