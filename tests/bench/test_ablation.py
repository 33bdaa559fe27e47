from importlib import import_module
from typing import Any

import pytest

from tests.bench.ablation import TABLES, main, replaced

PATHS = [
    (path, value)
    for _, ablations in TABLES.values()
    for replacements in ablations.values()
    for path, value in replacements.items()
]


@pytest.mark.parametrize(("path", "value"), PATHS, ids=[path for path, _ in PATHS])
def test_what_an_ablation_replaces_is_there_is_another_and_is_put_back(
    path: str, value: Any
) -> None:
    module, _, name = path.rpartition(".")
    home = import_module(f"benyfits_data.{module}")
    before = getattr(home, name)
    assert before != value
    with replaced({path: value}):
        assert getattr(home, name) == value
    assert getattr(home, name) == before


def test_an_ablation_of_what_was_renamed_is_noticed() -> None:
    with pytest.raises(AttributeError, match="BRED"), replaced({"fuzz.build.BRED": 0}):
        pass


def test_a_table_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemExit, match="No table paar"):
        main(["paar"])
