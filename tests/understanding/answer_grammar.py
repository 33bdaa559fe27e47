"""Answers drawn from a grammar: yes and no, numbers, lists of people, with verdicts from the facts.

Each form is drawn once as it is so and once with something that is not, so that a reader which
loses a person, a number or a denial takes one of the two for the other.
"""

import random
from collections.abc import Iterator, Sequence

from benyfits_data.household.model import Household, Member
from tests.understanding.bank_gold import first_name
from tests.understanding.banks import Judged
from tests.understanding.question_grammar import (
    DONE,
    STATES,
    Person,
    groups_of,
    people_of,
)

COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Drawn = Iterator[tuple[str, str, str, bool]]
"""Form, question, answer, and whether all that is said is so."""


def drawn(household: Household, rng: random.Random) -> list[Judged]:
    """Return answers of each form, true ones and false ones.

    Args:
        household: At least two members, no two with one first name.
        rng: Draws whom and what.
    """
    people = people_of(household)
    one = rng.choice(people)
    other = rng.choice([it for it in people if it.number != one.number])
    group, numbers = rng.choice(groups_of(household))
    told = [
        *_whether(one, other, household.members, rng),
        *_numbers(one, other, household.members),
        *_compared(one, other, household.members),
        *_ages(group, sorted(numbers), household.members),
        *_who(group, sorted(numbers), household.members, rng),
        *_of_two(one, other, household.members, rng),
    ]
    return [
        Judged(form, _capital(question), household, _capital(answer), _verdict(is_so))
        for form, question, answer, is_so in told
    ]


def _verdict(is_so: bool) -> str:
    return "faithful" if is_so else "unfaithful"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _i(person: Person) -> str:
    """Return a person as the subject of what the applicant says: "I", "my wife", "Ana"."""
    return "I" if person.number == 0 else person.name.replace("your", "my")


def _my(person: Person) -> str:
    return "my" if person.number == 0 else person.owner.replace("your", "my")


def _am(person: Person) -> str:
    return "am" if person.number == 0 else "is"


def _pronoun(person: Person, members: Sequence[Member]) -> str:
    is_woman = members[person.number].sex == "female"
    return "I" if person.number == 0 else "she" if is_woman else "he"


def _listed(words: Sequence[str], joint: str = "and") -> str:
    *first, last = words
    return f"{', '.join(first)} {joint} {last}" if first else last


def _does(person: Person, fact: tuple[str, str, object], is_so: bool) -> str:
    does, done, _ = fact
    if not is_so:
        return f"{_i(person)} {person.do}n't {does}"
    return f"{_i(person)} {does if person.number == 0 else done}"


def _said_of(person: Person, members: Sequence[Member], rng: random.Random, is_so: bool) -> str:
    """Return a statement about somebody that is so, or one that is not."""
    member, (state, is_state), fact = members[person.number], rng.choice(STATES), rng.choice(DONE)
    hours, pay = member.work_hours_per_week, member.annual_work_income
    s = "" if person.number == 0 else "s"
    return rng.choice(
        [
            _does(person, fact, fact[2](member) == is_so),
            f"{_i(person)} {_am(person)}{'' if is_state(member) == is_so else ' not'} {state}",
            f"{_i(person)} {_am(person)} {member.age if is_so else member.age + 3}",
            f"{_i(person)} work{s} {hours if is_so else hours + 8:.0f} hours a week",
            f"{_i(person)} earn{s} ${pay if is_so else pay + 5200:,.0f} a year from work",
        ]
    )


