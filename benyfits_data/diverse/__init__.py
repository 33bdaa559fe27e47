"""The Diverse and thorough sets: fuzzed, selected, made believable, verified, written."""
