"""Who may live together, and how old they are, by borough, so that the published margins hold.

Every composition of a household is weighted. The people in each role are roles by age and sex,
raked to the borough's pyramid: targets for groups of roles, and starting weights, are what is
published about age by role.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.population.conditions import ends_of
from benyfits_data.population.raking import exponential_tilting, fit_margins, product
from benyfits_data.population.sources import Sources

BOROUGHS = ("Bronx", "Brooklyn", "Manhattan", "Queens", "Staten Island")
TYPES = (
    "married with children",
    "married without children",
    "man with children",
    "man with relatives",
    "woman with children",
    "woman with relatives",
    "alone",
    "with nonrelatives",
)
ROLES = (
    "own minor",
    "adult child",
    "minor relative",
    "adult relative",
    "partner",
    "housemate",
    "foster child",
)
HOUSEHOLDER, SPOUSE = -2, -1
OWN_MINOR, ADULT_CHILD, MINOR_RELATIVE, ADULT_RELATIVE, PARTNER, HOUSEMATE, FOSTER = range(7)
MOST_AT_HOME = 10
"""Members of the largest household of the city; published tables end at seven and more."""
_LARGE = 7
_FAMILIES = {"married": (0, 1), "man": (2, 3), "woman": (4, 5)}
_CHILD_GROUPS = {"3-4": (3, 4), "5+": (5, MOST_AT_HOME)}
"""Own minors of a family, beside the one or two that most have."""
ARRANGEMENTS = (
    "alone",
    "householder or spouse",
    "with partner",
    "child of householder",
    "other relative",
    "nonrelative",
)
"""Living arrangements as the census tells them."""
SEXES = ("female", "male")
GROUPS = ("18-34", "35-64", "65-110")
"""Ages of adults as the table of arrangements tells them."""
Bands = list[tuple[int, int]]
Target = tuple[list[int], tuple[list[int], list[int]], float]
"""Age roles, their bands and sexes, and how many people these are, per household."""
N_TYPES = len(TYPES)
# Age roles: a householder of each type, a spouse with and without children at home, then the rest.
SPOUSE_WITH_CHILDREN, SPOUSE_WITHOUT = N_TYPES, N_TYPES + 1
FIRST_OTHER = N_TYPES + 2
N_AGE_ROLES = FIRST_OTHER + 7
ROUNDS = 300
"""Of scaling to all targets in turn, which contradict each other a little and never end."""
_NONFAMILIES = {"15-64": f"{ADULT_AGE}-64", "65-110": "65-110"}
"""Ages as the table of nonfamily householders tells them, and which of them are adults."""
_HALVINGS = 100
"""Of the logarithm of a factor: more than a number has bits."""


@dataclass(frozen=True)
class Compositions:
    """Every possible composition.

    Attributes:
        type: Code of the household type, shape `(n,)`.
        size: Number of members, shape `(n,)`.
        counts: Members in each of `ROLES`, shape `(n, 7)`; householder and spouse come on top.
        start: Unfitted weight, shape `(n,)`.
    """

    type: NDArray[np.int64]
    size: NDArray[np.int64]
    counts: NDArray[np.int64]
    start: NDArray[np.float64]

    @property
    def minors(self) -> NDArray[np.int64]:
        """Number of members under 18."""
        return np.asarray(self.counts[:, [OWN_MINOR, MINOR_RELATIVE, FOSTER]].sum(axis=1))


@lru_cache(maxsize=1)
def all_compositions(sources: Sources) -> Compositions:
    """Return every composition of one to ten members that a household type allows."""
    rows: list[tuple[int, int, tuple[int, ...], float]] = []
    chances = [sources.parameter("role_weight", name) for name in ROLES]
    for kind, name in enumerate(TYPES):
        core = 2 if name.startswith("married") else 1
        for counts in _counts(MOST_AT_HOME - core, len(ROLES)):
            size = core + sum(counts)
            if not _fits(name, counts):
                continue
            weight = float(factorial(sum(counts)))
            for count, chance in zip(counts, chances, strict=True):
                weight *= chance**count / factorial(count)
            rows.append((kind, size, counts, weight))
    kinds, sizes, compositions, weights = map(np.array, zip(*rows, strict=True))
    return Compositions(kinds, sizes, compositions, weights / weights.sum())


def _counts(most: int, roles: int) -> Iterator[tuple[int, ...]]:
    """Yield every number of members by role that adds up to at most `most`."""
    if roles == 0:
        yield ()
        return
    for first in range(most + 1):
        for others in _counts(most - first, roles - 1):
            yield first, *others


def _fits(name: str, counts: tuple[int, ...]) -> bool:
    kin = counts[OWN_MINOR] + counts[ADULT_CHILD] + counts[MINOR_RELATIVE] + counts[ADULT_RELATIVE]
    if counts[PARTNER] > 1 or counts[FOSTER] > 2:
        return False
    if name == "alone":
        return not any(counts)
    if name == "with nonrelatives":
        others = counts[PARTNER] + counts[HOUSEMATE] + counts[FOSTER]
        return kin == 0 and others > 0
    if name.startswith("married") and counts[PARTNER]:
        return False
    if name.endswith("with children"):
        return counts[OWN_MINOR] > 0
    if counts[OWN_MINOR]:
        return False
    return name.startswith("married") or kin > 0


@lru_cache(maxsize=8)
def fit_compositions(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return the probability of every composition in one of `BOROUGHS`.

    Types and sizes follow their margins; relations, and children per family, follow the borough's
    tables, rescaled to what the sizes leave room for.
    """
    table = all_compositions(sources)
    given = f"borough {borough}"
    types, sizes = (sources.margin(name, given) for name in ("household_type", "household_size"))
    features: list[NDArray[np.float64]] = []
    targets: list[float] = []

    def demand(quantity: NDArray[np.int64] | NDArray[np.bool_], target: float) -> None:
        features.append(quantity.astype(float))
        targets.append(target)

    for kind, name in enumerate(TYPES[:-1]):
        demand(table.type == kind, types[name])
    # One person living alone is both a type and a size: the type counts.
    many = 1 - types["alone"]
    scale = many / sum(share for size, share in sizes.items() if size != "1")
    for size in range(2, _LARGE):
        demand(table.size == size, sizes[str(size)] * scale)
    large = (
        sizes[f"{_LARGE}-{MOST_AT_HOME}"] * scale * sources.parameter("mean_of_large_households")
    )
    demand(np.where(table.size >= _LARGE, table.size, 0), large)
    small = sum(size * sizes[str(size)] * scale for size in range(2, _LARGE))
    mean = types["alone"] + small + large
    relations = {
        key[1]: count
        for key, count in sources.joints["relation_borough"].cells.items()
        if key[0] == borough
    }
    spouses = types[TYPES[0]] + types[TYPES[1]]
    others = sum(
        relations[name]
        for name in ("Child", "Other relatives", "Unmarried partner", "Nonrelatives")
    )
    room = (mean - 1 - spouses) / others
    of_minors = sources.margin("relation", "age 0-17")
    own_share, kin, unrelated = of_minors.values()
    minor_bands = _within(age_bands(sources), f"0-{ADULT_AGE - 1}")
    minors = mean * float(pyramid(sources, borough)[minor_bands].sum())
    with_minor = sources.margin("household_minors", given)[f"1-{MOST_AT_HOME - 1}"]
    demand(table.minors > 0, with_minor)
    demand(table.counts[:, OWN_MINOR], own_share * minors)
    demand(table.counts[:, MINOR_RELATIVE], kin * minors)
    demand(table.counts[:, FOSTER], unrelated * minors)
    demand(table.counts[:, PARTNER], relations["Unmarried partner"] * room)
    demand(table.counts[:, ADULT_CHILD], relations["Child"] * room - own_share * minors)
    demand(table.counts[:, ADULT_RELATIVE], relations["Other relatives"] * room - kin * minors)
    children = sources.joints["family_children_poverty"].sum("borough", "family", "own_children")
    for family, kinds in _FAMILIES.items():
        parents = sum(children[(borough, family, group)] for group in ("1-2", *_CHILD_GROUPS))
        inside, n = np.isin(table.type, kinds), table.counts[:, OWN_MINOR]
        for group, (low, high) in _CHILD_GROUPS.items():
            share = children[(borough, family, group)] / parents * types[TYPES[kinds[0]]]
            demand(inside & (n >= low) & (n <= high), share)
    return exponential_tilting(
        table.start, np.stack(features, axis=1), np.array(targets), ridge=1e-4
    )


