"""`benyfits-data bench`: time the building steps and the readers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import edition_option, example, option, seed_option
from benyfits_data.cli.progress import progress, spinner

if TYPE_CHECKING:
    from rich.console import Console

    from benyfits_data.bench.measuring import Bench

FULL = {"households": 10_000, "compared": 200, "largest": 10_000_000}
QUICK = {"households": 2_000, "compared": 20, "largest": 100_000}
_SMALLEST = 1_000


@click.command(epilog=example("benyfits-data bench --quick"))
@option("--quick", is_flag=True, help="Fewer households, in about a minute.")
@option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@option(
    "--workers",
    type=click.IntRange(min=1),
    show_default="one a processor",
    help="Processes for pools of more than 100,000 households.",
)
@edition_option
@seed_option
def command(quick: bool, as_json: bool, workers: int | None, edition: int, seed: int) -> None:
    """Time sampling, labelling and tracing, selection, rendering and the whole build.

    All in one run, beside Python's own trace module (a tracer for each household and program) and
    coverage.py (a context for each household). These two run on a part and are extrapolated.
    """
    import json

    from rich.console import Console

    from benyfits_data.bench.measuring import measure
    from benyfits_data.editions import load_edition

    size = QUICK if quick else FULL
    bench = measure(
        load_edition(edition),
        seed,
        households=size["households"],
        compared=size["compared"],
        sizes=sizes_to(size["largest"]),
        workers=workers,
        show=_shown,
    )
    if as_json:
        click.echo(json.dumps(bench.as_json(), indent=2))
    else:
        _print(bench, Console())


def sizes_to(largest: int) -> list[int]:
    """Return 1,000 and its multiples by ten up to the largest."""
    sizes = [_SMALLEST]
    while sizes[-1] < largest:
        sizes.append(10 * sizes[-1])
    return sizes


@contextmanager
def _shown(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar for work that tells its parts, a spinner for other work."""
    if total:
        with progress(label, total) as tick:
            yield tick
        return
    with spinner(label):
        yield lambda done: None


def _print(bench: "Bench", console: "Console") -> None:
    from rich.table import Table

    table = Table(
        title=f"{bench.households:,} households, {bench.programs} programs, edition "
        f"{bench.edition}",
        caption=f"The last columns: how many times as long tracing alone takes with another tracer "
        f"(extrapolated from {bench.compared} households).",
    )
    table.add_column("step")
    for name in ("seconds", "households/s", *bench.others):
        table.add_column(name, justify="right")
    for step, seconds in bench.steps.items():
        ratios = [f"{bench.times(step, other):,.1f}" for other in bench.others]
        table.add_row(step, f"{seconds:.3f}", f"{bench.households / seconds:,.0f}", *ratios)
    for other, seconds in bench.others.items():
        table.add_row(
            f"tracing with {other}", f"{seconds:.1f}", f"{bench.households / seconds:,.1f}", "", ""
        )
    console.print(table)
    growth = Table(title="Sampling, labelling and tracing")
    for name in ("households", "seconds", "households/s"):
        growth.add_column(name, justify="right")
    for n, seconds in bench.growth:
        growth.add_row(f"{n:,}", f"{seconds:.2f}", f"{n / seconds:,.0f}")
    console.print(growth)
    console.print(
        f"Largest process: {bench.memory / 1e6:,.0f} MB. Pools above 100,000: {bench.workers} "
        "processes."
    )
