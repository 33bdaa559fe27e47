"""What each algorithm and constant buys: one switched off or changed at a time.

`python -m tests.bench.ablation [TABLE ...]` prints the tables of `TABLES`: all unless some are
named.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

from benyfits_data.editions import EDITIONS, Edition, load_edition
from benyfits_data.fuzz.build import search, select
from benyfits_data.fuzz.corpus import CoverageReader
from benyfits_data.fuzz.sample import sample_corpus
from benyfits_data.household.model import most_members
from benyfits_data.par import floor
from benyfits_data.planner import Planner
from benyfits_data.planner.prior_households import draw_prior
from benyfits_data.planner.simulation import simulate
from benyfits_data.plausibility import Plausibility
from benyfits_data.population.synthesis import synthesize
from benyfits_data.rng import stream

EDITION, SEED = 2024, 1
LEARNED_FROM, INTERVIEWED, PROVEN, PROGRAMS = 30_000, 60, 20, 10
"""Households that are learned from, that are interviewed, whose par is proven; and how many
programs these are asked about."""

BUILD_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "patterns of flags": {"fuzz.inputs.draws.FLAG_RATES": (96,) * 5},
    "rates of couples": {"fuzz.inputs.draws.OWN_RATES": {}},
    "usual values": {"fuzz.inputs.draws.USUAL_SHARE": 0.0},
    "numbers at limits": {"fuzz.inputs.draws.LIMIT_SHARE": 0.0},
    "sums at limits": {"fuzz.sample.MOVED_SHARE": 0.0},
    "column generation": {"fuzz.build.GENERATIONS": 0},
    "price of rarity": {"fuzz.exact.column_generation.RARITY": 0.0},
    "children, a third": {"fuzz.exact.column_generation.CHILDREN": 2_000},
    "steps beside a limit": {"fuzz.inputs.sums.STEPS": (0,)},
}
_TABLES, _FACTS = "plausibility.probability_tables.", "plausibility.fact_surprise."
_STRUCTURE = "plausibility.structure_surprise."
SURPRISE_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "weight of coarser tables, less": {_TABLES + "PRIOR": 3.0},
    "weight of coarser tables, more": {_TABLES + "PRIOR": 20.0},
    "gain of a split, none": {_TABLES + "LEAST_GAIN": 0.0},
    "gain of a split, tenfold": {_TABLES + "LEAST_GAIN": 0.02},
    "splits": {_TABLES + "MOST_PARENTS": 0},
    "second split": {_TABLES + "MOST_PARENTS": 1},
    "third split": {_TABLES + "MOST_PARENTS": 3},
    "looked at, a quarter": {_FACTS + "LOOKED_AT": 4_000},
    "weight of single gaps": {_STRUCTURE + "_PRIOR": 50.0},
    "rare structures": {_STRUCTURE + "_RARE": 1.0},
}
_INTERVIEW, _CONSEQUENCES = "planner.interview.", "planner.consequences."
PLANNER_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "nearest, a quarter": {_INTERVIEW + "NEAREST": 6},
    "popular questions as asked": {_INTERVIEW + "POPULAR": 2.0},
    "weight of the size": {_INTERVIEW + "SIZE_WEIGHT": 1},
    "nearness of ages": {_INTERVIEW + "NEAR_AGE": 1_000},
    "nearness of amounts": {_INTERVIEW + "NEAR_SHARE": 1_000.0},
    "nearness by zero alone": {_CONSEQUENCES + "MANY": 10},
    "the city, a tenth": {"planner.prior_households.CITY": 300},
    "fuzzed households": {"planner.prior_households.FUZZED": 10},
}
_NEIGHBOURS = "par.neighbours."
PAR_ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "cases, few": {_NEIGHBOURS + "MOST_CASES": 20},
    "cases looked into, one": {_NEIGHBOURS + "MOST_ORDERS": 1},
    "cases looked into, all": {_NEIGHBOURS + "MOST_ORDERS": 200},
    "values of a number, few": {_NEIGHBOURS + "_SPREAD": 4},
    "values of a number, many": {_NEIGHBOURS + "_SPREAD": 100},
}


@contextmanager
def replaced(replacements: Mapping[str, Any]) -> Iterator[None]:
    """Replace what stands at some paths below the package; put it back in the end."""
    with ExitStack() as stack:
        for path, value in replacements.items():
            stack.enter_context(patch(f"benyfits_data.{path}", value))
        yield


def ablate_builds(names: Sequence[str]) -> Iterator[str]:
    """Give sums over the editions: what samples miss, pairs and households chosen, CPU seconds.

    Nobody is made believable.
    """
    yield f"{'changed':32}{'missed':>11}{'pairs':>11}{'households':>11}{'s':>11}"
    for name in names:
        sums = np.zeros(4)
        for year in EDITIONS:
            edition, start = load_edition(year), process_time()
            with replaced(BUILD_ABLATIONS[name]):
                sampled = sample_corpus(10_000, edition, SEED)
                corpus, _ = search(sampled)
                covers = CoverageReader("branches", edition)
                _, selection = select(corpus, SEED, "fewest", covers)
            missed = sum(map(len, sampled.missing().values()))
            homes = {home for home, _ in selection.pairs}
            sums += missed, len(selection.pairs), len(homes), process_time() - start
        yield f"{name:32}" + "".join(f"{total:11.0f}" for total in sums)


def _draw_programs(edition: Edition, number: int) -> list[str]:
    """Return the names of the programs of one draw, in the edition's order."""
    drawn = stream(SEED, "bench", "ablation", number).permutation(len(edition))
    return [list(edition)[place] for place in sorted(drawn[:PROGRAMS])]


