"""`benyfits-data results`: evaluation runs side by side, with the published rows under them."""

from pathlib import Path

import click


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    show_default=True,
    help="How the tables are printed.",
)
@click.option("--all", "everything", is_flag=True, help="Every table, not only the first ones.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write picture, tables and the report page's section there too.",
)
def command(logs: tuple[Path, ...], form: str, everything: bool, output: Path | None) -> None:
    r"""Compare evaluation runs with each other and with the published rows.

    LOGS are log files or folders, `logs/` if none is given. Runs whose roles were played by
    different models are never mixed.

    \b
    Examples:
      benyfits-data results
      benyfits-data results logs/ --all --format markdown --output output
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.evaluation.page import draw_scores, render_section
    from benyfits_data.evaluation.results import find_logs, group_runs, read_logs, read_paper
    from benyfits_data.evaluation.run import LOGS
    from benyfits_data.evaluation.tables import all_tables

    runs = group_runs(read_logs(find_logs(logs or (LOGS,))))
    paper = read_paper()
    tables = all_tables(runs, paper)
    shown = tables if everything else tables[:3]
    for table in shown:
        text = {"text": table.to_text, "markdown": table.to_markdown, "csv": table.to_csv}[form]()
        click.echo(text)
    if output is not None:
        files = {"evaluation.svg": draw_scores(runs, paper)}
        for table in tables:
            name = table.title.split(" (")[0].split(",")[0].lower().replace(" ", "_")
            files[f"evaluation/{name}.csv"] = table.to_csv()
        files["fragments/evaluation.html"] = render_section(runs, paper)
        for name, content in files.items():
            write_atomically(output / name, content)
            click.echo(f"{output / name}", err=True)
