"""`benyfits-data representative` and `representative-25`: households as the city has them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.cli import options
from benyfits_data.cli.frame import option, say, verb
from benyfits_data.progress import progress

if TYPE_CHECKING:
    from benyfits_data.population.representative import Representative


@verb("representative", "representative --households 1000 --output output/large")
@option("--households", type=options.COUNT, default=250, help="How many households.")
@option("--programs", type=options.COUNT, default=10, help="Programs asked of each household.")
@option(
    "--city",
    type=options.COUNT,
    default=200_000,
    help="Households of the synthetic city, of which they are a sample.",
)
@options.build
def survey(
    households: int, programs: int, city: int, edition: int, seed: int, **common: Any
) -> None:
    """Build the Representative dataset: a sample of the synthetic city, whose scores hold for it.

    Every pair of a household and a program has a weight: how many pairs of the city it stands for.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.population import representative
    from benyfits_data.population.synthesis import chunks

    rules, asked = load_edition(edition), {"households": households, "programs": programs}
    with _building(representative.NAME, edition, **common) as write:
        with progress("draw and label the city", len(list(chunks(city)))) as tick:
            built = representative.build_representative(
                rules, **asked, city=city, seed=seed, tick=tick
            )
        write(built)


@verb("representative-25")
@option("--households", type=options.COUNT, default=25, help="How many households.")
@option("--repeats", type=options.COUNT, default=3, help="Households asked about each program.")
@options.build
def repeats(households: int, repeats: int, edition: int, seed: int, **common: Any) -> None:
    """Build a Representative dataset of the paper's design: each program asked of a few households.

    Households are drawn from the synthetic city; programs are spread over them evenly.
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.population import equal_repeats

    rules = load_edition(edition)
    with _building(equal_repeats.NAME, edition, **common) as write:
        with progress("draw the city"):
            built = equal_repeats.build_equal_repeats(
                rules, households=households, repeats=repeats, seed=seed
            )
        write(built)


@contextmanager
def _building(
    name: str, edition: int, *, output: Path | None, overwrite: bool, record: bool
) -> "Iterator[Callable[[Representative], None]]":
    """Give the function that writes a set, in whose place nobody else's stands."""
    from benyfits_data.dataset import check_output, finish_build
    from benyfits_data.population import representative
    from benyfits_data.staged_writes import staged

    output = output or Path("output") / str(edition)
    files = representative.reproducible(name)
    with staged(output) as stage:
        check_output(output, name, files, overwrite=overwrite)

        def write(built: "Representative") -> None:
            with progress("measure how believable the households are"):
                manifest = representative.write_representative(built, stage)
            loads = [len(row.programs) for row in built.rows]
            few = "" if min(loads) == max(loads) else f"{min(loads)} to "
            summary = f"{few}{max(loads)} programs each"
            for line in finish_build(output, stage, manifest, files, summary, record=record):
                say(line)

        yield write
