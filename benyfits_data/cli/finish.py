"""The end of every build: digests recorded or compared, and the report page drawn anew."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click


def write_page(output: Path) -> Path:
    """Draw `report.html` from whatever lies in an output folder, and return its path."""
    from benyfits_data.dataset import write_atomically
    from benyfits_data.report.page import build_page

    path = output / "report.html"
    write_atomically(path, build_page(output))
    return path


def finish_build(
    output: Path,
    name: str,
    manifest: Mapping[str, Any],
    reproducible: Iterable[str],
    told: str,
    *,
    record: bool,
) -> None:
    """Say what was built, record its digests or say how they compare, and draw the page.

    Args:
        output: Where it was built.
        name: The name of the dataset.
        manifest: Its manifest.
        reproducible: Its files that have the same bytes on every machine.
        told: What else to say of it.
        record: Whether to write the digests to CHECKSUMS.
    """
    from benyfits_data.dataset import read_checksums, write_checksums

    pairs = manifest["pairs"]
    share = 100 * manifest["eligible_pairs"] / pairs
    click.echo(
        f"{output / name}.jsonl: {manifest['households']} households, {pairs} pairs "
        f"({share:.1f}% eligible), {told}",
        err=True,
    )
    digests = {file: manifest["files"][file] for file in reproducible}
    checksums = output / "CHECKSUMS"
    if record:
        write_checksums(checksums, digests)
    elif checksums.exists():
        known = read_checksums(checksums)
        changed = [file for file, digest in digests.items() if known.get(file) != digest]
        compared = f"{', '.join(changed)} differ from" if changed else "same bytes as"
        click.echo(f"{compared} {checksums}", err=True)
    write_page(output)
