"""`benyfits-data results`: evaluation runs side by side, with the published rows under them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import FOLDER, example, option, prices_option
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import (
    as_objects,
    is_terminal,
    json_option,
    print_json,
    print_table,
)

if TYPE_CHECKING:
    from benyfits_data.evaluation.results.table import Table


@click.command(
    epilog=example(
        "benyfits-data results",
        "benyfits-data results logs/ --all --format markdown --output output",
        "benyfits-data results --diff logs/diverse-proada-1 logs/diverse-proada-2",
    )
)
@click.argument("logs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    help="How the tables are printed.",
)
@option("--all", "everything", is_flag=True, help="Every table, not only the first one.")
@option(
    "--incomplete", is_flag=True, help="Rank runs of part of a set, or with unscored dialogs, too."
)
@option("--diff", is_flag=True, help="Name what differs between two runs: LOGS are two.")
@prices_option
@option("--output", type=FOLDER, help="Write picture, tables and the report's section there too.")
@json_option
def command(
    logs: tuple[Path, ...],
    form: str,
    everything: bool,
    incomplete: bool,
    diff: bool,
    prices: tuple[str, ...],
    output: Path | None,
    as_json: bool,
) -> None:
    """Compare evaluation runs with each other and with the published rows.

    LOGS are log files or folders, `logs/` if none is given. Runs that differ in anything but the
    dataset are never mixed; those that are not complete are listed, but ranked only when asked.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.evaluation.results.leading_table import TITLE
    from benyfits_data.evaluation.results.results_page import draw_scores, render_section
    from benyfits_data.evaluation.results.runs import (
        complete_runs,
        find_logs,
        read_paper,
        read_runs,
    )
    from benyfits_data.evaluation.results.score_tables import all_tables, list_manifest_differences
    from benyfits_data.evaluation.results.workload import workload_tables
    from benyfits_data.evaluation.run import LOGS
    from benyfits_data.evaluation.studies.people_sessions import FILE, read_study
    from benyfits_data.staged_writes import staged

    if diff:
        if len(logs) != 2:
            raise click.UsageError("--diff compares two runs: name two logs or log folders.")
        first, second = (read_runs(find_logs([place])) for place in logs)
        tables = [list_manifest_differences(first, second)]
        if not tables[0].rows:
            click.echo("The two runs do not differ in anything their scores may depend on.")
            return
    else:
        runs, paper = read_runs(find_logs(logs or (LOGS,))), read_paper()
        complete_runs(runs, progress)
        tables = all_tables(runs, paper, incomplete=incomplete, prices=read_prices(prices))
        lines = [line for place in logs for line in read_study(place / FILE)]
        workload = workload_tables(lines) if lines else []
        shown = [it for it in tables if everything or it.title == TITLE] + workload
        tables += workload
    show_tables(tables if diff else shown, form, as_json)
    if output is not None and not diff:
        files = {"evaluation.svg": draw_scores(runs, paper)}
        for table in tables:
            name = table.title.split(" (")[0].split(",")[0].lower().replace(" ", "_")
            files[f"evaluation/{name}.csv"] = table.to_csv()
        files["fragments/evaluation.html"] = render_section(runs, paper, tables)
        with staged(output) as stage:
            for name, content in files.items():
                write_atomically(stage / name, content)
        for name in files:
            click.echo(f"{output / name}", err=True)


def show_tables(tables: Sequence["Table"], form: str, as_json: bool) -> None:
    """Print tables of results: as text they fit a terminal, and are whole in a pipe."""
    if as_json:
        print_json(
            [
                {"title": it.title, "note": it.note, "rows": as_objects(it.header, it.rows)}
                for it in tables
            ]
        )
        return
    for table in tables:
        if form == "text" and is_terminal() and not table.width:
            print_table(table.header, table.rows, title=table.title)
            click.echo(f"{table.note}\n")
        else:
            ways = {"text": table.to_text, "markdown": table.to_markdown, "csv": table.to_csv}
            click.echo(ways[form]())


def read_prices(given: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    """Return dollars for a million tokens read and written, by model, as `--price` gives them."""
    prices = {}
    for item in given:
        model, _, amounts = item.rpartition("=")
        try:
            read, written = map(float, amounts.split(","))
        except ValueError:
            raise click.BadParameter(
                f"{item!r} is not MODEL=READ,WRITTEN.", param_hint="--price"
            ) from None
        prices[model] = (read, written)
    return prices
