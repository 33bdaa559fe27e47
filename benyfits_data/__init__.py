"""Build, prove, run and maintain BeNYfits, a benchmark of benefit eligibility dialogs."""

__version__ = "0.1.0"
