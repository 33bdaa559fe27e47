"""The checker language and its readers."""
