"""What would a wrong checker look like, and would a dataset notice?"""

from benyfits_data.adequacy.mutants.detection import (
    Detections,
    Detector,
    MutantVerdict,
    answers,
    detect_mutants,
    is_told_apart,
    judge,
    mutants_of,
)
from benyfits_data.adequacy.mutants.operators import Kind, Mutant, make_mutants

__all__ = [
    "Detections",
    "Detector",
    "Kind",
    "Mutant",
    "MutantVerdict",
    "answers",
    "detect_mutants",
    "is_told_apart",
    "judge",
    "make_mutants",
    "mutants_of",
]
