"""Sampling, boundaries, selection: the Diverse set."""
