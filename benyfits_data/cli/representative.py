"""`benyfits-data representative`: build the Representative dataset."""

from pathlib import Path

import click

from benyfits_data.cli.options import edition_option, folder_option, overwrite_option, seed_option
from benyfits_data.cli.page import finish_build


@click.command()
@click.option(
    "--households",
    type=click.IntRange(min=1),
    default=25,
    show_default=True,
    help="How many households.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="On how many distinct households every program is.",
)
@edition_option
@seed_option
@click.option(
    "--independent", is_flag=True, help="Draw every feature by itself, then repair, as the paper."
)
@folder_option
@overwrite_option
@click.option(
    "--record",
    is_flag=True,
    help="Write the checksums of this build to CHECKSUMS in the output folder.",
)
def command(
    households: int,
    repeats: int,
    edition: int,
    seed: int,
    independent: bool,
    output: Path,
    overwrite: bool,
    record: bool,
) -> None:
    r"""Build the Representative dataset: households as they are in the city, from cited sources.

    \b
    Example:
      benyfits-data representative --households 100 --repeats 12 --output output/large
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.population.representative import (
        REPRODUCIBLE,
        build_representative,
        check_output,
        write_representative,
    )
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile

    check_output(output, overwrite=overwrite)
    found = build_representative(
        load_edition(edition),
        households=households,
        repeats=repeats,
        seed=seed,
        name=draw_names,
        render=render_profile,
        independent=independent,
    )
    manifest = write_representative(found, output)
    loads = [len(row.programs) for row in found.rows]
    click.echo(
        f"{output / 'representative.jsonl'}: {manifest['households']} households, "
        f"{manifest['pairs']} pairs ({100 * manifest['eligible_pairs'] / manifest['pairs']:.1f}% "
        f"eligible), {min(loads)} to {max(loads)} programs each",
        err=True,
    )
    finish_build(output, {name: manifest["files"][name] for name in REPRODUCIBLE}, record=record)
