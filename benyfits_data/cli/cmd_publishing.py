"""`benyfits-data site` and `publish`: what was built, for people and for machines."""

import json
import time
from functools import partial
from pathlib import Path

import click

from benyfits_data.cli.options import FOLDER, example, option
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import count_of

built_argument = click.argument("built", type=FOLDER, default=Path("output"))
"""The folder that holds what was built."""


@click.command(
    epilog=example("benyfits-data site", "benyfits-data site output --output site --logs logs")
)
@built_argument
@option("--output", type=FOLDER, default=Path("site"), help="The folder for the site.")
@option(
    "--logs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Logs whose dialogs become pages; a folder or a file, as often as needed.",
)
def site(built: Path, output: Path, logs: tuple[Path, ...]) -> None:
    """Write a static site of what lies in BUILT: pages that need no server or network.

    Programs, households, dialogs, results, figures of the city, documents: open its index.html.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.evaluation.results.runs import complete_runs, find_logs, read_runs
    from benyfits_data.evaluation.row_par import complete_par, known_par
    from benyfits_data.par import row_digest
    from benyfits_data.site.pages import build_site
    from benyfits_data.site.site_writer import MARK
    from benyfits_data.staged_writes import staged

    check_is_ours(output / "index.html", MARK)
    runs = read_runs(find_logs(logs)) if logs else []
    folders = built_folders(built)
    if not any(any(folder.glob("*.manifest.json")) for folder in folders):
        click.echo(
            f"No set was built into {built}: the site has no households. "
            "Run `benyfits-data diverse` or `benyfits-data representative` first, or name the "
            "folder that holds them.",
            err=True,
        )
    complete_runs(runs, progress)
    floors: dict[str, int] = {}
    for path in (path for one in folders for path in sorted(one.glob("*.manifest.json"))):
        data = path.with_name(f"{path.name.removesuffix('.manifest.json')}.jsonl")
        if not data.exists():
            continue
        rows = read_rows(data)
        known = complete_par(rows, known_par(data), ["one"], progress)
        floors |= {row.id: known[row_digest(row)].turns["one"] for row in rows}
    with staged(output) as stage:
        build_site(partial(write_below, stage), folders, runs, floors)
        sizes = sizes_below(stage)
    size = f"{count_of(sizes, 'file')}, {sum(sizes) / 1e6:.1f} MB"
    click.echo(f"{output / 'index.html'}: {size}", err=True)


@click.command(
    epilog=example("benyfits-data publish", "benyfits-data publish output --output release")
)
@built_argument
@option("--output", type=FOLDER, default=Path("release"), help="The folder for the release.")
@option(
    "--logs",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    help="Logs whose scores become records of Every Eval Ever, as often as needed.",
)
@option("--hidden", metavar="SEED", help="Commit to a secret seed; a later release reveals it.")
@option(
    "--reveal",
    metavar="SEED",
    help="Build the hidden split of a seed that the release committed to.",
)
def publish(
    built: Path, output: Path, logs: tuple[Path, ...], hidden: str | None, reveal: str | None
) -> None:
    """Write a release of all sets in BUILT: data, texts, card, datasheet, metadata.

    The folder loads with Hugging Face `datasets`, and `croissant.json` with `mlcroissant`.
    """
    from benyfits_data.evaluation.results.runs import find_logs, read_runs
    from benyfits_data.publishing.eval_records import to_eval_records
    from benyfits_data.publishing.hidden import build_hidden
    from benyfits_data.publishing.release import CANARY, read_sets, write_release
    from benyfits_data.staged_writes import staged

    check_is_ours(output / "README.md", CANARY)
    if hidden is not None and reveal is not None:
        raise click.UsageError(
            "--hidden and --reveal are for two releases: commit to a seed now, reveal it later."
        )
    sets = read_sets(built_folders(built))
    if reveal is not None:
        sets += build_hidden(reveal, output)
    results = {}
    if logs:
        records = to_eval_records(read_runs(find_logs(logs)), str(int(time.time())))
        results = {address: json.dumps(one, indent=2) + "\n" for address, one in records.items()}
    with staged(output) as stage:
        write = partial(write_below, stage)
        write_release(write, sets, hidden, revealed=reveal, results=results)
        files = sizes_below(stage)
    pairs = sum(one_set.n_pairs for one_set in sets)
    held = (count_of(sets, "set"), count_of(pairs, "pair"), count_of(files, "file"))
    click.echo(f"{output}: {', '.join(held)}", err=True)


def built_folders(output: Path) -> list[Path]:
    """Return an output folder and those of other editions in it."""
    return [output, *(folder for folder in sorted(output.glob("[0-9]*")) if folder.is_dir())]


def check_is_ours(page: Path, mark: str) -> None:
    """Return nothing if a page does not exist, or carries our mark.

    Raises:
        UsageError: Somebody else wrote it.
    """
    if page.exists() and mark not in page.read_text(encoding="utf-8", errors="replace"):
        raise click.UsageError(
            f"{page} was not written by us. Name another folder, or move it away."
        )


def write_below(stage: Path, address: str, content: str | bytes) -> None:
    """Write a file at an address below a folder."""
    path = stage / address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def sizes_below(stage: Path) -> list[int]:
    """Return the bytes of each file below a folder."""
    return [path.stat().st_size for path in stage.rglob("*") if path.is_file()]
