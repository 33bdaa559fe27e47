"""The static site: every program, household, dialog and result, and checkers in the browser."""
