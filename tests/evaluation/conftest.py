"""What tests of written programs share."""

import ssl
from collections.abc import Iterator
from dataclasses import replace

import pytest
from openai import _base_client

from benyfits_data.evaluation.codegen.sandbox import LIMITS, Sandbox


@pytest.fixture(scope="session", autouse=True)
def clients_of_loopback() -> Iterator[None]:
    """Clients read no certificates, 0.02 s each, as no server here needs them; nor do they wait."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ssl.SSLContext, "load_verify_locations", lambda *given: None)
        patched.setattr(_base_client, "INITIAL_RETRY_DELAY", 0.01)
        yield


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """Where programs run that nobody vouches for; one that never ends ends soon."""
    with Sandbox(replace(LIMITS, instructions=1_000_000_000)) as sandbox:
        yield sandbox
