"""`benyfits-data city`: the city's own texts beside ours."""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import click

from benyfits_data.cli.options import edition_option, example, option


@click.group(epilog=example("benyfits-data city check programs.csv --edition 2026"))
def command() -> None:
    """Compare the city's own texts of its programs with ours."""


@command.command(epilog=example("benyfits-data city check programs.csv --edition 2026"))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@edition_option
@option("--json", "as_json", is_flag=True, help="One JSON object, for machines.")
@option("--least", type=int, default=0, help="Leave out what is less suspicious (0 to 100).")
def check(file: Path, edition: int, as_json: bool, least: int) -> None:
    """Compare the city's dataset "Benefits and Programs" with an edition.

    FILE is the dataset kvhd-5fmu of data.cityofnewyork.us as downloaded, CSV or JSON. Told are
    programs that are new, gone or renamed, numbers in the city's texts that ours lack, and
    thresholds that the texts no longer print; most suspicious first.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.city.checking import check_listing
    from benyfits_data.upkeep.city.listing import read_listing

    listing = read_listing(file)
    findings = [it for it in check_listing(load_edition(edition), listing) if it.suspicion >= least]
    if as_json:
        click.echo(json.dumps([asdict(it) for it in findings], ensure_ascii=False, indent=2))
    else:
        for it in findings:
            click.echo(f"{it.suspicion:>3}  {it.program}: {it.kind}: {it.says}")
    counts = Counter(it.kind for it in findings)
    told = ", ".join(f"{n} {kind}" for kind, n in counts.most_common()) or "nothing to look at"
    click.echo(f"{len(listing)} programs of the city, edition {edition}: {told}", err=True)
