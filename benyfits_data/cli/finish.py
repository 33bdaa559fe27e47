"""The end of every build: digests recorded or compared, and the report page drawn anew."""

from collections.abc import Mapping
from pathlib import Path

import click


def write_page(output: Path) -> Path:
    """Draw `report.html` from whatever lies in an output folder, and return its path."""
    from benyfits_data.dataset import write_atomically
    from benyfits_data.report.page import build_page

    path = output / "report.html"
    write_atomically(path, build_page(output))
    return path


def finish_build(output: Path, digests: Mapping[str, str], *, record: bool) -> None:
    """Record the digests of what was built, or say how they compare, and draw the page.

    Args:
        output: Where it was built.
        digests: SHA-256 of the files that have the same bytes on every machine, by name.
        record: Whether to write the digests to CHECKSUMS.
    """
    from benyfits_data.dataset import read_checksums, write_checksums

    checksums = output / "CHECKSUMS"
    if record:
        write_checksums(checksums, digests)
    elif checksums.exists():
        known = read_checksums(checksums)
        changed = [name for name, digest in digests.items() if known.get(name) != digest]
        told = f"{', '.join(changed)} differ from" if changed else "same bytes as"
        click.echo(f"{told} {checksums}", err=True)
    write_page(output)
