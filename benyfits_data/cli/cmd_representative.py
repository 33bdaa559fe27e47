"""`benyfits-data representative`: build the Representative dataset."""

from pathlib import Path

import click

from benyfits_data.cli.finish import finish_build
from benyfits_data.cli.options import (
    COUNT,
    edition_option,
    example,
    folder_option,
    option,
    overwrite_option,
    record_option,
    seed_option,
)


@click.command(
    epilog=example(
        "benyfits-data representative --households 100 --repeats 12 --output output/large"
    )
)
@option("--households", type=COUNT, default=25, help="How many households.")
@option(
    "--repeats", type=COUNT, default=3, help="On how many distinct households every program is."
)
@edition_option
@seed_option
@option(
    "--independent", is_flag=True, help="Draw every feature by itself, then repair, as the paper."
)
@folder_option
@overwrite_option
@record_option
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
    from benyfits_data.dataset import check_output
    from benyfits_data.editions import load_edition
    from benyfits_data.population.representative import (
        NAME,
        REPRODUCIBLE,
        build_representative,
        write_representative,
    )
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile
    from benyfits_data.staged_writes import staged

    with staged(output) as stage:
        check_output(output, NAME, REPRODUCIBLE, overwrite=overwrite)
        found = build_representative(
            load_edition(edition),
            households=households,
            repeats=repeats,
            seed=seed,
            name=draw_names,
            render=render_profile,
            independent=independent,
        )
        manifest = write_representative(found, stage)
        loads = [len(row.programs) for row in found.rows]
        told = f"{min(loads)} to {max(loads)} programs each"
        finish_build(output, stage, NAME, manifest, REPRODUCIBLE, told, record=record)
