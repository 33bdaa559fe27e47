"""Builds the site: pages, scripts and data, in files that a browser opens without a server."""

from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from pathlib import Path
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from benyfits_data.dataset.rows import Row
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.comparison import all_tables, rank_runs, read_paper
from benyfits_data.evaluation.results.runs import ERRORS, Run
from benyfits_data.evaluation.results.score_figure import inline_scores
from benyfits_data.site.contents import PARTS, find_contents, shown_table
from benyfits_data.site.household_pages import ask_and_answer, write_households
from benyfits_data.site.program_pages import write_programs
from benyfits_data.site.site_writer import Site, prose

_STATIC = Path(__file__).parent / "static"
_EXAMPLE_QUESTIONS = 5
"""How many questions the dialog of the first page has, if a household of its size is there."""


def write_dialogs(
    site: Site, runs: Sequence[Run], households: Set[str], titles: Mapping[str, str]
) -> dict[str, str]:
    """Write a page for the dialogs with the smallest, median and largest share of wrong verdicts.

    Args:
        site: Takes the pages.
        runs: Evaluation runs.
        households: Those that have a page.
        titles: The titles of programs by name.

    Returns:
        What each shows, by its address.
    """
    ranked = sorted(
        [(run, dialog) for run in runs for dialog in run.dialogs if dialog.labels],
        key=lambda played: _n_wrong(played[1]) / len(played[1].labels),
    )
    places = sorted({0, len(ranked) // 2, len(ranked) - 1}) if ranked else []
    shown = {}
    for number, place in enumerate(places, start=1):
        run, dialog = ranked[place]
        address, title = f"dialogs/{number}.html", f"{dialog.household}, {run.title}"
        site.page(
            address,
            "dialog",
            title,
            run=run,
            dialog=dialog,
            kinds=ERRORS,
            titles=titles,
            has_page=dialog.household in households,
        )
        shown[address] = f"{title}: {_n_wrong(dialog)} of {len(dialog.labels)} verdicts wrong"
        site.list_entry("dialog", title, address)
    return shown


def _n_wrong(dialog: Dialog) -> int:
    return sum(dialog.verdicts[program] != label for program, label in dialog.labels.items())


def write_results(
    site: Site,
    runs: Sequence[Run],
    fragments: Sequence[Markup],
    dialogs: Mapping[str, str],
) -> None:
    """Write the page of scores.

    Args:
        site: Takes the page.
        runs: Evaluation runs; without any, what was built before is shown.
        fragments: Results that were written before.
        dialogs: Pages of dialogs, with what each shows.
    """
    values: dict[str, Any] = {"picture": None, "tables": [], "fragments": fragments}
    if runs:
        paper = read_paper()
        tables = all_tables(runs, paper)
        values = {
            "picture": inline_scores(runs, paper),
            "tables": [
                shown_table(table.title, table.header, table.rows, table.note) for table in tables
            ],
            "fragments": (),
        }
    site.page("results.html", "results", "Results", kinds=ERRORS, dialogs=dialogs, **values)
    site.list_entry("results", "Scores of agents", "results.html", "F1 turns errors")


KINDS = {
    "Start": ("README", "tutorial-evaluate"),
    "How-to guides": (
        *("data", "models", "new-year", "add-program", "add-fact", "release", "chat", "judge-code"),
    ),
    "Reference": (*("commands", "library", "metrics", "program-folder", "language"),),
    "Explanation": ("benchmark", "diverse", "population", "paper", "architecture"),
    "Log": ("measurements",),
}
"""The documents by kind, in the order of reading."""


def build_site(
    write: Callable[[str, str], None],
    outputs: Sequence[Path],
    runs: Sequence[Run] = (),
    questions: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> None:
    """Write a static site, which needs neither server nor network.

    Args:
        write: Called with each file's path below the site's root and its text.
        outputs: Folders that hold what was built; of each, its datasets become pages.
        runs: Evaluation runs, whose scores and three of whose dialogs become pages.
        questions: The fewest questions that settle each row, by its id; rows may lack them.

    Raises:
        DatasetFormatError: A file that was built is not what its name says.
        EvaluationError: Nobody counted who may claim the programs of the newest edition.
    """
    editions = {year: load_edition(year) for year in EDITIONS}
    titles = {name: program.title for rules in editions.values() for name, program in rules.items()}
    contents = find_contents(outputs, titles)
    rows = [row for section in contents["sections"] for row in section["rows"]]
    has_results = bool(runs or contents["fragments"])
    site = Site(write)
    site.parts = {
        "programs.html": (
            "Programs",
            "Rules, sources and amounts, and what the last year changed.",
        ),
        "households.html": ("Households", "Who lives there, what each may claim, and why."),
        **({"results.html": ("Results", "How often agents are right.")} if has_results else {}),
        **{f"{name}.html": PARTS[name][:2] for name in contents["parts"]},
        "docs/README.html": ("Documents", "How to build, use and change all of it."),
    }
    diffs = write_programs(site, editions)
    write_households(site, contents["sections"], questions, editions)
    if has_results:
        dialogs = write_dialogs(site, runs, {row.id for row in rows}, titles)
        write_results(site, runs, contents["fragments"], dialogs)
    for name, tables in contents["parts"].items():
        title, _, says = PARTS[name]
        site.page(f"{name}.html", "part", title, says=says, tables=tables)
        words = " ".join(table["title"] for table in tables)
        site.list_entry("figures", title, f"{name}.html", words)
    _write_documents(site)
    for path in sorted(_STATIC.iterdir()):
        site.write(path.name, path.read_text(encoding="utf-8"))
    example = _find_example(rows, questions)
    site.page(
        "index.html",
        "index",
        "BeNYfits",
        sections=contents["sections"],
        diffs=diffs,
        titles=titles,
        row=example,
        dialog=ask_and_answer(questions[example.id], example.household) if example else [],
        score=_find_score(runs),
    )
    site.script("search-data.js", "FOUND", site.entries)


def _find_example(rows: Sequence[Row], questions: Mapping[str, Sequence[str]]) -> Row | None:
    """Return a row of the newest edition with some people and a dialog that is short to read."""
    return min(
        (row for row in rows if row.id in questions),
        key=lambda row: (
            -row.edition,
            len(row.household.members) == 1,
            -len(row.programs),
            abs(len(questions[row.id]) - _EXAMPLE_QUESTIONS),
            row.id,
        ),
        default=None,
    )


def _find_score(runs: Sequence[Run]) -> dict[Hashable, Any]:
    """Return the best complete run's F1 and turns; without one, the best published ones."""
    published: dict[float, dict[Hashable, Any]] = {
        float(row["average_f1"]): {
            "agent": f"{row['agent']} with {row['dialog_model']}",
            "dataset": "",
            "f1": float(row["average_f1"]),
            "turns": float(row["average_turns"]),
        }
        for row in read_paper()
    }
    ranked = [score for score in rank_runs(runs).to_dict("records") if not score["unranked"]]
    return max(ranked, key=lambda score: score["f1"], default=published[max(published)])


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
        site.list_entry("document", titles[name], address, text)
