"""`benyfits-data households`: sample possible households, measure how believable they are."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import (
    COUNT,
    FILE,
    NEW_FILE,
    Layout,
    NounGroup,
    edition_option,
    example,
    format_option,
    option,
    overwrite_option,
    profiles_option,
    seed_option,
)
from benyfits_data.cli.tables import Form, count_of, print_table, table_options

if TYPE_CHECKING:
    from benyfits_data.profiles.render import Register


WEIGHTS = 3
"""Facts that are printed for each household."""


@click.group(
    cls=NounGroup,
    epilog=example("benyfits-data households sample -n 100 --output households.jsonl"),
)
def command() -> None:
    """Sample possible households, measure how believable they are."""


@command.command(
    epilog=example(
        "benyfits-data households sample -n 100 --edition 2026 --output households.jsonl"
    )
)
@option("-n", "number", type=COUNT, default=100, help="How many.")
@seed_option
@edition_option
@format_option
@profiles_option
@option("--output", type=NEW_FILE, required=True, help="The file for the households.")
@overwrite_option
def sample(
    number: int,
    seed: int,
    edition: int,
    layout: Layout,
    profiles: "Register",
    output: Path,
    overwrite: bool,
) -> None:
    """Sample households around the limits of an edition's programs, labelled and described."""
    import numpy as np

    from benyfits_data.dataset import Row, check_replaceable, to_published, write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.sample import sample_households
    from benyfits_data.language.numpy_backend import label_and_trace
    from benyfits_data.language.reading_labels import contested
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile
    from benyfits_data.rng import stream

    check_replaceable([output], {}, overwrite=overwrite)
    rules = load_edition(edition)
    households = sample_households(number, rules, seed)
    households.names = draw_names(households, stream(seed, "households", "names"))
    labels = label_and_trace(rules, households).labels
    width = len(str(number))
    open_labels = contested(rules, households)
    lines = []
    for position in np.arange(number):
        household = households.household(int(position))
        eligible = {name: bool(label[position]) for name, label in labels.items()}
        row = Row(
            id=f"household-{edition}-{position + 1:0{width}d}",
            edition=edition,
            household=household,
            profile=render_profile(household, profiles),
            programs=tuple(eligible),
            eligible=eligible,
            labels=eligible,
            contested=open_labels[position],
        )
        lines.append(
            (
                row.as_json()
                if layout == "ours"
                else json.dumps(to_published(row), ensure_ascii=False)
            )
            + "\n"
        )
    write_atomically(output, "".join(lines))
    click.echo(f"{output}: {count_of(number, 'household')}", err=True)


@command.command(epilog=example("benyfits-data households plausibility output/2026/diverse.jsonl"))
@click.argument("file", type=FILE)
@table_options
def plausibility(file: Path, form: Form) -> None:
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
    measured = zip(
        rows,
        plausibility.percentile(table).tolist(),
        plausibility.weights(table, WEIGHTS),
        strict=True,
    )
    cells = [
        (
            row.id,
            len(row.household.members),
            percentile,
            "; ".join(str(one) for one in weightiest),
        )
        for row, percentile, weightiest in measured
    ]
    print_table(("id", "members", "percentile", "weighs most"), cells, form=form)
