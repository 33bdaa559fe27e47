"""A filled-in spreadsheet: sound ones are written, each kind of fault is named with its row."""

import csv
import io
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from benyfits_data.editions.workspace import init_workspace, use_workspace, writable
from benyfits_data.errors import SpreadsheetError
from benyfits_data.upkeep.changes import (
    ValueUpdate,
    changed_text,
    find_changes,
    left_behind,
    write_changes,
)
from benyfits_data.upkeep.edition_register import prepare
from benyfits_data.upkeep.stated_values import COLUMNS, export_table, read_table, stated_values

Row = dict[str, str]


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace in which 2027 is a draft."""
    folder = tmp_path_factory.mktemp("draft") / "workspace"
    init_workspace(folder)
    use_workspace(folder)
    prepare(2027, 2026)
    yield folder
    use_workspace(None)


@pytest.fixture(autouse=True)
def _clean(draft: Path) -> Iterator[None]:
    """Take what a test wrote out of the workspace."""
    yield
    shutil.rmtree(draft / "programs")
    (draft / "programs" / "shared").mkdir(parents=True)


@pytest.fixture(scope="module")
def exported(draft: Path) -> str:
    return export_table(2027, stated_values(2027))


@pytest.fixture
def imported(
    draft: Path, exported: str, tmp_path: Path
) -> Callable[..., tuple[list[ValueUpdate], list[SpreadsheetError]]]:
    """Edits rows of the exported table and reads it back."""

    def edit(
        change: Callable[[list[Row]], None],
    ) -> tuple[list[ValueUpdate], list[SpreadsheetError]]:
        rows = list(csv.DictReader(io.StringIO(exported)))
        change(rows)
        path = tmp_path / "values.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        return find_changes(read_table(path), date(2027, 2, 1))

    return edit


def rows_of(rows: list[Row], program: str, threshold: str) -> list[Row]:
    found = [row for row in rows if (row["program"], row["threshold"]) == (program, threshold)]
    assert found
    return found


def cell(rows: list[Row], program: str, threshold: str, key: str = "value") -> Row:
    (found,) = [row for row in rows_of(rows, program, threshold) if row["key"] == key]
    return found


def sourced(rows: list[Row], day: str = "2026-11-30") -> None:
    for row in rows:
        row["source"], row["date verified"] = "Notice of the agency, January 2027", day


def test_an_untouched_export_changes_nothing(imported: Callable[..., object]) -> None:
    assert imported(lambda rows: None) == ([], [])


def test_a_new_value_with_its_source_is_the_only_change(imported) -> None:
    def edit(rows: list[Row]) -> None:
        cell(rows, "FairFaresNYC", "min_age")["value"] = "19"
        sourced(rows_of(rows, "FairFaresNYC", "min_age"))

    changes, faults = imported(edit)
    assert not faults
    assert [(it.old.name, it.new.since, it.new.stated) for it in changes] == [
        ("min_age", 2027, {"value": 19})
    ]


def test_a_new_year_of_a_shared_table_lists_who_stays_behind(imported) -> None:
    def edit(rows: list[Row]) -> None:
        sourced(rows_of(rows, "shared", "poverty_guideline 2027"))
        cell(rows, "shared", "poverty_guideline 2027", "1")["value"] = "16000"
        cell(rows, "Lifeline", "income_limit", "year")["value"] = "2027"
        sourced(rows_of(rows, "Lifeline", "income_limit"))

    changes, faults = imported(edit)
    assert not faults
    (line,) = left_behind(changes, 2027)
    assert line.startswith("poverty_guideline 2027: 9 values are of an earlier year")
    assert "TrainEarn income_limit (2025)" in line
    assert "Lifeline" not in line
    assert not list(left_behind(changes[1:], 2027))


def test_a_new_year_of_a_shared_table_is_written_under_that_year(imported) -> None:
    def edit(rows: list[Row]) -> None:
        mine = rows_of(rows, "shared", "poverty_guideline 2027")
        for row in mine:
            row["value"] = str(int(row["value"]) + 500)
        sourced(mine)

    changes, faults = imported(edit)
    assert not faults
    assert [(it.old.path.name, it.new.since) for it in changes] == [
        ("poverty_guideline.toml", 2027)
    ]


def as_amounts(rows: list[Row], sizes: range) -> Row:
    """State Fair Fares' limit by amounts instead of as a percentage."""
    row, *others = rows_of(rows, "FairFaresNYC", "income_limit")
    row |= {"unit": "dollars a year", "key": "each_additional", "value": "9,000"}
    for other in others:
        rows.remove(other)
    position = rows.index(row) + 1
    rows[position:position] = [row | {"key": str(n), "value": f"${n}5,000"} for n in sizes]
    sourced(rows_of(rows, "FairFaresNYC", "income_limit"))
    return row


