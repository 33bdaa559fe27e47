"""Parts of the package replaced for a while, to see what they buy."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch


@contextmanager
def replaced(replacements: Mapping[str, Any]) -> Iterator[None]:
    """Replace what stands at some paths; put it back in the end."""
    with ExitStack() as stack:
        for path, value in replacements.items():
            stack.enter_context(patch(f"benyfits_data.{path}", value))
        yield
