"""A table of results: its text, and how it is written for terminals, spreadsheets and pages."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Any

import pandas as pd

from benyfits_data.dataset import to_csv
from benyfits_data.evaluation.results import metrics

UNDEFINED = "-"
GAP = "  "


@dataclass(frozen=True)
class Table:
    """A table: a title, a header, rows of text, and what else has to be said of it.

    Attributes:
        width: Columns that it has to fit as text; as wide as its cells if 0.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    width: int = 0

    def to_csv(self) -> str:
        """Return the table as CSV."""
        return to_csv(self.header, self.rows)

    def to_markdown(self) -> str:
        """Return the table as Markdown, with its title."""
        lines = [f"### {self.title}", "", "| " + " | ".join(self.header) + " |"]
        lines.append("|" + "---|" * len(self.header))
        lines += [
            "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.rows
        ]
        return "\n".join([*lines, *(["", self.note] if self.note else [])]) + "\n"

    def to_text(self) -> str:
        """Return the table in columns for a terminal, with its title."""
        rows = (self.header, *self.rows)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        while self.width and sum(widths) + len(GAP) * (len(widths) - 1) > self.width:
            widths[widths.index(max(widths))] -= 1
        lines = (
            line for row in rows for line in zip_longest(*map(wrap, row, widths), fillvalue="")
        )
        text = [
            GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([self.title, *text, *([self.note] if self.note else [])]) + "\n"


def tabulate(
    title: str,
    columns: str | Sequence[str],
    rows: Iterable[Iterable[Any]],
    note: str = "",
    width: int = 0,
) -> Table:
    """Return a table of anything; names of columns may stand in one text, with `; ` between."""
    header = columns.split("; ") if isinstance(columns, str) else columns
    return Table(title, tuple(header), tuple(tuple(map(str, row)) for row in rows), note, width)


def figure(value: float, digits: int = 1) -> str:
    """Return a figure with so many decimals, or a dash where there is none."""
    return UNDEFINED if math.isnan(value) else f"{value:.{digits}f}"


def cell(pairs: pd.DataFrame, statistic: metrics.Statistic = metrics.f1) -> str:
    """Return a score of some pairs with its interval, or a dash without any."""
    return UNDEFINED if pairs.empty else range_of(metrics.bootstrap(pairs, statistic))


def range_of(interval: metrics.Interval) -> str:
    """Return a score with its interval, where it has one."""
    if math.isnan(interval.value) or math.isnan(interval.low):
        return figure(interval.value)
    return f"{figure(interval.value)} ({figure(interval.low)} to {figure(interval.high)})"
