"""`benyfits-data households`: sample possible households, measure how believable they are."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, noun, option, say, verb
from benyfits_data.wording import count_of

if TYPE_CHECKING:
    from benyfits_data.profiles.render import Register


WEIGHTS = 3
"""Facts that are printed for each household."""


command = noun(
    "Sample possible households, measure how believable they are.",
    "households sample -n 100 --output households.jsonl",
)


@verb("households sample -n 100 --edition 2026 --output households.jsonl", of=command)
@option("-n", "number", type=options.COUNT, default=100, help="How many.")
@options.seed
@options.edition
@options.profiles
@options.households_file
@options.overwrite
def sample(
    number: int, seed: int, edition: int, profiles: "Register", output: Path, overwrite: bool
) -> None:
    """Sample households around the limits of an edition's programs, labelled and described."""
    from benyfits_data.dataset import check_replaceable, write_rows
    from benyfits_data.dataset.rows import make_rows
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.language.numpy_backend import label_and_trace

    check_replaceable([output], {}, overwrite=overwrite)
    rules = load_edition(edition)
    homes = sample_households(number, rules, seed)
    labels = label_and_trace(rules, homes).labels
    wanted = [rules.programs] * number
    rows = make_rows("household", rules, seed, homes, wanted, labels, profiles=profiles)
    write_rows(output, rows)
    say(f"{output}: {count_of(number, 'household')}")


@verb("households plausibility output/2026/diverse.jsonl", of=command)
@click.argument("file", type=options.FILE)
def plausibility(file: Path) -> Listing:
    """Measure how surprising the households of FILE are in the synthetic city.

    A percentile of 99 says that 99 of 100 households of that size in the city are less surprising.
    Beside it stand the three facts, ages or relations that weigh most, with how rare each is among
    members of that age, sex and relation.
    """
    from benyfits_data.dataset import read_rows
    from benyfits_data.household.columns import Households
    from benyfits_data.population.city_plausibility import city_plausibility

    rows = read_rows(file)
    table = Households.from_households([row.household for row in rows])
    plausibility = city_plausibility()
    percentiles = plausibility.percentile(table).tolist()
    weights = plausibility.weights(table, WEIGHTS)
    measured = [
        (row.id, len(row.household.members), percentile, "; ".join(map(str, weightiest)))
        for row, percentile, weightiest in zip(rows, percentiles, weights, strict=True)
    ]
    return Listing(("id", "members", "percentile", "weighs most"), measured)
