"""Tables as spreadsheet programs and the city's page save them."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from benyfits_data.errors import BenyfitsError, why_unreadable


def read_csv(
    path: Path, columns: Sequence[str], error: type[BenyfitsError], advice: str
) -> list[tuple[int, dict[str, str]]]:
    """Return the rows of a table with their numbers, blank ones left out, cells without blanks.

    Commas and semicolons are understood as separators. Columns are named in small letters, with
    `_` between words.

    Args:
        path: The file.
        columns: What it has to have.
        error: What is raised of a file that cannot be read, or lacks a column.
        advice: What to do then.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cause:
        says = f"{path} cannot be read: {why_unreadable(cause)}. {advice}"
        raise error(says, path=path) from cause
    csv.field_size_limit(10_000_000)
    header, _, _ = text.partition("\n")
    lines = csv.reader(io.StringIO(text), delimiter=";" if ";" in header else ",")
    names = [re.sub(r"[^a-z0-9]+", "_", cell.lower()).strip("_") for cell in next(lines, [])]
    if missing := [name for name in columns if name not in names]:
        raise error(
            f"{path}: row 1 lacks the columns {', '.join(missing)}; found {', '.join(names)}. "
            f"{advice}",
            path=path,
            row=1,
        )
    rows = []
    # Records are counted, not lines: a cell may hold several lines of text.
    for number, line in enumerate(lines, start=2):
        cells = [cell.strip() for cell in line]
        if any(cells):
            padded = [*cells, *[""] * len(names)]
            rows.append((number, dict(zip(names, padded, strict=False))))
    return rows
