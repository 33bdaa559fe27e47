"""`benyfits-data population`: is the synthetic city true, and what does it say?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, noun, option, say, verb
from benyfits_data.progress import progress
from benyfits_data.wording import count_of

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
}
"""Where a figure of eligibility comes from, and the command that shows it."""


command = noun(
    "Draw the synthetic city, check it against its sources, count who is eligible in it.",
    "population check",
)


@verb("population check --households 100000", of=command)
@households_option
@options.seed
@options.workers
@options.folder
def check(households: int, seed: int, workers: int, output: Path) -> Report:
    """Compare a city with every margin, joint table and constraint; exits with 1 if one is missed.

    Published shares that nothing is fitted to are printed apart; they do not fail the command.
    Writes population.check.csv: each published figure, the city's, and how far apart they may be,
    as numbers from 0 to 1.
    """
    from benyfits_data.dataset import write_atomically
    from benyfits_data.population.check import check_city

    with progress("checking the city", households) as tick:
        city = check_city(households, seed, workers, tick)
    file = output / "population.check.csv"
    write_atomically(file, city.to_csv())
    header = ("kind", "figures", "percent within", "mean difference", "largest")
    kinds = Listing(header, city.summary())
    missed = [str(row) for row in (*city.problems(), *city.misses())]
    counts = {"households": city.households, "people": city.people, "repaired": city.repaired}
    content = {**counts, "kinds": kinds.objects(), "missed": missed}
    of = f"{count_of(city.households, 'household')}, {count_of(city.people, 'person', 'people')}"
    note = f"{file}: {of}, {city.repaired} repaired"
    return Report([*missed, kinds], content, [note], failed=bool(city.problems()))


@verb(
    "population eligibility --households 200000 --edition 2026",
    "population eligibility FairFaresNYC",
    of=command,
)
@click.argument("program", required=False)
@option(
    "--households",
    type=click.IntRange(min=100),
    show_default="1000000; 50000 for one program",
    help="How many households to synthesize.",
)
@options.seed
@options.workers
@options.folder
@option(
    "--edition",
    "editions",
    type=int,
    callback=options.known_edition,
    multiple=True,
    help="Whose rules; may be repeated.  [default: all published editions]",
)
@option(
    "--replicates",
    type=click.IntRange(min=0),
    show_default="12; 6 for one program",
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
    program: str | None,
    households: int | None,
    seed: int,
    workers: int,
    output: Path,
    editions: tuple[int, ...],
    replicates: int | None,
    groupings: "tuple[Grouping, ...]",
) -> Report:
    """Count for each program the households that may claim it, by the rules of some editions.

    With PROGRAM, answers for that one at once: households and persons, by borough, age and income,
    with the lowest and the highest share that another reading of its text would give.

    Writes eligibility.csv: shares of all households with 95% intervals, beside what agencies
    publish. Intervals hold the error of sampling, and that of the sources: published shares and
    assumptions are redrawn for replicate cities.
    """
    if replicates == 1:
        raise click.UsageError("--replicates 1: one city has no spread. Take 0, or 2 and more.")
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import EDITIONS
    from benyfits_data.population import eligibility as shares
    from benyfits_data.staged_writes import staged

    years = sorted(set(editions)) or EDITIONS
    if program is not None:
        if groupings or len(set(editions)) > 1:
            raise click.UsageError("PROGRAM is answered for one --edition, and takes no --by.")
        n, cities = households or 50_000, 6 if replicates is None else replicates
        return _of_one(program, max(years), n, cities, seed, workers, output)
    households = households or 1_000_000
    replicates = shares.REPLICATES if replicates is None else replicates
    with staged(output) as stage:
        counted = households + replicates * shares.REPLICATE_HOUSEHOLDS
        with progress("counting who is eligible", counted) as tick:
            rows = shares.measure_eligibility(
                households, seed, workers, years, replicates, groupings, tick
            )
        write_atomically(stage / "eligibility.csv", shares.eligibility_table(rows))
        for by in groupings:
            write_atomically(stage / f"eligibility.{by}.csv", shares.groups_table(by, rows))
    programs = count_of({row.program for row in rows}, "program")
    of = f"edition{'s' * (len(years) > 1)} {', '.join(map(str, years))}"
    doubts = [f"{doubt}: benyfits-data {asked}" for doubt, asked in DOUBTS.items()]
    columns = ("program", "edition", "share", "low", "high")
    content = [{name: getattr(row, name) for name in columns} for row in rows]
    return Report([], content, [f"{output / 'eligibility.csv'}: {programs}, {of}", *doubts])


def _of_one(
    name: str, edition: int, households: int, replicates: int, seed: int, workers: int, output: Path
) -> Report:
    from benyfits_data.dataset import write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.population.eligibility import (
        REPLICATE_HOUSEHOLDS,
        as_percent,
        draw_shares,
        measure_program,
    )
    from benyfits_data.population.synthesis import default_sources

    program = load_edition(edition).program(name)
    counted = households + replicates * REPLICATE_HOUSEHOLDS
    with progress("counting who is eligible", counted) as tick:
        measured = measure_program(program, households, seed, workers, replicates, tick)
    says = measured.says(default_sources().parameter("city_households"))
    header = ("by", "group", "share", "low", "high", "lowest reading", "highest reading")
    rows = [(of.by, of.group, *map(as_percent, of.shares)) for of in measured.groups]
    options = Listing(
        ("reading", "option", "share"),
        [(reading, option, as_percent(share)) for reading, option, share in measured.options],
        "Share under each option that is not in force",
    )
    picture = output / f"eligibility.{name}.{edition}.svg"
    write_atomically(picture, draw_shares(measured))
    content = {
        "program": name,
        "edition": edition,
        "households": measured.n,
        "groups": measured.groups,
        "options": measured.options,
    }
    shown: list[Listing | str] = [says, Listing(header, rows), *[options] * bool(measured.options)]
    notes = [f"Picture: {picture}", f"The questions: benyfits-data programs readings {name}"]
    return Report(shown, content, notes)


@verb(
    "population draw -n 10000 --output city.jsonl",
    "label city.jsonl --output labels.jsonl",
    of=command,
)
@option("-n", "number", type=options.COUNT, required=True, help="How many.")
@options.seed
@options.workers
@options.households_file
@options.overwrite
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
    say(f"{output}: {count_of(number, 'household')}")
