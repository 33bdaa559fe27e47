"""Every program decided a second time, by plain predicates that share no code with the rooms."""

from tests.checkers.second_reading import children, homes, money, work
from tests.checkers.second_reading.decisions import DECISIONS, OURS
from tests.checkers.second_reading.terms import PREDICATES, Predicate

__all__ = ["DECISIONS", "OURS", "PREDICATES", "Predicate", "children", "homes", "money", "work"]
