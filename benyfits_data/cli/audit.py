"""`benyfits-data audit`: what is wrong with a dataset."""

import json
from collections import Counter
from pathlib import Path

import click

from benyfits_data.cli.options import format_option

_MOST_IDS = 5


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option
@click.option(
    "--edition",
    type=int,
    help="The year whose rules to compare labels with.  [default: each row's own, or 2024]",
)
@click.option("--json", "as_json", is_flag=True, help="Report for machines.")
def command(file: Path, layout: str, edition: int | None, as_json: bool) -> None:
    r"""Report impossible households, wrong labels and unknown facts in a dataset.

    FILE is JSON Lines in our layout or the published one; facts it lacks are filled in. Exits with
    1 if anything is wrong.

    \b
    Example:
      benyfits-data audit output/diverse.jsonl
    """
    from benyfits_data.dataset import audit_rows, read_partial_rows

    rows = read_partial_rows(file, "published" if layout == "published" else "ours")
    audit = audit_rows(rows, edition)
    if as_json:
        click.echo(json.dumps(audit.as_json(), indent=2))
    else:
        click.echo(f"{audit.households} households")
        by_constraint: dict[str, Counter[str]] = {}
        for row, constraint, _ in audit.violations:
            by_constraint.setdefault(constraint, Counter())[row] += 1
        impossible = len({row for row, _, _ in audit.violations})
        click.echo(f"{len(audit.violations)} violations in {impossible} households")
        for constraint, ids in sorted(by_constraint.items()):
            click.echo(f"  {constraint}: {ids.total()} ({_some(list(ids))})")
        disagree = sum(map(len, audit.disagree.values()))
        click.echo(f"{disagree} of {audit.compared} labels disagree with ours")
        for program, found in sorted(audit.disagree.items()):
            click.echo(f"  {program}: {len(found)} ({_some(found)})")
        for name in audit.unknown_features:
            click.echo(f"unknown feature: {name}")
        for name in audit.unknown_programs:
            click.echo(f"unknown program: {name}")
    if not audit.is_clean:
        raise SystemExit(1)


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
    return ", ".join(ids[:_MOST_IDS]) + more
