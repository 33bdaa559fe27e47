"""The Diverse and thorough sets: fuzzed, selected, made plausible, verified, written."""
