"""The households of test cases, chosen for what they detect, and what targets say of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.adequacy.mutants import Detector, make_mutants
from benyfits_data.editions import Edition, Program
from benyfits_data.fuzz.sample import sample_households
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import Household, Member
from benyfits_data.language.explain import Explanation, explain
from benyfits_data.language.numpy_backend import label_and_trace
from benyfits_data.language.source import features_read

SAMPLED = 20_000
"""Fuzzed households to choose from; numbers stand at the checkers' limits, and beside them."""


@dataclass(frozen=True)
class TestVector:
    """One household and what a program says of it.

    Attributes:
        program: The program.
        household: The household.
        explanation: Label and clauses that decided.
        untold: Facts that the program reads, that a target cannot express, and that are not their
            unremarkable value: by `feature` or `members[i].feature`.
        follows: Whether the label stays when all of them are at their unremarkable value, so that
            the target is told enough to find it.
    """

    program: Program
    household: Household
    explanation: Explanation
    untold: dict[str, object]
    follows: bool


def choose_vectors(
    edition: Edition,
    programs: Sequence[str],
    expressed: frozenset[str],
    sampled: int = SAMPLED,
) -> list[TestVector]:
    """Return few households for each program that tell it from all plausible wrong ones.

    They run every line that the sample runs and detect every mutant that it detects: a mutant with
    a limit off by one is told from the program by a household on either side of that limit only.

    Args:
        edition: Whose rules.
        programs: The programs.
        expressed: Features that the target can express; households that need no others are
            preferred.
        sampled: How many households to choose from.
    """
    table = sample_households(sampled, edition, 0)
    batch = label_and_trace(edition, table, programs)
    mutants = {name: make_mutants(edition.program(name)) for name in programs}
    detected = Detector(edition, mutants).detect(table)
    vectors = []
    for name in programs:
        program = edition.program(name)
        hidden = sorted(features_read(program.checker) - expressed)
        bits = np.concatenate([batch.traces[name], detected.bits[name]], axis=1)
        for row in _fewest(bits, _remarkable(table, hidden)):
            household = table.household(row, constrained=False)
            answer = program.is_eligible(_unremarkable(household, hidden))
            explanation = explain(program, household)
            untold = _untold(household, hidden)
            follows = answer == explanation.eligible
            vectors.append(TestVector(program, household, explanation, untold, follows))
    return vectors


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
        feature = FEATURES[name]
        if feature.kind != "text":
            usual = feature.encode(feature.default)
            of_members = name in table.member
            column = table.member[name] if of_members else table.shared[name]
            cost += (column != usual).sum(axis=0) if of_members else column != usual
    return cost


def _unremarkable(household: Household, names: Sequence[str]) -> Household:
    """Return the household with some facts at their unremarkable value, possible or not."""
    facts = household.facts()
    for name in names:
        for owner in [facts, *facts["members"]]:
            owner.pop(name, None)
    return Household.from_facts(facts, constrained=False)


def _untold(household: Household, hidden: Sequence[str]) -> dict[str, object]:
    facts = household.facts()
    values: dict[str, object] = {}
    for name in hidden:
        usual = FEATURES[name].default
        if FEATURES[name].level == "household":
            if getattr(household, name) != usual:
                values[name] = facts[name]
            continue
        for at, member in enumerate(household.members):
            if getattr(member, name) != usual:
                values[f"members[{at}].{name}"] = facts["members"][at][name]
    return values


def describe(vector: TestVector, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the keys that every format has beside its request."""
    program = vector.program
    return {
        "program": names[program.name],
        "our_program": program.name,
        "edition": program.edition,
        "eligible": vector.explanation.eligible,
        "decided_by": list(vector.explanation.clauses),
        "says": vector.explanation.texts,
        "source": program.sources.list if program.sources else "",
        "not_expressed": vector.untold,
    }


def income_entries(member: Member, kinds: tuple[str, str], frequency: str) -> list[dict[str, Any]]:
    """Return a member's incomes a year, from work and from all else, under a format's names."""
    amounts = (member.annual_work_income, member.annual_investment_income)
    return [
        {"amount": str(amount), "type": kind, "frequency": frequency}
        for amount, kind in zip(amounts, kinds, strict=True)
        if amount
    ]


def rent_entries(household: Household) -> list[dict[str, str]]:
    """Return a household's rent as a list of expenses, empty for none."""
    rent = household.monthly_rent_spending
    return [{"amount": str(rent), "type": "Rent", "frequency": "Monthly"}] if rent else []
