"""`benyfits-data publish`: everything that a release needs, in one folder."""

import json
import time
from functools import partial
from pathlib import Path

import click

from benyfits_data.cli.finish import built_folders, check_is_ours, sizes_below, write_below
from benyfits_data.cli.options import FOLDER, example, option


@click.command(epilog=example("benyfits-data publish release"))
@click.argument("folder", type=FOLDER)
@option("--output", type=FOLDER, default=Path("output"), help="Folder that holds what was built.")
@option(
    "--logs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Logs whose scores become records of Every Eval Ever, as often as needed.",
)
@option("--hidden", metavar="SEED", help="Commit to a secret seed; a later release reveals it.")
@option(
    "--reveal", metavar="SEED", help="Build the hidden split of a seed that FOLDER committed to."
)
def command(
    folder: Path, output: Path, logs: tuple[Path, ...], hidden: str | None, reveal: str | None
) -> None:
    """Write a release of all built sets into FOLDER: data, texts, card, datasheet, metadata.

    The folder loads with Hugging Face `datasets`, and `croissant.json` with `mlcroissant`.
    """
    from benyfits_data.evaluation.results.runs import find_logs, read_runs
    from benyfits_data.publishing.eval_records import to_eval_records
    from benyfits_data.publishing.hidden import build_hidden
    from benyfits_data.publishing.release import CANARY, read_sets, write_release
    from benyfits_data.staged_writes import staged

    check_is_ours(folder / "README.md", CANARY)
    if hidden is not None and reveal is not None:
        raise click.UsageError("A seed is committed to in one release and revealed in a later one.")
    sets = read_sets(built_folders(output))
    if reveal is not None:
        sets += build_hidden(reveal, folder)
    results = {}
    if logs:
        records = to_eval_records(read_runs(find_logs(logs)), str(int(time.time())))
        results = {address: json.dumps(it, indent=2) + "\n" for address, it in records.items()}
    with staged(folder) as stage:
        write = partial(write_below, stage)
        write_release(write, sets, hidden, revealed=reveal, results=results)
        n_files = len(sizes_below(stage))
    pairs = sum(it.n_pairs for it in sets)
    click.echo(f"{folder}: {len(sets)} sets, {pairs:,} pairs, {n_files} files", err=True)