def test_a_percentage_without_its_parts_becomes_a_table(imported) -> None:
    changes, faults = imported(lambda rows: as_amounts(rows, range(1, 9)))
    assert not faults
    assert set(changes[0].new.stated) == {"by_size", "each_additional"}


def gap_in_amounts(rows: list[Row]) -> Row:
    row = as_amounts(rows, range(1, 9))
    rows.remove(cell(rows, "FairFaresNYC", "income_limit", "4"))
    return row


def faulty_amount_of_a_percentage(rows: list[Row]) -> Row:
    row = rows_of(rows, "FairFaresNYC", "income_limit")[0]
    rows.insert(rows.index(row) + 1, row | {"key": "3", "value": "1", "unit": "dollars a year"})
    return row


def faulty_unit(rows: list[Row]) -> Row:
    row = cell(rows, "NYCFreeTaxPrep", "limit_with_dependents")
    row["unit"] = "dollars a month"
    return row


def faulty_table(rows: list[Row]) -> Row:
    mine = rows_of(rows, "shared", "poverty_guideline 2027")
    sourced(mine)
    cell(rows, "shared", "poverty_guideline 2027", "5")["value"] = "20000"
    return mine[0]


def missing_size(rows: list[Row]) -> Row:
    mine = rows_of(rows, "shared", "poverty_guideline 2027")
    sourced(mine)
    rows.remove(mine[3])
    return mine[0]


def missing_additional(rows: list[Row]) -> Row:
    mine = rows_of(rows, "shared", "poverty_guideline 2027")
    rows.remove(mine[-1])
    return mine[0]


def unknown_table(rows: list[Row]) -> Row:
    row = cell(rows, "FairFaresNYC", "income_limit", "percent_of")
    row["value"] = "poverty_line"
    sourced(rows_of(rows, "FairFaresNYC", "income_limit"))
    return row


def another_part(rows: list[Row], key: str, value: str) -> Row:
    """Give a percentage one more part."""
    percent = cell(rows, "FairFaresNYC", "income_limit", "percent")
    rows.insert(rows.index(percent), percent | {"key": key, "unit": key, "value": value})
    sourced(rows_of(rows, "FairFaresNYC", "income_limit"))
    return rows_of(rows, "FairFaresNYC", "income_limit")[0]


def table_of_the_past(rows: list[Row]) -> Row:
    mine = rows_of(rows, "shared", "poverty_guideline 2025")
    mine[-1]["value"] = "5600"
    sourced(mine)
    return mine[0]


def published_edition(rows: list[Row]) -> Row:
    for row in rows:
        row["edition"] = "2026"
    return rows[0]


def twice(rows: list[Row]) -> Row:
    row = cell(rows, "FairFaresNYC", "min_age") | {"value": "19"}
    rows.append(row)
    return row


def lowest_age(rows: list[Row], column: str, typed: str) -> Row:
    """Type into one cell of Fair Fares' lowest age; a new number comes with its source."""
    row = cell(rows, "FairFaresNYC", "min_age")
    row[column] = typed
    if typed in ("18.5", "70"):
        sourced([row])
    return row


