"""`benyfits-data audit`: what is wrong with a dataset."""

from collections import Counter
from pathlib import Path

import click

from benyfits_data.cli.options import ROWS, Layout, example, format_option, rows_edition_option
from benyfits_data.cli.tables import json_option, print_json

_MOST_IDS = 5
_SUMMED = {"wrong label", "impossible household", "unknown program", "missing part"}
"""Kinds of findings that are counted by what they are about, since one cause has many rows."""


@click.command(epilog=example("benyfits-data audit output/diverse.jsonl"))
@click.argument("file", type=ROWS)
@format_option
@rows_edition_option
@json_option
def command(file: Path, layout: Layout, edition: int | None, as_json: bool) -> None:
    """Report everything that is wrong with a dataset; exits with 1 if anything is.

    FILE is JSON Lines, CSV or Parquet (`-`: standard input), in our layout or the published one.
    Every label in `labels` and in `eligible` is compared with ours, every household with the
    constraints; ids, programs and parts of rows are checked too. Untold facts are filled in.
    """
    from benyfits_data.dataset import audit_rows, read_each_row

    audit = audit_rows(read_each_row(file, layout), edition)
    if as_json:
        print_json(audit.as_json())
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
