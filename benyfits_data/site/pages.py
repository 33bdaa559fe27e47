"""Builds the site: pages, scripts and data, in files that a browser opens without a server."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import EDITIONS, Edition, Program, load_edition
from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.evaluation.results.all_tables import all_tables
from benyfits_data.evaluation.results.dialog_tables import ERRORS
from benyfits_data.evaluation.results.results_page import draw_scores
from benyfits_data.evaluation.results.runs import Run, read_paper
from benyfits_data.language.source import Source
from benyfits_data.site.built_contents import find_contents, shown_table
from benyfits_data.site.household_pages import write_households
from benyfits_data.site.page_scripts import TOOLS, write_scripts
from benyfits_data.site.site_writer import SearchEntry, Site, prose


def write_programs(site: Site, editions: Mapping[int, Edition]) -> None:
    """Write one page a program, editions side by side, and the list of all."""
    names = sorted({name for edition in editions.values() for name in edition})
    listed = []
    for name in names:
        in_force = {year: it.program(name) for year, it in editions.items() if name in it}
        program = next(reversed(in_force.values()))
        thresholds = {
            key: {year: _amount(it, key) for year, it in in_force.items()}
            for it in in_force.values()
            for key in it.thresholds.names()
        }
        address = f"programs/{name}.html"
        site.page(
            address,
            "program",
            program.title,
            program=program,
            editions={year: _texts(it) for year, it in in_force.items()},
            thresholds=thresholds,
        )
        listed.append((address, program, list(in_force)))
        words = f"{program.agency} {program.category} {program.plain()}"
        site.found.append(SearchEntry("program", f"{program.title} ({name})", address, words))
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
    site.found.append(SearchEntry("results", "Scores of agents", "results.html", "F1 turns errors"))


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
    titles = {name: it.title for rules in editions.values() for name, it in rules.items()}
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
            site.found.append(SearchEntry("dialog", title, address))
    kinds = {kind: says for kind, says in ERRORS.items() if any(kind in it[-1] for it in listed)}
    site.page("dialogs.html", "dialogs", "Dialogs", listed=listed, kinds=kinds)
    site.script("dialogs-said.js", "SAID", said)


KINDS = {
    "Start": ("README", "tutorial-evaluate"),
    "How-to guides": (*("models", "new-year", "add-program", "release", "studies", "judge-code"),),
    "Reference": (
        *("commands", "library", "agents", "metrics", "dataset", "program-folder"),
        *("language", "incomes"),
    ),
    "Explanation": (
        *("benchmark", "diverse", "city", "population", "paper", "screen", "architecture"),
    ),
    "Log": ("measurements",),
}
"""The documents by kind, in the order of reading."""
_SAYS = {
    "city": "The synthetic city that the Representative set is drawn from: who may claim "
    "what, how far it is from published figures. Tables have 95% intervals (low, high).",
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
        words = " ".join(it["title"] for it in part["csv"])
        site.found.append(SearchEntry("figures", title, address, words))
    write_scripts(site, editions, [row for _, row in rows], floors)
    _write_documents(site)
    site.page("index.html", "index", "BeNYfits", contents=first)
    site.script("search-data.js", "FOUND", [list(vars(entry).values()) for entry in site.found])


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
        site.found.append(SearchEntry("document", titles[name], address, text))
