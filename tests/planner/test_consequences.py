"""What one answer tells of other facts is true of every household that gives it."""

import pytest

from benyfits_data.editions import load_edition
from benyfits_data.language.partial import Fact, PartialReader, household_facts
from benyfits_data.planner.consequences import Consequences, Inferences, Possible
from benyfits_data.planner.proof_finder import ProofFinder
from tests.language.draws import draw_possible
from tests.planner.test_proof_finder import EDITION, PROGRAMS, code


def untrue(reader: PartialReader, n: int) -> tuple[int, list[str]]:
    """Return how many consequences households were asked about, and those that are not true."""
    found, wrong = 0, []
    consequences = Consequences(reader)
    facts = reader.graph.place
    for household in draw_possible(n, 5, EDITION):
        told, size = household_facts(household), len(household.members)
        known = reader.know(size, told).intervals
        for fact, entry in facts.items():
            if (fact[1] or 0) >= size:
                continue
            for other, value in consequences.of(entry, fact, code(told, size, fact)).items():
                found += 1
                if not known.low[other] == value == known.high[other]:
                    wrong.append(f"{fact} tells wrongly of entry {other}: {household}")
    return found, wrong


def test_whatever_follows_is_true_of_the_household(reader: PartialReader) -> None:
    found, wrong = untrue(reader, 8)
    assert not wrong, wrong[0]
    assert found > 1_000


def test_a_rule_that_does_not_hold_is_noticed(
    reader: PartialReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Possible.left
    extra: Fact = ("age", 0)

    def faulty(self: Possible, fact: Fact, low: float, high: float) -> object:
        return [*left(self, fact, low, high), (extra, 3, 3, 0)]

    monkeypatch.setattr(Possible, "left", faulty)
    assert untrue(reader, 2)[1]


def proofs(reader: PartialReader, n: int) -> tuple[int, int, list[str]]:
    """Return questions that proofs need, without and with inferences, and proofs that are none."""
    edition, graph = load_edition(EDITION), reader.graph
    names = {entry: fact for fact, entry in graph.place.items()}
    roots = [it for it in map(reader.entry, PROGRAMS) if not isinstance(it, bool)]
    finder = ProofFinder(graph, {}, roots, reader.know().intervals)
    finder.bits = [1 << number for number, _ in enumerate(finder.leaves)]
    facts = [names.get(entry) for entry in finder.leaves]
    blocked, consequences = 1 << len(facts), Consequences(reader)
    before, after, wrong = 0, 0, []
    for household in draw_possible(n, 5, EDITION):
        told, size = household_facts(household), len(household.members)
        leaves = [code(told, size, fact) for fact in facts]
        asked = 0
        for proof in finder.prove(leaves):
            asked |= proof
        implied = Inferences(consequences, finder, facts, blocked, None).of(leaves, asked)
        needed = 0
        for program, proof in zip(PROGRAMS, finder.prove(leaves, asked, implied), strict=True):
            needed |= proof
            used = [it for number, it in enumerate(facts) if proof >> number & 1]
            known = reader.know(
                size if None in used else None, {it: told[it] for it in used if it in told}
            )
            if known.verdict(program) is not edition.program(program).is_eligible(household):
                wrong.append(f"{program} of {household}")
        before += asked.bit_count()
        after += needed.bit_count()
    return before, after, wrong


@pytest.mark.slow
def test_proofs_that_know_what_follows_are_proofs_and_shorter(reader: PartialReader) -> None:
    before, after, wrong = proofs(reader, 20)
    assert not wrong, wrong[0]
    assert after < 0.97 * before


def test_an_inference_from_nothing_breaks_a_proof(
    reader: PartialReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = Consequences.of

    def faulty(self: Consequences, entry: int, fact: Fact, code: float) -> dict[int, float]:
        others = {it: code for it in self._place.values() if it != entry}
        return others | of(self, entry, fact, code)

    monkeypatch.setattr(Consequences, "of", faulty)
    assert proofs(reader, 5)[2]
