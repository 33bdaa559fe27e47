"""The Representative set: a probability sample of the city's pairs of household and program."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.dataset import (
    Row,
    digest,
    library_versions,
    programs_table,
    write_atomically,
    write_manifest,
    write_rows,
)
from benyfits_data.dataset.rows import described, make_rows
from benyfits_data.editions import Edition, SizeTable, Threshold, load_edition
from benyfits_data.editions.thresholds import Value
from benyfits_data.errors import BenyfitsError
from benyfits_data.household.columns import Households
from benyfits_data.language.numpy_backend import label_households
from benyfits_data.language.reading_labels import contested_mask
from benyfits_data.population.city_plausibility import city_plausibility, draw_chunk
from benyfits_data.population.sample_design import (
    allocate,
    design,
    draw_systematically,
    power_table,
    round_dependently,
)
from benyfits_data.population.synthesis import default_sources, over_chunks
from benyfits_data.rng import stream

NAME = "representative"

HOUSEHOLDS, PROGRAMS = 250, 10
"""Households of the published set, and about how many programs each asks."""
CITY = 200_000
"""Households of the synthetic city that are sampled: a verdict as rare as 1 in 20,000 has ten."""
RAREST = 20_000
"""A verdict of at least one in so many households is in the set."""
NEAR = ({"share": 0.05}, {"share": -0.05}, {"years": 1}, {"years": -1})
"""A pair is near a limit where its label changes if amounts or ages of the rules move so much."""
_SURE = 2
"""Sets too small to take so many pairs of a verdict may lack it; their manifest says so."""
_MOST_DRAWS = 100
_FAR, _KINDS = 2, 4


class RepresentativeError(BenyfitsError):
    """The wished size cannot be built."""


@dataclass(frozen=True)
class Representative:
    """A finished Representative set.

    Attributes:
        name: Which design it is of, as in its file names.
        rows: Its households.
        edition: Whose rules label it.
        seed: The seed it was built from.
        manifest_facts: What its manifest says of the way it was drawn.
        seconds: How long each step took.
    """

    name: str
    rows: list[Row]
    edition: Edition
    seed: int
    manifest_facts: Mapping[str, Any]
    seconds: Mapping[str, float]


def reproducible(name: str) -> tuple[str, ...]:
    """Return the files of a design that have the same bytes on every machine."""
    return tuple(f"{name}.{what}" for what in ("jsonl", "programs.csv", "power.csv"))


def build_representative(
    edition: Edition,
    *,
    households: int,
    programs: int,
    seed: int,
    city: int = CITY,
    workers: int = 2,
    tick: Callable[[int], object] = lambda done: None,
) -> Representative:
    """Return a sample of the city's pairs, stratified by program, verdict and nearness to a limit.

    Pairs with a contested label are not of the population: their label should not count. Households
    are drawn systematically, those with rare verdicts side by side, then their programs, even in
    households and verdicts. Should a verdict that must be there be missing, all is drawn again.

    Args:
        edition: Whose rules label it.
        households: How many.
        programs: About how many each asks.
        seed: Same seed, same set.
        city: Households of the city that is sampled.
        workers: Processes; the set does not depend on their number.
        tick: Called with 1 after each chunk of the city.

    Raises:
        RepresentativeError: The city has too few households, or a verdict is missing every time.
    """
    names = list(edition.programs)
    _check_size(households, programs, city, len(names))
    seconds = {}
    start = perf_counter()
    parts = []
    for part in over_chunks(partial(_code_chunk, edition.year), city, seed, workers):
        parts.append(part)
        tick(1)
    table = Households.concatenate(part for part, _ in parts)
    strata = np.concatenate([codes for _, codes in parts])
    seconds["synthesize and label"] = round(perf_counter() - start, 3)
    start = perf_counter()
    outside = _KINDS * len(names)
    counts = np.bincount(strata.ravel(), minlength=outside + 1)[:outside].reshape(-1, 2, 2)
    targets = np.append(allocate(counts.astype(float), households * programs), 0.0)
    plan = design(strata, targets, households, programs)
    # Neighbours in this order share their rarest verdict, so that no draw passes it over.
    rarest = np.array([codes[plan.rates[codes].argmax()] for codes in strata])
    order = np.argsort(rarest, kind="stable")
    expected = targets[:outside].reshape(counts.shape).sum(axis=2)
    must = (counts.sum(axis=2) >= city / RAREST) & (expected >= _SURE)
    for draw in range(_MOST_DRAWS):
        rng = stream(seed, NAME, "draw", draw)
        chosen = draw_systematically(plan.households, order, rng)
        given = plan.given(chosen)
        asked = round_dependently(given, strata[chosen] // _FAR, rng)
        drawn = np.bincount(strata[chosen][asked] // _FAR, minlength=must.size)
        if (drawn[: must.size].reshape(must.shape) > 0)[must].all():
            break
    else:
        raise RepresentativeError(
            f"In {_MOST_DRAWS} draws of {households} households with {programs} programs a verdict "
            "was always missing. Raise --households or --programs.",
            households=households,
            programs=programs,
        )
    weights = 1 / (given * plan.households[chosen, None])[asked]
    seconds["sample"] = round(perf_counter() - start, 3)
    start = perf_counter()
    sample = table.take(chosen)
    labels = label_households(edition, sample)
    wanted = [[names[code] for code in np.flatnonzero(row)] for row in asked]
    each = iter(weights)
    weighted = [{name: float(f"{next(each):.6g}") for name in named} for named in wanted]
    rows = make_rows(NAME, edition, seed, sample, wanted, labels, weighted)
    seconds["render"] = round(perf_counter() - start, 3)
    facts = {
        "programs_each": programs,
        "sampled": city,
        "city_pairs": int(counts.sum()),
        "draws": draw + 1,
        "without": _missing(names, drawn[: must.size].reshape(must.shape)),
    }
    return Representative(NAME, rows, edition, seed, facts, seconds)


def _check_size(households: int, programs: int, city: int, most: int) -> None:
    if not 1 <= programs <= most:
        raise RepresentativeError(
            f"--programs is {programs}, expected 1 to {most}: there are no more programs.",
            programs=programs,
        )
    if households * _KINDS > city:
        raise RepresentativeError(
            f"{households} households are too many of a city of {city}. Raise --city to "
            f"{households * _KINDS} or more.",
            households=households,
            city=city,
        )


def _code_chunk(year: int, n: int, seed: int, chunk: int) -> tuple[Households, NDArray[np.int32]]:
    """Return households of the city and the stratum of each pair."""
    households = draw_chunk(n, seed, chunk)
    return households, strata_of(load_edition(year), households)


def strata_of(edition: Edition, households: Households) -> NDArray[np.int32]:
    """Return the stratum of each pair, shape `(n, programs)`.

    It is four times the place of the program, two more if eligible, one more if near a limit; the
    number after the last is outside of the population: pairs with a contested label.
    """
    names = list(edition.programs)
    by_program = label_households(edition, households)
    labels = np.array([by_program[name] for name in names])
    near = np.zeros_like(labels)
    for step in NEAR:
        moved = label_households(move_thresholds(edition, **step), households)
        for program, changed in moved.items():
            place = names.index(program)
            near[place] |= changed != labels[place]
    strata = (_KINDS * np.arange(len(names))[:, None] + _FAR * labels + near).astype(np.int32)
    strata[contested_mask(edition, households, names)] = _KINDS * len(names)
    return np.ascontiguousarray(strata.T)


def move_thresholds(edition: Edition, share: float = 0.0, years: int = 0) -> Edition:
    """Return an edition of the programs that have a limit to move, with the limits moved.

    Args:
        edition: The edition as it is.
        share: How much every amount of money is raised; negative lowers it.
        years: How many years are added to every age; negative takes away.
    """
    programs = {}
    for program in edition.programs.values():
        moved = {
            name: _moved(entry, share, years)
            for name, entry in program.thresholds.entries.items()
            if (share and entry.unit.startswith("dollars")) or (years and entry.unit == "years")
        }
        if moved:
            thresholds = program.thresholds.with_values(moved)
            programs[program.name] = replace(program, thresholds=thresholds)
    return replace(edition, programs=programs)


def _moved(entry: Threshold, share: float, years: int) -> Value:
    value = entry.value
    if isinstance(value, SizeTable):
        each = value.each_additional
        rows = {size: _scaled(amount, share) for size, amount in value.rows.items()}
        return SizeTable(value.name, rows, None if each is None else _scaled(each, share))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return max(value + years, 0) if entry.unit == "years" else _scaled(value, share)


def _scaled(amount: int | float, share: float) -> int | float:
    scaled = amount * (1 + share)
    return round(scaled) if isinstance(amount, int) else round(scaled, 2)


def _missing(names: list[str], drawn: NDArray[np.integer]) -> dict[str, list[str]]:
    """Return the programs without an eligible, or without an ineligible, household."""
    return {
        verdict: [name for name, count in zip(names, counts, strict=True) if not count]
        for verdict, counts in zip(("ineligible", "eligible"), drawn.T, strict=True)
    }


def write_representative(built: Representative, folder: Path) -> dict[str, Any]:
    """Write rows, tables and manifest, and return the manifest."""
    rows, programs, power = reproducible(built.name)
    write_rows(folder / rows, built.rows)
    write_atomically(folder / programs, programs_table(built.rows, built.edition.programs))
    write_atomically(folder / power, power_table(built.rows))
    sources = default_sources()
    manifest: dict[str, Any] = {
        **described(built.name, built.edition, built.seed, built.rows),
        **built.manifest_facts,
        "sources": {"in_use": len(sources.cited()), "assumptions": len(sources.assumptions)},
        "seconds": dict(built.seconds),
        "files": {name: digest(folder / name) for name in reproducible(built.name)},
        "libraries": library_versions(),
    }
    table = Households.from_households([row.household for row in built.rows])
    manifest["plausibility"] = city_plausibility().described(table, [row.id for row in built.rows])
    write_manifest(folder, manifest)
    return manifest