def age_bands(sources: Sources) -> Bands:
    """Return the age bands of the table of ages by sex and borough, in order."""
    return sorted(map(ends_of, sources.joints["age_sex_borough"].labels[2]))


def _within(bands: Bands, ages: str) -> list[int]:
    """Return the places of the bands that lie within a range of ages."""
    first, last = ends_of(ages)
    return [place for place, (low, high) in enumerate(bands) if first <= low and high <= last]


def group_targets(
    sources: Sources,
    totals: NDArray[np.float64],
    people: NDArray[np.float64],
    bands: Bands,
) -> list[Target]:
    """Return how many people of some roles are in some ages and of some sex, per household.

    Marriage by age and sex, adult children and people alone by age, and the sexes of nonfamily
    householders follow the state's tables, raked to the borough's people and roles.
    """
    targets: list[Target] = []
    couples = [0, 1, SPOUSE_WITH_CHILDREN, SPOUSE_WITHOUT]
    shares = _married_shares(sources, bands)
    for sex in range(2):
        fitted = _with_total(shares[:, sex], people[:, sex], totals[[0, 1]].sum())
        for band in np.flatnonzero(fitted > 0):
            targets.append((couples, ([int(band)], [sex]), float(fitted[band] * people[band, sex])))
    table = _arrangements(sources, totals, people, bands)
    for group, in_alone, grown in zip(GROUPS, table[:, 0], table[:, 3], strict=True):
        places = _within(bands, group), [0, 1]
        targets.append(([6], places, float(in_alone)))
        targets.append(([FIRST_OTHER + ADULT_CHILD], places, float(grown)))
    alone = dict(zip(_NONFAMILIES, (table[:-1, 0].sum(), table[-1, 0]), strict=True))
    adults = {group: _within(bands, ages) for group, ages in _NONFAMILIES.items()}
    for group, sex, share in _sexes_of_nonfamilies(sources, "alone"):
        targets.append(([6], (adults[group], [sex]), float(alone[group] * share)))
    cells = sources.joints["nonfamily_sex_age"].cells
    shared = {key: count for key, count in cells.items() if key[0] == "with nonrelatives"}
    for (_, name, group), count in shared.items():
        target = totals[7] * count / sum(shared.values())
        targets.append(([7], (adults[group], [SEXES.index(name)]), target))
    return targets


