"""Builds the site: pages, scripts and data, in files that a browser opens without a server."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.site.built_contents import find_contents
from benyfits_data.site.household_pages import write_households
from benyfits_data.site.page_scripts import TOOLS, write_scripts
from benyfits_data.site.program_pages import write_programs
from benyfits_data.site.run_pages import write_dialogs, write_results
from benyfits_data.site.site_writer import SearchEntry, Site, prose

KINDS = {
    "Start": ("README", "tutorial-evaluate"),
    "How-to guides": (*("models", "new-year", "add-program", "release", "studies", "judge-code"),),
    "Reference": (
        *("commands", "library", "agents", "metrics", "dataset", "program-folder"),
        *("language", "incomes"),
    ),
    "Explanation": ("benchmark", "diverse", "city", "paper", "screen", "architecture"),
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
    first["sections"] += [section for it in others for section in it["sections"]]
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
