"""Questions drawn from a grammar: people, facts and forms, with gold computed from the household.

Authors of banks write single questions; a grammar combines whom, what and how in every way, and so
finds forms that are misread whoever is named ("your age and the age of your spouse").
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benyfits_data.household.measures import income
from benyfits_data.household.model import Household, Member
from benyfits_data.understanding.parser.people import OWN
from tests.understanding.bank_gold import first_name
from tests.understanding.banks import Asked

ADULT = 18
CLOSE_KIN = {
    "spouse": ("husband", "wife"),
    "parent": ("father", "mother"),
    "sibling": ("brother", "sister"),
    "grandparent": ("grandfather", "grandmother"),
}
"""Relations with the words for a man and a woman."""


@dataclass(frozen=True)
class Person:
    """A member as a question may call them: `name` ("your wife") and `owner` ("your wife's")."""

    name: str
    owner: str
    number: int

    @property
    def do(self) -> str:
        """The verb that asks what they do."""
        return "do" if self.number == 0 else "does"

    @property
    def be(self) -> str:
        """The verb that asks what they are."""
        return "are" if self.number == 0 else "is"


DONE: Sequence[tuple[str, str, Callable[[Member], bool]]] = (
    ("have a job", "has a job", lambda it: it.work_hours_per_week > 0),
    ("work", "works", lambda it: it.work_hours_per_week > 0),
    ("have a disability", "has a disability", lambda it: it.disabled),
    ("get SSI", "gets SSI", lambda it: it.receives_ssi),
    ("receive Medicaid", "receives Medicaid", lambda it: it.receives_medicaid),
    ("use a wheelchair", "uses a wheelchair", lambda it: it.wheelchair),
    ("have a Social Security number", "has a Social Security number", lambda it: it.has_ssn),
)
"""What somebody does, as it follows "does she" and "she", and of whom it is so."""
STATES: Sequence[tuple[str, Callable[[Member], bool]]] = (
    ("a US citizen", lambda it: it.citizenship == "citizen_or_national"),
    ("disabled", lambda it: it.disabled),
    ("working", lambda it: it.work_hours_per_week > 0),
    ("under 18", lambda it: it.age < ADULT),
    ("65 or older", lambda it: it.age >= 65),
    ("on Medicaid", lambda it: it.receives_medicaid),
    ("authorized to work", lambda it: it.authorized_to_work_in_us),
)
MEASURES: Sequence[tuple[str, Callable[[Member], float]]] = (
    ("age", lambda it: it.age),
    ("total income", income),
    ("income from work", lambda it: it.annual_work_income),
    ("weekly work hours", lambda it: it.work_hours_per_week),
)
"""Numbers that each member has; all but the first may be added up."""


def people_of(household: Household) -> list[Person]:
    """Return every member under each name that means nobody else."""
    firsts = [first_name(it) for it in household.members]
    relations = [it.relation for it in household.members]
    told = [Person("you", "your", 0)]
    for number, member in list(enumerate(household.members))[1:]:
        if firsts.count(firsts[number]) == 1:
            told.append(Person(firsts[number], f"{firsts[number]}'s", number))
        if member.relation in CLOSE_KIN and relations.count(member.relation) == 1:
            kin = f"your {CLOSE_KIN[member.relation][member.sex == 'female']}"
            told.append(Person(kin, f"{kin}'s", number))
    return told


def groups_of(household: Household) -> list[tuple[str, set[int]]]:
    """Return the groups of at least two members, as they are called."""
    everybody = set(range(len(household.members)))
    adults = {it for it in everybody if household.members[it].age >= ADULT}
    own = {it for it in everybody if household.members[it].relation in OWN}
    told = [
        ("the people in your household", everybody),
        ("the other people in your household", everybody - {0}),
        ("the adults in your household", adults),
        ("your children", own),
    ]
    return [(name, members) for name, members in told if len(members) > 1]


def drawn(household: Household, rng: random.Random) -> list[Asked]:
    """Return one question of each form, about people and facts that are drawn.

    Args:
        household: At least two members.
        rng: Draws whom and what.
    """
    members = household.members
    one = rng.choice(people_of(household))
    other = rng.choice([it for it in people_of(household) if it.number != one.number])
    group, numbers = rng.choice(groups_of(household))
    told = [
        *_of_two(one, other, members, rng),
        *_of_facts_of_two(one, other, members, rng),
        *_of_group(group, numbers, members, rng),
        *_but_for(one, other, members, rng),
        *_of_household(one, members, rng),
        *_of_age(one, group, numbers, members, rng),
        *_of_so_many(one, group, numbers, members, rng),
        *_of_some(group, numbers, members, rng),
        *_of_pair(one, other, members, rng),
    ]
    asked = [(form, (), text, gold) for form, text, gold in told]
    return [
        Asked(form, _begun(text), tuple(map(_begun, before)), household, _with_denials(gold))
        for form, before, text, gold in (*asked, *_after(one, other, members, rng))
    ]


def _begun(text: str) -> str:
    """Return a sentence with a capital letter."""
    return text[0].upper() + text[1:]


def _with_denials(gold: dict[str, Any]) -> dict[str, Any]:
    """Return gold in which no number is a denial, no people "nobody", and of several the others."""
    if gold.get("number") == 0:
        return {"number": None}
    if "names" in gold and not gold["names"]:
        return {"none": True}
    if "numbers" in gold:
        return {"numbers": [it for it in gold["numbers"] if it]}
    return gold


Drawn = Iterator[tuple[str, str, dict[str, Any]]]


def _of_two(one: Person, other: Person, members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield questions for a number of each of two people, and for their sum."""
    thing, of = rng.choice(MEASURES)
    mine, yours = of(members[one.number]), of(members[other.number])
    both = {"numbers": [mine, yours]}
    yield "is X T and Y T", f"what is {one.owner} {thing} and {other.owner} {thing}?", both
    yield "are X T and Y T", f"what are {one.owner} {thing} and {other.owner} {thing}?", both
    yield (
        "X T and the T of Y",
        f"what is {one.owner} {thing} and the {thing} of {other.name}?",
        both,
    )
    yield "T of X and of Y", f"what is the {thing} of {one.name} and of {other.name}?", both
    yield "T of X and Y", f"please tell me the {thing} of {one.name} and {other.name}.", both
    if thing == "age":
        older = members[one.number].age > members[other.number].age
        yield "older", f"{one.be} {one.name} older than {other.name}?", {"bool": older}
        return
    total, bare = {"number": mine + yours}, thing.removeprefix("total ")
    yield "sum", f"what is the sum of {one.owner} {thing} and {other.owner} {thing}?", total
    yield "total", f"what is the total {bare} of {one.name} and {other.name}?", total
    yield "combined", f"what is the combined {bare} of {one.name} and {other.name}?", total
    yield "add up", f"what do {one.owner} {thing} and {other.owner} {thing} add up to?", total


