"""Questions and answers about a household understood: read into queries and claims, and compared."""
