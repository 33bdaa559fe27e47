"""`benyfits-data households`: sample possible households."""

from pathlib import Path

import click

from benyfits_data.cli.options import edition_option, format_option, overwrite_option, seed_option


@click.group()
def command() -> None:
    r"""Sample possible households.

    \b
    Example:
      benyfits-data households sample -n 100 --output households.jsonl
    """


@command.command()
@click.option(
    "-n", "number", type=click.IntRange(min=1), default=100, show_default=True, help="How many."
)
@seed_option
@edition_option
@format_option
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file for the households.",
)
@overwrite_option
def sample(
    number: int, seed: int, edition: int, layout: str, output: Path, overwrite: bool
) -> None:
    r"""Sample households around the limits of an edition's programs, labelled and described.

    \b
    Example:
      benyfits-data households sample -n 100 --edition 2026 --output households.jsonl
    """
    import numpy as np

    from benyfits_data.dataset import (
        Row,
        as_published_line,
        check_replaceable,
        write_atomically,
    )
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.sampler import sample_households
    from benyfits_data.language.batch import label_and_trace
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile
    from benyfits_data.streams import stream

    check_replaceable([output], {}, overwrite=overwrite)
    rules = load_edition(edition)
    households = sample_households(number, rules, seed)
    households.names = draw_names(households, stream(seed, "households", "names"))
    labels = label_and_trace(rules, households).labels
    width = len(str(number))
    lines = []
    for position in np.arange(number):
        household = households.household(int(position))
        own = {name: bool(label[position]) for name, label in labels.items()}
        row = Row(
            id=f"household-{edition}-{position + 1:0{width}d}",
            edition=edition,
            household=household,
            profile=render_profile(household),
            programs=tuple(own),
            eligible=own,
            labels=own,
        )
        lines.append((row.as_json() if layout == "ours" else as_published_line(row)) + "\n")
    write_atomically(output, "".join(lines))
    click.echo(f"{output}: {number} households", err=True)
