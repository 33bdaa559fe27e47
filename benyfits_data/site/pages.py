"""Builds the site: pages, scripts and data, in files that a browser opens without a server."""

import csv
import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jinja2
from markupsafe import Markup

from benyfits_data.dataset.json_lines import parse_object
from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import EDITIONS, Edition, Program, load_edition
from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.errors import DatasetFormatError
from benyfits_data.evaluation.results.frames import ERRORS
from benyfits_data.evaluation.results.paper_table import read_paper
from benyfits_data.evaluation.results.result_tables import all_tables
from benyfits_data.evaluation.results.results_page import draw_scores
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.language.source import Source
from benyfits_data.site.household_pages import write_households
from benyfits_data.site.page_scripts import TOOLS, write_scripts
from benyfits_data.site.site_writer import SearchEntry, Site, prose
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
            (
                household,
                str(measured["percentile"]),
                "; ".join(measured["weighs_most"]).replace("_", " "),
            )
            for household, measured in believed.items()
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
        addresses = []
        if {"program", "title"} <= set(header):
            code = header.index("program")
            addresses = [f"programs/{row[code]}.html" for row in rows]
            header, *rows = [row[:code] + row[code + 1 :] for row in (header, *rows)]
        title = path.stem.removeprefix(prefix).replace("_", " ").replace(".", " ").capitalize()
        table = shown_table(title, [name.replace("_", " ") for name in header], rows)
        return table | ({"linked": header.index("title"), "to": addresses} if addresses else {})


