"""Households as tables that spreadsheets and data frames hold: one row a member, CSV or Parquet.

The column `household` says which rows belong together; columns are named after features, in any
order. A household's own facts may stand in its first row only; an empty cell tells nothing.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benyfits_data.errors import DatasetFormatError, MissingExtraError, install_line
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES

_KEY = "household"


def read_member_table(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give each household of a table as the facts that a row of JSON would hold.

    Args:
        path: A `.csv` file with a header, or a `.parquet` file.

    Yields:
        The line of the household's first member (the header is line 1), and
        `{"id": ..., "members": [...], feature: value}`.

    Raises:
        DatasetFormatError: The file cannot be read, or has no column `household`.
        MissingExtraError: Parquet is read by pyarrow, which is not installed.
    """
    frame = _frame(path)
    if _KEY not in frame.columns:
        raise DatasetFormatError(
            f"{path} has no column {_KEY!r}, expected one that says which members live together. "
            "Add it; the other columns are named after features.",
            path=path,
        )
    content: dict[str, Any] = {}
    first = 0
    for number, record in enumerate(frame.to_dict("records"), start=2):
        told = {
            name: _value(name, cell)
            for name, cell in record.items()
            if not (cell is None or cell == "" or cell != cell)
        }
        household = str(told.pop(_KEY, f"line {number}"))
        if not content or household != content["id"]:
            if content:
                yield first, content
            content, first = {"id": household, "members": []}, number
        for name in HOUSEHOLD_FEATURES.keys() & told.keys():
            content[name] = told.pop(name)
        told.pop("member", None)
        content["members"].append(told)
    if content:
        yield first, content


def _frame(path: Path) -> Any:
    import pandas as pd

    try:
        if path.suffix == ".csv":
            return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
        return pd.read_parquet(path)
    except ImportError as error:
        raise MissingExtraError(
            f"{path} is a Parquet file, which pyarrow reads. "
            f"Install it with: {install_line('parquet')}, or give CSV or JSON Lines."
        ) from error
    except (OSError, ValueError) as error:
        raise DatasetFormatError(
            f"{path} cannot be read: {error}. Give a table with a header in UTF-8.", path=path
        ) from error


def _value(name: str, cell: Any) -> Any:
    """Return a cell as the feature of its column holds it; what it is not stays as it was."""
    feature = FEATURES.get(name)
    if hasattr(cell, "item"):
        cell = cell.item()
    if feature is None or feature.kind in ("text", "choice", "date"):
        return cell
    words = str(cell).strip().lower()
    if feature.kind == "flag":
        return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(
            words, cell
        )
    try:
        number = float(words.replace(",", "").removeprefix("$"))
    except ValueError:
        return cell
    if not math.isfinite(number):
        return cell
    return number if feature.kind == "decimal" or number != int(number) else int(number)
