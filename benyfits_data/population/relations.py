"""Relations to the householder, named after role and difference of age; and what follows."""

import numpy as np
from numpy.typing import NDArray

from benyfits_data.household.constants import ADULT_AGE
from benyfits_data.household.constraints import CONSTRAINTS, generations
from benyfits_data.household.features import MEMBER_FEATURES
from benyfits_data.language.numpy_backend import violators
from benyfits_data.population.distributions import Distribution
from benyfits_data.population.household_structure import (
    ADULT_CHILD,
    ADULT_RELATIVE,
    ARRANGEMENTS,
    FOSTER,
    HOUSEHOLDER,
    HOUSEMATE,
    MINOR_RELATIVE,
    OWN_MINOR,
    PARTNER,
    SPOUSE,
)
from benyfits_data.population.synthetic_city import City

RELATIONS = tuple(MEMBER_FEATURES["relation"].choices)
KINDS = ("child_kind", "relative_kind", "unrelated_minor_kind")

_YOUNGEST_SPOUSE = 20
"""Of relatives who are taken to be married to each other."""
_WIDEST_COUPLE = 12
"""Years between them."""
_OLDEST_MOTHER = 49
"""Of an infant, as births are published."""
_YOUNGEST_GRANDPARENT = 36
"""Two generations of parents of 18."""
_WIDER_WORDS = (
    ("adopted child", 21, "child"),
    ("child", 16, "niece or nephew"),
    ("stepchild", 1, "friend"),
    ("foster child", 21, "friend"),
    ("grandchild", 32, "niece or nephew"),
)
"""Years that the householder is older at least; the word that is used where it is less."""
_OTHER = RELATIONS.index("other relative")
_REFUSABLE = [
    RELATIONS.index(name)
    for name in ("child", "stepchild", "parent", "grandparent", "sibling", "niece or nephew")
]


def name_relations(city: City, kinds: dict[str, Distribution]) -> None:
    """Put everybody's relation, and the columns that follow from relations.

    Args:
        city: With ages and roles.
        kinds: Distributions of the three kinds: of children, relatives, unrelated minors.
    """
    people, role = city.people, city.role
    has_partner = city.count((role == SPOUSE) | (role == PARTNER)) > 0
    city.households.put("has_partner_at_home", has_partner)
    for name in KINDS:
        kinds[name].draw(people, city.rng(name))
    relation = np.zeros(people.size, np.int8)
    fixed = ("self", "spouse", "domestic partner", "friend")
    for code, name in zip((HOUSEHOLDER, SPOUSE, PARTNER, HOUSEMATE), fixed, strict=True):
        relation[role == code] = RELATIONS.index(name)
    for codes, name in (
        ((OWN_MINOR, ADULT_CHILD), "child_kind"),
        ((MINOR_RELATIVE, ADULT_RELATIVE), "relative_kind"),
        ((FOSTER,), "unrelated_minor_kind"),
    ):
        mapped = np.array([RELATIONS.index(each) for each in kinds[name].categories], np.int8)
        inside = np.isin(role, codes)
        relation[inside] = mapped[people[name][inside]]
    gap = people["gap"]
    # Where an age leaves no room for the relation drawn, the next wider word is used.
    for name, least, instead in _WIDER_WORDS:
        relation[(relation == RELATIONS.index(name)) & (gap < least)] = RELATIONS.index(instead)
    grandchild = relation == RELATIONS.index("grandchild")
    young = people["householder_age"] < _YOUNGEST_GRANDPARENT
    relation[grandchild & young] = RELATIONS.index("niece or nephew")
    _widen(city, relation)
    people.put("relation", relation, RELATIONS)
    _derive(city)


def _widen(city: City, relation: NDArray[np.int8]) -> None:
    """Call a member another relative, in place, where a constraint on ages refuses the relation."""
    table = city.empty_households()
    table.member["age"][city.place, city.household] = city.people["age"]
    for constraint in CONSTRAINTS.values():
        if constraint.holds.__module__ != generations.__name__:
            continue
        table.member["relation"][city.place, city.household] = relation
        members, homes = violators(constraint, table)
        refused = np.zeros(table.member["age"].shape, np.bool_)
        refused[slice(None) if members is None else members, homes] = True
        refusable = np.isin(relation, _REFUSABLE)
        relation[refused[city.place, city.household] & refusable] = _OTHER


