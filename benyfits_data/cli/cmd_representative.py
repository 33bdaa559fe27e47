"""`benyfits-data representative`: build the Representative dataset."""

from pathlib import Path
from typing import Any

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

_ONLY = {"survey": ("programs", "city"), "paper": ("repeats", "independent")}
"""Options that one design has and the other has not."""


@click.command(
    epilog=example(
        "benyfits-data representative --households 1000 --output output/large",
        "benyfits-data representative --design paper",
    )
)
@option(
    "--design",
    type=click.Choice(list(_ONLY)),
    default="survey",
    help="A stratified sample with weights, or programs repeated on random households as in the "
    "paper, built as representative-25.",
)
@option("--households", type=COUNT, help="How many households; 250, or 25 in the paper's design.")
@option("--programs", type=COUNT, help="Programs of each household; 10.  [survey]")
@option("--city", type=COUNT, help="Households of the city that is sampled; 200000.  [survey]")
@option("--repeats", type=COUNT, help="Distinct households of every program; 3.  [paper]")
@edition_option
@seed_option
@option(
    "--independent",
    is_flag=True,
    default=None,
    help="Draw every feature by itself, then repair.  [paper]",
)
@folder_option
@overwrite_option
@record_option
def command(
    design: str,
    households: int | None,
    edition: int,
    seed: int,
    output: Path,
    overwrite: bool,
    record: bool,
    **given: Any,
) -> None:
    """Build the Representative dataset: households as they are in the city, from cited sources.

    Every pair of a household and a program has a weight: how many pairs of the city it stands for.
    """
    from benyfits_data.dataset import check_output
    from benyfits_data.editions import load_edition
    from benyfits_data.population import equal_repeats, representative
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile
    from benyfits_data.staged_writes import staged

    told = {name: value for name, value in given.items() if value is not None}
    for name in told:
        if name not in _ONLY[design]:
            raise click.UsageError(f"--{name} does not go with --design {design}.")
    is_survey = design == "survey"
    name = representative.NAME if is_survey else equal_repeats.NAME
    files = representative.reproducible(name)
    common: dict[str, Any] = {"seed": seed, "name": draw_names, "render": render_profile}
    with staged(output) as stage:
        check_output(output, name, files, overwrite=overwrite)
        if is_survey:
            found = representative.build_representative(
                load_edition(edition),
                **{
                    "households": households or representative.HOUSEHOLDS,
                    "programs": representative.PROGRAMS,
                    **told,
                    **common,
                },
            )
        else:
            found = equal_repeats.build_equal_repeats(
                load_edition(edition),
                **{"households": households or 25, "repeats": 3, **told, **common},
            )
        manifest = representative.write_representative(found, stage)
        loads = [len(row.programs) for row in found.rows]
        said = f"{min(loads)} to {max(loads)} programs each"
        finish_build(output, stage, name, manifest, files, said, record=record)
