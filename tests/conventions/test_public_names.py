"""The names that other code may rely on; a change here is a change of the interface."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import benyfits_data
from benyfits_data import editions, errors
from benyfits_data.errors import BenyfitsError

PINNED = {
    "benyfits_data.editions": [
        "DEFAULT_EDITION",
        "EDITIONS",
        "Correction",
        "Edition",
        "Example",
        "Option",
        "Program",
        "Reading",
        "Record",
        "SizeTable",
        "Threshold",
        "Thresholds",
        "check_edition",
        "edition_years",
        "load_edition",
        "load_register",
    ],
    "benyfits_data.checkers.types": ["Household", "Member", "Thresholds"],
    "benyfits_data.household.constraints": [
        "CONSTRAINTS",
        "Constraint",
        "repaired_by",
    ],
}


def broken_exports(module: ModuleType) -> list[str]:
    """Return the names a module exports without having them, or twice."""
    names = list(getattr(module, "__all__", []))
    missing = [name for name in names if not hasattr(module, name)]
    return missing + sorted({name for name in names if names.count(name) > 1})


def all_modules() -> list[str]:
    return [
        found.name
        for found in pkgutil.walk_packages(benyfits_data.__path__, "benyfits_data.")
        if found.ispkg and ".checkers." not in found.name
    ]


@pytest.mark.parametrize("name", PINNED)
def test_the_public_names_of_a_package_are_pinned(name: str) -> None:
    assert importlib.import_module(name).__all__ == PINNED[name]


@pytest.mark.parametrize("name", all_modules())
def test_a_package_exports_what_it_has(name: str) -> None:
    assert broken_exports(importlib.import_module(name)) == []


def test_an_export_that_is_not_there_is_caught() -> None:
    planted = ModuleType("planted")
    planted.__dict__.update(__all__=["a", "b", "b"], b=1)
    assert broken_exports(planted) == ["a", "b"]


def test_every_exception_of_the_package_is_a_benyfits_error_with_a_docstring() -> None:
    classes = [item for _, item in inspect.getmembers(errors, inspect.isclass)]
    own = [item for item in classes if item.__module__ == errors.__name__]
    assert BenyfitsError in own
    for item in own:
        assert issubclass(item, BenyfitsError)
        assert item.__doc__


def test_every_program_of_every_edition_imports_its_checker() -> None:
    for year in editions.EDITIONS:
        for program in editions.load_edition(year).programs.values():
            assert program.checker.__name__ == "is_eligible"
