"""`benyfits-data households`: sample possible households."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import (
    COUNT,
    NEW_FILE,
    Layout,
    edition_option,
    example,
    format_option,
    option,
    overwrite_option,
    profiles_option,
    seed_option,
)

if TYPE_CHECKING:
    from benyfits_data.profiles.render import Register


@click.group(epilog=example("benyfits-data households sample -n 100 --output households.jsonl"))
def command() -> None:
    """Sample possible households."""


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

    from benyfits_data.dataset import Row, as_published_line, check_replaceable, write_atomically
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.seeds import sample_households
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
        own = {name: bool(label[position]) for name, label in labels.items()}
        row = Row(
            id=f"household-{edition}-{position + 1:0{width}d}",
            edition=edition,
            household=household,
            profile=render_profile(household, profiles),
            programs=tuple(own),
            eligible=own,
            labels=own,
            contested=open_labels[position],
        )
        lines.append((row.as_json() if layout == "ours" else as_published_line(row)) + "\n")
    write_atomically(output, "".join(lines))
    click.echo(f"{output}: {number} households", err=True)
