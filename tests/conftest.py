"""What holds for all tests: no verdict depends on the speed of the machine."""

import gc
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import benyfits_data

if TYPE_CHECKING:
    from benyfits_data.population.synthetic_city import City
    from tests.shared import LearnedCity

gc.disable()  # While modules are imported, all of which stay.
assert benyfits_data  # Imported before NumPy is: it chooses how matrices are multiplied.

TESTS = Path(__file__).parent

settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=False,
)
settings.load_profile("any machine")


RULES = {
    *("adequacy", "checkers", "dataset", "fuzz", "household", "language"),
    *("library", "par", "planner", "plausibility", "population", "profiles"),
}
"""Packages that read the same rules and draw from the same sources, which takes seconds once."""


def group_of(item: pytest.Item, is_quick: bool) -> str:
    """Return the group of a test: tests of one group run in one process, and share what they make.

    Without slow tests all those of the rules are one group. Slow ones of the agents' package share
    within their modules only.
    """
    place = item.path.relative_to(TESTS)
    package = place.parts[0]
    if is_quick:
        return "rules" if package in RULES else package
    is_slow = any(item.iter_markers("slow"))
    return str(place) if is_slow and package == "evaluation" else package


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests without a group of their own get that of their package."""
    is_quick = config.getoption("markexpr") == "not slow"
    for item in items:
        group = group_of(item, is_quick)
        if group == "rules" or not any(item.iter_markers("xdist_group")):
            item.add_marker(pytest.mark.xdist_group(group), append=False)


def pytest_collection_finish() -> None:
    """Leave modules and tests, which stay to the end, out of every search for garbage."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 50)


# The process that deals out the tests makes nothing, and imports nothing that makes it.


@pytest.fixture(scope="session")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a Diverse set of few households, built without plausibility."""
    from tests import shared

    return shared.once(tmp_path_factory, "small_set", shared.build_small_set)


@pytest.fixture(scope="session")
def published_2024(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the Diverse and Representative sets of 2024, built anew."""
    from tests import shared

    build = partial(shared.build_published_sets, 2024)
    return shared.once(tmp_path_factory, "published_2024", build)


@pytest.fixture(scope="session")
def city(tmp_path_factory: pytest.TempPathFactory) -> "City":
    """A synthetic city of 20,000 households, which no test changes."""
    from tests import shared

    return shared.read_small_city(shared.once(tmp_path_factory, "city", shared.build_small_city))


@pytest.fixture(scope="session")
def learned_city(city: "City") -> "LearnedCity":
    """A part of the city, how surprising households are in it, and the other part."""
    from tests import shared

    return shared.learn(city)
