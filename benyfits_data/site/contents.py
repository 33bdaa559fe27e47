"""What lies in output folders, as pages show it: sets, tables, results that were written before."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from markupsafe import Markup

from benyfits_data.dataset.json_lines import parse_object
from benyfits_data.dataset.rows import read_rows
from benyfits_data.errors import DatasetFormatError
from benyfits_data.templating import templates

PARTS = {
    "city": (
        "The city",
        "How many households of a synthetic New York may claim each program.",
        "Who may claim what in the synthetic city, as shares of its households with 95% intervals "
        "(low, high), and how far the city is from published figures. The name of a program leads "
        "to its clauses, sources and open questions.",
    ),
    "mutants": (
        "Wrong checkers",
        "Mistakes planted into the rules, and how many of them the households reveal.",
        "Each checker was changed by one plausible mistake at a time. How many of these wrong "
        "checkers does a data set notice, since one of its households gets another answer? Above "
        "them: lines, branches, and conditions that decide alone both ways (independence pairs).",
    ),
}
"""Pages of tables that belong to no dataset: title, what is there in few words, and on the page.

Files whose names begin so stand there, all others in the first.
"""
_NUMBER = re.compile(r"-?\d+(\.\d*)?|")
_YEARS = ("edition", "year")
"""How the names of columns end whose numbers are years, and have no separator of thousands."""
_BARS = ("share", "programs")
"""The columns whose figures are drawn as bars, too, as long as they are large."""


def find_contents(folders: Sequence[Path], titles: Mapping[str, str]) -> dict[str, Any]:
    """Return what was built, as the templates show it, the newest edition first.

    Every `NAME.manifest.json` brings a section with the rows and tables (`NAME.*.csv`) beside it;
    tables that belong to no dataset, and the fragments of `fragments/*.html` (evaluation results),
    follow.

    Args:
        folders: What holds the files that were built: one for all, one for each edition.
        titles: The titles of programs by name, by which tables name them.

    Raises:
        DatasetFormatError: A file is not what its name says.
    """
    sections, fragments = list[dict[str, Any]](), list[Markup]()
    parts: dict[str, list[dict[str, Any]]] = {}
    for folder in sorted(folders, reverse=True):
        manifests = sorted(folder.glob("*.manifest.json"))
        sections += [_dataset(path, titles) for path in manifests]
        ours = tuple(f"{path.name.split('.')[0]}." for path in manifests)
        edition = f", {folder.name}" if folder.name.isdecimal() else ""
        for path in sorted(folder.glob("*.csv")):
            if not path.name.startswith(ours):
                begins = path.name.split(".")[0]
                table = _table(path, titles)
                table["title"] += edition
                parts.setdefault(begins if begins in PARTS else "city", []).append(table)
        for path in sorted(folder.glob("fragments/*.html")):
            with _shown(path):
                fragments.append(Markup(path.read_text(encoding="utf-8")))
    sections.sort(key=lambda section: -section["edition"])
    return {"sections": sections, "parts": parts, "fragments": fragments}


@contextmanager
def _shown(path: Path) -> Iterator[None]:
    """Say of a file that cannot be shown which one it is.

    Raises:
        DatasetFormatError: The file is not what its name says.
    """
    try:
        yield
    except DatasetFormatError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError, csv.Error, TemplateError) as error:
        raise DatasetFormatError(
            f"{path} cannot be shown: {str(error)[:120]}. Build it again, or take it away.",
            path=path,
        ) from error


def _dataset(path: Path, titles: Mapping[str, str]) -> dict[str, Any]:
    """Return what pages tell of the dataset of a manifest, and its rows."""
    folder, name = path.parent, path.name.split(".")[0]
    data = folder / f"{name}.jsonl"
    with _shown(path):
        manifest = parse_object(path.read_text(encoding="utf-8"), path, 1)
        facts = templates(Path(__file__).parent / "templates").get_template("facts.jinja")
        return {
            "name": name,
            "title": name.capitalize(),
            "edition": int(manifest["edition"]),
            "facts": Markup(facts.render(manifest=manifest)),
            "plausibility": dict(manifest.get("plausibility", {}).get("households", {})),
            "rows": read_rows(data) if data.exists() else [],
            "tables": [
                _table(table, titles, f"{name}.") for table in sorted(folder.glob(f"{name}.*.csv"))
            ],
        }


def _table(path: Path, titles: Mapping[str, str], prefix: str = "") -> dict[str, Any]:
    """Return a CSV file as the templates show a table; programs go by their titles."""
    with _shown(path):
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        columns = [name for name in header if name != "title" or "program" not in header]
        named = [dict(zip(header, row, strict=True)) for row in rows]
        cells = [[titles.get(row[name], row[name]) for name in columns] for row in named]
        title = path.stem.removeprefix(prefix).replace("_", " ").replace(".", " ").capitalize()
        table = shown_table(title, [name.replace("_", " ") for name in columns], cells)
        if "program" in columns:
            names = [row["program"] for row in named]
            table["linked"] = columns.index("program")
            table["to"] = [f"programs/{name}.html" if name in titles else "" for name in names]
        return table


def shown_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
) -> dict[str, Any]:
    """Return a table as the templates show it: which columns hold numbers, bars, what is a link.

    Raises:
        ValueError: A row is longer or shorter than the header.
    """
    columns = dict(enumerate(zip(header, *rows, strict=True)))
    numeric = [bool(rows) and all(map(_NUMBER.fullmatch, each)) for _, *each in columns.values()]
    bars = {
        at: [float(cell or 0) / (max(float(cell or 0) for cell in cells) or 1) for cell in cells]
        for at, (name, *cells) in columns.items()
        if name in _BARS and numeric[at]
    }
    counted = [
        right and not name.endswith(_YEARS) for name, right in zip(header, numeric, strict=True)
    ]
    return {
        "title": title,
        "header": header,
        "numeric": numeric,
        "bars": bars,
        "rows": [
            [
                _grouped(cell) if is_number else cell
                for cell, is_number in zip(row, counted, strict=True)
            ]
            for row in rows
        ],
        "note": note,
        "linked": None,
        "to": [],
    }


def _grouped(number: str) -> str:
    whole, point, rest = number.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole else ""
