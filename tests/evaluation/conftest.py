"""What tests of written programs share."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from benyfits_data.evaluation.codegen.sandbox import LIMITS, Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Where programs run that nobody vouches for; one that never ends ends soon."""
    with Sandbox(replace(LIMITS, instructions=1_000_000_000)) as sandbox:
        yield sandbox
