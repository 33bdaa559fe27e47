"""Interviews with households of the city about random programs: every verdict right, and par.

`python -m tests.bench.interviews FILE --households N [--first N] [--par N]
[--programs N]` appends a line a household and goes on where FILE ends, so that a long run may be
broken off. FILE's first line says of which city, rules and number of programs it is; a file of
others is refused.
"""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import click

from benyfits_data.editions import Edition, load_edition
from benyfits_data.household.columns import Households
from benyfits_data.household.model import most_members
from benyfits_data.par import floor
from benyfits_data.planner import Planner
from benyfits_data.planner.simulation import simulate
from benyfits_data.population.synthesis import synthesize
from benyfits_data.rng import stream
from benyfits_data.upkeep.digests import edition_digests, whole_digest

PROGRAMS = 10
"""As many as a row of the published sets has."""
SHARE = 10
"""So many households are asked about the same programs: to read these takes a third of the time of
an interview."""


@lru_cache(maxsize=1)
def _city(households: int) -> Households:
    return synthesize(households, 1, workers=1)


@lru_cache(maxsize=2)
def _planner(draw: int, n_programs: int, places: int) -> Planner:
    """Return the planner of one draw of programs."""
    edition = load_edition(2024)
    chosen = stream(1, "bench", "interviews", draw).permutation(len(edition))[:n_programs]
    return Planner(edition, [list(edition)[place] for place in sorted(chosen)], places=places)


def origin(edition: Edition, households: int) -> dict[str, Any]:
    """Return digests of the rules and of the city's facts, by which a file's origin is known."""
    city, facts = _city(households), hashlib.sha256()
    for columns in (city.shared, city.member):
        for name in sorted(columns):
            facts.update(name.encode() + columns[name].tobytes())
    rules = whole_digest(edition_digests(edition))
    return {"households": households, "rules": rules[:16], "city": facts.hexdigest()[:16]}


def interview(
    number: int, households: int, *, with_par: bool = False, n_programs: int = PROGRAMS
) -> dict[str, Any]:
    """Return questions and wrong verdicts of one household that answers the planner truly.

    Args:
        number: Which household of a city of so many.
        households: How many the city has.
        with_par: Whether to prove the fewest questions too.
        n_programs: How many programs are asked about.
    """
    household = _city(households).household(number)
    planner = _planner(number // SHARE, n_programs, most_members(household))
    (course,) = simulate(planner, [household])
    told = {
        "household": number,
        "members": len(household.members),
        "questions": course.n_questions,
        "wrong": course.n_wrong + len(planner.programs) - course.settled[-1],
    }
    if with_par:
        told["par"] = floor(planner.edition, planner.programs, household, "one").turns
    return told


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--households", type=int, default=10_000, help="Size of the city.")
@click.option("--first", type=int, help="Interview so many of them only.")
@click.option("--par", type=int, default=1_000, help="Of so many, the fewest questions too.")
@click.option("--programs", type=int, default=PROGRAMS, help="How many each is asked about.")
def command(file: Path, households: int, first: int | None, par: int, programs: int) -> None:
    """Interview the households that FILE lacks, then print what it holds."""
    of = origin(load_edition(2024), households)
    ours = {"of": of | {"programs": programs, "households of a draw": SHARE}}
    if not file.exists():
        file.write_text(json.dumps(ours) + "\n")
    head, *lines = file.read_text().splitlines() or [""]
    if head != json.dumps(ours):
        raise click.ClickException(
            f"{file}, line 1: of another city or other rules: {head[:120]!r}. Expected "
            f"{json.dumps(ours)}. Name a new file."
        )
    with file.open("a") as out:
        for number in range(len(lines), households if first is None else first):
            told = interview(number, households, with_par=number < par, n_programs=programs)
            out.write(json.dumps(told) + "\n")
            out.flush()
    summary = summarize([json.loads(line) for line in file.read_text().splitlines()[1:]])
    click.echo(json.dumps(summary, indent=2))


def summarize(told: list[dict[str, Any]]) -> dict[str, float]:
    """Return how many were interviewed, wrong verdicts, mean questions, and both where par is."""
    proven = [it for it in told if "par" in it]
    return {
        "households": len(told),
        "wrong or open verdicts": sum(it["wrong"] for it in told),
        "questions": sum(it["questions"] for it in told) / max(1, len(told)),
        "households with par": len(proven),
        "their questions": sum(it["questions"] for it in proven) / max(1, len(proven)),
        "their par": sum(it["par"] for it in proven) / max(1, len(proven)),
    }


if __name__ == "__main__":
    command()
