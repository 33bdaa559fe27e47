"""`python -m tests.bench.speed [--quick]`: time the building steps and the readers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import COUNT, edition_option, option, seed_option
from benyfits_data.cli.progress import progress, spinner
from benyfits_data.cli.tables import json_option, print_json, print_table

if TYPE_CHECKING:
    from tests.bench.measuring import Bench

FULL = {"households": 10_000, "compared": 200, "largest": 1_000_000}
QUICK = {"households": 2_000, "compared": 20, "largest": 100_000}


@click.command()
@option("--quick", is_flag=True, help="Fewer households, in about a minute.")
@option(
    "--workers",
    type=COUNT,
    show_default="one a processor",
    help="Processes for pools of more than 100,000 households.",
)
@edition_option
@seed_option
@json_option
def command(quick: bool, workers: int | None, edition: int, seed: int, as_json: bool) -> None:
    """Time sampling, labelling and tracing, selection, rendering and the whole build.

    All in one run, beside Python's own trace module (a tracer for each household and program) and
    coverage.py (a context for each household). These two run on a part and are extrapolated.
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
        show=_shown,
    )
    if as_json:
        print_json(bench.as_json())
    else:
        _print(bench)


@contextmanager
def _shown(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar for work that tells its parts, a spinner for other work."""
    if total:
        with progress(label, total) as tick:
            yield tick
        return
    with spinner(label):
        yield lambda done: None


def _print(bench: "Bench") -> None:
    click.echo(
        f"{bench.households:,} households, {bench.programs} programs, edition {bench.edition}. "
        f"The last columns: how many times as long tracing alone takes with another tracer "
        f"(extrapolated from {bench.compared} households)."
    )
    rows: list[tuple[object, ...]] = [
        (step, seconds, bench.households / seconds, *(bench.times(step, it) for it in bench.others))
        for step, seconds in bench.steps.items()
    ]
    for other, seconds in bench.others.items():
        speed = bench.households / seconds
        rows.append((f"tracing with {other}", seconds, speed, *(None for _ in bench.others)))
    print_table(("step", "seconds", "households/s", *bench.others), rows)
    click.echo("\nSampling, labelling and tracing:")
    growth = [(n, seconds, n / seconds) for n, seconds in bench.growth]
    print_table(("households", "seconds", "households/s"), growth)
    click.echo(
        f"\nLargest process: {bench.memory / 1e6:,.0f} MB. Pools above 100,000: {bench.workers} "
        "processes."
    )


if __name__ == "__main__":
    command()
