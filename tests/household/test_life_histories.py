"""No home is refused that lives can lead to: families grow year by year, without the constraints.

People are born to a mother of 15 to 50 and a father of 15 to 68, couples are up to 45 years apart,
part and find others, and one of the living asks for those who are told here. Relations and ages
come from the tree alone, so that each home is possible; a constraint on ages that refuses one is
wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.household.model import Household, Member
from benyfits_data.household.registry import Constraint

HOMES, SEED = 2_000, 43
YEARS = 130
AGES = ("age", "relation", "sex")


@dataclass(eq=False)
class Person:
    """Somebody of a family tree."""

    born: int
    sex: str
    parents: tuple["Person", ...] = ()
    children: list["Person"] = field(default_factory=list)
    partner: "Person | None" = None


def may_pair(one: Person, other: Person) -> bool:
    """Return whether two who are no close kin, and not too far apart in age, may be a couple."""
    is_kin = bool(set(one.parents) & set(other.parents)) or other in one.children
    is_kin = is_kin or one in other.children
    is_free = other.partner is None and other.sex != one.sex
    return is_free and not is_kin and abs(other.born - one.born) <= 45


def grow(rng: np.random.Generator) -> list[Person]:
    """Return the people of one town after some generations."""
    town = [
        Person(int(rng.integers(-30, 10)), str(rng.choice(["female", "male"]))) for _ in range(40)
    ]
    for year in range(YEARS):
        grown = [it for it in town if 18 <= year - it.born <= 75]
        for one in grown:
            if one.partner is not None and rng.random() < 0.03:
                one.partner.partner = None
                one.partner = None
            if one.partner is None and rng.random() < 0.08:
                found = grown[int(rng.integers(len(grown)))]
                if may_pair(one, found):
                    one.partner, found.partner = found, one
        for mother in [it for it in town if it.sex == "female" and it.partner is not None]:
            father = mother.partner
            assert father is not None
            fits = 15 <= year - mother.born <= 50 and 15 <= year - father.born <= 68
            apart = all(year - it.born >= 1 for it in mother.children)
            if fits and apart and rng.random() < 0.12:
                child = Person(year, str(rng.choice(["female", "male"])), (mother, father))
                mother.children.append(child)
                father.children.append(child)
                town.append(child)
        town = [it for it in town if year - it.born <= 95]
    return town


def home_of(asks: Person, rng: np.random.Generator) -> list[tuple[str, Person]]:
    """Return who lives with somebody, and how they are related to who asks."""
    kin: list[tuple[str, Person]] = [("child", it) for it in asks.children]
    if asks.partner is not None:
        kin.append(("spouse", asks.partner))
        kin += [("stepchild", it) for it in asks.partner.children if it not in asks.children]
    kin += [("parent", it) for it in asks.parents]
    siblings = [it for parent in asks.parents for it in parent.children if it is not asks]
    kin += [("sibling", it) for it in dict.fromkeys(siblings)]
    kin += [("grandparent", it) for parent in asks.parents for it in parent.parents]
    kin += [("grandchild", it) for child in asks.children for it in child.children]
    kin += [("niece or nephew", it) for one in siblings for it in one.children]
    chosen = [it for it in dict.fromkeys(kin) if rng.random() < 0.3]
    return [("self", asks), *chosen[:5]]


def refused(homes: int, seed: int, more: Sequence[Constraint] = ()) -> dict[str, list[str]]:
    """Return the constraints on ages that refuse a home, with the homes."""
    rng = np.random.default_rng(seed)
    on_ages = [it for it in CONSTRAINTS.values() if set(it.repaired_by) <= set(AGES)]
    assert len(on_ages) > 20
    on_ages += more
    found: dict[str, list[str]] = {}
    told = 0
    while told < homes:
        town = grow(rng)
        living = [it for it in town if YEARS - it.born >= 18]
        for asks in living[:200]:
            people = home_of(asks, rng)
            if any(YEARS - it.born < 0 or YEARS - it.born > 95 for _, it in people):
                continue
            members = [
                {"relation": name, "age": YEARS - it.born, "sex": it.sex} for name, it in people
            ]
            home = Household.from_facts({"members": members}, constrained=False)
            told += 1
            for constraint in on_ages:
                if not all(constraint.holds(*asked) for _, asked in constraint.asked_of(home)):
                    words = ", ".join(f"{it['relation']} {it['age']} {it['sex']}" for it in members)
                    found.setdefault(constraint.name, []).append(words)
    return found


@pytest.mark.slow
def test_no_home_of_a_life_history_is_refused() -> None:
    assert {name: homes[:3] for name, homes in refused(HOMES, SEED).items()} == {}


def a_mothers_age_of_any_parent(household: Household, member: Member) -> bool:
    """A child is at most 55 years younger than either parent, as was once demanded."""
    return member.relation != "child" or household.applicant.age <= member.age + 55


@pytest.mark.slow
def test_a_limit_of_mothers_for_fathers_is_found() -> None:
    holds = a_mothers_age_of_any_parent
    planted = Constraint(holds.__name__, holds.__doc__ or "", ("age",), holds)
    assert refused(HOMES, SEED, [planted]).keys() == {holds.__name__}
