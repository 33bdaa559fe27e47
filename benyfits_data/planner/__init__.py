"""What to ask next: ordered by likely proofs of verdicts, until all are proven."""

from benyfits_data.planner.interview import OPENINGS, Interview, Planner, Question, facts_told

__all__ = ["OPENINGS", "Interview", "Planner", "Question", "facts_told"]
