"""A synthetic New York City: structure first, then every feature in the order of the tables.

Every draw has its own random stream, named after seed, chunk and feature, so that a new feature
never moves another. A chunk is a small city of its own: its margins are exact up to rounding.
"""

import json
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.columns import Households
from benyfits_data.household.constants import SENIOR_AGE
from benyfits_data.household.features import FEATURES
from benyfits_data.household.repair import repair
from benyfits_data.household.schema import Feature
from benyfits_data.language.numpy_backend import possible, violators
from benyfits_data.parallel import run_tasks
from benyfits_data.population import derived_facts, derived_home_facts
from benyfits_data.population.conditions import LARGEST, Frame
from benyfits_data.population.distributions import Distribution, load_distributions
from benyfits_data.population.relations import KINDS, name_relations
from benyfits_data.population.sources import Sources, load_sources
from benyfits_data.population.synthetic_city import City

RULE_MODULES = (derived_facts, derived_home_facts)
"""Modules whose import registers the rules."""

CHUNK = 50_000
"""Households drawn at a time; part of what a seed means."""

BUILT_WITH_STRUCTURE = frozenset(
    {"borough", "household_type", "household_size", "household_minors", "age", "sex", "relation"}
)
_ELSEWHERE = frozenset({"name", "household_income", "annual_investment_income", *KINDS})
"""Drawn by no rows of their own: names by profiles, incomes with earnings, kinds with relations."""
Key = TypeVar("Key")
Result = TypeVar("Result")


@lru_cache(maxsize=1)
def default_sources() -> Sources:
    """Return the project's sources, read once."""
    return load_sources()


@lru_cache(maxsize=1)
def default_distributions() -> dict[str, Distribution]:
    """Return the project's distributions, read once."""
    return load_distributions(default_sources())


def build_city(n: int, seed: int, chunk: int = 0, sources: Sources | None = None) -> City:
    """Return `n` households with every feature, and the facts kept to draw them.

    Args:
        n: Number of households.
        seed: Seed of the whole build.
        chunk: Number of the chunk.
        sources: Other tables to draw from; sizes, kinds and ages stay those of the project.
    """
    distributions = default_distributions() if sources is None else load_distributions(sources)
    city = City.of(sources or default_sources(), default_sources(), n, seed, chunk)
    name_relations(city, {name: distributions[name] for name in KINDS})
    for feature, distribution in distributions.items():
        if feature in BUILT_WITH_STRUCTURE or feature in _ELSEWHERE:
            continue
        frame = city.frame(distribution.level)
        if distribution.flag_where is not None:
            distribution.put_flag(frame)
        elif distribution.is_rule:
            derived_facts.RULES[feature](city)
        else:
            distribution.draw(frame, city.rng(feature), _score(city, feature))
        if feature in derived_facts.AFTERWARDS:
            derived_facts.AFTERWARDS[feature](city)
    _count_for_validation(city)
    return city


def _count_for_validation(city: City) -> None:
    """Add columns that published shares are compared with; no draw reads them."""
    people, households = city.people, city.households
    # A part of the recipients under 65 would not tell a survey of their disability.
    is_silent = (people["receives_ssi"] | people["receives_ssdi"]) & (people["age"] < SENIOR_AGE)
    chance = city.rng("untold disability").random(people.size)
    is_silent &= chance < city.sources.parameter("recipients_not_counted_disabled")
    people.put("survey_disabled", people["disabled"] & ~is_silent)
    people.put("is_insured", people["health_insurance"] | people["receives_medicaid"])
    man = np.where(people["sex"] == 1, -people["gap"], people["gap"])
    of_two_sexes = people.mask("relation spouse") & (people["sex"] != people["householder_sex"])
    people.put("husband_older", np.where(of_two_sexes, man, LARGEST).astype(np.int32))
    for name, member in (
        ("earners", people["annual_work_income"] > 0),
        ("employed_members", people.mask("employment employed")),
        ("social_security_members", people["has_social_security"]),
        ("pension_members", people["has_pension"]),
        ("members_65", people["age"] >= SENIOR_AGE),
    ):
        households.put(name, city.count(member))


def _score(city: City, feature: str) -> NDArray[np.float64] | None:
    """Return who comes first within a cell; members of a household stand close together."""
    weight = city.sources.values_of("shared_in_household").get(feature)
    if weight is None:
        return None
    rng = city.rng(feature + " of the household")
    shared = rng.normal(size=city.households.size)[city.household]
    return np.asarray(
        np.sqrt(weight) * shared + np.sqrt(1 - weight) * rng.normal(size=city.people.size)
    )


def possible_households(city: City) -> tuple[Households, int]:
    """Return a city's households, and how many had to be repaired to be possible.

    The project's tables and rules draw possible households alone. Of other tables, facts that
    repair a household are taken from other people of the same city.
    """
    table = city.to_households()
    broken = np.flatnonzero(~possible(table))
    if not len(broken):
        return table, 0
    part = table.take(broken)
    repair(part, violators, HotDeck(table), city.rng("repair"))
    for name, column in part.shared.items():
        table.shared[name][broken] = column
    for name, column in part.member.items():
        table.member[name][:, broken] = column
    return table, len(broken)


