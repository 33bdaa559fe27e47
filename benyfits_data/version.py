"""The version of package, datasets and tasks; part of every manifest."""

__version__ = "1.0.0"
