"""Generated programs as formulas say what the programs say when they run, or are refused."""

import numpy as np
import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.codegen.checker_translation import (
    key_type,
    key_types,
    to_key_value,
    translate,
)
from benyfits_data.evaluation.codegen.code_rules import literal_keys
from benyfits_data.evaluation.codegen.program_formulas import crash_of, read_program, read_written
from benyfits_data.evaluation.codegen.sandbox import Failed, Finished, Sandbox, build_program
from benyfits_data.evaluation.keys import KeyType
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.partial import PartialReader, household_facts
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic_execution import HouseholdArgument, SymbolicExecutor
from benyfits_data.language.z3_backend import World
from tests.evaluation.mixed_coder import mixed_program
from tests.evaluation.players import EDITION

HEAD = "def check_eligibility(hh):\n"
FITTING = {
    "generators": """
    n = hh["number_of_members"]
    if not any(hh[i]["age"] < 18 and hh[i]["relation"] != "self" for i in range(n)):
        return sum(hh[i]["annual_work_income"] for i in range(n) if hh[i]["age"] > 17) > 40000
    return all(hh[i]["disabled"] == "no" for i in range(1, n))
""",
    "chains and conditional values": """
    limit = 20000 if hh["place_of_residence"] == "New York City" else 10000
    extra = 0
    for i in range(hh["number_of_members"]):
        member = hh[i]
        if 5 <= member["age"] <= 21:
            extra += 3000
    return hh[0]["annual_work_income"] - extra <= limit
""",
    "helpers, tables and lists": """
    limits = {1: 15000, 2: 20000, 3: 25000, 4: 30000, 5: 35000, 6: 40000}
    CARE = ["child", "stepchild", "grandchild"]
    def is_cared_for(member, oldest):
        if member["relation"] not in CARE:
            return False
        return member["age"] <= oldest
    def count(hh, oldest):
        found = 0
        for i in range(hh["number_of_members"]):
            if not is_cared_for(hh[i], oldest):
                continue
            found += 1
        return found
    if count(hh, 12) == 0:
        return False
    total = 0
    for i in range(hh["number_of_members"]):
        total += hh[i]["annual_work_income"] * 2
    return total < limits[hh["number_of_members"]]
""",
    "nothing and words that no fact has": """
    first = hh[0]
    if first["sex"] == "other" or first["disabled"] == "Yes":
        return True
    if first["weeks_pregnant"] is None:
        return first["citizenship"] in ("citizen_or_national", "lawful_resident")
    return first["weeks_pregnant"] > 12 or first["weeks_pregnant"] == -1
""",
    "a crash": """
    if hh[0]["disabled"] == "yes":
        return hh[0]["weeks_pregnant"] > 3
    table = {1: 10, 2: 20}
    return hh[0]["age"] > table[hh["number_of_members"]]
""",
    "days": """
    day = hh[0]["covid_funeral_expense_date"]
    if day is None:
        return False
    return 20200120 <= day <= 20211231 or day == 20220101 or day == "2022-01-02"
""",
}
REFUSED = {
    "another key": 'return hh["shoe_size"] == "yes"',
    "a fact of the wrong owner": 'return hh["age"] > 3',
    "other values": 'return hh[0]["sex"] == "f"',
    "somebody who may not be there": 'return hh[1]["age"] > 3',
    "a while loop": "while True:\n        pass\n    return True",
    "a break": 'for i in range(hh["number_of_members"]):\n        break\n    return True',
    "text as a condition": 'if hh[0]["disabled"]:\n        return True\n    return False',
    "a number as a condition": 'if hh[0]["age"]:\n        return True\n    return False',
    "no verdict at the end": 'if hh[0]["age"] > 3:\n        return True',
    "a number as a verdict": "return 3",
    "two kinds of verdict": 'if hh[0]["age"] > 3:\n        return 1\n    return True',
    "an unknown name": "return missing > 3",
    "a method": 'return hh[0]["sex"].lower() == "male"',
    "a division": 'return hh[0]["age"] / 2 > 3',
    "itself": "def f(x):\n        return f(x)\n    return f(1)",
    "a table by words": 'return {"male": 1}[hh[0]["sex"]] > 0',
    "a name of two kinds": (
        'x = 1\n    if hh[0]["age"] > 3:\n        x = hh[0]["sex"]\n    return x == 1'
    ),
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as pool:
        yield pool


@pytest.fixture(scope="module")
def households():
    table = sample_households(60, load_edition(EDITION), 7)
    return [table.household(place) for place in range(len(table))]


def types_of(source):
    return {
        key: KeyType("choice", ("m", "f")) if '"f"' in source and key == "sex" else told(key)
        for key, _ in literal_keys(source)
    }


def told(key):
    known = key == "number_of_members" or key in HOUSEHOLD_FEATURES or key in MEMBER_FEATURES
    return key_type(key) if known else KeyType("choice", ("yes", "no"))


def run(sandbox, source, household):
    known = {
        (member, name): to_key_value(
            (HOUSEHOLD_FEATURES if member is None else MEMBER_FEATURES)[name], value
        )
        for (name, member), value in household_facts(household).items()
    }
    known[None, "number_of_members"] = len(household.members)
    return sandbox.start(build_program(source), known)


@pytest.mark.parametrize("year", EDITIONS)
def test_our_checkers_come_back_as_the_formulas_they_were(year):
    world, edition = World(), load_edition(year)
    executor, differing = world.executor, []
    for name in edition:
        program = edition.program(name)
        source = translate(program.checker, program.thresholds)
        value, crash = read_program(executor, source, key_types(source))
        arguments = [HouseholdArgument(), program.thresholds]
        if value is not executor.execute(Source.of(program.checker), arguments).value:
            differing.append(name)
        # Tables may lack a size, but only one that cannot be.
        assert world.find(crash).status == "none", name
    # Equalities of optional numbers are guarded.
    assert len(differing) <= 3


@pytest.mark.parametrize("name", FITTING)
def test_a_program_that_fits_says_what_it_says_when_it_runs(sandbox, households, name):
    source = HEAD + FITTING[name].lstrip("\n")
    written = {"A": (source, types_of(source))}
    reader = PartialReader(
        load_edition(EDITION), constraints={}, read=lambda it: read_written(it, written)
    )
    ends = set()
    for household in households:
        step = run(sandbox, source, household)
        known = reader.know(len(household.members), household_facts(household))
        crashed = known.verdict(crash_of("A"))
        ends.add(step.verdict if isinstance(step, Finished) else None)
        assert crashed is isinstance(step, Failed)
        if isinstance(step, Finished):
            assert known.verdict("A") is step.verdict
    assert len(ends) > 1


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name):
    source = f"{HEAD}    {REFUSED[name]}\n"
    with pytest.raises(LanguageError):
        read_program(SymbolicExecutor(), source, types_of(source))


@pytest.mark.slow
def test_a_wrong_program_is_read_as_wrong(sandbox, households):
    edition = load_edition(EDITION)
    rng = np.random.default_rng(0)
    compared = different = 0
    for name in rng.choice(sorted(edition), 24, replace=False):
        program = edition.program(str(name))
        source = mixed_program(program)
        if "while False" in source:
            continue
        written = {"A": (source, key_types(source))}
        reader = PartialReader(
            edition, constraints={}, read=lambda it, told=written: read_written(it, told)
        )
        for household in households[:12]:
            step = run(sandbox, source, household)
            known = reader.know(len(household.members), household_facts(household))
            assert known.verdict(crash_of("A")) is isinstance(step, Failed)
            if isinstance(step, Finished):
                assert known.verdict("A") is step.verdict
                compared += 1
                different += step.verdict is not program.is_eligible(household)
    assert compared > 100
    assert different