class HotDeck:
    """Draws a feature anew from households of a city, or from people of the same age."""

    def __init__(self, city: Households) -> None:
        self._city = city
        members, homes = np.nonzero(city.present)
        order = np.argsort(city.member["age"][members, homes], kind="stable")
        self._people = members[order], homes[order]
        self._ages = city.member["age"][self._people]
        self._others = np.nonzero(city.present & (np.arange(city.places) > 0)[:, None])

    def __call__(
        self,
        feature: Feature,
        households: Households,
        rows: NDArray[np.intp] | None,
        columns: NDArray[np.intp],
        rng: np.random.Generator,
    ) -> NDArray[Any]:
        """Return one code for each place; who asks stays who asks."""
        n = len(columns)
        if rows is None:
            return np.asarray(
                self._city.shared[feature.name][rng.integers(len(self._city), size=n)]
            )
        if feature.name == "relation" and len(self._others[0]):
            donor = rng.integers(len(self._others[0]), size=n)
            drawn = self._city.member["relation"][self._others[0][donor], self._others[1][donor]]
            return np.where(rows == 0, feature.encode("self"), drawn)
        if feature.name in ("age", "age_months"):
            first, last = np.zeros(n, np.intp), np.full(n, len(self._ages))
        else:
            age = households.member["age"][rows, columns]
            first = np.searchsorted(self._ages, age, side="left")
            last = np.searchsorted(self._ages, age, side="right")
        donor = first + np.floor(rng.random(n) * np.maximum(last - first, 1)).astype(np.intp)
        donor = np.minimum(donor, len(self._ages) - 1)
        return np.asarray(
            self._city.member[feature.name][self._people[0][donor], self._people[1][donor]]
        )


def synthesize(n: int, seed: int, workers: int = 2) -> Households:
    """Return `n` possible households as columns of the household model."""
    return Households.concatenate(over_chunks(households_of_chunk, n, seed, workers))


def households_of_chunk(n: int, seed: int, chunk: int) -> Households:
    """Return the possible households of one chunk."""
    return possible_households(build_city(n, seed, chunk))[0]


def chunks(n: int) -> Iterator[tuple[int, int]]:
    """Return number and size of the chunks that make up `n` households."""
    for chunk, start in enumerate(range(0, n, CHUNK)):
        yield chunk, min(CHUNK, n - start)


def over_chunks(
    work: Callable[[int, int, int], Result],
    n: int,
    seed: int,
    workers: int = 2,
    tick: Callable[[int], object] = lambda done: None,
) -> Iterator[Result]:
    """Return what `work(size, seed, chunk)` returns for every chunk, in order.

    Args:
        work: A function of a module, so that other processes can run it.
        n: Number of households.
        seed: Seed of the whole build.
        workers: Processes; the results do not depend on their number.
        tick: Told the households of each chunk that is done.
    """
    run = partial(_of_chunk, work, seed)
    results = run_tasks(run, chunks(n), 1 if n <= CHUNK else workers, ahead=2 * workers)
    for (_, size), result in zip(chunks(n), results, strict=True):
        tick(size)
        yield result


def sum_over_chunks(
    count: Callable[[int, int, int], dict[Key, NDArray[Any]]],
    n: int,
    seed: int,
    workers: int,
    tick: Callable[[int], object],
) -> dict[Key, NDArray[Any]]:
    """Return the sums, by key, of what is counted in every chunk; arguments as `over_chunks`."""
    whole: dict[Key, NDArray[Any]] = {}
    for part in over_chunks(count, n, seed, workers, tick):
        for key, counts in part.items():
            whole[key] = whole.get(key, 0) + counts
    return whole


def _of_chunk(work: Callable[[int, int, int], Result], seed: int, part: tuple[int, int]) -> Result:
    chunk, size = part
    return work(size, seed, chunk)


def draw_lines(n: int, seed: int, workers: int) -> Iterator[list[str]]:
    """Yield the households of a city as lines of JSON, chunk by chunk.

    Each line has an `id`, the `household` in our layout, and under `city` what a household or a
    person was drawn by and no program asks: borough, kind of household, poverty, education.

    Args:
        n: Households of the city.
        seed: Seed of the build.
        workers: Processes; results do not depend on them.
    """
    return over_chunks(partial(_lines_of_chunk, len(str(n))), n, seed, workers)


def _lines_of_chunk(digits: int, n: int, seed: int, chunk: int) -> list[str]:
    city = build_city(n, seed, chunk)
    table = possible_households(city)[0]
    shared, personal = _kept(city.households), _kept(city.people)
    members: list[list[dict[str, Any]]] = [[] for _ in range(n)]
    for home, *facts in zip(city.household.tolist(), *personal.values(), strict=True):
        members[home].append(dict(zip(personal, facts, strict=True)))
    lines = []
    for at, values in enumerate(zip(*shared.values(), strict=True)):
        record = {
            "id": f"city-{seed}-{chunk * CHUNK + at + 1:0{digits}d}",
            "household": table.household(at).facts(),
            "city": dict(zip(shared, values, strict=True)) | {"members": members[at]},
        }
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return lines


def _kept(frame: Frame) -> dict[str, list[Any]]:
    """Return the columns of a frame that are no features, choices by name."""
    kept = {}
    for name, column in frame.columns().items():
        if name not in FEATURES:
            levels, values = frame.levels(name), column.tolist()
            kept[name] = [levels[code] for code in values] if levels else values
    return kept
