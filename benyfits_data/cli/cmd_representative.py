"""`benyfits-data representative` and `representative-25`: households as the city has them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benyfits_data.cli.options import (
    COUNT,
    edition_folder_option,
    edition_option,
    example,
    option,
    overwrite_option,
    record_option,
    seed_option,
    stacked,
)
from benyfits_data.cli.progress import finish_build, progress, spinner

if TYPE_CHECKING:
    from benyfits_data.population.representative import Representative

build_options = stacked(
    edition_option, seed_option, edition_folder_option, overwrite_option, record_option
)
"""Options of both builds."""


@click.command(
    epilog=example(
        "benyfits-data representative",
        "benyfits-data representative --households 1000 --output output/large",
    )
)
@option("--households", type=COUNT, default=250, help="How many households.")
@option("--programs", type=COUNT, default=10, help="Programs that each household is asked about.")
@option(
    "--city",
    type=COUNT,
    default=200_000,
    help="Households of the synthetic city, of which they are a sample.",
)
@build_options
def survey(
    households: int, programs: int, city: int, edition: int, seed: int, **common: Any
) -> None:
    """Build the Representative dataset: a sample of the synthetic city, whose scores hold for it.

    Every pair of a household and a program has a weight: how many pairs of the city it stands for.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.population import representative
    from benyfits_data.population.synthesis import chunks

    def build() -> "Representative":
        with progress("draw and label the city", len(list(chunks(city)))) as tick:
            return representative.build_representative(
                load_edition(edition),
                households=households,
                programs=programs,
                city=city,
                seed=seed,
                tick=tick,
            )

    _build(representative.NAME, build, edition, **common)


@click.command(epilog=example("benyfits-data representative-25"))
@option("--households", type=COUNT, default=25, help="How many households.")
@option(
    "--repeats", type=COUNT, default=3, help="How many households are asked about each program."
)
@build_options
def repeats(households: int, repeats: int, edition: int, seed: int, **common: Any) -> None:
    """Build a Representative dataset of the paper's design: each program asked of a few households.

    Households are drawn from the synthetic city; programs are spread over them evenly.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.population import equal_repeats

    def build() -> "Representative":
        with spinner("draw the city"):
            return equal_repeats.build_equal_repeats(
                load_edition(edition),
                households=households,
                repeats=repeats,
                seed=seed,
            )

    _build(equal_repeats.NAME, build, edition, **common)


def _build(
    name: str,
    build: "Callable[[], Representative]",
    edition: int,
    *,
    output: Path | None,
    overwrite: bool,
    record: bool,
) -> None:
    from benyfits_data.dataset import check_output
    from benyfits_data.population import representative
    from benyfits_data.staged_writes import staged

    output = output or Path("output") / str(edition)
    files = representative.reproducible(name)
    with staged(output) as stage:
        check_output(output, name, files, overwrite=overwrite)
        built = build()
        with spinner("measure how believable the households are"):
            manifest = representative.write_representative(built, stage)
        loads = [len(row.programs) for row in built.rows]
        few = "" if min(loads) == max(loads) else f"{min(loads)} to "
        said = f"{few}{max(loads)} programs each"
        finish_build(output, stage, name, manifest, files, said, record=record)
