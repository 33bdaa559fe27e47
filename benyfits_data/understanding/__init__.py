"""Questions and answers about a household, read into queries and claims, and compared."""
