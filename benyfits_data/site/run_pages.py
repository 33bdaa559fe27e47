"""Pages of evaluation runs: scores, kinds of errors, and every dialog as a chat."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from benyfits_data.editions import Edition
from benyfits_data.evaluation.results.all_tables import all_tables
from benyfits_data.evaluation.results.dialog_tables import ERRORS
from benyfits_data.evaluation.results.results_page import draw_scores
from benyfits_data.evaluation.results.runs import Run, read_paper
from benyfits_data.site.built_contents import shown_table
from benyfits_data.site.site_writer import SearchEntry, Site


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
            "tables": [shown_table(it.title, it.header, it.rows, it.note) for it in tables],
            "fragments": [it for it in fragments if "Agents and their scores" not in it],
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
            said.append(" ".join(f"{it.question} {it.answer}" for it in dialog.turns).lower())
            site.found.append(SearchEntry("dialog", title, address))
    kinds = {kind: says for kind, says in ERRORS.items() if any(kind in it[-1] for it in listed)}
    site.page("dialogs.html", "dialogs", "Dialogs", listed=listed, kinds=kinds)
    site.script("dialogs-said.js", "SAID", said)
