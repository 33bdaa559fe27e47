"""`benyfits-data diverse`: build the Diverse dataset."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benyfits_data.cli.options import edition_option, folder_option, overwrite_option, seed_option
from benyfits_data.cli.page import finish_build
from benyfits_data.cli.progress import progress, spinner
from benyfits_data.fuzz.covers import OBJECTIVES, Objective

if TYPE_CHECKING:
    from benyfits_data.fuzz.engines import Engine
    from benyfits_data.fuzz.pool import Pool
    from benyfits_data.household.columns import Households

DEFAULT_HOUSEHOLDS = 10_000


@click.command()
@click.option(
    "--households",
    type=click.IntRange(min=1),
    default=DEFAULT_HOUSEHOLDS,
    show_default=True,
    help="How many households to sample; above 100,000 only unique traces are kept in memory.",
)
@edition_option
@seed_option
@click.option(
    "--method",
    type=click.Choice(["greedy", "exact"]),
    default="exact",
    show_default=True,
    help="greedy: the paper's selection; exact: provably fewest pairs, and for these households "
    "as few as the certificate tells.",
)
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="lines",
    show_default=True,
    help="What the chosen pairs must cover together.",
)
@click.option(
    "--prove",
    is_flag=True,
    help="Let Z3 find a household for each line that no sampled one runs, and under --objective "
    "mutants for each mutant that none detects; it joins the pool.",
)
@folder_option
@overwrite_option
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Where more than 100,000 households are drawn: processes of this machine, or a cluster.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    show_default="one a processor",
    help="How many chunks are drawn at once; changes no byte.",
)
@click.option("--pictures/--no-pictures", default=True, help="Draw pictures too.")
@click.option(
    "--record",
    is_flag=True,
    help="Write the checksums of this build to CHECKSUMS in the output folder.",
)
def command(
    households: int,
    edition: int,
    seed: int,
    method: str,
    objective: Objective,
    prove: bool,
    output: Path,
    overwrite: bool,
    engine: "Engine",
    workers: int | None,
    pictures: bool,
    record: bool,
) -> None:
    r"""Build the Diverse dataset: few pairs that run every line of every checker.

    Samples households, runs every program on each, chooses pairs of household and program, checks
    the choice from scratch with coverage.py, and writes rows, coverage, tables and manifest.

    \b
    Example:
      benyfits-data diverse --edition 2026 --output output/2026
      benyfits-data diverse --households 10_000_000
    """
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.diverse import build_diverse
    from benyfits_data.fuzz.engines import runner_of
    from benyfits_data.fuzz.output import REPRODUCIBLE, check_output, write_diverse
    from benyfits_data.fuzz.pool import KEPT_WHOLE
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile

    if engine == "ray" and households <= KEPT_WHOLE:
        raise click.UsageError(
            f"A cluster draws pools of more than {KEPT_WHOLE:,} households. Ask for more with "
            "--households, or leave --engine out."
        )
    drawn = ("diverse.features.svg", "diverse.growth.svg") if pictures else ()
    check_output(output, (*REPRODUCIBLE, *drawn), overwrite=overwrite)
    shown = _Shown(households)
    diverse = build_diverse(
        load_edition(edition),
        households=households,
        seed=seed,
        method="greedy" if method == "greedy" else "exact",
        objective=objective,
        witnesses=prover(objective) if prove else None,
        name=draw_names,
        render=render_profile,
        step=shown.step,
        tick=lambda done: shown.tick(done),
        run=runner_of(engine, workers),
    )
    drawings = {}
    if pictures:
        from benyfits_data.fuzz.tables import feature_counts
        from benyfits_data.report.pictures import draw_features, draw_growth

        with shown.step("draw"):
            growth = diverse.growth()
            drawings = {
                "diverse.features.svg": draw_features(
                    feature_counts(diverse.edition), len(diverse.edition.programs)
                ),
                "diverse.growth.svg": draw_growth(growth, growth[-1]),
            }
    manifest = write_diverse(diverse, output, drawings)
    coverage = manifest["coverage"]
    click.echo(
        f"{output / 'diverse.jsonl'}: {manifest['households']} households, {manifest['pairs']} "
        f"pairs ({100 * manifest['eligible_pairs'] / manifest['pairs']:.1f}% eligible), "
        f"{coverage['covered']} of {coverage['lines']} lines",
        err=True,
    )
    finish_build(output, {name: manifest["files"][name] for name in REPRODUCIBLE}, record=record)


def prover(objective: Objective) -> "Callable[[Pool], Households]":
    """Return what finds proven witnesses of all that a pool does not cover."""
    from benyfits_data.household.columns import Households

    finders = [_line_witnesses, *([_mutant_witnesses] if objective == "mutants" else [])]
    return lambda pool: Households.concatenate([find(pool) for find in finders])


def _line_witnesses(pool: "Pool") -> "Households":
    """Return households for lines that nobody runs; tell which lines have none."""
    from benyfits_data.language.symbolic import find_witnesses

    witnesses, verdicts = find_witnesses(pool.edition, pool.unreached())
    for verdict in verdicts:
        if verdict.household is None:
            click.echo(f"{verdict.program}, line {verdict.line}: {verdict.status}", err=True)
    return witnesses


def _mutant_witnesses(pool: "Pool") -> "Households":
    """Return households that detect the mutants nobody detects; tell which are unknown."""
    from benyfits_data.language.mutants import judge_many, witnesses

    judged = [one for found in judge_many(pool.edition, pool.households) for one in found]
    for one in judged:
        if one.status == "unknown":
            mutant = one.mutant
            click.echo(f"{mutant.program}, {mutant.kind}: {mutant.change}: unknown", err=True)
    return witnesses(judged)


class _Shown:
    """What runs now, on a terminal only: a bar while households are sampled, then a spinner."""

    def __init__(self, households: int) -> None:
        self.households = households
        self.tick: Callable[[int], None] = lambda done: None

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Show that a step runs."""
        if label.startswith("sample"):
            with progress(label, self.households) as self.tick:
                yield
            return
        with spinner(label):
            yield
