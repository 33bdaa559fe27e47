"""One self-contained page from whatever lies in the output folder."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from benyfits_data.report.html_tables import read_table, to_html
from benyfits_data.version import __version__

TEMPLATES = Path(__file__).parent / "templates"
_EXAMPLES = 3
_NAMES = {"diverse": "Diverse", "representative": "Representative"}


@dataclass(frozen=True)
class DatasetSection:
    """What the page tells of one dataset.

    Attributes:
        name: `diverse` or `representative`.
        title: The name as a heading.
        manifest: The manifest as read.
        pictures: Titles and SVG of its pictures.
        tables: Titles and HTML of its tables.
        rows: Its first rows, profile and answers, to read.
    """

    name: str
    title: str
    manifest: dict[str, Any]
    pictures: list[Markup]
    tables: list[tuple[str, Markup]]
    rows: list[dict[str, Any]]


def build_page(*folders: Path) -> str:
    """Return the report page as HTML.

    Every `NAME.manifest.json` brings a section with the pictures (`NAME.*.svg`) and tables
    (`NAME.*.csv`) beside it; pictures and tables that belong to no dataset, and the fragments of
    `fragments/*.html` (evaluation results, differences of editions), follow.

    Args:
        folders: What holds the files that were built; of two of one name, the last one's counts.
    """
    sections = [
        _dataset(folders, path.name.removesuffix(".manifest.json"))
        for path in _found(folders, "*.manifest.json")
    ]
    names = tuple(f"{section.name}." for section in sections)
    return _template().render(
        version=__version__,
        sections=sections,
        pictures=[
            _svg(path) for path in _found(folders, "*.svg") if not path.name.startswith(names)
        ],
        tables=[
            (_title(path.stem), to_html(*read_table(path)))
            for path in _found(folders, "*.csv")
            if not path.name.startswith(names)
        ],
        fragments=[
            Markup(path.read_text(encoding="utf-8")) for path in _found(folders, "fragments/*.html")
        ],
    )


def _found(folders: Sequence[Path], pattern: str) -> list[Path]:
    found = {path.relative_to(folder): path for folder in folders for path in folder.glob(pattern)}
    return [found[name] for name in sorted(found)]


def _dataset(folders: Sequence[Path], name: str) -> DatasetSection:
    [manifest] = _found(folders, f"{name}.manifest.json")
    return DatasetSection(
        name=name,
        title=_NAMES.get(name, name),
        manifest=json.loads(manifest.read_text(encoding="utf-8")),
        pictures=[_svg(path) for path in _found(folders, f"{name}.*.svg")],
        tables=[
            (_title(path.stem.removeprefix(f"{name}.")), to_html(*read_table(path)))
            for path in _found(folders, f"{name}.*.csv")
        ],
        rows=[row for path in _found(folders, f"{name}.jsonl") for row in _first_rows(path)],
    )


def _first_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for _, line in zip(range(_EXAMPLES), file, strict=False)]


def _svg(path: Path) -> Markup:
    text = path.read_text(encoding="utf-8")
    return Markup(text[text.index("<svg") :])


def _title(stem: str) -> str:
    return stem.replace("_", " ").replace(".", " ").capitalize()


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.jinja")
