"""The user's cache: what is kept from one command to the next, and may go at any time."""

import os
from pathlib import Path

VARIABLE = "BENYFITS_CACHE"
"""The environment variable that names another folder."""


def cache_folder(name: str) -> Path:
    """Return a folder under `$BENYFITS_CACHE`, or under one in the home folder."""
    folder = os.environ.get(VARIABLE)
    return (Path(folder) if folder else Path.home() / ".cache" / "benyfits-data") / name