def _sexes_of_nonfamilies(sources: Sources, name: str) -> Iterator[tuple[str, int, float]]:
    """Yield ages, sex and its share of householders who live alone or with nonrelatives."""
    cells = sources.joints["nonfamily_sex_age"].cells
    for group in _NONFAMILIES:
        both = sum(cells[name, sex, group] for sex in SEXES)
        for place, sex in enumerate(SEXES):
            yield group, place, cells[name, sex, group] / both


def _with_total(
    shares: NDArray[np.float64], people: NDArray[np.float64], total: float
) -> NDArray[np.float64]:
    """Return shares whose odds are all multiplied by one factor, so that they give a total."""
    low, high = 1 / 1000, 1000
    for _ in range(_HALVINGS):
        factor = np.sqrt(low * high)
        fitted = factor * shares / (1 - shares + factor * shares)
        low, high = (factor, high) if product(fitted, people) < total else (low, factor)
    return np.asarray(fitted)


def _arrangements(
    sources: Sources,
    totals: NDArray[np.float64],
    people: NDArray[np.float64],
    bands: Bands,
) -> NDArray[np.float64]:
    """Return adults in each of `GROUPS` and `ARRANGEMENTS`, raked to the borough."""
    table = sources.joints["living_arrangement_age"].table(GROUPS, ARRANGEMENTS)
    rows = np.array([people[_within(bands, group)].sum() for group in GROUPS])
    other = FIRST_OTHER
    columns = np.array(
        [
            totals[6],
            2 * totals[[0, 1]].sum(),
            2 * totals[other + PARTNER],
            totals[other + ADULT_CHILD],
            0.0,
            totals[other + HOUSEMATE] + totals[7],
        ]
    )
    columns[4] = max(rows.sum() - columns.sum(), 1e-6)
    return fit_margins(table, [rows[:, None], columns[None]], ROUNDS)


