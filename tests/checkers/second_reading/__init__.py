"""Every program decided a second time, by plain predicates that share no code with the rooms."""

from tests.checkers.second_reading import children, homes, money, work
from tests.checkers.second_reading.decisions import DECISIONS, OURS
from tests.checkers.second_reading.terms import PREDICATES, Predicate
from tests.checkers.second_reading.year_2026 import CHANGED, UNCHANGED

__all__ = [
    "CHANGED",
    "DECISIONS",
    "OURS",
    "PREDICATES",
    "UNCHANGED",
    "Predicate",
    "children",
    "homes",
    "money",
    "work",
]
