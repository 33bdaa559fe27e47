"""The editions commands: what they print, what they refuse, how they exit."""

import csv
import io
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS, edition_years
from tests.commands import invoke


def test_every_edition_is_listed() -> None:
    lines = invoke("editions", "list").stdout.splitlines()
    years = [int(line.split()[0]) for line in lines if line[:4].isdecimal()]
    assert years == list(edition_years())


def test_status_tells_a_line_a_program_and_counts_them() -> None:
    result = invoke("editions", "status", "2026")
    assert len(result.stdout.splitlines()) == 83
    assert "edition 2026, text: " in result.stderr
    assert "edition 2026, values: " in result.stderr


def test_stale_leaves_out_what_was_looked_at() -> None:
    everything, stale = (
        invoke("editions", "status", "2026").stdout,
        invoke("editions", "status", "2026", "--stale").stdout,
    )
    assert 0 < len(stale.splitlines()) < len(everything.splitlines())
    assert all("\tnot read\t" in line or "as of 2024: " in line for line in stale.splitlines()[1:])


@pytest.mark.parametrize("year", EDITIONS)
def test_the_export_holds_every_threshold_with_its_source(year: int) -> None:
    rows = list(csv.DictReader(io.StringIO(invoke("editions", "export", str(year)).stdout)))
    assert len(rows) > 300
    assert all(row["source"] and row["date verified"] and row["unit"] for row in rows)
    assert {row["edition"] for row in rows} == {str(year)}


def test_a_year_nobody_prepared_is_refused() -> None:
    result = invoke("editions", "export", "2040")
    assert result.exit_code == 1
    assert "There is no edition 2040" in result.stderr


def test_an_import_into_a_published_edition_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    assert invoke("editions", "export", "2024", "--output", str(path)).exit_code == 0
    result = invoke("editions", "import", str(path))
    assert result.exit_code == 1
    assert "row 2: edition 2024 is no draft" in result.stderr
    assert result.stdout == ""
