"""What holds for all tests: no verdict depends on the speed of the machine."""

import gc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import benyfits_data

assert benyfits_data  # Imported before NumPy is: it chooses how matrices are multiplied.

TESTS = Path(__file__).parent

settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=False,
)
settings.load_profile("any machine")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick tests of a package run in one process, which makes what they share once."""
    for item in items:
        if not any(item.iter_markers("slow")) and not any(item.iter_markers("xdist_group")):
            package = item.path.relative_to(TESTS).parts[0]
            item.add_marker(pytest.mark.xdist_group(package))


def pytest_collection_finish() -> None:
    """Leave modules and tests, which stay to the end, out of every search for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