FAULTS: list[tuple[Callable[[list[Row]], Row], str]] = [
    (faulty_amount_of_a_percentage, "is a percentage and amounts"),
    (gap_in_amounts, "lacks size 4"),
    (faulty_unit, "unit is 'dollars a month', expected 'dollars a year'"),
    (faulty_table, "Tables rise with size"),
    (missing_size, "lacks the rows 4"),
    (missing_additional, "lacks the rows each_additional"),
    (unknown_table, "percentage of poverty_line of 2026"),
    (partial(another_part, key="rounding", value="to the floor"), "rounding is 'to the floor'"),
    (partial(another_part, key="sizes", value="8 to 1"), "sizes is [8, 1]"),
    (table_of_the_past, "is used by published edition 2026"),
    (published_edition, "is no draft"),
    (twice, "stood in a row above"),
    *(
        (partial(lowest_age, column=column, typed=typed), says)
        for column, typed, says in (
            ("source", "", "has no source"),
            ("value", "19", "still the source and day of the old one"),
            ("date verified", "2019-02-03", "is earlier than"),
            ("date verified", "2027-02-02", "2027-02-02 is after today, 2027-02-01"),
            ("date verified", "January", "'January' is no day"),
            ("value", "eighteen", "'eighteen' is no number"),
            ("value", "9" * 400, "is no number"),
            ("value", "18.5", "Write a whole number"),
            ("value", "70", "min_age, 70, is above max_age, 64"),
            ("program", "FairFares", "Did you mean FairFaresNYC?"),
            ("threshold", "least_age", "has no threshold 'least_age'"),
        )
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("plant", "says"), FAULTS, ids=[says for _, says in FAULTS])
def test_a_planted_fault_is_reported_with_its_row(plant, says, imported) -> None:
    where: list[int] = []

    def edit(rows: list[Row]) -> None:
        row = plant(rows)
        where.append(rows.index(row) + 2)

    _, faults = imported(edit)
    assert [it.facts["row"] for it in faults if says in str(it)] == where


def test_a_fault_in_a_table_is_not_reported_again_where_the_table_is_used(imported) -> None:
    def edit(rows: list[Row]) -> None:
        cell(rows, "FairFaresNYC", "income_limit", "year")["value"] = "2027"
        sourced(rows_of(rows, "FairFaresNYC", "income_limit"))
        faulty_table(rows)

    assert len(imported(edit)[1]) == 1


def test_a_table_without_its_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    path.write_text("program,value\nFairFaresNYC,3\n", encoding="utf-8")
    with pytest.raises(SpreadsheetError, match="lacks the columns edition, threshold"):
        read_table(path)


def test_semicolons_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    header = ";".join(COLUMNS)
    path.write_text(f"\ufeff{header}\n2027;A;b;value;1;years;x;2027-01-01;\n", encoding="utf-8")
    assert read_table(path)[0].unit == "years"


def test_rows_are_counted_as_spreadsheets_count_them(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    row = '2027,A,b,value,1,years,x,2027-01-01,"two\nlines"\n'
    path.write_text(",".join(COLUMNS) + "\n" + row + "\n" + row, encoding="utf-8")
    assert [line.row for line in read_table(path)] == [2, 4]


def test_no_cell_looks_like_a_day_that_is_none(exported: str) -> None:
    # Spreadsheet programs turn `1-8` into a day of January.
    sizes = [row for row in csv.DictReader(io.StringIO(exported)) if row["key"] == "sizes"]
    assert sizes
    assert all(re.fullmatch(r"\d+ to \d+", row["value"]) for row in sizes)


def test_writing_keeps_comments_and_every_other_line(draft: Path, imported, tmp_path: Path) -> None:
    def edit(rows: list[Row]) -> None:
        cell(rows, "FairFaresNYC", "min_age")["value"] = "19"
        sourced(rows_of(rows, "FairFaresNYC", "min_age"))

    changes, _ = imported(edit)
    path = writable(changes[0].old.path)
    assert path.is_relative_to(draft)
    before = path.read_text(encoding="utf-8")
    path.write_text(f"# kept\n{before}", encoding="utf-8")
    text = changed_text(path, changes)
    added = (
        '[min_age.2027]\nvalue = 19\nsource = "Notice of the agency, January 2027"\n'
        "verified = 2026-11-30\n\n"
    )
    assert added in text
    assert text.replace(added, "") == f"# kept\n{before}"


@pytest.mark.slow
def test_a_value_stated_by_the_draft_is_replaced_in_place(draft: Path, imported) -> None:
    def edit(value: str) -> Callable[[list[Row]], None]:
        def change(rows: list[Row]) -> None:
            cell(rows, "FairFaresNYC", "min_age")["value"] = value
            sourced(rows_of(rows, "FairFaresNYC", "min_age"))

        return change

    changes, _ = imported(edit("19"))
    packaged = changes[0].old.path
    before = packaged.read_text(encoding="utf-8")
    (path,) = write_changes(changes)
    assert path == draft / "programs" / "fair_fares_nyc" / "thresholds.toml"
    again, faults = imported(edit("20"))
    assert not faults
    assert write_changes(again) == [path]
    text = path.read_text(encoding="utf-8")
    assert packaged.read_text(encoding="utf-8") == before
    assert text.count("[min_age.2027]") == 1
    assert "value = 20" in text


def test_no_file_changes_when_one_cannot_be_written(draft: Path, imported, monkeypatch) -> None:
    from benyfits_data.upkeep import changes as module

    def edit(rows: list[Row]) -> None:
        sourced(rows_of(rows, "FairFaresNYC", "min_age"))
        sourced(rows_of(rows, "IDNYC", "min_age"))

    changes, _ = imported(edit)
    paths = [writable(it.old.path) for it in changes]
    before = [path.read_text(encoding="utf-8") for path in paths]
    write = module.write_atomically
    written: list[Path] = []

    def fail_at_the_second(path: Path, content: str) -> None:
        if len(written) == 1:
            raise OSError("no space left on the device")
        written.append(path)
        write(path, content)

    monkeypatch.setattr(module, "write_atomically", fail_at_the_second)
    with pytest.raises(OSError, match="no space"):
        write_changes(changes)
    assert written[0].name == paths[0].name
    assert [path.read_text(encoding="utf-8") for path in paths] == before
