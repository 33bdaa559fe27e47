"""`benyfits-data diverse`: build the Diverse dataset."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from benyfits_data.cli.options import edition_option, folder_option, overwrite_option, seed_option
from benyfits_data.fuzz.covers import OBJECTIVES, Objective

DEFAULT_HOUSEHOLDS = 10_000


@click.command()
@click.option(
    "--households",
    type=click.IntRange(min=1),
    default=DEFAULT_HOUSEHOLDS,
    show_default=True,
    help="How many households to sample.",
)
@edition_option
@seed_option
@click.option(
    "--method",
    type=click.Choice(["greedy", "exact"]),
    default="exact",
    show_default=True,
    help="greedy: the paper's selection; exact: provably fewest pairs, then few households.",
)
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="lines",
    show_default=True,
    help="What the chosen pairs must cover together.",
)
@folder_option
@overwrite_option
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
    output: Path,
    overwrite: bool,
    pictures: bool,
    record: bool,
) -> None:
    r"""Build the Diverse dataset: few pairs that run every line of every checker.

    Samples households, runs every program on each, chooses pairs of household and program, checks
    the choice from scratch with coverage.py, and writes rows, coverage, tables and manifest.

    \b
    Example:
      benyfits-data diverse --edition 2026 --output output/2026
    """
    from benyfits_data.dataset import read_checksums, write_checksums
    from benyfits_data.editions import load_edition
    from benyfits_data.fuzz.diverse import build_diverse
    from benyfits_data.fuzz.output import REPRODUCIBLE, check_output, write_diverse
    from benyfits_data.profiles.names import draw_names
    from benyfits_data.profiles.render import render_profile

    drawn = ("diverse.features.svg", "diverse.growth.svg") if pictures else ()
    check_output(output, (*REPRODUCIBLE, *drawn), overwrite=overwrite)
    diverse = build_diverse(
        load_edition(edition),
        households=households,
        seed=seed,
        method="greedy" if method == "greedy" else "exact",
        objective=objective,
        name=draw_names,
        render=render_profile,
        step=_announced,
    )
    drawings = {}
    if pictures:
        from benyfits_data.fuzz.tables import feature_counts
        from benyfits_data.report.pictures import draw_features, draw_growth

        with _announced("draw"):
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
    checksums = output / "CHECKSUMS"
    if record:
        write_checksums(checksums, {name: manifest["files"][name] for name in REPRODUCIBLE})
    elif checksums.exists():
        known = read_checksums(checksums)
        changed = [name for name in REPRODUCIBLE if known.get(name) != manifest["files"][name]]
        told = f"{', '.join(changed)} differ from" if changed else "same bytes as"
        click.echo(f"{told} {checksums}", err=True)


@contextmanager
def _announced(label: str) -> Iterator[None]:
    """Show a spinner while a step runs, on a terminal only."""
    from rich.console import Console

    with Console(stderr=True).status(label):
        yield
