"""What a command says on stderr: a bar or spinner while it runs, at the end what was built."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from benyfits_data.cli.tables import count_of


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr while the block runs; give the function that moves it."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def spinner(label: str) -> Iterator[None]:
    """Show on stderr that the block runs."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(label):
        yield


def finish_build(
    output: Path,
    stage: Path,
    name: str,
    manifest: Mapping[str, Any],
    reproducible: Iterable[str],
    summary: str,
    *,
    record: bool,
) -> None:
    """Say what was built, and record its digests or say how they compare.

    Args:
        output: What it is built for.
        stage: Where it was built.
        name: The name of the dataset.
        manifest: Its manifest.
        reproducible: Its files that have the same bytes on every machine.
        summary: What else to say of it.
        record: Whether to write the digests to CHECKSUMS.
    """
    from benyfits_data.dataset import read_checksums, write_checksums

    pairs = manifest["pairs"]
    share = 100 * manifest["eligible_pairs"] / pairs
    click.echo(
        f"{output / name}.jsonl: {count_of(manifest['households'], 'household')}, "
        f"{count_of(pairs, 'pair')} ({share:.1f}% eligible), {summary}",
        err=True,
    )
    digests = {file: manifest["files"][file] for file in reproducible}
    checksums = output / "CHECKSUMS"
    known = read_checksums(checksums) if checksums.exists() else {}
    if record:
        write_checksums(stage / "CHECKSUMS", {**known, **digests})
    elif checksums.exists():
        changed = [file for file, digest in digests.items() if known.get(file) != digest]
        compared = f"{', '.join(changed)} differ from" if changed else "same bytes as"
        click.echo(f"{compared} {checksums}", err=True)
    else:
        click.echo(f"no digests are recorded in {checksums}; --record writes them", err=True)
