"""What would a wrong checker look like, and would a dataset notice?"""

from benyfits_data.language.mutants.detection import (
    Detections,
    Detector,
    detect_mutants,
    mutants_of,
)
from benyfits_data.language.mutants.equivalence import Judged, judge, judge_many, witnesses
from benyfits_data.language.mutants.making import Kind, Mutant, make_mutants

__all__ = [
    "Detections",
    "Detector",
    "Judged",
    "Kind",
    "Mutant",
    "detect_mutants",
    "judge",
    "judge_many",
    "make_mutants",
    "mutants_of",
    "witnesses",
]
