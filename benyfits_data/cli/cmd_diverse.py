"""`benyfits-data diverse` and `thorough`: sets that run all of every checker."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import option, say, stacked, verb
from benyfits_data.progress import progress

if TYPE_CHECKING:
    from benyfits_data.fuzz.coverage import ObjectiveName
    from benyfits_data.fuzz.distributed import Engine

THOROUGH_HOUSEHOLDS = 50_000
"""Fewer leave mutants to the solver, whose households may differ from machine to machine."""


def _percentile(context: click.Context, parameter: click.Parameter, given: str) -> float | None:
    """Return the percentile that is asked for, `None` for off."""
    if given == "off":
        return None
    try:
        percentile = float(given)
    except ValueError:
        percentile = -1
    if not 0 <= percentile <= 100:
        raise click.BadParameter(
            f"{given!r} is neither a percentile from 0 to 100 nor 'off'.", context, parameter
        )
    return percentile


build_options = stacked(
    options.edition,
    options.seed,
    option(
        "--plausible",
        callback=_percentile,
        default="50",
        metavar="PERCENTILE|off",
        help="Choose households that the synthetic city could have: the median is as surprising as "
        "the city's at this percentile, where the lines to run allow it. off: households as they "
        "were sampled, however absurd. Of no effect with --method greedy or --objective traces.",
    ),
    options.edition_folder,
    options.overwrite,
    # Without a number a cluster takes all of its processors, which this machine cannot count.
    option(
        "--workers",
        type=options.COUNT,
        show_default="one a processor",
        help="Processes; results do not depend on them.",
    ),
    options.record,
)
"""Options of both builds."""


def households_option(default: int) -> Callable[[Any], Any]:
    """Declare how many households a build samples."""
    return option(
        "--households",
        type=options.COUNT,
        default=default,
        help="How many to sample; above 100,000 only unique traces are kept in memory.",
    )


@verb(
    "diverse --edition 2024 --output output/2024",
    "diverse --households 10_000_000",
    "diverse --method greedy --objective lines",
)
@households_option(options.DEFAULT_HOUSEHOLDS)
@option(
    "--method",
    type=click.Choice(["greedy", "exact"]),
    default="exact",
    help="greedy: the paper's selection; exact: the fewest pairs, proven, in few households. "
    "Each trace takes a pair of its own: with --objective traces both choose greedily.",
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
    objective: "ObjectiveName",
    pictures: bool,
    **common: Any,
) -> None:
    """Build the Diverse dataset: few pairs that run every line and branch of every checker.

    Samples households, runs every program on each, asks Z3 for a household for each line or branch
    that none runs, chooses pairs of household and program, checks the choice from scratch with
    coverage.py, and writes rows, coverage, tables and manifest.
    """
    _build(method, objective, pictures=pictures, **common)


@verb("thorough", "thorough --edition 2024")
@households_option(THOROUGH_HOUSEHOLDS)
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
    objective: "ObjectiveName",
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
    from benyfits_data.dataset import check_output, finish_build
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.build import build_diverse
    from benyfits_data.fuzz.corpus import Objective
    from benyfits_data.fuzz.distributed import runner_of
    from benyfits_data.fuzz.parts import PART
    from benyfits_data.fuzz.search.donors import default_donor_city
    from benyfits_data.fuzz.search.selection import ATTEMPTS, ROUNDS
    from benyfits_data.fuzz.writing import (
        feature_counts,
        reproducible,
        say_coverage,
        write_diverse,
    )
    from benyfits_data.staged_writes import staged

    is_thorough = objective == "thorough"
    if engine == "ray" and households <= PART:
        raise click.UsageError(
            f"A cluster samples more than {PART:,} households. Ask for more with "
            "--households, or leave --engine out."
        )
    name = "thorough" if is_thorough else "diverse"
    drawn = ("diverse.features.svg",) if pictures else ()
    output = output or Path("output") / str(edition)
    with staged(output) as stage:
        check_output(output, name, (*reproducible(name), *drawn), overwrite=overwrite)
        is_believable = plausible is not None and method == "exact" and objective != "traces"
        rules = load_edition(edition)
        totals = {"sample and trace": households}
        totals |= {"ask the solver": len(rules.programs)} if is_thorough else {}
        totals |= {"select": ROUNDS * ATTEMPTS} if is_believable else {}
        shown = _Shown(totals)
        options: dict[str, Any] = {
            "households": households,
            "seed": seed,
            "method": method,
            "city": default_donor_city if is_believable else None,
            "percentile": plausible,
            "run": runner_of(engine, workers),
            "step": shown.step,
            "tick": lambda done: shown.tick(done),
        }
        if is_thorough:
            from benyfits_data.adequacy.thorough import build_thorough

            diverse = build_thorough(rules, workers or os.cpu_count() or 1, **options)
        else:
            diverse = build_diverse(rules, Objective(objective), **options)
        drawings = {}
        if pictures:
            from benyfits_data.fuzz.coverage_charts import draw_features

            with shown.step("draw"):
                drawings = {
                    "diverse.features.svg": draw_features(
                        feature_counts(diverse.edition), len(diverse.edition.programs)
                    )
                }
        manifest = write_diverse(diverse, stage, drawings)
        files, summary = reproducible(name), say_coverage(manifest["coverage"])
        for line in finish_build(output, stage, manifest, files, summary, record=record):
            say(line)
        if diverse.selection.broken:
            say(f"Beyond its limits: {'; '.join(diverse.selection.broken)}. Try another --seed.")


class _Shown:
    """Shows which step runs, its number, and how much of it is done where that is counted."""

    def __init__(self, totals: dict[str, int]) -> None:
        self.totals = totals
        self.n_steps = 0
        self.tick: Callable[[int], None] = lambda done: None

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Show that a step runs."""
        self.n_steps += 1
        with progress(f"{self.n_steps}. {label}", self.totals.get(label)) as self.tick:
            yield
