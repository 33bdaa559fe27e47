"""`python -m tests.bench.speed [--quick]`: time the building steps and the readers."""

from typing import TYPE_CHECKING

from benyfits_data.cli import options
from benyfits_data.cli.frame import Listing, Report, option, verb
from benyfits_data.progress import progress

if TYPE_CHECKING:
    from tests.bench.measuring import Bench

FULL = {"households": 10_000, "compared": 200, "largest": 1_000_000}
QUICK = {"households": 2_000, "compared": 20, "largest": 100_000}


@verb("speed")
@option("--quick", is_flag=True, help="Fewer households, in about a minute.")
@option(
    "--workers",
    type=options.COUNT,
    show_default="one a processor",
    help="Processes for pools of more than 100,000 households.",
)
@options.edition
@options.seed
def command(quick: bool, workers: int | None, edition: int, seed: int) -> Report:
    """Time sampling, labelling and tracing, selection, rendering and the whole build.

    All in one run, beside coverage.py (a context for each household), which runs on a part and is
    extrapolated.
    """
    from benyfits_data.editions import load_edition
    from tests.bench.measuring import measure

    size = QUICK if quick else FULL
    bench = measure(
        load_edition(edition),
        seed,
        households=size["households"],
        compared=size["compared"],
        sizes=[10**power for power in range(3, len(str(size["largest"])))],
        workers=workers,
        show=lambda label, total: progress(label, total or None),
    )
    return Report(_shown(bench), bench.as_json())


def _shown(bench: "Bench") -> list[Listing | str]:
    rows: list[tuple[object, ...]] = [
        (step, seconds, bench.households / seconds, *(bench.times(step, it) for it in bench.others))
        for step, seconds in bench.steps.items()
    ]
    for other, seconds in bench.others.items():
        speed = bench.households / seconds
        rows.append((f"tracing with {other}", seconds, speed, *(None for _ in bench.others)))
    growth = [(n, seconds, n / seconds) for n, seconds in bench.growth]
    return [
        f"{bench.households:,} households, {bench.programs} programs, edition {bench.edition}. "
        f"The last columns: how many times as long tracing alone takes with another tracer "
        f"(extrapolated from {bench.compared} households).",
        Listing(("step", "seconds", "households/s", *bench.others), rows),
        "\nSampling, labelling and tracing:",
        Listing(("households", "seconds", "households/s"), growth),
        f"\nLargest process: {bench.memory / 1e6:,.0f} MB. Pools above 100,000: {bench.workers} "
        "processes.",
    ]


if __name__ == "__main__":
    command()
