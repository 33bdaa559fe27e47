"""`benyfits-data programs readings`: what is open, and whose label hangs on it."""

import click

from benyfits_data.cli.options import edition_option, example, option, patience_option, seed_option
from benyfits_data.cli.tables import json_option, print_json


@click.command(
    epilog=example(
        "benyfits-data programs readings SectionEightHousingChoiceVoucherProgram",
        "benyfits-data programs readings --edition 2026 --city 0 --no-witnesses",
    )
)
@click.argument("names", nargs=-1)
@edition_option
@option(
    "--city",
    "n_city",
    type=click.IntRange(min=0),
    default=20_000,
    help="Synthetic New York City households whose labels are compared; 0 asks none.",
)
@seed_option
@option(
    "--witnesses/--no-witnesses",
    default=True,
    help="Search, for each other option, a household that it decides otherwise.",
)
@patience_option
@json_option
def command(
    names: tuple[str, ...],
    edition: int,
    n_city: int,
    seed: int,
    witnesses: bool,
    patience: float,
    as_json: bool,
) -> None:
    """Show what programs' sources leave open, and what each other reading would change.

    NAMES are programs; without any, all of them. A star marks the option in force. Each other
    option comes with the share of the city whose label it changes, and with a smallest household
    that separates the two: the question to put to the city.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.language.z3_backend import World
    from benyfits_data.population.synthesis import synthesize
    from benyfits_data.upkeep.reading_effects import measure_readings

    rules = load_edition(edition)
    chosen = [rules.program(name).name for name in names] or list(rules.programs)
    asked = [name for name in chosen if rules.program(name).readings]
    city = synthesize(n_city, seed) if n_city and asked else None
    found = measure_readings(rules, asked, city, World(patience) if witnesses else None)
    if as_json:
        print_json([effect.as_json() for effect in found])
        return
    n_readings = 0
    for effect in found:
        n_readings += 1
        click.echo(f"{effect}\n")
    click.echo(
        f"{n_readings} readings in {len(asked)} of {len(chosen)} programs of {edition}", err=True
    )
