"""What was built, as pages show it: figures, pictures and tables of the output folders."""

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from benyfits_data.dataset.json_lines import parse_object
from benyfits_data.errors import DatasetFormatError
from benyfits_data.templating import templates

_PARTS = {"city": "The city", "mutants": "Wrong checkers"}
"""Sections of what belongs to no dataset: the files whose names begin so, the others in the first.
The picture of evaluations is in their fragment already."""
_YEARS = ("edition", "year")
"""How the names of columns end whose numbers are years, and have no separator of thousands."""
_NAMES = {"diverse": "Diverse", "representative": "Representative"} | {
    "representative-25": "Representative-25",
    "thorough": "Thorough",
}


def find_contents(*folders: Path) -> dict[str, Any]:
    """Return what was built, as the templates show it.

    Every `NAME.manifest.json` brings a section with the pictures (`NAME.*.svg`) and tables
    (`NAME.*.csv`) beside it; pictures and tables that belong to no dataset, and the fragments of
    `fragments/*.html` (evaluation results, differences of editions), follow.

    Args:
        folders: What holds the files that were built; of two of one name, the last one's counts.
    """
    names = [path.name.split(".")[0] for path in _found(folders, "*.manifest.json")]
    ours = tuple(f"{name}." for name in names)
    parts: dict[str, dict[str, Any]] = {}
    for kind, show in (("svg", _svg), ("csv", _table)):
        for path in _found(folders, f"*.{kind}"):
            begins = path.name.split(".")[0]
            if not path.name.startswith((*ours, "evaluation.")):
                part = begins if begins in _PARTS else "city"
                empty = {"title": _PARTS[part], "svg": [], "csv": []}
                parts.setdefault(part, empty)[kind].append(show(path))
    fragments = _found(folders, "fragments/*.html")
    return {
        "sections": [_dataset(folders, name) for name in names],
        "parts": parts,
        "fragments": [_fragment(path) for path in fragments],
    }


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
    except (ValueError, TypeError, KeyError, csv.Error, jinja2.TemplateError) as error:
        raise DatasetFormatError(
            f"{path} cannot be shown: {str(error)[:120]}. Build it again, or take it away.",
            path=path,
        ) from error


def _found(folders: Sequence[Path], pattern: str) -> list[Path]:
    paths = {path.relative_to(folder): path for folder in folders for path in folder.glob(pattern)}
    return [paths[name] for name in sorted(paths)]


def _dataset(folders: Sequence[Path], name: str) -> dict[str, Any]:
    """Return what pages tell of one dataset."""
    [path] = _found(folders, f"{name}.manifest.json")
    with _shown(path):
        manifest = parse_object(path.read_text(encoding="utf-8"), path, 1)
        edition, facts = manifest["edition"], _show_facts(manifest)
        believed = manifest.get("plausibility", {}).get("households", {})
    tables = [_table(path, f"{name}.") for path in _found(folders, f"{name}.*.csv")]
    if believed:
        header = ("household", "less surprising, %", "what weighs most")
        lines = [
            (household, str(it["percentile"]), "; ".join(it["weighs_most"]).replace("_", " "))
            for household, it in believed.items()
        ]
        tables.append(shown_table("How believable each household is", header, lines))
    return {
        "name": name,
        "title": _NAMES.get(name, name),
        "edition": edition,
        "facts": facts,
        "svg": [_svg(path) for path in _found(folders, f"{name}.*.svg")],
        "csv": tables,
    }


def _show_facts(manifest: dict[str, Any]) -> Markup:
    template = templates(Path(__file__).parent / "templates").get_template("facts.jinja")
    return Markup(template.render(manifest=manifest))


def _svg(path: Path) -> Markup:
    with _shown(path):
        text = path.read_text(encoding="utf-8")
        name = path.name.removesuffix(".svg").replace(".", ", ").replace("_", " ")
        label = Markup('<svg role="img" aria-label="{}"').format(f"Picture: {name}")
        return label + Markup(text[text.index("<svg") + len("<svg") :])


def _fragment(path: Path) -> Markup:
    with _shown(path):
        return Markup(path.read_text(encoding="utf-8"))


def _table(path: Path, prefix: str = "") -> dict[str, Any]:
    """Return a CSV file as the templates show a table; programs with a title go by that alone."""
    with _shown(path):
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        if {"program", "title"} <= set(header):
            code = header.index("program")
            header, *rows = [row[:code] + row[code + 1 :] for row in (header, *rows)]
        title = path.stem.removeprefix(prefix).replace("_", " ").replace(".", " ").capitalize()
        return shown_table(title, [name.replace("_", " ") for name in header], rows)


def shown_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
) -> dict[str, Any]:
    """Return a table as the templates show it, and which of its columns hold numbers.

    Raises:
        ValueError: A row is longer or shorter than the header.
    """
    columns = list(zip(header, *rows, strict=True))
    numeric = [bool(rows) and all(map(_is_number, column[1:])) for column in columns]
    counted = [
        right and not name.endswith(_YEARS) for name, right in zip(header, numeric, strict=True)
    ]
    return {
        "title": title,
        "header": header,
        "numeric": numeric,
        "rows": [
            [_grouped(cell) if it else cell for cell, it in zip(row, counted, strict=True)]
            for row in rows
        ],
        "note": note,
    }


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
    return f"{int(whole):,}" + point + rest
