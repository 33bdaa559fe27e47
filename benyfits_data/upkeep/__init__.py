"""A maintainer's year: values in and out, what changed, the past kept as it was."""
