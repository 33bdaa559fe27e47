"""Households as policyengine-us is told them, and what it should answer of our programs.

Its roles and units are not ours. For the tax credit, the tax unit is the applicant, the spouse on a
joint return, and the children and kin whom the credit of that edition may count, whether or not
they are claimed as dependents; everybody else is a unit of one. For other programs all but joint
spouses are, since the engine leaves out what dependents have. What we know as income besides work
is interest for the credit, and pension elsewhere, which the engine counts everywhere. How much
SNAP, SSI or Cash Assistance is received no fact tells: none is, or else the engine would compute
it, and answers that hang on it are left out. `eitc_eligible` does not ask for pay within the limit:
a household that may not claim the credit is expected to get nothing.

Left out are cases that the engine cannot be told (`_can_be_told`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.mutants import Detector, make_mutants
from benyfits_data.editions import Edition, Program
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.measures import (
    has_spouse,
    is_child_in_care,
    is_in_tax_unit,
    is_own_child,
    lives_in_temporary_housing,
)
from benyfits_data.household.model import Household, Member
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import features_read

OUTPUTS = {
    "CommoditySupplementalFoodProgram": "commodity_supplemental_food_program_eligible",
    "EarlyHeadStart": "is_early_head_start_eligible",
    "EarnedIncomeTaxCredit": "eitc_eligible",
    "HeadStart": "is_head_start_eligible",
    "Lifeline": "is_lifeline_eligible",
}
"""What it calls our programs: its variables of 2.68.0, seen 2026-11-28."""
EXPRESSED = frozenset(
    """age relation disabled weeks_pregnant annual_work_income annual_investment_income
    current_school_level receives_medicaid filing_jointly has_ssn in_foster_care housing_type
    receives_fpha""".split()  # noqa: SIM905 - many words
)
"""The features that it can be told."""
_CHILD_AGE, _STUDENT_AGE = 19, 24
"""Below these ages a child, and one at school, counts for federal tax credits (IRC 152(c)(3))."""
_CREDIT = "eitc_eligible"
_HEAD_STARTS = ("is_head_start_eligible", "is_early_head_start_eligible")


@dataclass(frozen=True)
class LabelledHousehold:
    """One household and what a program says of it.

    Attributes:
        program: The program.
        household: The household.
        eligible: The checker's label.
        follows: Whether the label stays when all that the engine cannot be told is at its
            unremarkable value.
    """

    program: Program
    household: Household
    eligible: bool
    follows: bool

    @property
    def output(self) -> str:
        """What the engine calls the label."""
        return OUTPUTS[self.program.name]


def choose_households(
    edition: Edition, programs: Sequence[str], sampled: int
) -> list[LabelledHousehold]:
    """Return few households for each program that tell it from all plausible wrong ones.

    They run every line that the sample runs and detect every mutant that it detects: a mutant with
    a limit off by one is told from the program by a household on either side of that limit only.
    """
    table = sample_households(sampled, edition, 0)
    batch = label_and_trace(edition, table, programs)
    mutants = {name: make_mutants(edition.program(name)) for name in programs}
    detected = Detector(edition, mutants).detect(table)
    chosen = []
    for name in programs:
        program = edition.program(name)
        hidden = sorted(features_read(program.checker) - EXPRESSED)
        bits = np.concatenate([batch.traces[name], detected.bits[name]], axis=1)
        for row in _fewest(bits, _remarkable(table, hidden)):
            household = table.household(row, constrained=False)
            eligible = program.is_eligible(household)
            follows = program.is_eligible(_unremarkable(household, hidden)) == eligible
            chosen.append(LabelledHousehold(program, household, eligible, follows))
    return chosen


def _fewest(bits: NDArray[np.uint64], cost: NDArray[np.int64]) -> list[int]:
    """Return rows whose union is that of all, greedily; of equal gains the one of least cost."""
    left = np.bitwise_or.reduce(bits, axis=0)
    order = np.argsort(cost, kind="stable")
    chosen = []
    while left.any():
        gains = np.bitwise_count(bits[order] & left).sum(axis=1)
        row = int(order[int(np.argmax(gains))])
        chosen.append(row)
        left &= ~bits[row]
    return chosen


def _remarkable(table: Households, hidden: Sequence[str]) -> NDArray[np.int64]:
    """Return how many of some facts are not their unremarkable value, shape `(n,)`."""
    cost = np.zeros(len(table), np.int64)
    for name in hidden:
        usual = FEATURES[name].encode(FEATURES[name].default)
        if name in table.member:
            cost += (table.member[name] != usual).sum(axis=0)
        else:
            cost += table.shared[name] != usual
    return cost


def _unremarkable(household: Household, names: Sequence[str]) -> Household:
    """Return the household with some facts at their unremarkable value, possible or not."""
    facts = household.facts()
    for name in names:
        for owner in [facts, *facts["members"]]:
            owner.pop(name, None)
    return Household.from_facts(facts, constrained=False)


def make_cases(chosen: Sequence[LabelledHousehold]) -> list[dict[str, Any]]:
    """Return `period`, `input` and expected `output` of each household that it can be told."""
    return [
        {"period": _period(one.program), "input": _input(one), "output": _expected(one)}
        for one in chosen
        if one.follows and _can_be_told(one)
    ]


def _can_be_told(one: LabelledHousehold) -> bool:
    """Return whether the engine's roles and units can express what the answer depends on.

    It does not see a spouse who files another return. Nor does it count a grown child, whom the
    city's text of some editions counts as it counts a minor. And where its answer is of people,
    there must be somebody whom ours is about.
    """
    household, program = one.household, one.program
    if one.output != _CREDIT:
        return one.output == "is_lifeline_eligible" or bool(_whom(one))
    grown = [
        member
        for member in household.members
        if _is_child(program, member) and not _is_qualifying_child(program, member)
    ]
    has_ages = program.thresholds.children_have_an_age
    files_apart = has_spouse(household) and not household.filing_jointly
    return not files_apart and (has_ages or not grown)


def _period(program: Program) -> int:
    """Return the year whose amounts apply: a return is of the year before its edition."""
    if program.name == "EarnedIncomeTaxCredit":
        return program.edition - 1
    return program.thresholds.entry("income_limit").table_year or program.edition


def _input(one: LabelledHousehold) -> dict[str, dict[str, dict[str, Any]]]:
    household, is_credit = one.household, one.output == _CREDIT
    other_income = "taxable_interest_income" if is_credit else "taxable_pension_income"
    people = {
        f"person{at}": _person(member) | {other_income: member.annual_investment_income}
        for at, member in enumerate(household.members, 1)
    }
    filers, others = [], []
    for name, member in zip(people, household.members, strict=True):
        if is_in_tax_unit(household, member):
            role = "head" if member.relation == "self" else "spouse"
        elif is_credit and _is_qualifying_child(one.program, member):
            role = "dependent"
        else:
            people[name]["is_tax_unit_head"] = True
            others.append(name)
            continue
        people[name][f"is_tax_unit_{role}"] = True
        filers.append(name)
    units = {f"tax_unit_{at}": {"members": [name]} for at, name in enumerate(others, 2)}
    everybody = {"members": list(people)}
    received = {
        "snap": 0,
        "tanf": 0,
        "receives_housing_assistance": household.receives_fpha,
    }
    home = {"state_code": "NY", "is_homeless": lives_in_temporary_housing(household)}
    return {
        "people": people,
        "tax_units": {"tax_unit": {"members": filers}, **units},
        "spm_units": {"spm_unit": everybody | received},
        "households": {"household": everybody | home},
    }


def _person(member: Member) -> dict[str, Any]:
    return {
        "age": member.age,
        "employment_income": member.annual_work_income,
        "is_disabled": member.disabled,
        "is_permanently_and_totally_disabled": member.disabled,
        "is_full_time_student": member.current_school_level != "none",
        "is_pregnant": member.weeks_pregnant is not None,
        "was_in_foster_care": member.in_foster_care,
        "ssi": 0,
        "medicaid_enrolled": member.receives_medicaid,
        "ssn_card_type": "CITIZEN" if member.has_ssn else "NONE",
    }


def _is_child(program: Program, member: Member) -> bool:
    if program.thresholds.kin_count:
        return is_child_in_care(member)
    return is_own_child(member) or member.relation == "grandchild"


def _is_qualifying_child(program: Program, member: Member) -> bool:
    age = _STUDENT_AGE if member.current_school_level != "none" else _CHILD_AGE
    return _is_child(program, member) and (member.age < age or member.disabled)


def _expected(one: LabelledHousehold) -> dict[str, dict[str, dict[str, bool | int]]]:
    """Return the engine's expected output: for a unit, or for each person our label is about."""
    if one.output == _CREDIT:
        answer: dict[str, bool | int] = {_CREDIT: True} if one.eligible else {"eitc": 0}
        return {"tax_units": {"tax_unit": answer}}
    if one.output == "is_lifeline_eligible":
        return {"spm_units": {"spm_unit": {one.output: one.eligible}}}
    return {"people": {f"person{at + 1}": {one.output: one.eligible} for at in _whom(one)}}


def _whom(one: LabelledHousehold) -> list[int]:
    """Return the positions of the members to whom the label applies in the engine.

    An ineligible household: everybody who could have qualified. An eligible one: members of the
    right age, or only foster children where there are any.
    """
    members, limits = one.household.members, one.program.thresholds
    is_of_children = one.output in _HEAD_STARTS
    meant = [
        at for at, member in enumerate(members) if not is_of_children or is_child_in_care(member)
    ]
    if not one.eligible:
        return meant
    youngest = limits.min_age if "min_age" in limits.names() else 0
    oldest: float = math.inf
    if is_of_children:
        oldest = limits.max_age if "max_age" in limits.names() else limits.child_max_age
    of_age = [at for at in meant if youngest <= members[at].age <= oldest]
    fostered = [at for at in of_age if members[at].in_foster_care]
    return (fostered if is_of_children else []) or of_age
