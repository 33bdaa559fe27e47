"""`benyfits-data population`: is the synthetic city true, and what does it say?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import (
    COUNT,
    NEW_FILE,
    NounGroup,
    edition_option,
    example,
    folder_option,
    known_edition,
    option,
    overwrite_option,
    seed_option,
    workers_option,
)
from benyfits_data.cli.progress import progress
from benyfits_data.cli.tables import (
    Form,
    as_objects,
    count_of,
    json_option,
    print_json,
    print_table,
    table_options,
)

if TYPE_CHECKING:
    from benyfits_data.population.eligibility import Grouping

households_option = option(
    "--households",
    type=click.IntRange(min=100),
    default=1_000_000,
    help="How many households to synthesize.",
)

DOUBTS = {
    "clauses, amounts, where each was read and when": "programs show PROGRAM",
    "what the city's text leaves open, and whom that concerns": "programs readings PROGRAM",
    "what a share of people rests on": "sources show FACT",
    "how far each assumption moves a share": "population sensitivity",
}
"""Where a figure of eligibility comes from, and the command that shows it."""


@click.group(cls=NounGroup, epilog=example("benyfits-data population check"))
def command() -> None:
    """Draw the synthetic city, check it against its sources, count who is eligible in it."""


@command.command(epilog=example("benyfits-data population check --households 100000"))
@households_option
@seed_option
@workers_option
@folder_option
@json_option
def check(households: int, seed: int, workers: int, output: Path, as_json: bool) -> None:
    """Compare a city with every margin, joint table and constraint; exits with 1 if one is missed.

    Published shares that nothing is fitted to are printed apart; they do not fail the command.
    Writes population.check.csv: each published figure, the city's, and how far apart they may be,
    as numbers from 0 to 1.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.population.check import check_city

    with progress("checking the city", households) as tick:
        city = check_city(households, seed, workers, tick)
    path = output / "population.check.csv"
    write_atomically(path, city.to_csv())
    header = ("kind", "figures", "percent within", "mean difference", "largest")
    missed = [str(row) for row in (*city.problems(), *city.misses())]
    if as_json:
        counts = {"households": city.households, "people": city.people, "repaired": city.repaired}
        print_json({**counts, "kinds": as_objects(header, city.summary()), "missed": missed})
    else:
        click.echo("".join(f"{line}\n" for line in missed), nl=False)
        print_table(header, city.summary())
    of = f"{count_of(city.households, 'household')}, {count_of(city.people, 'person', 'people')}"
    click.echo(f"{path}: {of}, {city.repaired} repaired", err=True)
    if city.problems():
        sys.exit(1)


@command.command(
    epilog=example("benyfits-data population eligibility --households 200000 --edition 2026")
)
@households_option
@seed_option
@workers_option
@folder_option
@option(
    "--edition",
    "editions",
    type=int,
    callback=known_edition,
    multiple=True,
    help="Whose rules; may be repeated.  [default: all published editions]",
)
@option(
    "--replicates",
    type=click.IntRange(min=0),
    default=12,
    help="Cities with redrawn sources, for the intervals; 0, or 2 and more.",
)
@option(
    "--by",
    "groupings",
    type=click.Choice(["borough", "age", "tenure"]),
    multiple=True,
    help="Count by borough, age of the householder or tenure too, as eligibility.BY.csv; may be "
    "repeated.",
)
def eligibility(
    households: int,
    seed: int,
    workers: int,
    output: Path,
    editions: tuple[int, ...],
    replicates: int,
    groupings: "tuple[Grouping, ...]",
) -> None:
    """Count for each program the households that may claim it, by the rules of some editions.

    Writes eligibility.csv: shares of all households with 95% intervals, beside what agencies
    publish. Intervals hold the error of sampling, and that of the sources: published shares and
    assumptions are redrawn for replicate cities.
    """
    if replicates == 1:
        raise click.UsageError("--replicates 1: one city has no spread. Take 0, or 2 and more.")
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import EDITIONS
    from benyfits_data.population.eligibility import (
        eligibility_table,
        groups_table,
        measure_eligibility,
    )
    from benyfits_data.population.sensitivity import HOUSEHOLDS as REPLICATE_HOUSEHOLDS
    from benyfits_data.staged_writes import staged

    years = sorted(set(editions)) or EDITIONS
    with staged(output) as stage:
        counted = households + replicates * REPLICATE_HOUSEHOLDS
        with progress("counting who is eligible", counted) as tick:
            options = households, seed, workers, years, replicates, groupings
            shares = measure_eligibility(*options, tick)
        write_atomically(stage / "eligibility.csv", eligibility_table(shares))
        for by in groupings:
            write_atomically(stage / f"eligibility.{by}.csv", groups_table(by, shares))
    programs = count_of({row.program for row in shares}, "program")
    of = f"edition{'s' * (len(years) > 1)} {', '.join(map(str, years))}"
    click.echo(f"{output / 'eligibility.csv'}: {programs}, {of}", err=True)
    for doubt, asked in DOUBTS.items():
        click.echo(f"{doubt}: benyfits-data {asked}", err=True)


