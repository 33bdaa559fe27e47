"""`benyfits-data diverse` and `thorough`: sets that run all of every checker."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

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
    from benyfits_data.fuzz.coverage import Objective
    from benyfits_data.fuzz.distributed import Engine

DEFAULT_HOUSEHOLDS = 10_000
THOROUGH_HOUSEHOLDS = 50_000
"""Fewer leave mutants to the solver, whose households may differ from machine to machine."""


def _percentile(context: click.Context, parameter: click.Parameter, given: str) -> float | None:
    """Return the percentile that is asked for, `None` for off."""
    if given == "off":
        return None
    if not given.replace(".", "", 1).isdigit() or float(given) > 100:
        raise click.BadParameter(
            f"{given!r} is neither a percentile from 0 to 100 nor 'off'.", context, parameter
        )
    return float(given)


build_options = stacked(
    edition_option,
    seed_option,
    option(
        "--plausible",
        callback=_percentile,
        default="50",
        show_default=True,
        metavar="PERCENTILE|off",
        help="Choose households that the synthetic city could have: the median is as surprising as "
        "the city's at this percentile, where the lines to run allow it. off: as few as can be, "
        "however absurd. Of no effect with --method greedy or --objective traces.",
    ),
    edition_folder_option,
    overwrite_option,
    option(
        "--workers",
        type=COUNT,
        show_default="one a processor",
        help="Processes; results do not depend on them.",
    ),
    record_option,
)
"""Options of both builds."""


@click.command(
    epilog=example(
        "benyfits-data diverse --edition 2024 --output output/2024",
        "benyfits-data diverse --households 10_000_000",
        "benyfits-data diverse --method greedy --objective lines",
    )
)
@option(
    "--households",
    type=COUNT,
    default=DEFAULT_HOUSEHOLDS,
    help="How many households to sample; above 100,000 only unique traces are kept in memory.",
)
@option(
    "--method",
    type=click.Choice(["greedy", "exact"]),
    default="exact",
    help="greedy: the paper's selection; exact: the fewest pairs, proven, in few households.",
)
@option(
    "--objective",
    type=click.Choice(["branches", "lines", "traces"]),
    default="branches",
    help="What the chosen pairs must run together. lines: every line, as in the paper; branches: "
    "also every condition both ways; traces: every set of lines that some household runs.",
)
@option("--pictures/--no-pictures", default=True, help="Draw pictures too.")
@option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    help="Where more than 100,000 households are drawn: processes of this machine, or a cluster.",
)
@build_options
def diverse(
    method: Literal["greedy", "exact"],
    objective: "Objective",
    pictures: bool,
    **common: Any,
) -> None:
    """Build the Diverse dataset: few pairs that run every line and branch of every checker.

    Samples households, runs every program on each, asks Z3 for a household for each line or branch
    that none runs, chooses pairs of household and program, checks the choice from scratch with
    coverage.py, and writes rows, coverage, tables and manifest.
    """
    _build(method, objective, pictures=pictures, **common)


@click.command(epilog=example("benyfits-data thorough", "benyfits-data thorough --edition 2024"))
@option(
    "--households",
    type=COUNT,
    default=THOROUGH_HOUSEHOLDS,
    help="How many households to sample; above 100,000 only unique traces are kept in memory.",
)
@build_options
def thorough(**common: Any) -> None:
    """Build the thorough dataset, which detects every wrong checker.

    Its pairs run every line and branch, let every condition decide alone, and answer otherwise
    under every mutant of a checker that Z3 does not prove equivalent; where no sampled household
    does, Z3 finds one.
    """
    _build("exact", "thorough", pictures=False, engine="local", **common)


def _build(
    method: Literal["greedy", "exact"],
    objective: "Objective",
    *,
    pictures: bool,
    households: int,
    edition: int,
    seed: int,
    plausible: float | None,
    output: Path | None,
    overwrite: bool,
    engine: "Engine",
    workers: int | None,
    record: bool,
) -> None:
    from benyfits_data.dataset import check_output
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.believable.selection import STEPS
    from benyfits_data.fuzz.build import build_diverse
    from benyfits_data.fuzz.corpus import CoverageReader
    from benyfits_data.fuzz.distributed import runner_of
    from benyfits_data.fuzz.parts import PART
    from benyfits_data.fuzz.writing import feature_counts, reproducible, write_diverse
    from benyfits_data.staged_writes import staged

    is_thorough = objective == "thorough"
    if engine == "ray" and households <= PART:
        raise click.UsageError(
            f"A cluster samples more than {PART:,} households. Ask for more with "
            "--households, or leave --engine out."
        )
    name = "thorough" if is_thorough else "diverse"
    drawn = ("diverse.features.svg", "diverse.growth.svg") if pictures else ()
    output = output or Path("output") / str(edition)
    with staged(output) as stage:
        check_output(output, name, (*reproducible(name), *drawn), overwrite=overwrite)
        is_believable = plausible is not None and method == "exact" and objective != "traces"
        rules = load_edition(edition)
        totals = {"sample and trace": households}
        totals |= {"search": len(rules.programs)} if is_thorough else {}
        totals |= {"select": STEPS} if is_believable else {}
        shown = _Shown(totals)
        options: dict[str, Any] = {
            "households": households,
            "seed": seed,
            "method": "greedy"
            if method == "greedy"
            else "believable"
            if is_believable
            else "fewest",
            "plausible": plausible,
            "run": runner_of(engine, workers),
            "step": shown.step,
            "tick": lambda done: shown.tick(done),
        }
        if is_thorough:
            from benyfits_data.adequacy.noticed import Solver
            from benyfits_data.adequacy.thorough import build_thorough

            diverse = build_thorough(rules, Solver(workers or os.cpu_count() or 1), **options)
        else:
            diverse = build_diverse(CoverageReader(objective, rules), **options)
        drawings = {}
        if pictures:
            from benyfits_data.fuzz.coverage_charts import draw_features, draw_growth, growth

            with shown.step("draw"):
                covered = growth(diverse.corpus.coverage, diverse.selection.pairs)
                drawings = {
                    "diverse.features.svg": draw_features(
                        feature_counts(diverse.edition), len(diverse.edition.programs)
                    ),
                    "diverse.growth.svg": draw_growth(covered, covered[-1]),
                }
        manifest = write_diverse(diverse, stage, drawings)
        coverage = manifest["coverage"]
        summary = (
            f"{coverage['covered']} of {coverage['lines']} lines, "
            f"{coverage['branches_covered']} of {coverage['branches']} branches"
        )
        if is_thorough:
            pairs, mutants = coverage["independence_pairs"], coverage["mutants"]
            summary += (
                f", {pairs['covered']} of {pairs['made']} independence pairs "
                f"({pairs['impossible']} proven impossible), {mutants['covered']} of "
                f"{mutants['made']} mutants ({mutants['impossible']} proven equivalent)"
            )
        finish_build(output, stage, name, manifest, reproducible(name), summary, record=record)


class _Shown:
    """What runs now, on a terminal only: a bar where steps are counted, else a spinner."""

    def __init__(self, totals: dict[str, int]) -> None:
        self.totals = totals
        self.tick: Callable[[int], None] = lambda done: None

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Show that a step runs."""
        if label in self.totals:
            with progress(label, self.totals[label]) as self.tick:
                yield
        else:
            with spinner(label):
                yield