def _of_facts_of_two(
    one: Person, other: Person, members: Sequence[Member], rng: random.Random
) -> Drawn:
    """Yield questions whether something is so of two people: both, either, neither."""
    (does, done, is_done), (state, is_state) = rng.choice(DONE), rng.choice(STATES)
    of_one, of_other = (is_done(members[it.number]) for it in (one, other))
    are = all(is_state(members[it.number]) for it in (one, other))
    either, both = {"bool": of_one or of_other}, {"bool": of_one and of_other}
    yield "or", f"{one.do} {one.name} or {other.name} {does}?", either
    yield "either", f"does either {one.name} or {other.name} {does}?", either
    yield "both of two", f"do both {one.name} and {other.name} {does}?", both
    yield "two, both", f"are {one.name} and {other.name} both {state}?", {"bool": are}
    neither = f"is it right that neither {one.name} nor {other.name} {done}?"
    yield "neither", neither, {"holds": of_one or of_other}
    so = [it.number for it in (one, other) if is_done(members[it.number])]
    yield "which of two", f"who {done}, {one.name} or {other.name}?", {"names": so}


def _of_group(
    group: str, numbers: set[int], members: Sequence[Member], rng: random.Random
) -> Drawn:
    """Yield questions of a group: any, all, none, how many, which, the oldest, a sum."""
    (does, _, is_done), (state, is_state) = rng.choice(DONE), rng.choice(STATES)
    do = {it for it in numbers if is_done(members[it])}
    are = {it for it in numbers if is_state(members[it])}
    yield "do they", f"do {group} {does}?", {"bool": do == numbers}
    yield "are they", f"are {group} {state}?", {"bool": are == numbers}
    yield "any", f"does any of {group} {does}?", {"bool": bool(do)}
    yield "all", f"are all of {group} {state}?", {"bool": are == numbers}
    yield "none", f"do none of {group} {does}?", {"holds": bool(do)}
    yield "how many", f"how many of {group} {does}?", {"number": len(do)}
    yield "how many not", f"how many of {group} do not {does}?", {"number": len(numbers - do)}
    yield "which", f"which of {group} are {state}?", {"names": sorted(are)}
    yield "which not", f"which of {group} are not {state}?", {"names": sorted(numbers - are)}
    hours = sum(members[it].work_hours_per_week for it in numbers)
    yield "hours", f"how many hours a week do {group} work in total?", {"number": hours}
    total = sum(income(members[it]) for it in numbers)
    yield "income", f"what is the total income of {group}?", {"number": total}
    ages = {it: members[it].age for it in numbers}
    yield "how old are they", f"how old are {group}?", {"numbers": sorted(ages.values())}
    oldest = [it for it in numbers if ages[it] == max(ages.values())]
    if len(oldest) == 1:
        yield "oldest", f"who is the oldest of {group}?", {"names": oldest}


