"""`benyfits-data diverse`: build the Diverse dataset."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from benyfits_data.cli.finish import finish_build
from benyfits_data.cli.options import (
    COUNT,
    edition_option,
    example,
    folder_option,
    option,
    overwrite_option,
    par_option,
    record_option,
    seed_option,
)
from benyfits_data.cli.progress import progress, spinner
from benyfits_data.fuzz.coverage import OBJECTIVES, Objective

if TYPE_CHECKING:
    from benyfits_data.fuzz.corpus import Corpus
    from benyfits_data.fuzz.distributed import Engine
    from benyfits_data.household.columns import Households

DEFAULT_HOUSEHOLDS = 10_000


@click.command(
    epilog=example(
        "benyfits-data diverse --edition 2026 --output output/2026",
        "benyfits-data diverse --households 10_000_000",
    )
)
@option(
    "--households",
    type=COUNT,
    default=DEFAULT_HOUSEHOLDS,
    help="How many households to sample; above 100,000 only unique traces are kept in memory.",
)
@edition_option
@seed_option
@option(
    "--method",
    type=click.Choice(["greedy", "exact"]),
    default="exact",
    help="greedy: the paper's selection; exact: provably fewest pairs, and for these households "
    "as few as the certificate tells.",
)
@option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="branches",
    help="What the chosen pairs must cover together: branches is lines and branches, both ways of "
    "every condition; lines is the paper's.",
)
@option(
    "--prove",
    is_flag=True,
    help="Let Z3 find a household for each line or branch that no sampled one runs, and under "
    "--objective mutants for each mutant that none detects; it joins the corpus.",
)
@option(
    "--plausible",
    default="50",
    show_default=True,
    metavar="PERCENTILE|off",
    help="Make households believable, the median at this percentile of surprise in the synthetic "
    "city if the elements allow it; off: the fewest households, however absurd. For exact "
    "selections of branches or lines.",
)
@folder_option
@overwrite_option
@option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    help="Where more than 100,000 households are drawn: processes of this machine, or a cluster.",
)
@option(
    "--workers",
    type=COUNT,
    show_default="one a processor",
    help="How many chunks are drawn at once; changes no byte.",
)
@option("--pictures/--no-pictures", default=True, help="Draw pictures too.")
@par_option
@record_option
def command(
    households: int,
    edition: int,
    seed: int,
    method: Literal["greedy", "exact"],
    objective: Objective,
    prove: bool,
    plausible: str,
    output: Path,
    overwrite: bool,
    engine: "Engine",
    workers: int | None,
    pictures: bool,
    par: bool,
    record: bool,
) -> None:
    """Build the Diverse dataset: few pairs that run every line and branch of every checker.

    Samples households, runs every program on each, chooses pairs of household and program, checks
    the choice from scratch with coverage.py, and writes rows, coverage, tables and manifest.
    """
    from dataclasses import replace

    from benyfits_data.cli.city import believable_city
    from benyfits_data.dataset import check_output
    from benyfits_data.dataset.building import with_floors
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.build import NAME, REPRODUCIBLE, build_diverse, write_diverse
    from benyfits_data.fuzz.distributed import KEPT_WHOLE, runner_of
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile
    from benyfits_data.staged_writes import staged

    if engine == "ray" and households <= KEPT_WHOLE:
        raise click.UsageError(
            f"A cluster samples more than {KEPT_WHOLE:,} households. Ask for more with "
            "--households, or leave --engine out."
        )
    drawn = ("diverse.features.svg", "diverse.growth.svg") if pictures else ()
    with staged(output) as stage:
        check_output(output, NAME, (*REPRODUCIBLE, *drawn), overwrite=overwrite)
        shown = _Shown(households)
        diverse = build_diverse(
            load_edition(edition),
            households=households,
            seed=seed,
            method=method,
            objective=objective,
            witnesses=prover(objective) if prove else None,
            name=draw_names,
            render=render_profile,
            step=shown.step,
            tick=lambda done: shown.tick(done),
            run=runner_of(engine, workers),
            city=believable_city(),
            plausible=_percentile(plausible),
        )
        drawings = {}
        if pictures:
            from benyfits_data.fuzz.build import feature_counts
            from benyfits_data.fuzz.coverage import growth
            from benyfits_data.report.coverage_charts import draw_features, draw_growth

            with shown.step("draw"):
                covered = growth(diverse.corpus.coverage, diverse.selection.pairs)
                drawings = {
                    "diverse.features.svg": draw_features(
                        feature_counts(diverse.edition), len(diverse.edition.programs)
                    ),
                    "diverse.growth.svg": draw_growth(covered, covered[-1]),
                }
        if par:
            with progress("par", len(diverse.rows)) as tick:
                diverse = replace(diverse, rows=with_floors(diverse.rows, tick=tick))
        manifest = write_diverse(diverse, stage, drawings)
        coverage = manifest["coverage"]
        told = (
            f"{coverage['covered']} of {coverage['lines']} lines, "
            f"{coverage['branches_covered']} of {coverage['branches']} branches"
        )
        finish_build(output, stage, NAME, manifest, REPRODUCIBLE, told, record=record)


def _percentile(plausible: str) -> float | None:
    """Return the percentile that is asked for, `None` for off."""
    if plausible == "off":
        return None
    if not plausible.replace(".", "", 1).isdigit() or float(plausible) > 100:
        raise click.BadParameter(
            f"{plausible!r} is neither a percentile from 0 to 100 nor 'off'.",
            param_hint="--plausible",
        )
    return float(plausible)


def prover(objective: Objective) -> "Callable[[Corpus], Households]":
    """Return what finds proven witnesses of all that a corpus does not cover."""
    from benyfits_data.household.columns import Households

    finders = [_element_witnesses, *([_mutant_witnesses] if objective == "mutants" else [])]
    return lambda corpus: Households.concatenate([find(corpus) for find in finders])


def _element_witnesses(corpus: "Corpus") -> "Households":
    """Return households for lines and branches that nobody runs; tell which have none."""
    from benyfits_data.language.source import named
    from benyfits_data.language.z3_backend import find_witnesses

    witnesses, verdicts = find_witnesses(corpus.edition, corpus.missing())
    for verdict in verdicts:
        if verdict.household is None:
            click.echo(f"{verdict.program}, {named(verdict.element)}: {verdict.status}", err=True)
    return witnesses


def _mutant_witnesses(corpus: "Corpus") -> "Households":
    """Return households that detect the mutants nobody detects; tell which are unknown."""
    from benyfits_data.language.mutants import judge_many, witnesses

    judged = [one for found in judge_many(corpus.edition, corpus.households) for one in found]
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
