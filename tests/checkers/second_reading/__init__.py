"""Every program decided a second time, by plain predicates that share no code with the checkers."""

from tests.checkers.second_reading import children, homes, money, work
from tests.checkers.second_reading.numbers_2026 import OF_2026
from tests.checkers.second_reading.terms import PREDICATES, Predicate
from tests.checkers.second_reading.year_2026 import CHANGED

__all__ = [
    "CHANGED",
    "OF_2026",
    "PREDICATES",
    "Predicate",
    "children",
    "homes",
    "money",
    "work",
]