def _of_household(one: Person, members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield questions of everybody at home: who, any, all, how many, what they have in all."""
    (does, done, is_done), (state, is_state) = rng.choice(DONE), rng.choice(STATES)
    home = rng.choice(["in your household", "in your home", "at home", "in your family"])
    do = {number for number, member in enumerate(members) if is_done(member)}
    are = {number for number, member in enumerate(members) if is_state(member)}
    yield "who at home does", f"who {home} {done}?", {"names": sorted(do)}
    yield "who at home is", f"who {home} is {state}?", {"names": sorted(are)}
    yield "anyone at home does", f"does anyone {home} {does}?", {"bool": bool(do)}
    yield "everyone at home is", f"is everyone {home} {state}?", {"bool": len(are) == len(members)}
    yield "nobody at home is", f"is nobody {home} {state}?", {"holds": bool(are)}
    yield "how many at home do", f"how many people {home} {does}?", {"number": len(do)}
    yield "anyone else", f"does anyone else {home} {does}?", {"bool": bool(do - {0})}
    yield "does, but is not", f"who {home} {done} but is not {state}?", {"names": sorted(do - are)}
    earned = sum(it.annual_work_income for it in members)
    yield "earned at home", f"what is the total income {home} from work?", {"number": earned}
    asked = f"{one.do} {one.name} work more than 30 hours a week?"
    yield "more hours", asked, {"bool": members[one.number].work_hours_per_week > 30}


def _of_age(
    one: Person, group: str, numbers: set[int], members: Sequence[Member], rng: random.Random
) -> Drawn:
    """Yield questions with a limit of age: of one, of a group, of everybody."""
    limit = rng.choice([5, 13, 18, 21, 60, 65])
    ages = [it.age for it in members]
    below = {it for it in numbers if ages[it] < limit}
    is_old = ages[one.number] >= limit
    yield "at least", f"{one.be} {one.name} at least {limit}?", {"bool": is_old}
    yield "under", f"{one.be} {one.name} under {limit} years old?", {"bool": not is_old}
    yield "how many under", f"how many of {group} are under {limit}?", {"number": len(below)}
    yield "which under", f"which of {group} are younger than {limit}?", {"names": sorted(below)}
    yield "all over", f"are all of {group} over {limit - 1}?", {"bool": not below}
    old = [number for number, age in enumerate(ages) if age >= limit]
    yield "who is older", f"who in your household is {limit} or older?", {"names": old}
    asked = f"is there anyone in your household under {limit}?"
    yield "anyone under", asked, {"bool": len(old) < len(ages)}


def _but_for(one: Person, other: Person, members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield questions of everybody but one or two."""
    does, done, is_done = rng.choice(DONE)
    do = {number for number, member in enumerate(members) if is_done(member)}
    rest = do - {one.number}
    yield (
        "besides one",
        f"besides {one.name}, does anyone in your household {does}?",
        {"bool": bool(rest)},
    )
    yield "who besides", f"who {done} besides {one.name}?", {"names": sorted(rest)}
    yield (
        "besides two",
        f"does anyone besides {one.name} and {other.name} {does}?",
        {"bool": bool(rest - {other.number})},
    )
    yield (
        "count besides",
        f"not counting {one.name}, how many people in your household {does}?",
        {"number": len(rest)},
    )


def _of_so_many(
    one: Person, group: str, numbers: set[int], members: Sequence[Member], rng: random.Random
) -> Drawn:
    """Yield questions whether so many do something, or one alone."""
    (does, done, is_done), (state, is_state) = rng.choice(DONE), rng.choice(STATES)
    home = rng.choice(["in your household", "at home", "in your family"])
    do = {number for number, member in enumerate(members) if is_done(member)}
    are = {number for number, member in enumerate(members) if is_state(member)}
    n_do, n_are = len(do), len(are)
    yield "at least two do", f"do at least two people {home} {does}?", {"bool": n_do >= 2}
    yield "more than one does", f"does more than one person {home} {does}?", {"bool": n_do > 1}
    yield "exactly one is", f"is exactly one person {home} {state}?", {"bool": n_are == 1}
    yield "fewer than three", f"are fewer than three people {home} {state}?", {"bool": n_are < 3}
    yield "two of them", f"do at least two of {group} {does}?", {"bool": len(do & numbers) >= 2}
    alone = {"bool": do == {one.number}}
    yield "only one does", f"{one.be} {one.name} the only one {home} who {done}?", alone
    alone = {"bool": are == {one.number}}
    yield "only one is", f"{one.be} {one.name} the only person who is {state}?", alone


def _of_some(group: str, numbers: set[int], members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield questions of those of whom something is so, and of two things of which one is."""
    (does, done, is_done), (state, is_state) = rng.choice(DONE), rng.choice(STATES)
    do = {number for number, member in enumerate(members) if is_done(member)}
    are = {number for number, member in enumerate(members) if is_state(member)}
    yield "of those who are", f"of those who are {state}, who {done}?", {"names": sorted(do & are)}
    either = {"names": sorted((do | are) & numbers)}
    yield "do or are", f"which of {group} {does} or are {state}?", either
    yield "how many or", f"how many people {does} or are {state}?", {"number": len(do | are)}
    yield "every one of", f"is every one of {group} {state}?", {"bool": numbers <= are}
    yield "counting only", f"counting only {group}, how many {does}?", {"number": len(do & numbers)}
    hours = sum(members[it].work_hours_per_week for it in numbers)
    asked = f"all together, how many hours a week do {group} work?"
    yield "all together", asked, {"number": hours}
    asked = f"if you add up the income from work of {group}, how much is that?"
    yield "add up of", asked, {"number": sum(members[it].annual_work_income for it in numbers)}


def _of_pair(one: Person, other: Person, members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield questions which of two has more, and of two of whom something is so."""
    state, is_state = rng.choice(STATES)
    first, second = members[one.number], members[other.number]
    are = sorted(it.number for it in (one, other) if is_state(members[it.number]))
    yield "between two", f"between {one.name} and {other.name}, who is {state}?", {"names": are}
    yield "of two", f"of {one.name} and {other.name}, who is {state}?", {"names": are}
    if first.age == second.age:
        return
    younger = one.number if first.age < second.age else other.number
    asked = f"which of you is younger, {one.name} or {other.name}?"
    yield "which is younger", asked, {"names": [younger]}
    asked = f"how many years older or younger {one.be} {one.name} than {other.name}?"
    yield "years between", asked, {"number": abs(first.age - second.age)}


def _after(
    one: Person, other: Person, members: Sequence[Member], rng: random.Random
) -> Iterator[tuple[str, tuple[str, ...], str, dict[str, Any]]]:
    """Yield questions that go on with others, which were asked before."""
    does, done, is_done = rng.choice(DONE)
    do = {number for number, member in enumerate(members) if is_done(member)}
    before = (f"{one.do} {one.name} {does}?",)
    rest = do - {one.number}
    yield "and the other", before, f"and {other.name}?", {"bool": other.number in do}
    yield "does anyone else", before, "does anyone else?", {"bool": bool(rest)}
    yield "who else", before, f"who else {done}?", {"names": sorted(rest)}
    both = (*before, f"{other.do} {other.name} {does}?")
    asked = f"does anyone else {does}?"
    yield "else than two", both, asked, {"bool": bool(rest - {other.number})}
