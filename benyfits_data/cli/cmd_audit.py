"""`benyfits-data audit`: what is wrong with a dataset."""

import json
from collections import Counter
from pathlib import Path

import click

from benyfits_data.cli.options import example, format_option, option

_MOST_IDS = 5
_SUMMED = {"wrong label", "impossible household", "unknown program", "missing part"}
"""Kinds of findings that are counted by what they are about, since one cause has many rows."""


@click.command(epilog=example("benyfits-data audit output/diverse.jsonl"))
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)
@format_option
@option(
    "--edition",
    type=int,
    help="The year whose rules to compare labels with.  [default: each row's own, or 2024]",
)
@option("--json", "as_json", is_flag=True, help="Report for machines.")
def command(file: Path, layout: str, edition: int | None, as_json: bool) -> None:
    """Report everything that is wrong with a dataset; exits with 1 if anything is.

    FILE is JSON Lines, CSV or Parquet (`-`: standard input), in our layout or the published one.
    Every label in `labels` and in `eligible` is compared with ours, every household with the
    constraints; ids, programs and parts of rows are checked too. Untold facts are filled in.
    """
    from benyfits_data.dataset import audit_rows, read_each_row

    audit = audit_rows(
        read_each_row(file, "published" if layout == "published" else "ours"), edition
    )
    if as_json:
        click.echo(json.dumps(audit.as_json(), indent=2))
    else:
        click.echo(f"{audit.households} households, {audit.compared} labels compared with ours")
        for kind in dict.fromkeys(found.kind for found in audit.findings):
            found = audit.of(kind)
            click.echo(f"{kind}: {len(found)} in {len({one.row for one in found})} rows")
            if kind in _SUMMED:
                for what, count in Counter(one.what for one in found).most_common():
                    rows = dict.fromkeys(one.row for one in found if one.what == what)
                    click.echo(f"  {what}: {count} ({_some(list(rows))})")
            else:
                for one in found[:_MOST_IDS]:
                    click.echo(f"  {one.row}: {one.what} {one.says}")
                if len(found) > _MOST_IDS:
                    click.echo(f"  and {len(found) - _MOST_IDS} more; --json names all")
        if audit.is_clean:
            click.echo("nothing wrong")
    if not audit.is_clean:
        raise SystemExit(1)


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
    return ", ".join(ids[:_MOST_IDS]) + more