def _whether(one: Person, other: Person, members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield answers to "does she?" and "is she?": bare, in words, with something beside them."""
    fact, (state, is_state) = rng.choice(DONE), rng.choice(STATES)
    is_done, is_it = fact[2](members[one.number]), is_state(members[one.number])
    asked, he = f"{one.do} {one.name} {fact[0]}?", _pronoun(one, members)
    be = _am(one)
    for is_so in (True, False):
        done = is_done == is_so
        word, do = ("yes", one.do) if done else ("no", f"{one.do}n't")
        yield "yes", asked, f"{word}.", is_so
        yield "yes, she does", asked, f"{word}, {he} {do}.", is_so
        yield "she does", asked, f"{he} {do}.", is_so
        yield "yes, she works", asked, f"{word}, {_does(one, fact, done)}.", is_so
        yield "she works", asked, f"{_does(one, fact, done)}.", is_so
        word, do = ("yes", one.do) if is_done else ("no", f"{one.do}n't")
        beside, again = (_said_of(it, members, rng, is_so) for it in (other, one))
        yield "yes. And another", asked, f"{word}. {_capital(beside)}.", is_so
        yield "yes, but another", asked, f"{word}, but {beside}.", is_so
        yield "yes, she does, and more", asked, f"{word}, {he} {do}, and {again}.", is_so
        yield "she works; another", asked, f"{_does(one, fact, is_done)}; {beside}.", is_so
        word, no = ("yes", "") if is_it == is_so else ("no", " not")
        asked_state = f"{one.be} {one.name} {state}?"
        yield "yes, she is", asked_state, f"{word}, {he} {be}{no}.", is_so
        yield "yes, she is old", asked_state, f"{word}, {_i(one)} {be}{no} {state}.", is_so


def _numbers(one: Person, other: Person, members: Sequence[Member]) -> Drawn:
    """Yield answers to "what is her age?", of pay and of hours, alone and beside another's."""
    mine, theirs = members[one.number], members[other.number]
    s, ss = ("" if it.number == 0 else "s" for it in (one, other))
    for is_so in (True, False):
        age = mine.age if is_so else mine.age + 5
        asked = f"what is {one.owner} age?"
        yield "44", asked, f"{age}.", is_so
        yield "my age is 44", asked, f"{_my(one)} age is {age}.", is_so
        yield "I am 44", asked, f"{_i(one)} {_am(one)} {age}.", is_so
        both = f"{_i(one)} {_am(one)} {age}, and {_i(other)} {_am(other)} {theirs.age}."
        yield "I am 44, and he is 43", asked, both, is_so
        pay = mine.annual_work_income + (0 if is_so else 7200)
        asked = f"what is {one.owner} income from work?"
        yield "$900 a year", asked, f"${pay:,.0f} a year.", is_so
        yield "I earn $900", asked, f"{_i(one)} earn{s} ${pay:,.0f} a year.", is_so
        while_other = f"while {_i(other)} earn{ss} ${theirs.annual_work_income:,.0f} a year"
        yield (
            "while he earns",
            asked,
            f"{_i(one)} earn{s} ${pay:,.0f} a year, {while_other}.",
            is_so,
        )
        if pay >= 1200:
            monthly = (
                f"{_i(one)} earn{s} ${pay:,.0f} a year, which is about ${pay / 12:,.0f} a month."
            )
            yield "which is $75 a month", asked, monthly, is_so
        hours = mine.work_hours_per_week + (0 if is_so else 9)
        asked = f"what are {one.owner} weekly work hours?"
        yield "20 hours", asked, f"{hours:.0f} hours a week.", is_so
        yield "I work 20 hours", asked, f"{_i(one)} work{s} {hours:.0f} hours a week.", is_so


def _compared(one: Person, other: Person, members: Sequence[Member]) -> Drawn:
    """Yield answers about who of two is older, and by how much."""
    age, others = members[one.number].age, members[other.number].age
    if age == others:
        return
    years = f"{abs(age - others)} year{'s' if abs(age - others) > 1 else ''}"
    for is_so in (True, False):
        is_older = (age > others) == is_so
        way, word = ("older", "yes") if is_older else ("younger", "no")
        asked = f"how old are {one.name} and {other.name}?"
        two = f"{_i(one)} {_am(one)} {age} and {_i(other)} {_am(other)} {others}"
        said = age if is_so else age + 6
        yield "44 and 43", asked, f"{said} and {others}.", is_so
        one_wrong = f"{_i(one)} {_am(one)} {said} and {_i(other)} {_am(other)} {others}."
        yield "I am 44 and he is 43", asked, one_wrong, is_so
        yield "so I am older", asked, f"{two}, so {_i(one)} {_am(one)} {years} {way}.", is_so
        asked = f"{one.be} {one.name} older than {other.name}?"
        yield "yes, 44 and 43", asked, f"{word}, {two}.", is_so
        yield "yes, a year older", asked, f"{word}, {_i(one)} {_am(one)} {years} {way}.", is_so


def _ages(group: str, numbers: Sequence[int], members: Sequence[Member]) -> Drawn:
    """Yield lists of the ages of a group, bare and named."""
    ages = [members[it].age for it in numbers]
    if 0 in ages:
        return  # a baby's age is told in months
    asked = f"how old are {group}?"
    called = ["I" if it == 0 else first_name(members[it]) for it in numbers]
    for is_so in (True, False):
        told = [str(age) for age in [*ages[:-1], ages[-1] + (0 if is_so else 4)]]
        each = [
            f"{who} {'am' if who == 'I' else 'is'} {age}"
            for who, age in zip(called, told, strict=True)
        ]
        yield "14 and 11", asked, f"{_listed(told)}.", is_so
        yield "they are 14 and 11", asked, f"they are {_listed(told)} years old.", is_so
        yield "Ana is 14 and Ben is 11", asked, f"{_listed(each)}.", is_so
        me = ["me" if who == "I" else who for who in called]
        in_brackets = [f"{who} ({age})" for who, age in zip(me, told, strict=True)]
        yield "Ana (14) and Ben (11)", asked, f"{_listed(in_brackets)}.", is_so
        after_colons = [f"{_capital(who)}: {age}" for who, age in zip(me, told, strict=True)]
        yield "Ana: 14, Ben: 11", asked, f"{', '.join(after_colons)}.", is_so
        if group == "your children":
            n = COUNTS[len(numbers)]
            yield "my two children", asked, f"my {n} children are {_listed(told)} years old.", is_so
            yield "I have two", asked, f"I have {n} children, aged {_listed(told)}.", is_so


def _who(
    group: str, numbers: Sequence[int], members: Sequence[Member], rng: random.Random
) -> Drawn:
    """Yield answers to "which of them do?", "do all?" and "how many?"."""
    fact = rng.choice(DONE)
    holders = [it for it in numbers if fact[2](members[it])]
    object_ = ["me" if it == 0 else first_name(members[it]) for it in range(len(members))]
    subject = ["I", *object_[1:]]
    of_all = "of us" if 0 in numbers else "of them"
    which, every = f"which of {group} {fact[0]}?", f"do all of {group} {fact[0]}?"
    for is_so in (True, False):
        said = holders if is_so else sorted({*holders} ^ {rng.choice(list(numbers))})
        rest = [it for it in numbers if it not in said]
        if said and rest:
            told, others = [object_[it] for it in said], [object_[it] for it in rest]
            do = "do" if len(said) > 1 or said == [0] else "does"
            yield "Ana and Ben", which, f"{_listed(told)}.", is_so
            yield "only Ana", which, f"only {_listed(told)}.", is_so
            yield "Ana does", which, f"{_listed([subject[it] for it in said])} {do}.", is_so
            yield (
                "Ana, but not Ben",
                which,
                f"{_listed(told)}, but not {_listed(others, 'or')}.",
                is_so,
            )
            yield "everyone except Ben", which, f"everyone except {_listed(others)}.", is_so
            denial = dict.fromkeys(rest, "n't")
            each = [f"{subject[it]} {'does' if it else 'do'}{denial.get(it, '')}" for it in numbers]
            yield "Ana does; Ben doesn't", which, f"{'; '.join(each)}.", is_so
            yield "all but Ben", every, f"all but {_listed(others)}.", is_so
            yield "no, only Ana", every, f"no, only {_listed(told)}.", is_so
            which_not = f"which of {group} do not {fact[0]}?"
            yield "of those who do not, Ben", which_not, f"{_listed(others)}.", is_so
            yield "only Ben does not", which_not, f"only {_listed(others)}.", is_so
            lacking = [f"{subject[it]} {'does' if it else 'do'}n't" for it in rest]
            yield "Ben doesn't", which_not, f"{_listed(lacking)}.", is_so
        elif said:
            yield "all", which, f"all {of_all}.", is_so
        else:
            yield "none", which, f"none {of_all}.", is_so
        counted = f"how many of {group} {fact[0]}?"
        yield "two", counted, f"{COUNTS[len(said)]}.", is_so
        yield "two of us", counted, f"{COUNTS[len(said)]} {of_all}.", is_so
        if said:
            yield (
                "two: Ana, Ben",
                counted,
                f"{COUNTS[len(said)]}: {_listed([object_[it] for it in said])}.",
                is_so,
            )
        if said and len(rest) > 1:
            yield "two. The rest don't", counted, f"{COUNTS[len(said)]}. The rest don't.", is_so


def _of_two(one: Person, other: Person, members: Sequence[Member], rng: random.Random) -> Drawn:
    """Yield answers to "do you and Ana?": both, neither, one of them."""
    fact = rng.choice(DONE)
    so = tuple(fact[2](members[it.number]) for it in (one, other))
    asked = f"do {one.name} and {other.name} {fact[0]}?"
    of_both = "of us" if 0 in (one.number, other.number) else "of them"
    for said in ((True, True), (False, False), (True, False), (False, True)):
        if said == (True, True):
            yield "yes, both", asked, f"yes, both {of_both} do.", said == so
        elif said == (False, False):
            yield "no, neither", asked, f"no, neither {of_both} does.", said == so
            neither = f"no, neither {_i(one)} nor {_i(other)} {fact[1]}."
            yield "neither Ana nor Ben", asked, neither, said == so
        else:
            does, not_ = (one, other) if said[0] else (other, one)
            each = f"{_i(does)} {does.do}, {_i(not_)} {not_.do}n't."
            yield "one does, one doesn't", asked, each, said == so
            yield "only one does", asked, f"only {_i(does)} {does.do}.", said == so
