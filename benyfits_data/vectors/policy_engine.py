"""YAML tests of policyengine-us, a case a household.

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

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.household.measures import (
    has_spouse,
    is_child_in_care,
    is_in_tax_unit,
    is_own_child,
    lives_in_temporary_housing,
)
from benyfits_data.household.model import Member
from benyfits_data.vectors.choosing import TestVector, describe

POLICYENGINE = "policyengine-us 2.x, YAML tests"
_CHILD_AGE, _STUDENT_AGE = 19, 24
"""Below these ages a child, and one at school, counts for federal tax credits (IRC 152(c)(3))."""
_CREDIT = "eitc_eligible"
_HEAD_STARTS = ("is_head_start_eligible", "is_early_head_start_eligible")


def write_policyengine(vectors: Sequence[TestVector], names: Mapping[str, str]) -> str:
    """Return YAML tests; a value in JSON is one in YAML too."""
    follows = [vector for vector in vectors if vector.follows]
    cases = [follow for follow in follows if _can_be_told(follow, names[follow.program.name])]
    lines = [
        f"# {POLICYENGINE}",
        f"# {len(cases)} of {len(vectors)} cases; {len(vectors) - len(follows)} hang on facts that "
        f"cannot be told there, {len(follows) - len(cases)} on its roles and units.",
    ]
    for number, vector in enumerate(cases, 1):
        case = describe(vector, names)
        lines += [
            f"- name: {json.dumps(f'Case {number}, {vector.program.title}.')}",
            f"  period: {_period(vector.program)}",
            f"  # decided by {', '.join(case['decided_by']) or 'no condition'}; "
            f"source: {case['source']}",
            *([f"  # not expressed: {json.dumps(vector.untold)}"] if vector.untold else []),
            "  input:",
            *(
                f"    {kind}: {json.dumps(units)}"
                for kind, units in _input(vector, case["program"] == _CREDIT).items()
            ),
            f"  output: {json.dumps(_expected(vector, case['program']))}",
        ]
    return "\n".join(lines) + "\n"


def _can_be_told(vector: TestVector, output: str) -> bool:
    """Return whether the engine's roles and units can express what the answer depends on.

    It does not see a spouse who files another return. Nor does it count a grown child, whom the
    city's text of some editions counts as it counts a minor. And where its answer is of people,
    there must be somebody whom ours is about.
    """
    household, program = vector.household, vector.program
    if output != _CREDIT:
        return output == "is_lifeline_eligible" or bool(_whom(vector, output))
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


def _input(vector: TestVector, is_credit: bool) -> dict[str, dict[str, dict[str, Any]]]:
    household = vector.household
    other_income = "taxable_interest_income" if is_credit else "taxable_pension_income"
    people = {
        f"person{at}": _person(one) | {other_income: one.annual_investment_income}
        for at, one in enumerate(household.members, 1)
    }
    filers, others = [], []
    for name, member in zip(people, household.members, strict=True):
        if is_in_tax_unit(household, member):
            role = "head" if member.relation == "self" else "spouse"
        elif is_credit and _is_qualifying_child(vector.program, member):
            role = "dependent"
        else:
            people[name]["is_tax_unit_head"] = True
            others.append(name)
            continue
        people[name][f"is_tax_unit_{role}"] = True
        filers.append(name)
    units = {f"tax_unit_{at}": {"members": [one]} for at, one in enumerate(others, 2)}
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


def _expected(vector: TestVector, output: str) -> dict[str, Any]:
    """Return the engine's expected output: for a unit, or for each person our label is about."""
    eligible = vector.explanation.eligible
    if output == _CREDIT:
        return {"tax_units": {"tax_unit": {output: True} if eligible else {"eitc": 0}}}
    if output == "is_lifeline_eligible":
        return {"spm_units": {"spm_unit": {output: eligible}}}
    about = _whom(vector, output)
    return {"people": {f"person{at + 1}": {output: eligible} for at in about}}


def _whom(vector: TestVector, output: str) -> list[int]:
    """Return the positions of the members to whom the label applies in the engine.

    An ineligible household: everybody who could have qualified. An eligible one: members of the
    right age, or only foster children where there are any.
    """
    members, limits = vector.household.members, vector.program.thresholds
    is_of_children = output in _HEAD_STARTS
    meant = [
        at for at, member in enumerate(members) if not is_of_children or is_child_in_care(member)
    ]
    if not vector.explanation.eligible:
        return meant
    youngest = limits.min_age if "min_age" in limits.names() else 0
    oldest: float = math.inf
    if is_of_children:
        oldest = limits.max_age if "max_age" in limits.names() else limits.child_max_age
    of_age = [at for at in meant if youngest <= members[at].age <= oldest]
    fostered = [at for at in of_age if members[at].in_foster_care]
    return (fostered if is_of_children else []) or of_age
