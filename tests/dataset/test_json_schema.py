"""The published schema takes every row of ours and refuses what the readers refuse."""

import copy
import json
from itertools import product
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from benyfits_data.dataset import PartialRow, Row
from benyfits_data.dataset.json_schema import row_schema
from benyfits_data.dataset.partial_rows import partial_row
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.rng import stream
from tests.language.draws import draw_households, draw_possible

DOCS = Path(__file__).parents[2] / "docs"
PLACE = Path("rows.jsonl")


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = row_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FormatChecker())


def taken(content: object) -> bool:
    """Return whether our reader takes a row as it stands."""
    try:
        row = partial_row(content, PLACE, 1, "ours")  # type: ignore[arg-type]
    except DatasetFormatError:
        return False
    assert isinstance(row, PartialRow)
    return not row.faults


def test_the_published_schema_is_the_one_of_the_declarations() -> None:
    assert json.loads((DOCS / "schema.json").read_text(encoding="utf-8")) == row_schema()


def test_every_row_of_a_dataset_is_valid(validator: Draft202012Validator) -> None:
    for household in draw_possible(10, 1):
        row = Row("a", 2024, household, "You.", ("IDNYC",), {"IDNYC": True}, {"IDNYC": True})
        assert validator.is_valid(json.loads(row.as_json()))


def test_values_of_whole_domains_are_valid(validator: Draft202012Validator) -> None:
    table = draw_households(60, stream(0, "test", "schema"))
    for position in range(len(table)):
        facts = table.household(position, constrained=False).facts()
        assert validator.is_valid({"household": facts})


def test_a_row_may_be_its_members_alone(validator: Draft202012Validator) -> None:
    assert validator.is_valid({"household": {"members": [{"age": 30}]}})


WHOLE = {"id": "a", "edition": 2024, "household": {"members": [{"age": 30}], "tenure": "renter"}}
BAD = [None, 1.5, -7, "x", [], {}, "2024-13-01", 10**12, [None]]


def test_the_schema_and_the_reader_refuse_the_same_values(
    validator: Draft202012Validator, subtests: pytest.Subtests
) -> None:
    values = (*BAD, True, 0, 3, 2.5)
    for name, value in product([*MEMBER_FEATURES, *HOUSEHOLD_FEATURES], values):
        row = copy.deepcopy(WHOLE)
        home = row["household"]
        assert isinstance(home, dict)
        (home if name in HOUSEHOLD_FEATURES else home["members"][0])[name] = value
        if validator.is_valid(row) != taken(row):
            with subtests.test(name, value=value):
                pytest.fail(f"The reader says {taken(row)}, the schema another thing.")


@pytest.mark.parametrize(
    "change",
    [
        {"household": None},
        {"household": {"members": []}},
        {"household": {"members": [3]}},
        {"household": {"members": [{"agee": 3}]}},
        {"household": {"members": [{"age": 3}], "tenur": "renter"}},
        {"id": 3},
        {"edition": "2024"},
        {"labels": {"IDNYC": 1}},
        {"eligible": []},
        {"programs": "IDNYC"},
        {"extra": 1},
    ],
)
def test_rows_that_are_none_are_refused_by_both(
    change: dict,
    validator: Draft202012Validator,  # type: ignore[type-arg]
) -> None:
    row = copy.deepcopy(WHOLE) | change
    assert not validator.is_valid(row)
    assert not taken(row)
