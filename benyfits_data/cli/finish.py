"""The end of every build: digests recorded or compared, and the report page drawn anew."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click


def write_page(output: Path, stage: Path) -> None:
    """Draw `report.html` from an output folder and what is about to replace files in it."""
    from benyfits_data.dataset import write_atomically
    from benyfits_data.report.page import build_page

    write_atomically(stage / "report.html", build_page(output, stage))


def finish_build(
    output: Path,
    stage: Path,
    name: str,
    manifest: Mapping[str, Any],
    reproducible: Iterable[str],
    told: str,
    *,
    record: bool,
) -> None:
    """Say what was built, record its digests or say how they compare, and draw the page.

    Args:
        output: What it is built for.
        stage: Where it was built.
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
    known = read_checksums(checksums) if checksums.exists() else {}
    if record:
        write_checksums(stage / "CHECKSUMS", {**known, **digests})
    elif checksums.exists():
        changed = [file for file, digest in digests.items() if known.get(file) != digest]
        compared = f"{', '.join(changed)} differ from" if changed else "same bytes as"
        click.echo(f"{compared} {checksums}", err=True)
    write_page(output, stage)


def built_folders(output: Path) -> list[Path]:
    """Return an output folder and those of other editions in it."""
    return [output, *(it for it in sorted(output.glob("[0-9]*")) if it.is_dir())]


def check_is_ours(page: Path, mark: str) -> None:
    """Return nothing if a page does not exist, or carries our mark.

    Raises:
        UsageError: Somebody else wrote it.
    """
    if page.exists() and mark not in page.read_text(encoding="utf-8", errors="replace"):
        raise click.UsageError(f"{page} is no file of ours. Name another folder, or move it away.")


def write_below(stage: Path, address: str, content: str | bytes) -> None:
    """Write a file at an address below a folder."""
    path = stage / address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def sizes_below(stage: Path) -> list[int]:
    """Return the bytes of each file below a folder."""
    return [path.stat().st_size for path in stage.rglob("*") if path.is_file()]
