"""The fewest pairs and households that cover all, with their certificate."""
