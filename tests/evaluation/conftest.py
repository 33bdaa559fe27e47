"""What tests of written programs share."""

from collections.abc import Iterator

import pytest

from benyfits_data.evaluation.codegen.sandbox import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Where programs run that nobody vouches for."""
    with Sandbox() as sandbox:
        yield sandbox
