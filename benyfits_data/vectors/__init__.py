"""Test vectors for other rule engines: households with expected answers, in their formats."""
