"""The static site: every program and household, results, documents."""
