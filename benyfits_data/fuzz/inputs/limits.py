"""Which numbers the checkers compare with which limits, read off their intermediate representation.

Every comparison of every checker is a sum of terms and a constant, `a*x + b*y + c`, with the
thresholds of one edition put in. A single feature gives the values worth drawing (below, at, above
its limit); any other sum gives a `Balance`, whose zero the sampler aims at. A new year or a new
program needs no edit here.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, Thresholds
from benyfits_data.household.features import FEATURES
from benyfits_data.household.measures import household_size
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.household.schema import NONE_CODE
from benyfits_data.language.ir import Node, walk
from benyfits_data.language.source import Source, features_read
from benyfits_data.language.symbolic_execution import execute_checkers

LARGEST_SIZE = 2 * LARGEST_HOUSEHOLD
"""Sizes for which limits are read: members and, where a rule counts them, unborn children."""
Function = Callable[..., Any]
_NUMERIC = ("number", "decimal", "date")
_MOST_SUMS = 64
"""Sums read off one comparison, more than any checker has: a new one cannot stall a build."""


@dataclass(frozen=True, order=True)
class Term:
    """Something that a comparison adds up.

    Attributes:
        kind: `member` or `household` for a feature, `measure` for a function of the household.
        name: Name of the feature or function.
    """

    kind: str
    name: str


@dataclass(frozen=True)
class Balance:
    """A sum of terms that some checker compares with a limit.

    Attributes:
        weights: The terms with their factors.
        measures: The functions that terms of kind `measure` call.
        size: The function whose value picks the limit's row.
        constants: What is added, by that value from 0 to 12; not a number where no row exists.
    """

    weights: tuple[tuple[Term, float], ...]
    measures: Mapping[str, Function]
    size: Function
    constants: tuple[float, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two balances the same."""
        return self.weights, self.size.__name__, self.constants


@dataclass(frozen=True)
class Boundaries:
    """The limits of an edition.

    Attributes:
        values: For each numeric feature, the codes at which an answer may change, sorted.
        balances: Sums with a limit, each once, in a fixed order.
    """

    values: Mapping[str, NDArray[np.float64]]
    balances: tuple[Balance, ...]


def boundaries(edition: Edition) -> Boundaries:
    """Return the limits that the checkers of an edition compare facts with."""
    programs = edition.programs.values()
    return _boundaries(tuple((program.checker, program.thresholds) for program in programs))


@dataclass(frozen=True)
class _LinearSum:
    """Terms with their factors, constants by size, and the function that picks the size, if any."""

    weights: tuple[tuple[Term, float], ...] = ()
    constants: tuple[float, ...] = (0.0,) * (LARGEST_SIZE + 1)
    size: Function | None = None

    def plus(self, other: "_LinearSum", factor: float = 1) -> "_LinearSum":
        """Return this sum and another, which is multiplied by a factor."""
        weights = dict(self.weights)
        for term, weight in other.weights:
            weights[term] = weights.get(term, 0) + factor * weight
        pairs = zip(self.constants, other.constants, strict=True)
        return _LinearSum(
            tuple(sorted((term, weight) for term, weight in weights.items() if weight)),
            tuple(one + factor * another for one, another in pairs),
            self.size or other.size,
        )


@lru_cache(maxsize=16)
def _boundaries(checkers: tuple[tuple[Function, Thresholds], ...]) -> Boundaries:
    executor, summaries = execute_checkers(
        tuple((Source.of(checker), thresholds) for checker, thresholds in checkers),
        LARGEST_HOUSEHOLD,
    )
    conditions = [condition for summary in summaries for condition in summary.elements.values()]
    reader = _SumReader(executor.measures())
    values: dict[str, set[float]] = {}
    balances: dict[tuple[Any, ...], Balance] = {}
    for node in walk(conditions):
        if node.operation in ("less", "equal") and not _asks_for_none(node):
            left, right = map(reader.sums, node.operands)
            for one, other in islice(product(left, right), _MOST_SUMS):
                reader.sort_in(one.plus(other, -1), values, balances)
    return Boundaries(
        {name: np.array(sorted(codes)) for name, codes in sorted(values.items())},
        tuple(balances.values()),
    )


@dataclass
class _SumReader:
    """Reads numbers as sums; `measures` are the functions of the household that nodes stand for."""

    measures: Mapping[Node, Function]
    known: dict[Node, list[_LinearSum]] = field(default_factory=dict)

    def sums(self, node: Node) -> list[_LinearSum]:
        """Return the sums that a number may stand for, one for each path that leads to it."""
        if node not in self.known:
            self.known[node] = list(dict.fromkeys(self._sums(node)))[:_MOST_SUMS]
        return self.known[node]

    def _sums(self, node: Node) -> Iterator[_LinearSum]:
        if node in self.measures and len(Source.of(self.measures[node]).statements) > 1:
            yield _LinearSum(((Term("measure", self.measures[node].__name__), 1.0),))
            return
        match node.operation:
            case "constant":
                yield _LinearSum((), (float(node.fact),) * (LARGEST_SIZE + 1))
            case "feature" if node.feature is not None and node.feature.kind in _NUMERIC:
                yield _LinearSum(((Term(node.feature.level, node.feature.name), 1.0),))
            case "row":
                size = self.measures.get(node.operands[0], household_size)
                yield _LinearSum((), tuple(_amounts(node)), size)
            case "choose":
                for operand in node.operands[1:]:
                    yield from self.sums(operand)
            case "plus" | "minus":
                factor = 1 if node.operation == "plus" else -1
                for one, other in product(*map(self.sums, node.operands)):
                    yield one.plus(other, factor)
            case "times":
                for one, other in product(*map(self.sums, node.operands)):
                    if not one.weights and one.size is None:
                        one, other = other, one
                    if not other.weights and other.size is None:
                        yield _LinearSum().plus(one, other.constants[0])

    def sort_in(
        self,
        form: _LinearSum,
        values: dict[str, set[float]],
        balances: dict[tuple[Any, ...], Balance],
    ) -> None:
        """Add a sum to the values of a feature or to the balances, if it is one of them."""
        if form.weights and form.weights[0][1] < 0:
            form = _LinearSum().plus(form, -1)
        if len(form.weights) == 1 and form.size is None:
            [(term, weight)] = form.weights
            if term.kind != "measure":
                values.setdefault(term.name, set()).add(-form.constants[0] / weight + 0.0)
                return
        functions = {function.__name__: function for function in self.measures.values()}
        named = {term.name for term, _ in form.weights if term.kind == "measure"}
        facts = {term.name for term, _ in form.weights} - named
        read = facts.union(*(features_read(functions[name]) for name in named))
        # Only amounts of money can be moved to meet a limit.
        if any(FEATURES[name].unit == "dollar" for name in read):
            balance = Balance(
                form.weights,
                {name: functions[name] for name in sorted(named)},
                form.size or household_size,
                form.constants,
            )
            balances.setdefault(balance.key, balance)


def _asks_for_none(node: Node) -> bool:
    left, right = node.operands
    is_optional = left.feature is not None and left.feature.optional
    return node.operation == "equal" and is_optional and right.fact == NONE_CODE


def _amounts(row: Node) -> Iterator[float]:
    """Return a table's amounts for sizes from 0 on; not a number where it has none."""
    smallest = int(row.operands[0].low)
    for size in range(LARGEST_SIZE + 1):
        is_there = 0 <= size - smallest < len(row.fact) and row.fact[size - smallest]
        yield float(row.fact[size - smallest]) if is_there else math.nan
