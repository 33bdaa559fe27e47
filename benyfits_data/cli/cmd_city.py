"""`benyfits-data city`: the city's own texts beside ours."""

from collections import Counter
from dataclasses import astuple, fields
from pathlib import Path

import click

from benyfits_data.cli.options import FILE, edition_option, example, option
from benyfits_data.cli.tables import json_option, print_table


@click.group(epilog=example("benyfits-data city check programs.csv --edition 2026"))
def command() -> None:
    """Compare the city's own texts of its programs with ours."""


@command.command(epilog=example("benyfits-data city check programs.csv --edition 2026"))
@click.argument("file", type=FILE)
@edition_option
@option("--least", type=int, default=0, help="Leave out what is less suspicious (0 to 100).")
@option("--before", type=FILE, help="An earlier download, whose sentences are compared too.")
@json_option
def check(file: Path, edition: int, least: int, before: Path | None, as_json: bool) -> None:
    """Compare the city's dataset "Benefits and Programs" with an edition.

    FILE is the dataset kvhd-5fmu of data.cityofnewyork.us as downloaded, CSV or JSON. Told are
    programs that are new, gone or renamed, numbers and sentences in the city's texts that ours
    lack, thresholds and quoted phrases that the texts no longer print, and sentences that changed
    since an earlier download; most suspicious first. Programs are matched by the city's id first.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.upkeep.city.checking import Finding, check_listing
    from benyfits_data.upkeep.city.listing import read_listing

    listing = read_listing(file)
    found = check_listing(load_edition(edition), listing, read_listing(before) if before else ())
    findings = [it for it in found if it.suspicion >= least]
    header = tuple(field.name for field in fields(Finding))
    print_table(header, [astuple(it) for it in findings], as_json=as_json)
    counts = Counter(it.kind for it in findings)
    told = ", ".join(f"{n} {kind}" for kind, n in counts.most_common()) or "nothing to look at"
    click.echo(f"{len(listing)} programs of the city, edition {edition}: {told}", err=True)
