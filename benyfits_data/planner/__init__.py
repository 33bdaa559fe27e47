"""What to ask next: ordered by likely proofs of verdicts, until all are proven."""

from benyfits_data.planner.interview import Interview, Planner
from benyfits_data.planner.questions import (
    OPENINGS,
    TRACKS,
    Question,
    Track,
    facts_told,
)

__all__ = ["OPENINGS", "TRACKS", "Interview", "Planner", "Question", "Track", "facts_told"]