def _derive(city: City) -> None:
    people, households = city.people, city.households
    children, kin = (
        "child|adopted child|stepchild",
        "grandchild|sibling|niece or nephew|foster child",
    )
    minor = f"age 0-{ADULT_AGE - 1}"
    is_own, is_self, is_spouse, couple = (
        people.mask(f"relation {names}")
        for names in (children, "self", "spouse", "spouse|domestic partner")
    )
    heads, with_spouse = is_self | couple, city.count(is_spouse) > 0
    households.put("couple_household", with_spouse)
    for name, relation in (
        ("foster_children", "foster child"),
        ("kin_minors", f"{kin} & {minor}"),
        ("own_minors", f"{children} & {minor}"),
        ("parents_at_home", "parent"),
    ):
        households.put(name, city.count(people.mask(f"relation {relation}")))
    households.put("householder_sex", city.of_householder(people["sex"]), ("female", "male"))
    people.put("couple", heads & (city.count(couple) > 0)[city.household])
    married = (is_self & with_spouse[city.household]) | is_spouse
    people.put("is_married", married | _married_relatives(city, ~heads))
    own_children = np.where(heads, city.count(is_own)[city.household], 0)
    people.put("own_children", own_children.astype(np.int32))
    people.put("own_child_at_home", own_children > 0)
    people.put("own_minor_at_home", heads & (people["own_minors"] > 0))
    people.put("arrangement", _arrangement(city, is_self, is_own), ARRANGEMENTS)
    infants = city.count(people.mask(f"relation {children} & age 0"))
    woman = people.mask(f"sex female & age 0-{_OLDEST_MOTHER}")
    people.put("mother_of_infant", heads & woman & (infants > 0)[city.household])


def _married_relatives(city: City, others: np.ndarray) -> np.ndarray:
    """Return who is married to another member without heading the household.

    The householder's parents, or relatives of whom one is related by the other: of each sex the
    oldest, if of like age.
    """
    people = city.people
    in_law = people.mask("relation other relative")
    parent = people.mask("relation parent|grandparent")
    adult = others & (people["age"] >= _YOUNGEST_SPOUSE) & ~people.mask("relation friend")
    oldest = np.full((2, city.households.size), -1, np.int64)
    for sex in (0, 1):
        who = np.flatnonzero(adult & (people["sex"] == sex))
        home, first = np.unique(city.household[who], return_index=True)
        oldest[sex, home] = who[first]
    one, two = oldest[:, (oldest >= 0).all(axis=0)]
    near = np.abs(people["age"][one] - people["age"][two]) <= _WIDEST_COUPLE
    pair = near & (in_law[one] | in_law[two] | (parent[one] & parent[two]))
    married = np.zeros(people.size, np.bool_)
    married[one[pair]] = married[two[pair]] = True
    return married


def _arrangement(city: City, is_self: np.ndarray, is_own: np.ndarray) -> np.ndarray:
    people = city.people
    kind = people["household_type"]
    with_family = is_self & (kind < 6) & ~people["couple"]
    unrelated = people.mask("relation friend|foster child")
    code = np.full(people.size, ARRANGEMENTS.index("other relative"), np.int8)
    code[unrelated | (is_self & (kind == 7))] = ARRANGEMENTS.index("nonrelative")
    code[is_own] = ARRANGEMENTS.index("child of householder")
    code[people["couple"]] = ARRANGEMENTS.index("with partner")
    code[people["is_married"] & people["couple"]] = ARRANGEMENTS.index("householder or spouse")
    code[with_family] = ARRANGEMENTS.index("other relative")
    code[is_self & (kind == 6)] = ARRANGEMENTS.index("alone")
    return code
