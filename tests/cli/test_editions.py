"""The editions commands: what they print, what they refuse, how they exit."""

import csv
import io
from pathlib import Path

import pytest

from benyfits_data.editions import EDITIONS
from tests.commands import invoke


def test_status_tells_a_line_a_program_and_counts_them() -> None:
    result = invoke("editions", "status", "2026")
    assert len(result.stdout.splitlines()) == 83
    assert "edition 2026, text: " in result.stderr
    assert "edition 2026, values: " in result.stderr
    assert "to watch: SeniorCitizenRentIncreaseExemption" in result.stderr


def test_amounts_tell_the_guideline_and_the_day_of_each() -> None:
    rows = [line.split("\t") for line in invoke("editions", "amounts", "2026").stdout.splitlines()]
    fair_fares = next(row for row in rows if row[0] == "FairFaresNYC")
    assert fair_fares[2:5] == ["150% of poverty_guideline 2026", "23,940", "2026-11-30"]
    assert len({row[2] for row in rows if "poverty_guideline 2025" in row[2]}) == 2


@pytest.mark.parametrize("year", EDITIONS)
def test_the_export_holds_every_threshold_with_its_source(year: int) -> None:
    rows = list(csv.DictReader(io.StringIO(invoke("editions", "export", str(year)).stdout)))
    assert len(rows) > 300
    assert all(row["source"] and row["date verified"] and row["unit"] for row in rows)
    assert {row["edition"] for row in rows} == {str(year)}


def test_an_import_into_a_published_edition_is_refused_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "values.csv"
    assert invoke("editions", "export", "2024", "--output", str(path)).exit_code == 0
    result = invoke("editions", "import", str(path))
    assert result.exit_code == 1
    assert "row 2: edition 2024 is no draft" in result.stderr
    assert result.stdout == ""