def starting_weights(sources: Sources, bands: Bands) -> NDArray[np.float64]:
    """Return how much likelier each role is at each age and sex than the population at large."""
    oldest = sources.parameter("oldest_middle")
    middle = np.array([min((low + high) / 2, oldest) for low, high in bands])
    seed = np.zeros((N_AGE_ROLES, len(bands), 2))
    holders = sources.joints["tenure_type_age"].sum("household_type", "householder_age")
    names = {
        "married": (0, 1),
        "man with family": (2, 3),
        "woman with family": (4, 5),
        "alone": (6,),
        "with nonrelatives": (7,),
    }
    # State population 18 and over in the three ages, for shares of each age that are householders.
    arrangements = sources.joints["living_arrangement_age"]
    adults = {key[0]: count for key, count in arrangements.sum("age").items()}
    for (name, ages), count in holders.items():
        group = "18-34" if ages == "15-34" else ages
        inside = _within(bands, group)
        for kind in names[name]:
            seed[kind, inside] = count / adults[group]
    start, width = (sources.parameter("householders_from", given) for given in ("all", "width"))
    ramp = np.clip((middle - start) / width, 0, 1)[:, None]
    seed[:N_TYPES] *= ramp
    married = _married_shares(sources, bands)
    husbands = sources.parameter("male_householder_of_couple")
    seed[:2] = married
    center, spread, share = (
        sources.parameter("parents_age", given)
        for given in ("middle", "spread", "share of couples")
    )
    with_children = np.exp(-(((middle - center) / spread) ** 2) / 2)[:, None]
    seed[[0, 2, 4]] *= with_children
    seed[1] *= 1 - share * with_children
    seed[2:4, :, 0] = seed[4:6, :, 1] = 0
    seed[:2] *= [1 - husbands, husbands]
    for kind, name in ((6, "alone"), (7, "with nonrelatives")):
        for group, sex, share in _sexes_of_nonfamilies(sources, name):
            seed[kind, _within(bands, _NONFAMILIES[group]), sex] *= share
    for spouse, holder in ((SPOUSE_WITH_CHILDREN, 0), (SPOUSE_WITHOUT, 1)):
        # Among couples, spouses are women where householders are men.
        wives = husbands / (1 - husbands)
        seed[spouse] = seed[holder] * np.array([wives, 1 / wives])
    for role, arrangement in (
        (PARTNER, "with partner"),
        (ADULT_CHILD, "child of householder"),
        (ADULT_RELATIVE, "other relative"),
        (HOUSEMATE, "nonrelative"),
    ):
        for group in GROUPS:
            share = arrangements.cells[(group, arrangement)] / adults[group]
            seed[FIRST_OTHER + role, _within(bands, group)] = share
    # Adult children become rarer within each published age group, its total kept.
    widths = np.array([high - low + 1 for low, high in bands], float)
    for group in GROUPS:
        inside, years = _within(bands, group), sources.parameter("leaving_home", f"age {group}")
        decline = np.exp(-(middle[inside] - ends_of(group)[0]) / years)
        seed[FIRST_OTHER + ADULT_CHILD, inside] *= (
            decline / np.average(decline, weights=widths[inside])
        )[:, None]
    minors = np.array([FIRST_OTHER + role for role in (OWN_MINOR, MINOR_RELATIVE, FOSTER)])
    seed[minors[:, None], _within(bands, f"0-{ADULT_AGE - 1}")] = 1.0
    return seed


