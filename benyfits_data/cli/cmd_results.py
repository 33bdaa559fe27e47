"""`benyfits-data results` and `runs`: evaluation runs compared, bundled for others, checked."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import (
    FILE,
    FOLDER,
    NEW_FILE,
    NounGroup,
    example,
    option,
    prices_option,
)
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import (
    Form,
    as_objects,
    count_of,
    is_terminal,
    json_option,
    markdown_option,
    print_json,
    print_table,
    table_options,
)

if TYPE_CHECKING:
    from benyfits_data.evaluation.results.table import Table

_MOST_FAULTS = 20
logs_argument = click.argument("logs", nargs=-1, type=click.Path(exists=True, path_type=Path))


@click.command(
    epilog=example(
        "benyfits-data results",
        "benyfits-data results logs/ --all --markdown --output output",
    )
)
@logs_argument
@option("--all", "everything", is_flag=True, help="Every table, not only the first one.")
@option(
    "--incomplete", is_flag=True, help="Rank also runs of part of a set, or with unscored dialogs."
)
@prices_option
@option("--output", type=FOLDER, help="Write picture, tables and the site's section there too.")
@markdown_option
@table_options
def results(
    logs: tuple[Path, ...],
    everything: bool,
    incomplete: bool,
    prices: tuple[str, ...],
    output: Path | None,
    markdown: bool,
    form: Form,
) -> None:
    """Print the scores of evaluation runs; with --all beside those of the paper.

    LOGS are log files or folders, `logs/` if none is given. Runs that differ in anything but the
    dataset are never mixed; those that are not complete are listed, but ranked only when asked.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.evaluation.results.paper_table import read_paper
    from benyfits_data.evaluation.results.program_tables import (
        list_judged_programs,
        list_written_programs,
        rules_tables,
        split_logs,
    )
    from benyfits_data.evaluation.results.result_tables import LEADING, all_tables
    from benyfits_data.evaluation.results.results_page import draw_scores, render_section
    from benyfits_data.evaluation.results.runs import (
        complete_runs,
        find_logs,
        read_runs,
    )
    from benyfits_data.evaluation.run_options import LOGS
    from benyfits_data.evaluation.studies.people_sessions import FILE, read_study, workload_tables
    from benyfits_data.staged_writes import staged

    of_rules, of_dialogs = split_logs(find_logs(logs or (LOGS,)))
    runs, paper = read_runs(of_dialogs), read_paper()
    complete_runs(runs, progress)
    tables = []
    if of_dialogs:
        tables = all_tables(runs, paper, incomplete=incomplete, prices=read_prices(prices))
        if everything or output is not None:
            tables += [table for table in [list_written_programs(runs, progress)] if table.rows]
    lines = [line for place in logs for line in read_study(place / FILE)]
    workload = rules_tables(of_rules) + (workload_tables(lines) if lines else [])
    shown = [table for table in tables if everything or table.title == LEADING] + workload
    tables += workload
    show_tables(shown, form, markdown=markdown)
    if output is not None:
        files = {"evaluation.svg": draw_scores(runs, paper)}
        for table in tables:
            name = table.title.split(" (")[0].split(",")[0].lower().replace(" ", "_")
            files[f"evaluation/{name}.csv"] = table.to_csv()
        files["fragments/evaluation.html"] = render_section(
            runs, paper, tables, list_judged_programs(of_rules)
        )
        with staged(output) as stage:
            for name, content in files.items():
                write_atomically(stage / name, content)
        for name in files:
            click.echo(f"{output / name}", err=True)


def show_tables(tables: Sequence["Table"], form: Form, *, markdown: bool = False) -> None:
    """Print tables of results: as text they fit a terminal, and are whole in a pipe."""
    if form == "json":
        print_json(
            [
                {"title": one.title, "note": one.note, "rows": as_objects(one.header, one.rows)}
                for one in tables
            ]
        )
        return
    for table in tables:
        if markdown:
            click.echo(table.to_markdown())
        elif form == "csv":
            click.echo(table.to_csv())
        elif is_terminal() and not table.width:
            print_table(table.header, table.rows, title=table.title)
            click.echo(f"{table.note}\n")
        else:
            click.echo(table.to_text())


def read_prices(given: tuple[str, ...]) -> dict[str, tuple[float, float, float]]:
    """Return dollars for a million tokens by model, as `--price` gives them.

    They are for tokens read, written, and read from the server's cache; where no rate is given for
    these, they cost as much as the others.
    """
    prices = {}
    for item in given:
        model, _, amounts = item.rpartition("=")
        try:
            read, written, *cached = map(float, amounts.split(","))
            (rate,) = cached or [read]
        except ValueError:
            raise click.BadParameter(
                f"{item!r} is not MODEL=READ,WRITTEN[,CACHED].", param_hint="--price"
            ) from None
        prices[model] = (read, written, rate)
    return prices


@click.group(
    cls=NounGroup,
    epilog=example("benyfits-data runs diff logs/diverse-proada-1 logs/diverse-proada-2"),
)
def runs() -> None:
    """Compare two runs, bundle finished runs for others, check such bundles."""


@runs.command(epilog=example("benyfits-data runs diff logs/first logs/second"))
@click.argument("first", type=click.Path(exists=True, path_type=Path))
@click.argument("second", type=click.Path(exists=True, path_type=Path))
@table_options
def diff(first: Path, second: Path, form: Form) -> None:
    """Name everything that differs between two runs and that scores may depend on."""
    from benyfits_data.evaluation.results.result_tables import list_manifest_differences
    from benyfits_data.evaluation.results.runs import find_logs, read_runs

    table = list_manifest_differences(*(read_runs(find_logs([log])) for log in (first, second)))
    if not table.rows and form == "text":
        click.echo("The two runs do not differ in anything their scores may depend on.")
        return
    show_tables([table], form)


@runs.command(epilog=example("benyfits-data runs bundle logs --output submission.zip"))
@logs_argument
@option("--output", type=NEW_FILE, default=Path("submission.zip"), help="The file to write.")
def bundle(logs: tuple[Path, ...], output: Path) -> None:
    """Bundle finished runs for others; without LOGS those under `logs/`."""
    from benyfits_data.evaluation.run_options import LOGS
    from benyfits_data.evaluation.submission import bundle as write_bundle

    names = write_bundle(logs or (LOGS,), output)
    click.echo(f"{output}: {count_of(names, 'file')}", err=True)


@runs.command(epilog=example("benyfits-data runs check submission.zip"))
@click.argument("bundle", type=FILE)
@json_option
def check(bundle: Path, as_json: bool) -> None:
    """Compute every figure of a bundle anew from its logs; exits with 1 where one differs.

    Every household is labelled again, and every generated program run again with the values of
    the transcript. What nothing can replay is named.
    """
    from benyfits_data.errors import EvaluationError
    from benyfits_data.evaluation.submission import verify

    verdict = verify(bundle)
    if as_json:
        print_json({"checked": verdict.counts, "faults": [str(fault) for fault in verdict.faults]})
    else:
        print_table(("checked", "number"), sorted(verdict.counts.items()))
        for fault in verdict.faults[:_MOST_FAULTS]:
            click.echo(fault)
    if verdict.faults:
        things = count_of(verdict.faults, "thing")
        raise EvaluationError(f"{bundle}: {things} not as submitted.", faults=verdict.faults)
    click.echo("Everything is as submitted.", err=True)
