"""Households as they are in New York City, from cited sources."""
