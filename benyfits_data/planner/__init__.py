"""What to ask next: ordered by likely proofs of verdicts, until all are proven."""

from benyfits_data.planner.interview import SIZE_QUESTION, Interview, Planner, Question

__all__ = ["SIZE_QUESTION", "Interview", "Planner", "Question"]