def shown_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
) -> dict[str, Any]:
    """Return a table as the templates show it: which columns hold numbers, what is a link.

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


def write_programs(site: Site, editions: Mapping[int, Edition]) -> None:
    """Write one page a program, editions side by side, and the list of all."""
    names = sorted({name for edition in editions.values() for name in edition})
    listed = []
    for name in names:
        in_force = {year: rules.program(name) for year, rules in editions.items() if name in rules}
        program = next(reversed(in_force.values()))
        thresholds = {
            key: {year: _amount(one, key) for year, one in in_force.items()}
            for one in in_force.values()
            for key in one.thresholds.names()
        }
        address = f"programs/{name}.html"
        site.page(
            address,
            "program",
            program.title,
            program=program,
            editions={year: _texts(one) for year, one in in_force.items()},
            thresholds=thresholds,
        )
        listed.append((address, program, list(in_force)))
        words = f"{program.agency} {program.category} {program.plain()}"
        site.entries.append(SearchEntry("program", f"{program.title} ({name})", address, words))
    site.page("programs.html", "programs", "Programs", listed=listed)


def _texts(program: Program) -> dict[str, Any]:
    """Return what a page shows of a program in one edition."""
    source = Source.of(program.checker)
    return {
        "decided": prose(program.requirements()),
        "plain": prose(program.plain()),
        "readings": program.readings,
        "ended": program.ended,
        "sources": program.sources,
        "trust": program.sources and program.sources.trust(program.edition, len(program.readings)),
        "checker": "\n".join(
            source.text.splitlines()[source.first_line - 1 : source.node.end_lineno]
        ),
        "first_line": source.first_line,
    }


def _amount(program: Program, name: str) -> dict[str, Any] | None:
    """Return a threshold as a page shows it; `None` where the edition has none of that name."""
    if name not in program.thresholds.names():
        return None
    entry = program.thresholds.entry(name)
    value = entry.value
    if isinstance(value, SizeTable):
        shown = "; ".join(f"{size}: {amount:,}" for size, amount in value.rows.items())
        if value.each_additional is not None:
            shown += f"; each further person {value.each_additional:,}"
    elif isinstance(value, bool):
        shown = "yes" if value else "no"
    elif isinstance(value, date):
        shown = str(value)
    else:
        shown = f"{value:,}"
    return {"shown": shown, "unit": entry.unit, "source": entry.source, "verified": entry.verified}


def write_results(site: Site, runs: Sequence[Run], fragments: Sequence[Markup]) -> None:
    """Write the page of scores and of differences between editions.

    Args:
        site: Takes the page.
        runs: Evaluation runs; without any, what was built before is shown.
        fragments: Results and differences that were written before.
    """
    values: dict[str, Any] = {"picture": None, "tables": [], "fragments": fragments}
    if runs:
        paper = read_paper()
        picture = draw_scores(runs, paper)
        tables = all_tables(runs, paper, incomplete=True)
        values = {
            "picture": Markup(picture[picture.index("<svg") :]),
            "tables": [
                shown_table(table.title, table.header, table.rows, table.note) for table in tables
            ],
            "fragments": [
                fragment for fragment in fragments if "Agents and their scores" not in fragment
            ],
        }
    site.page("results.html", "results", "Results", kinds=ERRORS, **values)
    site.entries.append(
        SearchEntry("results", "Scores of agents", "results.html", "F1 turns errors")
    )


def write_dialogs(
    site: Site, runs: Sequence[Run], households: Container[str], editions: Mapping[int, Edition]
) -> None:
    """Write one page a dialog, the list of all with what to filter by, and what was said.

    Args:
        site: Takes the pages.
        runs: Evaluation runs.
        households: Those that have a page.
        editions: Rules by year.
    """
    titles = {name: program.title for rules in editions.values() for name, program in rules.items()}
    listed, said = [], []
    for number, run in enumerate(runs):
        for dialog in run.dialogs:
            address = f"dialogs/{number}-{dialog.household}-{dialog.trial}.html"
            title = f"{dialog.household}, {run.title}"
            has_page = dialog.household in households
            over = None if dialog.par is None else len(dialog.turns) - dialog.par
            values = {"run": run, "dialog": dialog, "over": over, "kinds": ERRORS, "titles": titles}
            site.page(address, "dialog", title, has_page=has_page, **values)
            listed.append((address, run, dialog, over, sorted(set(dialog.errors.values()))))
            said.append(" ".join(f"{turn.question} {turn.answer}" for turn in dialog.turns).lower())
            site.entries.append(SearchEntry("dialog", title, address))
    kinds = {kind: says for kind, says in ERRORS.items() if any(kind in row[-1] for row in listed)}
    site.page("dialogs.html", "dialogs", "Dialogs", listed=listed, kinds=kinds)
    site.script("dialogs-said.js", "SAID", said)


KINDS = {
    "Start": ("README", "tutorial-evaluate"),
    "How-to guides": (*("models", "new-year", "add-program", "release", "studies", "judge-code"),),
    "Reference": (*("commands", "library", "metrics", "dataset", "program-folder", "language"),),
    "Explanation": ("benchmark", "diverse", "population", "paper", "screen", "architecture"),
    "Log": ("measurements",),
}
"""The documents by kind, in the order of reading."""
_SAYS = {
    "city": "Who may claim what in the synthetic city, as shares of its households with 95% "
    "intervals (low, high), and how far the city is from published figures. The name of a program "
    "leads to its clauses, sources and open questions.",
    "mutants": "Each checker was changed by one plausible mistake at a time. How many of these "
    "wrong checkers does a data set notice, since one of its households gets another answer? Above "
    "them: lines, branches, and conditions that decide alone both ways (independence pairs).",
}


def build_site(
    write: Callable[[str, str], None],
    outputs: Sequence[Path],
    runs: Sequence[Run] = (),
    floors: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Write a static site, which needs neither server nor network.

    Args:
        write: Called with each file's path below the site's root and its text.
        outputs: Folders that hold what was built; of each, its datasets become pages.
        runs: Evaluation runs, whose dialogs become pages.
        floors: The fewest questions of each row, by its id; rows may lack it.
    """
    editions = {year: load_edition(year) for year in EDITIONS}
    rows, plausibility = [], dict[str, dict[str, Any]]()
    for folder in outputs:
        for path in sorted(folder.glob("*.manifest.json")):
            manifest = json.loads(path.read_text(encoding="utf-8"))
            plausibility |= manifest.get("plausibility", {}).get("households", {})
            data = path.with_name(f"{manifest['name']}.jsonl")
            rows += [(data.stem, row) for row in read_rows(data)] if data.exists() else []
    first, *others = map(find_contents, outputs)
    first["sections"] += [section for other in others for section in other["sections"]]
    has_results = bool(runs or first["fragments"])
    site = Site(write)
    site.parts = {
        "programs.html": ("Programs", "Rules with sources, amounts, readings, both editions."),
        "households.html": ("Households", "Facts, verdicts and what decided them."),
        **({"results.html": ("Results", "Scores of agents, errors.")} if has_results else {}),
        **({"dialogs.html": ("Dialogs", "Every question and answer of the runs.")} if runs else {}),
        **{f"{name}.html": (part["title"], _SAYS[name]) for name, part in first["parts"].items()},
        **{f"{name}.html": says for name, says in TOOLS.items()},
        "docs/README.html": ("Documents", "How all of it works."),
    }
    write_programs(site, editions)
    write_households(site, rows, plausibility, floors, editions)
    if has_results:
        write_results(site, runs, first["fragments"])
    if runs:
        write_dialogs(site, runs, {row.id for _, row in rows}, editions)
    for name, part in first["parts"].items():
        address, (title, says) = f"{name}.html", site.parts[f"{name}.html"]
        site.page(address, "part", title, says=says, part=part)
        words = " ".join(table["title"] for table in part["csv"])
        site.entries.append(SearchEntry("figures", title, address, words))
    write_scripts(site, editions, [row for _, row in rows], floors)
    _write_documents(site)
    site.page("index.html", "index", "BeNYfits", contents=first)
    site.script("search-data.js", "FOUND", [list(vars(entry).values()) for entry in site.entries])


def _write_documents(site: Site) -> None:
    """Write the documents of the repository, or of the installed package; they link each other."""
    package = Path(__file__).parents[1]
    carried = package / "_docs"
    root = carried if carried.is_dir() else package.parent
    files = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    texts = {path.name: path.read_text(encoding="utf-8") for path in files}
    pages = {name: f"{Path(name).stem}.html" for name in texts}
    titles = {name: text.removeprefix("# ").split("\n")[0] for name, text in texts.items()}
    listed = {
        kind: {f"{stem}.html": titles[f"{stem}.md"] for stem in stems if f"{stem}.md" in texts}
        for kind, stems in KINDS.items()
    }
    for name, text in texts.items():
        shown = text.partition("\n")[2]
        for other, page in pages.items():
            for before in ("(docs/", "(../", "("):
                shown = shown.replace(f"{before}{other}", f"({page}")
        address, body = f"docs/{pages[name]}", prose(shown)
        site.page(address, "document", titles[name], body=body, kinds=listed)
        site.entries.append(SearchEntry("document", titles[name], address, text))
