"""A proof is a list of facts that decide a verdict, whatever the others are."""

from typing import Any

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.household.columns import Households
from benyfits_data.language.partial import Fact, PartialReader, feature_of, household_facts
from benyfits_data.planner.proof_finder import ProofFinder
from tests.language.draws import draw_possible

EDITION = 2026
PROGRAMS = (
    "ChildTaxCredit",
    "EarnedIncomeTaxCredit",
    "FairFaresNYC",
    "HeadStart",
    "SeniorCitizenHomeownersExemption",
)


def unproven(reader: PartialReader, n: int) -> tuple[int, list[str]]:
    """Return how many verdicts were proven, and those that do not follow from their proof."""
    edition, graph = load_edition(EDITION), reader.graph
    names = {entry: fact for fact, entry in graph.place.items()}
    proven, wrong = 0, []
    for household in draw_possible(n, 5, EDITION):
        told = household_facts(household)
        size = len(household.members)
        for program in PROGRAMS:
            root = reader.entry(program)
            assert not isinstance(root, bool)
            finder = ProofFinder(graph, {}, [root], reader.know().intervals)
            finder.bits = [1 << number for number, _ in enumerate(finder.leaves)]
            leaves = [code(told, size, names.get(entry)) for entry in finder.leaves]
            (proof,) = finder.prove(leaves)
            label = edition.program(program).is_eligible(household)
            assert finder.labels(leaves) == [label]
            used = [it for number, it in enumerate(finder.leaves) if proof >> number & 1]
            facts: dict[Fact, Any] = {
                names[entry]: told[names[entry]] for entry in used if entry and names[entry] in told
            }
            known = reader.know(size if 0 in used else None, facts)
            proven += 1
            if known.verdict(program) is not label:
                wrong.append(f"{program} of {household}")
    return proven, wrong


def code(told: dict[Fact, Any], size: int, fact: Fact | None) -> float:
    """Return a fact as columns hold it; a member who is not there has defaults."""
    if fact is None:
        return size
    feature = feature_of(fact)
    return float(feature.encode(told.get(fact, feature.default)))


def test_every_proof_decides_the_verdict(reader: PartialReader) -> None:
    proven, wrong = unproven(reader, 6)
    assert not wrong, wrong[0]
    assert proven == 6 * len(PROGRAMS)


def test_a_sum_proven_by_too_few_terms_is_noticed(
    reader: PartialReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ProofFinder, "_reach", lambda *_: 0)
    assert unproven(reader, 12)[1]


def test_what_is_needed_anyway_costs_a_proof_nothing(reader: PartialReader) -> None:
    root = reader.entry("FairFaresNYC")
    assert not isinstance(root, bool)
    finder = ProofFinder(reader.graph, {}, [root], reader.know().intervals)
    finder.bits = [1 << number for number, _ in enumerate(finder.leaves)]
    names = {entry: fact for fact, entry in reader.graph.place.items()}
    nobody = Households.of_defaults(1).household(0, constrained=False)
    leaves = [code(household_facts(nobody), 1, names.get(it)) for it in finder.leaves]
    (free,) = finder.prove(leaves)
    assert finder.prove(leaves, needed=free) == [free]
