"""Which answers would prove the verdicts on a household, given what is known already.

For a household imagined in full, a verdict has a proof: of a conjunction that is false, one part
that is false; of one that is true, all parts; of a sum over a limit, the terms that reach it. A
proof is held as a set of questions, one bit each, and of several proofs the one is kept that needs
fewest questions on top of those that are needed anyway.
"""

import math
from collections.abc import Mapping, Sequence

from benyfits_data.language.interval_propagation import (
    AND,
    CHOOSE,
    EQUAL,
    LESS,
    MINUS,
    NOT,
    OR,
    PLUS,
    PRESENT,
    ROW,
    TIMES,
    FormulaGraph,
    Intervals,
)

NOTHING_IMPLIED: dict[int, tuple[float, int]] = {}
_NO_VALUE = (math.nan, 0)


class ProofFinder:
    """Finds proofs in one graph, for what is known at one moment.

    Args:
        graph: The formulas.
        terms: Comparisons already taken apart, by entry; filled in here.
        roots: The entries to prove.
        intervals: What is known.

    Attributes:
        leaves: The entries of open facts on which the roots may hang.
        computed: What is computed from them.
        bits: The questions that tell each of them; to be set before anything is proven.
    """

    def __init__(
        self,
        graph: FormulaGraph,
        terms: dict[int, list[tuple[float, int]]],
        roots: Sequence[int],
        intervals: Intervals,
    ) -> None:
        self._graph = graph
        self._terms = terms
        self._roots = roots
        self._low, self._high = intervals.low, intervals.high
        # Entries that are fixed keep their value and need no proof.
        self._value: list[float] = intervals.low.copy()
        self._proof = [0] * len(self._value)
        order = self._open_entries()
        self.leaves = [entry for entry in order if not graph.operands[entry]]
        self._steps = [
            (entry, graph.operations[entry], graph.operands[entry][0], graph.operands[entry][-1])
            for entry in order
            if graph.operands[entry]
        ]
        self.computed = [step[0] for step in self._steps]
        self._single = {
            step[0]: single
            for step in self._steps
            if step[1] in (LESS, EQUAL) and (single := self._single_term(step[0]))
        }
        self.bits = [0] * len(self.leaves)

    def _open_entries(self) -> list[int]:
        low, high, operands = self._low, self._high, self._graph.operands
        seen, stack = set(self._roots), list(self._roots)
        while stack:
            for operand in operands[stack.pop()]:
                if operand not in seen and low[operand] != high[operand]:
                    seen.add(operand)
                    stack.append(operand)
        return sorted(seen)

    def prove(
        self,
        leaves: Sequence[float],
        needed: int = 0,
        implied: Mapping[int, tuple[float, int]] = NOTHING_IMPLIED,
    ) -> list[int]:
        """Return a proof of each root's value in one imagined household.

        Args:
            leaves: The values of `leaves`.
            needed: Questions that are needed anyway.
            implied: Entries whose value follows from the answer to one question.
        """
        value, proof, free = self._value, self._proof, ~needed
        for entry, leaf, bit in zip(self.leaves, leaves, self.bits, strict=True):
            value[entry] = leaf
            follows, question = implied.get(entry, _NO_VALUE)
            proof[entry] = question if follows == leaf else bit
        for entry, operation, left, right in self._steps:
            if operation == NOT:
                value[entry], proof[entry] = 1 - value[left], proof[left]
            elif operation in (AND, OR):
                # One part alone makes a conjunction false, a disjunction true.
                alone = operation == OR
                if value[left] == alone:
                    cheaper = proof[left]
                    if value[right] == alone:
                        other = proof[right]
                        if (other & free).bit_count() < (cheaper & free).bit_count():
                            cheaper = other
                    value[entry], proof[entry] = alone, cheaper
                elif value[right] == alone:
                    value[entry], proof[entry] = alone, proof[right]
                else:
                    value[entry], proof[entry] = not alone, proof[left] | proof[right]
            elif operation in (LESS, EQUAL):
                self._compare(entry, free)
            else:
                self._compute(entry)
            if entry in implied and proof[entry] and implied[entry][0] == value[entry]:
                proof[entry] = implied[entry][1]
        return [proof[root] for root in self._roots]

    def labels(self, leaves: Sequence[float]) -> list[bool]:
        """Return the roots' values in one imagined household."""
        self.prove(leaves)
        return [bool(self._value[root]) for root in self._roots]

    def _compute(self, entry: int) -> None:
        """Compute a number, or whether there is a member, from all facts it depends on."""
        graph, value, proof = self._graph, self._value, self._proof
        operation, parts = graph.operations[entry], graph.operands[entry]
        if operation == CHOOSE:
            taken = parts[1] if value[parts[0]] else parts[2]
            value[entry], proof[entry] = value[taken], proof[parts[0]] | proof[taken]
            return
        first, last = parts[0], parts[-1]
        proof[entry] = proof[first] | proof[last]
        if operation == PLUS:
            value[entry] = value[first] + value[last]
        elif operation == MINUS:
            value[entry] = value[first] - value[last]
        elif operation == TIMES:
            value[entry] = value[first] * value[last]
        elif operation == PRESENT:
            value[entry] = value[first] > graph.least[entry]
        elif operation == ROW:
            table = graph.tables[entry]
            row = int(value[first]) - graph.least[entry]
            value[entry] = table[min(max(row, 0), len(table) - 1)]

    def _single_term(self, entry: int) -> tuple[float, int, float] | None:
        """Return factor and entry of the only open term, and the sum of the others, if it is one.

        Such a comparison is proven by that term alone: nine of ten are, and so need no search.
        """
        terms = self._terms.get(entry)
        if terms is None:
            terms = self._terms[entry] = self._take_apart(entry)
        low, high = self._low, self._high
        still_open = [(factor, part) for factor, part in terms if low[part] != high[part]]
        if len(still_open) != 1:
            return None
        fixed = sum([factor * low[part] for factor, part in terms if low[part] == high[part]])
        return *still_open[0], fixed

    def _compare(self, entry: int, free: int) -> None:
        """Prove a comparison by terms whose values settle it, whatever the others are."""
        value, proof = self._value, self._proof
        is_equal = self._graph.operations[entry] == EQUAL
        if entry in self._single:
            factor, part, fixed = self._single[entry]
            difference = factor * value[part] + fixed
            value[entry] = difference == 0 if is_equal else difference < 0
            proof[entry] = proof[part]
            return
        terms = self._terms[entry]
        difference = sum([factor * value[part] for factor, part in terms])
        value[entry] = difference == 0 if is_equal else difference < 0
        if is_equal and difference == 0:
            leaves = 0
            for _, part in terms:
                leaves |= proof[part]
        else:
            is_below = difference < 0
            leaves = self._reach(terms, 1 if is_below else -1, is_below or is_equal, free)
        proof[entry] = leaves

    def _reach(
        self, terms: Sequence[tuple[float, int]], sign: int, is_strict: bool, free: int
    ) -> int:
        """Return the questions about terms that keep a sum below zero whatever the others are."""
        low, high, value, proof = self._low, self._high, self._value, self._proof
        most, gains = 0.0, []
        for factor, part in terms:
            signed = sign * factor
            bound = signed * (high[part] if signed > 0 else low[part])
            most += bound
            gain = bound - signed * value[part]
            if gain > 0 and low[part] != high[part]:
                gains.append((gain, part))

        leaves, taken = 0, []
        gains.sort(key=lambda pair: (bool(proof[pair[1]] & free), -pair[0], pair[1]))
        for gain, part in gains:
            if most < 0 or (most == 0 and not is_strict):
                break
            most -= gain
            taken.append((gain, part))
        for gain, part in reversed(taken):
            if most + gain < 0 or (most + gain == 0 and not is_strict):
                most += gain
            else:
                leaves |= proof[part]
        return leaves

    def _take_apart(self, entry: int) -> list[tuple[float, int]]:
        """Return the terms, factor and entry, whose sum is below zero where left is below right."""
        graph = self._graph
        factors: dict[int, float] = {}
        left, right = graph.operands[entry]
        stack: list[tuple[float, int]] = [(1, left), (-1, right)]
        while stack:
            factor, term = stack.pop()
            operation, parts = graph.operations[term], graph.operands[term]
            if operation in (PLUS, MINUS):
                stack += [(factor, parts[0]), (factor if operation == PLUS else -factor, parts[1])]
                continue
            constant = [part for part in parts if graph.low[part] == graph.high[part]]
            if operation == TIMES and constant:
                other = parts[1] if parts[0] == constant[0] else parts[0]
                stack.append((factor * graph.low[constant[0]], other))
                continue
            factors[term] = factors.get(term, 0) + factor
        return [(factor, part) for part, factor in factors.items() if factor]
