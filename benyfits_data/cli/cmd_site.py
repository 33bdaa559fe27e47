"""`benyfits-data site`: a static site of programs, households, dialogs and results."""

from pathlib import Path

import click

from benyfits_data.cli.options import FOLDER, example, option


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
    from benyfits_data.errors import BenyfitsError
    from benyfits_data.evaluation.results.runs import find_logs, read_runs
    from benyfits_data.site.pages import MARK, build_site
    from benyfits_data.staged_writes import staged

    front = folder / "index.html"
    if front.exists() and MARK not in front.read_text(encoding="utf-8", errors="replace"):
        raise BenyfitsError(f"{front} is not a page of ours. Name another folder, or move it away.")
    outputs = [output, *(it for it in sorted(output.glob("[0-9]*")) if it.is_dir())]
    runs = read_runs(find_logs(logs)) if logs else []
    checkout = Path.cwd()
    docs = checkout if (checkout / "docs" / "house.md").exists() else None
    size = n_files = 0
    with staged(folder) as stage:

        def write(address: str, text: str) -> None:
            nonlocal size, n_files
            path = stage / address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            size, n_files = size + len(text.encode()), n_files + 1

        build_site(write, outputs, runs, docs)
    click.echo(f"{folder / 'index.html'}: {n_files} files, {size / 1e6:.1f} MB", err=True)
