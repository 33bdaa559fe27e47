"""`benyfits-data site`: a static site of programs, households, dialogs and results."""

from functools import partial
from pathlib import Path

import click

from benyfits_data.cli.finish import built_folders, check_is_ours, sizes_below, write_below
from benyfits_data.cli.options import FOLDER, example, option
from benyfits_data.cli.progress import progress


@click.command(epilog=example("benyfits-data site site", "benyfits-data site site --logs logs"))
@click.argument("folder", type=FOLDER)
@option("--output", type=FOLDER, default=Path("output"), help="Folder that holds what was built.")
@option(
    "--logs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Logs whose dialogs become pages; a folder or a file, as often as needed.",
)
def command(folder: Path, output: Path, logs: tuple[Path, ...]) -> None:
    """Write a static site into FOLDER: open its index.html, no server or network is needed."""
    from benyfits_data.dataset import read_rows
    from benyfits_data.evaluation.results.runs import complete_runs, find_logs, read_runs
    from benyfits_data.evaluation.row_par import complete_par, known_par
    from benyfits_data.par import row_digest
    from benyfits_data.site.pages import build_site
    from benyfits_data.site.site_writer import MARK
    from benyfits_data.staged_writes import staged

    check_is_ours(folder / "index.html", MARK)
    runs = read_runs(find_logs(logs)) if logs else []
    outputs = built_folders(output)
    if not any(any(it.glob("*.manifest.json")) for it in outputs):
        click.echo(
            f"No set was built into {output}: the site has no households. "
            "Run `benyfits-data diverse` or `benyfits-data representative` first, or name the "
            "folder with --output.",
            err=True,
        )
    complete_runs(runs, progress)
    floors: dict[str, int] = {}
    for path in (path for it in outputs for path in sorted(it.glob("*.manifest.json"))):
        data = path.with_name(f"{path.name.removesuffix('.manifest.json')}.jsonl")
        if not data.exists():
            continue
        rows = read_rows(data)
        known = complete_par(rows, known_par(data), ["one"], progress)
        floors |= {row.id: known[row_digest(row)].turns["one"] for row in rows}
    with staged(folder) as stage:
        build_site(partial(write_below, stage), outputs, runs, floors)
        sizes = sizes_below(stage)
    told = f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB"
    click.echo(f"{folder / 'index.html'}: {told}", err=True)
