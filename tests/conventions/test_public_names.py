"""The names that other code may rely on; a change here is a change of the interface."""

import importlib
import inspect

import pytest

from benyfits_data import errors

PINNED = {
    "benyfits_data.editions": (
        "DEFAULT_EDITION EDITIONS Correction Edition Example Option Program Reading Record "
        "SizeTable Threshold Thresholds check_edition edition_years load_edition load_register"
    ),
    "benyfits_data.checkers.types": "Household Member Thresholds",
    "benyfits_data.household.constraints": "CONSTRAINTS Constraint repaired_by",
}


@pytest.mark.parametrize("name", PINNED)
def test_the_public_names_of_a_package_are_pinned_and_there(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__all__ == PINNED[name].split()
    assert [public for public in package.__all__ if not hasattr(package, public)] == []


def test_every_exception_of_the_package_is_a_benyfits_error_with_a_docstring() -> None:
    classes = [item for _, item in inspect.getmembers(errors, inspect.isclass)]
    ours = [item for item in classes if item.__module__ == errors.__name__]
    assert all(issubclass(item, errors.BenyfitsError) and item.__doc__ for item in ours)
