"""A person answers questions and learns which programs the household may claim."""
