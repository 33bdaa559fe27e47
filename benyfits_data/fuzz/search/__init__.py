"""The least surprising households that cover all."""
