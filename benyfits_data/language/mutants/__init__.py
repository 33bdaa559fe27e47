"""What would a wrong checker look like, and would a dataset notice?"""

from benyfits_data.language.mutants.detection import (
    Detections,
    Detector,
    detect_mutants,
    mutants_of,
)
from benyfits_data.language.mutants.equivalence import MutantVerdict, judge, judge_many, witnesses
from benyfits_data.language.mutants.operators import Kind, Mutant, make_mutants

__all__ = [
    "Detections",
    "Detector",
    "Kind",
    "Mutant",
    "MutantVerdict",
    "detect_mutants",
    "judge",
    "judge_many",
    "make_mutants",
    "mutants_of",
    "witnesses",
]
