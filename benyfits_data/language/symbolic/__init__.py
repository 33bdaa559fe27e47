"""The Z3 reader: lines proven reachable or dead, checkers proven equal or told apart."""

from benyfits_data.language.symbolic.proofs import (
    ConstraintVerdict,
    Verdict,
    covered_lines,
    difference,
    program_difference,
    prove_constraint,
    prove_constraints,
    prove_lines,
    whole_world,
)
from benyfits_data.language.symbolic.store import Store
from benyfits_data.language.symbolic.world import Answer, World

__all__ = [
    "Answer",
    "ConstraintVerdict",
    "Store",
    "Verdict",
    "World",
    "covered_lines",
    "difference",
    "program_difference",
    "prove_constraint",
    "prove_constraints",
    "prove_lines",
    "whole_world",
]
