"""Which answers prove a verdict, and what was inferred from what households can be."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from benyfits_data.language.partial import Fact, feature_of
from benyfits_data.planner.interview import Interview
from benyfits_data.planner.proof_finder import ProofFinder

_INFERRED = (1 << 8) - 1
_UNTOLD = (1 << 64) - 1
"""Weights, in answers, of a fact that was inferred and of one that is open: proofs avoid them."""


@dataclass(frozen=True)
class Reasons:
    """The facts that a verdict depends on.

    Attributes:
        answers: Facts that were told, `None` for the number of members; few, if not fewest.
        inferred: Facts that nobody told, which follow if the household is possible, with values.
        missing: Facts, `None` for the number of members, that are open and whose values hardly
            matter: the verdict follows from what households can be, and without that from these.
    """

    answers: tuple[Fact | None, ...]
    inferred: dict[Fact, Any]
    missing: tuple[Fact | None, ...] = ()


def find_reasons(interview: Interview, programs: Iterable[str]) -> dict[str, Reasons]:
    """Return the facts that proven verdicts depend on.

    Args:
        interview: What was told.
        programs: Programs whose verdict is proven.
    """
    reader = interview.planner.reader.unconstrained
    known = interview.knowledge.intervals
    entries = {program: reader.entry(program) for program in programs}
    found = {program: Reasons((), {}) for program, it in entries.items() if isinstance(it, bool)}
    roots = {program: it for program, it in entries.items() if not isinstance(it, bool)}
    start = reader.know().intervals
    view = interview.planner.view(reader)
    finder = ProofFinder(reader.graph, view.terms, list(roots.values()), start)
    place = interview.knowledge.reader.graph.place
    values, inferred = list[float](), dict[Fact, Any]()
    n, size = len(finder.leaves), interview.size
    for number, entry in enumerate(finder.leaves):
        fact = view.facts[entry]
        here = 0 if fact is None else place.get(fact, entry)
        value, bit = known.low[here], 1 << number
        if fact in interview.told:
            value = float(feature_of(fact).encode(interview.told[fact]))
        elif size is not None and (fact is None or (fact[1] or 0) >= size):
            # Who is not there is told by the number of members.
            bit = 1 << finder.leaves.index(0) if 0 in finder.leaves else 0
        elif fact is not None and known.low[here] == known.high[here]:
            inferred[fact] = feature_of(fact).decode(value)
            bit |= _INFERRED << n
        else:
            bit |= _UNTOLD << (n + 8)
        values.append(value)
        finder.bits[number] = bit
    for program, proof in zip(roots, finder.prove(values), strict=True):
        used = [view.facts[it] for number, it in enumerate(finder.leaves) if proof >> number & 1]
        answers = tuple(it for it in used if it in interview.told or (it is None and size))
        found[program] = Reasons(
            answers,
            {fact: inferred[fact] for fact in used if fact in inferred},
            tuple(fact for fact in used if fact not in answers and fact not in inferred),
        )
    return found
