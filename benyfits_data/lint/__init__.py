"""The linter of program folders: text, checker, thresholds and examples must agree."""
