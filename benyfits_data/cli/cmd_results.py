"""`benyfits-data results`: evaluation runs compared."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, is_terminal, option, verb

if TYPE_CHECKING:
    from benyfits_data.evaluation.results.tables import Table


@verb("results", "results logs/ --all --markdown --output output")
@click.argument("logs", nargs=-1, type=options.PLACE)
@option("--all", "everything", is_flag=True, help="Every table, not only the first one.")
@option(
    "--incomplete", is_flag=True, help="Rank also runs of part of a set, or with unscored dialogs."
)
@option(
    "--output",
    type=options.FOLDER,
    help="Write the figure (SVG, PDF, PNG), tables and the site's section there too.",
)
@option("--markdown", is_flag=True, help="Print Markdown.")
def results(
    logs: tuple[Path, ...],
    everything: bool,
    incomplete: bool,
    output: Path | None,
    markdown: bool,
) -> Report:
    """Print the scores of evaluation runs; with --all beside those of the paper.

    LOGS are log files or folders, `logs/` if none is given. Runs that differ in anything but the
    dataset are never mixed; those that are not complete are listed, but ranked only when asked.
    """
    from benyfits_data.chat.study import FILE, read_study, workload_tables
    from benyfits_data.evaluation.results.comparison import LEADING, all_tables, read_paper
    from benyfits_data.evaluation.results.program_tables import (
        read_judged,
        render_section,
        rules_tables,
        split_logs,
    )
    from benyfits_data.evaluation.results.runs import find_logs, read_runs
    from benyfits_data.evaluation.results.score_figure import draw_scores
    from benyfits_data.evaluation.run_options import LOGS
    from benyfits_data.staged_writes import write_files

    of_rules, of_dialogs = split_logs(find_logs(logs or (LOGS,)))
    # What a person said of their own household has no labels, and no scores.
    runs = [
        run for run in read_runs(of_dialogs) if run.unscored or any(d.labels for d in run.dialogs)
    ]
    paper = read_paper()
    tables = all_tables(runs, paper, incomplete=incomplete) if runs else []
    lines = [line for place in logs for line in read_study(place / FILE)]
    judged = read_judged(of_rules)
    workload = rules_tables(judged) + (workload_tables(lines) if lines else [])
    shown = [table for table in tables if everything or table.title == LEADING] + workload
    tables += workload
    paths: list[Path] = []
    if output is not None:
        drawn = draw_scores(runs, paper).items()
        files = {f"evaluation.{kind}": content for kind, content in drawn}
        for table in tables:
            title = table.title.split(" (")[0].split(",")[0].lower()
            name = "_".join(re.findall(r"\w+", title.replace("'", "")))
            files[f"evaluation/{name}.csv"] = table.to_csv()
        files["fragments/evaluation.html"] = render_section(runs, paper, tables, judged)
        paths = write_files(output, files)
    return report_tables(shown, markdown=markdown, notes=map(str, paths))


def report_tables(
    tables: "Iterable[Table]", *, markdown: bool = False, notes: Iterable[str] = ()
) -> Report:
    """Return tables of results: as text they fit a terminal, and are whole in a pipe."""
    shown: list[Listing | str] = []
    content = []
    for table in tables:
        listing = Listing(table.header, table.rows, table.title, f"{table.note}\n")
        rows = listing.objects()
        content.append({"title": table.title, "note": table.note, "rows": rows})
        if markdown:
            shown.append(table.to_markdown())
        else:
            shown.append(listing if is_terminal() and not table.width else table.to_text())
    return Report(shown, content, list(notes))
