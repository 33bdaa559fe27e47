"""Pages of evaluation runs: scores, kinds of errors, and every dialog as a chat."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from benyfits_data.dataset.rows import Row
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.results_page import draw_scores
from benyfits_data.evaluation.results.runs import Run, read_paper
from benyfits_data.evaluation.results.score_tables import all_tables
from benyfits_data.evaluation.results.user_tables import ERRORS
from benyfits_data.report.page import shown_table
from benyfits_data.site.site_writer import SearchEntry, Site


def write_results(site: Site, runs: Sequence[Run], fragments: Sequence[Markup]) -> None:
    """Write the page of scores and of differences between editions.

    Args:
        site: Takes the page.
        runs: Evaluation runs; without any, what was built before is shown.
        fragments: Parts of a report that were built before.
    """
    values: dict[str, Any] = {"picture": None, "tables": [], "fragments": fragments}
    if runs:
        paper = read_paper()
        picture = draw_scores(runs, paper)
        tables = all_tables(runs, paper, incomplete=True)
        values = {
            "picture": Markup(picture[picture.index("<svg") :]),
            "tables": [shown_table(it.title, it.header, it.rows, it.note) for it in tables],
            "fragments": [it for it in fragments if "Agents and their scores" not in it],
        }
    site.page("results.html", "results", "Results", kinds=ERRORS, **values)
    site.found.append(SearchEntry("results", "Scores of agents", "results.html", "F1 turns errors"))


def write_dialogs(site: Site, runs: Sequence[Run], rows: Mapping[str, Row]) -> None:
    """Write one page a dialog, the list of all with what to filter by, and what was said.

    Args:
        site: Takes the pages.
        runs: Evaluation runs.
        rows: Rows of the datasets by id; a dialog with one of them is held against its floor.
    """
    listed, said = [], []
    for number, run in enumerate(runs):
        for dialog in run.dialogs:
            address = f"dialogs/{number}-{dialog.household}-{dialog.trial}.html"
            floor = _floor(run, rows.get(dialog.household))
            has_page = dialog.household in rows
            title = f"{dialog.household}, {run.title}"
            site.page(
                address, "dialog", title, run=run, dialog=dialog, floor=floor, has_page=has_page
            )
            listed.append((address, run, dialog, floor, sorted(set(dialog.errors.values()))))
            said.append(_words(dialog))
            site.found.append(SearchEntry("dialog", title, address))
    kinds = {kind: says for kind, says in ERRORS.items() if any(kind in it[-1] for it in listed)}
    site.page("dialogs.html", "dialogs", "Dialogs", listed=listed, kinds=kinds)
    site.script("dialogs-said.js", "SAID", said)


def _floor(run: Run, row: Row | None) -> int | None:
    """Return the fewest questions of the run's track; agents of their own ask for one fact each."""
    return row.par.get(run.manifest["agent"].get("questions", "one")) if row else None


def _words(dialog: Dialog) -> str:
    return " ".join(f"{turn.question} {turn.answer}" for turn in dialog.turns).lower()
