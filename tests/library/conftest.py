"""A small dataset of ours, made by hand."""

from pathlib import Path

import pytest

from benyfits_data import Household, label, load
from benyfits_data.dataset import Row, write_rows


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `output/diverse.jsonl`: two households, labelled by edition 2024."""
    path = tmp_path_factory.mktemp("library") / "output" / "diverse.jsonl"
    path.parent.mkdir()
    homes = [
        Household.complete(members=[{"name": "Ana", "age": 34}]),
        Household.complete(
            members=[
                {"name": "Ben", "age": 67, "annual_work_income": 90_000},
                {"name": "Cleo", "relation": "grandchild", "age": 3},
            ]
        ),
    ]
    labels = label(load(2024), homes)
    rows = []
    for number, home in enumerate(homes):
        own = {name: bool(flag) for name, flag in labels.loc[number].items()}
        programs = ("FairFaresNYC", "IDNYC")
        eligible = {name: own[name] for name in programs}
        rows.append(Row(f"diverse-2024-{number + 1}", 2024, home, "", programs, eligible, own))
    write_rows(path, rows)
    return path.parent.parent
