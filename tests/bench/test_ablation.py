from collections.abc import Mapping
from importlib import import_module
from inspect import signature
from typing import Any

import pytest

from benyfits_data.bench.ablation import TABLES, main
from benyfits_data.bench.ablation_builds import Ablation
from benyfits_data.bench.replaced_parts import replaced


def replacements() -> dict[str, Mapping[str, Any]]:
    """Return what each ablation of each table replaces, `nothing` apart."""
    return {
        f"{table}: {name}": {**one.samples, **one.selects} if isinstance(one, Ablation) else one
        for table, (_, ablations) in TABLES.items()
        for name, one in ablations.items()
        if name not in ("nothing", "exact selection")
    }


@pytest.mark.parametrize("name", replacements())
def test_what_an_ablation_replaces_is_there_and_is_another(name: str) -> None:
    given = replacements()[name]
    assert given
    for path, value in given.items():
        with replaced({path: value}):
            pass
        module, _, attribute = path.rpartition(".")
        if module.count(".") == 1:
            assert getattr(import_module(f"benyfits_data.{module}"), attribute) != value


def target(path: str) -> Any:
    """Return what a path below the package names: a function, or one of a class."""
    module, names = "benyfits_data", path.split(".")
    found: Any = import_module(module)
    for name in names:
        module = f"{module}.{name}"
        found = getattr(found, name) if hasattr(found, name) else import_module(module)
    return found


@pytest.mark.parametrize("name", replacements())
def test_a_function_is_replaced_by_one_that_takes_as_much(name: str) -> None:
    for path, value in replacements()[name].items():
        if callable(value):
            signature(value).bind(*signature(target(path)).parameters)


def test_a_function_that_takes_less_is_noticed() -> None:
    with pytest.raises(TypeError):
        signature(lambda can: can).bind(
            *signature(target("fuzz.column_generation.covering_prices")).parameters
        )


def test_an_ablation_of_what_was_renamed_is_noticed() -> None:
    with pytest.raises(AttributeError, match="BRED"), replaced({"fuzz.directed.BRED": 0}):
        pass


def test_what_was_replaced_is_put_back() -> None:
    planner = import_module("benyfits_data.planner.interview")
    before = planner.NEAREST
    with replaced({"planner.interview.NEAREST": before + 1}):
        assert before + 1 == planner.NEAREST
    assert before == planner.NEAREST


def test_a_table_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemExit, match="No table paar"):
        main(["paar"])