@command.command(
    epilog=example("benyfits-data population sensitivity --assumption ac --edition 2026")
)
@option(
    "--households",
    type=click.IntRange(min=100),
    default=20_000,
    help="How many households to synthesize for each assumption.",
)
@option(
    "--assumption",
    "names",
    multiple=True,
    metavar="NAME",
    help="Move only this one; may be repeated.  [default: all]",
)
@seed_option
@workers_option
@folder_option
@edition_option
@table_options
def sensitivity(
    households: int,
    names: tuple[str, ...],
    seed: int,
    workers: int,
    output: Path,
    edition: int,
    form: Form,
) -> None:
    """Move every assumption of the city by a fifth; see how far eligible shares move.

    Prints for each assumption how far eligible shares move, in points and as the mean over all
    programs; how far chance alone would move them; and the program that moves most. What moves
    farthest beyond chance comes first. Writes all moves to sensitivity.csv. Takes half a minute an
    assumption: try all with few households, then the first ones again with many.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.population.sensitivity import (
        assumptions_of,
        measure_sensitivity,
        ranked,
        sensitivity_table,
    )
    from benyfits_data.population.synthesis import default_sources
    from benyfits_data.staged_writes import staged

    moved = assumptions_of(default_sources(), names)
    with staged(output) as stage:
        with progress("cities", 1 + len(moved)) as tick:
            moves = measure_sensitivity(moved, households, seed, workers, edition, tick)
        write_atomically(stage / "sensitivity.csv", sensitivity_table(moves))
    columns = ("assumption", "table", "mean points", "by chance", "most", "from", "to")
    print_table(
        columns,
        (
            (one.name, one.table, mean, chance, most.program, 100 * most.share, 100 * most.moved)
            for one, mean, chance, most in ranked(moves)
        ),
        form=form,
    )


@command.command(
    epilog=example(
        "benyfits-data population draw -n 10000 --output city.jsonl",
        "benyfits-data label city.jsonl --output labels.jsonl",
    )
)
@option("-n", "number", type=COUNT, required=True, help="How many.")
@seed_option
@workers_option
@option("--output", type=NEW_FILE, required=True, help="The file for the households.")
@overwrite_option
def draw(number: int, seed: int, workers: int, output: Path, overwrite: bool) -> None:
    """Write the synthetic city: a line a household, with the facts kept to draw it.

    `household` is in our layout, which `label` and `audit` read. `city` holds what no program asks
    about: borough, kind of household, poverty, and each member's living arrangement, education and
    work.
    """
    from benyfits_data.dataset import check_replaceable
    from benyfits_data.population.synthesis import draw_lines
    from benyfits_data.staged_writes import writing

    check_replaceable([output], {}, overwrite=overwrite)
    with progress("drawing the city", number) as tick, writing(output) as file:
        for lines in draw_lines(number, seed, workers):
            file.write("".join(lines).encode())
            tick(len(lines))
    click.echo(f"{output}: {count_of(number, 'household')}", err=True)
