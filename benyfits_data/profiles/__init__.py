"""Households as profiles in prose, and back."""
