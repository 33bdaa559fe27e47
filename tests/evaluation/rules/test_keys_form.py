"""Programs for ProADA, read as formulas, say what they say when they run, or are left to it."""

import numpy as np
import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.evaluation.agents.proada_planned import crash_of, read_written
from benyfits_data.evaluation.codegen.checker_translation import (
    key_type,
    key_types,
    to_key_value,
    translate,
)
from benyfits_data.evaluation.codegen.code_rules import literal_keys
from benyfits_data.evaluation.codegen.sandbox import Failed, Finished, build_program
from benyfits_data.evaluation.keys import KeyType
from benyfits_data.evaluation.rules.function_reader import read_function
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.language.partial import PartialReader, household_facts
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
UNFIT = {
    "another key": 'return hh["shoe_size"] == "yes"',
    "other values": 'return hh[0]["sex"] == "f"',
    "a key put together": 'key = "sex"\n    return hh[0][key] == "male"',
    "a loop without bound": "while True:\n        pass\n    return True",
    "itself": "def f(x):\n        return f(x)\n    return f(1)",
    "a day beside no day": 'return hh[0]["covid_funeral_expense_date"] > 5',
}


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


@pytest.mark.slow
@pytest.mark.parametrize("year", EDITIONS)
def test_all_our_checkers_written_out_in_either_form_are_proven_equivalent(year):
    world, edition = World(), load_edition(year)
    for name in edition:
        program = edition.program(name)
        ours = world.executor.call(program.checker, (HouseholdArgument(), program.thresholds)).value
        for form in ("typed", "keys"):
            source = translate(program.checker, program.thresholds, form)
            read = read_function(world.executor, source, form)
            builder = world.executor.builder
            unequal = builder.negate(builder.equal(read.verdict, ours))
            assert world.find(builder.either(read.crash, unequal)).status == "none", (name, form)


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


@pytest.mark.parametrize("name", UNFIT)
def test_what_does_not_fit_is_left_to_proada(name):
    source = f"{HEAD}    {UNFIT[name]}\n"
    assert read_written(SymbolicExecutor(), {"A": (source, types_of(source))}) == {}


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
