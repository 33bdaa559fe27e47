"""`benyfits-data representative`: build the Representative dataset."""

from pathlib import Path

import click

from benyfits_data.cli.finish import finish_build
from benyfits_data.cli.options import (
    edition_option,
    example,
    folder_option,
    option,
    overwrite_option,
    seed_option,
)


@click.command(
    epilog=example(
        "benyfits-data representative --households 100 --repeats 12 --output output/large"
    )
)
@option("--households", type=click.IntRange(min=1), default=25, help="How many households.")
@option(
    "--repeats",
    type=click.IntRange(min=1),
    default=3,
    help="On how many distinct households every program is.",
)
@edition_option
@seed_option
@option(
    "--independent", is_flag=True, help="Draw every feature by itself, then repair, as the paper."
)
@folder_option
@overwrite_option
@option(
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
    """Build the Representative dataset: households as they are in the city, from cited sources."""
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
