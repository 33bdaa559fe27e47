"""Every file of the site: pages, scripts, and the data that they open without a server."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from benyfits_data.dataset.rows import Row, read_rows
from benyfits_data.editions import EDITIONS, Edition, Program, load_edition
from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.constraints.derived import guard_of
from benyfits_data.household.features import FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.language.source import Source
from benyfits_data.profiles.render import render_profile
from benyfits_data.profiles.verb_forms import YOU, named_speaker
from benyfits_data.report.page import TEMPLATES as REPORT_TEMPLATES
from benyfits_data.report.page import find_contents
from benyfits_data.site.javascript import compile_edition, compile_functions
from benyfits_data.templating import templates
from benyfits_data.version import __version__

MARK = '<meta name="generator" content="benyfits-data">'
"""Stands in every page of ours."""
_HERE = Path(__file__).parent
_SCRIPTS = ("site.js", "household.js", "change.js", "play.js", "screen.js")
_DOCS = ("README.md", "CHANGELOG.md")


@dataclass(frozen=True)
class SearchEntry:
    """One entry of the search: what stands where.

    Attributes:
        kind: Program, household, dialog or document.
        title: What a reader looks for.
        address: The page, from the site's root.
        words: Further words to find it by.
    """

    kind: str
    title: str
    address: str
    words: str = ""


@dataclass
class Site:
    """The pages of a site, written one by one.

    Args:
        write: Told each file's path below the site's root and its text.
    """

    write: Callable[[str, str], None]
    found: list[SearchEntry] = field(default_factory=list)
    parts: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._templates = templates(_HERE / "templates", REPORT_TEMPLATES)
        self._templates.filters["code"] = lambda text: text.replace("_", " ")

    def page(self, address: str, template: str, title: str, **values: Any) -> None:
        """Write one page."""
        shown = self._templates.get_template(f"{template}.jinja").render(
            title=title,
            root="../" * address.count("/"),
            parts=self.parts,
            version=__version__,
            mark=Markup(MARK),
            **values,
        )
        self.write(address, shown)

    def script(self, address: str, name: str, value: Any) -> None:
        """Write data as a script that keeps it under a name of `window`: files may not fetch."""
        self.write(address, f"window.{name} = {_json(value)};\n")


def build_site(
    write: Callable[[str, str], None],
    outputs: Sequence[Path],
    runs: Sequence[Run] = (),
    docs: Path | None = None,
) -> None:
    """Write a static site, which needs neither server nor network.

    Args:
        write: Told each file's path below the site's root and its text.
        outputs: Folders that hold what was built; of each, its datasets become pages.
        runs: Evaluation runs, whose dialogs become pages.
        docs: The folder of a checkout that holds the documents; without one there are none.
    """
    editions = {year: load_edition(year) for year in EDITIONS}
    rows = [
        (path.stem, row)
        for folder in outputs
        for path in sorted(folder.glob("*.jsonl"))
        if path.with_suffix(".manifest.json").exists()
        for row in read_rows(path)
    ]
    site = Site(write)
    site.parts = [("programs.html", "Programs"), ("households.html", "Households")]
    if runs:
        site.parts += [("dialogs.html", "Dialogs")]
    site.parts += [
        ("change.html", "Change a fact"),
        ("play.html", "Play"),
        ("screen.html", "Screen"),
    ]
    if docs:
        site.parts += [("docs/README.html", "Documents")]
    _write_programs(site, editions)
    _write_households(site, rows)
    if runs:
        _write_dialogs(site, runs)
    _write_scripts(site, editions, [row for _, row in rows])
    if docs:
        _write_documents(site, docs)
    contents = find_contents(*outputs[:1])
    contents["sections"] += [
        it for folder in outputs[1:] for it in find_contents(folder)["sections"]
    ]
    site.page("index.html", "index", "BeNYfits", contents=contents)
    site.script("search-data.js", "FOUND", [list(vars(entry).values()) for entry in site.found])


def _write_programs(site: Site, editions: dict[int, Edition]) -> None:
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
        "decided": _prose(program.requirements()),
        "plain": _prose(program.plain()),
        "clauses": program.clauses,
        "readings": program.readings,
        "ended": program.ended,
        "sources": program.sources,
        "checker": "\n".join(
            source.text.splitlines()[source.first_line - 1 : source.node.end_lineno]
        ),
        "first_line": source.first_line,
        "off": set(range(source.first_line, (source.node.end_lineno or 0) + 1))
        - {source.first_line, *source.body_lines},
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


def _write_households(site: Site, rows: Sequence[tuple[str, Row]]) -> None:
    """Write one page a household, and the list of all."""
    for name, row in rows:
        people = ", ".join(
            f"{member.relation} {member.age}" if member.relation != "self" else f"{member.age}"
            for member in row.household.members
        )
        site.page(
            address := f"households/{row.id}.html",
            "household",
            row.id,
            row=row,
            set_name=name,
            topics=_facts_by_topic(row),
            facts=Markup(_json(row.household.facts())),
            profile=_prose(render_profile(row.household, "short")),
        )
        site.found.append(
            SearchEntry("household", f"{row.id}: {people}", address, " ".join(row.programs))
        )
    sets = dict.fromkeys((name, row.edition) for name, row in rows)
    listed = {title: [row for name, row in rows if (name, row.edition) == title] for title in sets}
    site.page("households.html", "households", "Households", sets=listed)


def _facts_by_topic(row: Row) -> dict[str, list[tuple[str, list[str]]]]:
    """Return the facts that are not their unremarkable value: by topic, a value a member."""
    topics: dict[str, list[tuple[str, list[str]]]] = {}
    for name, feature in FEATURES.items():
        owners = [row.household] if feature.level == "household" else [*row.household.members]
        values = [getattr(owner, name) for owner in owners]
        if name != "name" and any(value != feature.default for value in values):
            shown = [_shown(feature, value) for value in values]
            topics.setdefault(feature.topic, []).append((name.replace("_", " "), shown))
    return topics


def _shown(feature: Feature, value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if feature.unit == "dollar":
        return f"${value:,}"
    return str(value)


def _write_dialogs(site: Site, runs: Sequence[Run]) -> None:
    """Write one page a dialog, and the list of all with what to filter by."""
    listed = []
    for number, run in enumerate(runs):
        for dialog in run.dialogs:
            address = f"dialogs/{number}-{dialog.household}-{dialog.trial}.html"
            site.page(address, "dialog", f"{dialog.household}, {run.title}", run=run, dialog=dialog)
            listed.append((address, run, dialog, sorted(set(dialog.errors.values()))))
            site.found.append(SearchEntry("dialog", f"{dialog.household}, {run.title}", address))
    kinds = sorted({kind for *_, found in listed for kind in found})
    site.page("dialogs.html", "dialogs", "Dialogs", listed=listed, kinds=kinds)


def _write_scripts(site: Site, editions: dict[int, Edition], rows: Sequence[Row]) -> None:
    """Write checkers, facts and households for the pages that run them, and those pages."""
    for year, edition in editions.items():
        clauses = {name: edition.program(name).clauses for name in edition}
        titles = {name: edition.program(name).title for name in edition}
        says = {it.name: it.says for it in CONSTRAINTS.values()}
        rules = "\n".join(
            [
                f"(window.RULES = window.RULES || {{}})[{year}] = (function () {{",
                compile_edition(edition),
                compile_functions(
                    "GUARDS",
                    {
                        name: [guard_of(name, it) for it in feature.when + feature.needs]
                        for name, feature in FEATURES.items()
                        if feature.when + feature.needs
                    },
                ),
                f"const CLAUSES = {_json(clauses)};",
                f"const TITLES = {_json(titles)};",
                f"const SAYS = {_json(says)};",
                "return { check, decide, violations, PROGRAMS, GUARDS, CLAUSES, TITLES, SAYS };",
                "})();",
                "",
            ]
        )
        site.write(f"rules-{year}.js", rules)
    site.script("facts.js", "FACTS", {name: _declared(it) for name, it in FEATURES.items()})
    homes = [
        {
            "id": row.id,
            "edition": row.edition,
            "programs": row.programs,
            "labels": row.labels,
            "floor": row.par.get("one"),
            "household": row.household.facts(),
        }
        for row in rows
    ]
    site.script("homes.js", "HOMES", homes)
    for name, title in (
        ("change", "Change a fact"),
        ("play", "Play the agent"),
        ("screen", "Screen a household"),
    ):
        site.page(f"{name}.html", name, title, editions=list(editions))
    for script in _SCRIPTS:
        site.write(script, (_HERE / "static" / script).read_text(encoding="utf-8"))
    site.write("site.css", (REPORT_TEMPLATES / "style.css").read_text(encoding="utf-8"))


def _declared(feature: Feature) -> dict[str, Any]:
    """Return a declaration as scripts read it; a `{name}` in a question is the member's."""
    them = named_speaker("{name}", "their")
    return {
        "level": feature.level,
        "topic": feature.topic,
        "kind": feature.kind,
        "optional": feature.optional,
        "choices": list(feature.choices),
        "minimum": feature.minimum,
        "maximum": feature.maximum,
        "unit": feature.unit,
        "default": _plain(feature.default),
        "off": _plain(feature.off),
        "you": YOU.sentence(feature.question) if feature.question else "",
        "they": them.sentence(feature.question) if feature.question else "",
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _write_documents(site: Site, docs: Path) -> None:
    """Write the documents of a checkout; links between them lead to their pages."""
    files = [docs / name for name in _DOCS] + sorted((docs / "docs").glob("*.md"))
    names = {path.name: f"{path.stem}.html" for path in files if path.exists()}
    for path in files:
        if path.exists():
            text = path.read_text(encoding="utf-8")
            for name, page in names.items():
                for before in ("(docs/", "(../", "("):
                    text = text.replace(f"{before}{name}", f"({page}")
            title = next((it[2:] for it in text.splitlines() if it.startswith("# ")), path.stem)
            address = f"docs/{path.stem}.html"
            site.page(address, "document", title, body=_prose(text), names=names)
            site.found.append(SearchEntry("document", title, address, text))


def _prose(text: str) -> Markup:
    """Return Markdown as HTML; HTML inside it is shown, not run."""
    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def _json(value: Any) -> str:
    """Return JSON that may stand inside a script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