def ablate_surprise(names: Sequence[str]) -> Iterator[str]:
    """Give mean surprise of households that nothing was learned from, in thousandths, and seconds.

    The less surprising they are, the better is what was learned.
    """
    yield f"{'changed':32}{'surprise':>11}{'s':>11}"
    city, other = synthesize(LEARNED_FROM, SEED, workers=1), synthesize(5_000, SEED + 1, workers=1)
    learned = np.arange(LEARNED_FROM) % 5 >= 2
    for name in names:
        start = process_time()
        with replaced(SURPRISE_ABLATIONS[name]):
            plausibility = Plausibility(city.take(learned), city.take(~learned))
            mean = float(plausibility.surprise(other).mean())
        yield f"{name:32}{mean:11.0f}{process_time() - start:11.1f}"


def ablate_planner(names: Sequence[str]) -> Iterator[str]:
    """Give the mean number of questions of interviews with households of the city, and seconds."""
    yield f"{'changed':32}{'questions':>11}{'s':>11}"
    edition = load_edition(EDITION)
    city = synthesize(INTERVIEWED, SEED, workers=1)
    for name in names:
        asked, wrong, start = 0, 0, process_time()
        with replaced(PLANNER_ABLATIONS[name]):
            draw_prior.cache_clear()
            for number in range(INTERVIEWED):
                household = city.household(number)
                programs = _draw_programs(edition, number // 10)
                planner = Planner(edition, programs, places=most_members(household))
                (course,) = simulate(planner, [household])
                asked += course.n_questions
                wrong += course.n_wrong
        draw_prior.cache_clear()
        seconds = process_time() - start
        told = f"  {wrong} wrong verdicts" if wrong else ""
        yield f"{name:32}{asked / INTERVIEWED:11.2f}{seconds:11.1f}{told}"


def ablate_par(names: Sequence[str]) -> Iterator[str]:
    """Give the mean par of households of the city, which must not change, and seconds."""
    yield f"{'changed':32}{'par':>11}{'s':>11}"
    edition = load_edition(EDITION)
    city = synthesize(PROVEN, SEED, workers=1)
    for name in names:
        turns, start = 0, process_time()
        with replaced(PAR_ABLATIONS[name]):
            for number in range(PROVEN):
                programs = _draw_programs(edition, number)
                turns += floor(edition, programs, city.household(number), "one").turns
        yield f"{name:32}{turns / PROVEN:11.2f}{process_time() - start:11.1f}"


TABLES: Mapping[str, tuple[Callable[[Sequence[str]], Iterator[str]], Mapping[str, Any]]] = {
    "builds": (ablate_builds, BUILD_ABLATIONS),
    "surprise": (ablate_surprise, SURPRISE_ABLATIONS),
    "planner": (ablate_planner, PLANNER_ABLATIONS),
    "par": (ablate_par, PAR_ABLATIONS),
}


def main(asked: Sequence[str]) -> None:
    """Print some tables, or all.

    Raises:
        SystemExit: There is no such table.
    """
    if unknown := sorted(set(asked) - TABLES.keys()):
        sys.exit(f"No table {', '.join(unknown)}. Expected some of {', '.join(TABLES)}.")
    for name in asked or TABLES:
        table, ablations = TABLES[name]
        for line in table(list(ablations)):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
