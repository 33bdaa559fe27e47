"""How one household is drawn: families, facts around the limits of the checkers, sums of money."""