def _married_shares(sources: Sources, bands: Bands) -> NDArray[np.float64]:
    """Return the share of each age and sex that lives with a spouse, shape `(bands, 2)`."""
    cells = sources.joints["married_age_sex"].cells
    shares = np.zeros((len(bands), 2))
    for sex, ages, married in cells:
        if married == "yes" and ends_of(ages)[0] >= ADULT_AGE:
            yes, no = cells[(sex, ages, "yes")], cells[(sex, ages, "no")]
            shares[_within(bands, ages), SEXES.index(sex)] = yes / (yes + no)
    return shares


@lru_cache(maxsize=8)
def pyramid(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return the share of the borough's people in each age band and sex, shape `(bands, 2)`.

    The table of 2015-19 by borough is raked to the city's bands and sexes of 2018-22.
    """
    bands = age_bands(sources)
    joint = sources.joints["age_sex_borough"]
    ages = sorted(joint.labels[2], key=ends_of)
    count = np.ascontiguousarray(joint.table(BOROUGHS, SEXES, ages).swapaxes(1, 2))
    by_borough = count.sum(axis=(1, 2))
    targets, female = sources.margin("age"), sources.margin("sex")["female"]
    share = count / count.sum()
    for _ in range(ROUNDS):
        for category, target in targets.items():
            inside = _within(bands, category)
            share[:, inside] *= target / share[:, inside].sum()
        share[:, :, 0] *= female / share[:, :, 0].sum()
        share[:, :, 1] *= (1 - female) / share[:, :, 1].sum()
        share *= (by_borough / by_borough.sum() / share.sum(axis=(1, 2)))[:, None, None]
    one = share[BOROUGHS.index(borough)]
    return np.asarray(one / one.sum())


@lru_cache(maxsize=8)
def fit_ages(sources: Sources, borough: str) -> NDArray[np.float64]:
    """Return people per household in each age role, band and sex.

    Returns:
        Shape `(roles, bands, 2)`; sums over roles follow the pyramid, sums over ages the roles.
    """
    bands = age_bands(sources)
    table = all_compositions(sources)
    weights = fit_compositions(sources, borough)
    totals = np.zeros(N_AGE_ROLES)
    for kind in range(N_TYPES):
        totals[kind] = weights[table.type == kind].sum()
    totals[SPOUSE_WITH_CHILDREN], totals[SPOUSE_WITHOUT] = totals[0], totals[1]
    totals[FIRST_OTHER:] = product(weights, table.counts)
    people = pyramid(sources, borough) * totals.sum()
    share = starting_weights(sources, bands) * people
    targets = [
        (np.ix_(roles, *inside), target)
        for roles, inside, target in group_targets(sources, totals, people, bands)
    ]
    for _ in range(ROUNDS):
        for block, target in targets:
            share[block] *= target / max(share[block].sum(), 1e-12)
        share *= (totals / np.maximum(share.sum(axis=(1, 2)), 1e-12))[:, None, None]
        for spouse, holder in ((SPOUSE_WITH_CHILDREN, 0), (SPOUSE_WITHOUT, 1)):
            # Wives are as many as the men who head couples, and the other way round.
            wanted = share[holder].sum(axis=0)[::-1]
            share[spouse] *= wanted / np.maximum(share[spouse].sum(axis=0), 1e-12)
        share *= (people / np.maximum(share.sum(axis=0), 1e-12))[None]
    return np.asarray(share)
