"""CSV files as HTML tables."""

import csv
from pathlib import Path

from markupsafe import Markup, escape


def read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def to_html(header: list[str], rows: list[list[str]]) -> Markup:
    """Return a table in which columns of numbers are aligned to the right."""
    numeric = [
        bool(rows) and all(_is_number(row[column]) for row in rows) for column in range(len(header))
    ]
    heads = Markup("").join(
        _cell("th", name.replace("_", " "), right)
        for name, right in zip(header, numeric, strict=True)
    )
    body = Markup("").join(
        Markup("<tr>{}</tr>\n").format(
            Markup("").join(
                _cell("td", _grouped(value) if right else value, right)
                for value, right in zip(row, numeric, strict=True)
            )
        )
        for row in rows
    )
    return Markup("<table><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table>").format(
        heads, body
    )


def _cell(tag: str, text: str, right: bool) -> Markup:
    return Markup("<{}{}>{}</{}>").format(
        Markup(tag), Markup(' class="number"') if right else "", escape(text), Markup(tag)
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text == ""
    return True


def _grouped(text: str) -> str:
    whole, point, rest = text.partition(".")
    if not whole.lstrip("-").isdecimal():
        return text
    return f"{int(whole):,}" + point + rest if abs(int(whole)) >= 10_000 else text
