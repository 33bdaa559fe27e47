"""Checkers written to files: the language's functions live in files of text."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAD = '''"""A checker."""

from benyfits_data.household.measures import *

def is_eligible(household, thresholds):
    """Return something."""
'''


def written_checker(folder: Path, body: str, name: str = "checker") -> Callable[..., Any]:
    """Return a checker with this body; its first line is line 7."""
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.strip("\n").splitlines())
    return written_function(folder / f"{name}.py", HEAD + lines)


def written_function(path: Path, text: str) -> Callable[..., Any]:
    """Return the function `is_eligible` of a module written to `path`."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"written_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = module.is_eligible
    return function
