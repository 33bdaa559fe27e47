"""`benyfits-data site` and `publish`: what was built, for people and for machines."""

from pathlib import Path

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import option, say, verb
from benyfits_data.progress import progress
from benyfits_data.wording import count_of

built_argument = click.argument("built", type=options.FOLDER, default=Path("output"))
"""The folder that holds what was built."""


@verb("site", "site output --output site --logs logs")
@built_argument
@option("--output", type=options.FOLDER, default=Path("site"), help="The folder for the site.")
@option(
    "--logs",
    multiple=True,
    type=options.PLACE,
    help="Logs whose scores and three dialogs are shown; a folder or a file, as often as needed.",
)
def site(built: Path, output: Path, logs: tuple[Path, ...]) -> None:
    """Write a static site of what lies in BUILT: pages that need no server or network.

    Programs, households, results, figures of the city, documents: open its index.html.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.evaluation.results.runs import find_logs, read_runs
    from benyfits_data.par import row_digest
    from benyfits_data.recorded import complete_par, known_par
    from benyfits_data.site.pages import build_site
    from benyfits_data.site.site_writer import MARK
    from benyfits_data.staged_writes import write_files

    check_is_ours(output / "index.html", MARK)
    runs = read_runs(find_logs(logs)) if logs else []
    folders = built_folders(built)
    sets = [
        path
        for folder in folders
        for path in sorted(folder.glob("*.jsonl"))
        if path.with_name(f"{path.stem}.manifest.json").exists()
    ]
    if not sets:
        say(
            f"No set was built into {built}: the site has no households. "
            "Run `benyfits-data diverse` or `benyfits-data representative` first, or name the "
            "folder that holds them."
        )
    questions: dict[str, tuple[str, ...]] = {}
    for path in sets:
        rows = read_rows(path)
        known = complete_par(rows, known_par(path), progress)
        questions |= {row.id: known[row_digest(row)].questions for row in rows}
    files: dict[str, str | bytes] = {}
    build_site(files.__setitem__, folders, runs, questions)
    size = sum(path.stat().st_size for path in write_files(output, files))
    say(f"{output / 'index.html'}: {count_of(files, 'file')}, {size / 1e6:.1f} MB")


@verb("publish", "publish output --output release")
@built_argument
@option(
    "--output", type=options.FOLDER, default=Path("release"), help="The folder for the release."
)
@option("--hidden", metavar="SEED", help="Commit to a secret seed; a later release reveals it.")
@option(
    "--reveal",
    metavar="SEED",
    help="Build the hidden split of a seed that the release committed to.",
)
def publish(built: Path, output: Path, hidden: str | None, reveal: str | None) -> None:
    """Write a release of all sets in BUILT: data, texts, card, datasheet, metadata.

    The folder loads with Hugging Face `datasets`.
    """
    from benyfits_data.publishing.hidden import build_hidden
    from benyfits_data.publishing.release import CANARY, read_sets, write_release
    from benyfits_data.staged_writes import write_files

    check_is_ours(output / "README.md", CANARY)
    if hidden is not None and reveal is not None:
        raise click.UsageError(
            "--hidden and --reveal are for two releases: commit to a seed now, reveal it later."
        )
    sets = read_sets(built_folders(built))
    if reveal is not None:
        sets += build_hidden(reveal, output)
    files: dict[str, str | bytes] = {}
    write_release(files.__setitem__, sets, hidden, revealed=reveal)
    write_files(output, files)
    pairs = sum(each.n_pairs for each in sets)
    held = (count_of(sets, "set"), count_of(pairs, "pair"), count_of(files, "file"))
    say(f"{output}: {', '.join(held)}")


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
