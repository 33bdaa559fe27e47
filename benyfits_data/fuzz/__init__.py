"""Fuzzing households, and the fewest of them that cover what checkers run."""
