"""Which numbers the checkers compare with which limits, read from the rooms themselves.

Every comparison of every checker is written as a sum of terms and a constant, `a*x + b*y + c`,
with the thresholds of one edition put in. A single fact gives the values worth drawing (below, at,
above its limit); any other sum gives a `Balance`, whose zero the sampler aims at. A new year or a
new program needs no edit here.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from itertools import product
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benyfits_data.editions import Edition, SizeTable, Thresholds
from benyfits_data.errors import ThresholdNotFoundError
from benyfits_data.household.features import FEATURES
from benyfits_data.household.measures import household_size
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.language.source import Source

LARGEST_SIZE = 2 * LARGEST_HOUSEHOLD
"""Sizes for which limits are read: members and, where a rule counts them, unborn children."""
Function = Callable[..., Any]
_NUMERIC = {"number", "decimal", "date"}
_MOST_FORMS = 64


@dataclass(frozen=True, order=True)
class Term:
    """Something that a comparison adds up.

    Attributes:
        kind: `member` or `household` for a feature, `sum` for a feature added up over members,
            `measure` for a function of the household.
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


@dataclass(frozen=True)
class _Form:
    """A sum of terms; constants by size; `size` names the function that picked a row, if any."""

    weights: tuple[tuple[Term, float], ...]
    constants: tuple[float, ...]
    size: Function | None = None
    measures: tuple[tuple[str, Function], ...] = ()

    def scaled(self, factor: float) -> "_Form":
        return _Form(
            tuple((term, weight * factor) for term, weight in self.weights),
            tuple(constant * factor for constant in self.constants),
            self.size,
            self.measures,
        )

    def plus(self, other: "_Form") -> "_Form":
        weights = dict(self.weights)
        for term, weight in other.weights:
            weights[term] = weights.get(term, 0.0) + weight
        return _Form(
            tuple(sorted((term, weight) for term, weight in weights.items() if weight)),
            tuple(a + b for a, b in zip(self.constants, other.constants, strict=True)),
            self.size or other.size,
            tuple(dict(self.measures + other.measures).items()),
        )


def _constant(value: float) -> _Form:
    return _Form((), (float(value),) * (LARGEST_SIZE + 1))


def _number(value: object) -> list[_Form]:
    """Return the form of a number; none for a truth value or anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [_constant(value)]
    return []


def boundaries(edition: Edition) -> Boundaries:
    """Return the limits that the checkers of an edition compare facts with."""
    programs = edition.programs.values()
    return _boundaries(tuple((program.checker, program.thresholds) for program in programs))


@lru_cache(maxsize=16)
def _boundaries(checkers: tuple[tuple[Function, Thresholds], ...]) -> Boundaries:
    values: dict[str, set[float]] = {}
    balances: dict[tuple[Any, ...], Balance] = {}
    for checker, thresholds in checkers:
        for form in _Reader(Source.of(checker), thresholds).comparisons():
            _sort_in(form, values, balances)
    return Boundaries(
        {name: np.array(sorted(codes)) for name, codes in sorted(values.items())},
        tuple(balances.values()),
    )


def _sort_in(
    form: _Form, values: dict[str, set[float]], balances: dict[tuple[Any, ...], Balance]
) -> None:
    if not form.weights:
        return
    if len(form.weights) == 1:
        term, weight = form.weights[0]
        codes = {-constant / weight for constant in form.constants if np.isfinite(constant)}
        if term.kind in {"member", "household"} and len(codes) <= 1:
            values.setdefault(term.name, set()).update(codes)
            return
    if any(FEATURES[term.name].unit != "dollar" for term, _ in form.weights if term.kind == "sum"):
        return
    balance = Balance(
        form.weights, dict(form.measures), form.size or household_size, form.constants
    )
    if _moves_money(balance):
        balances.setdefault(balance.key, balance)


def _moves_money(balance: Balance) -> bool:
    """Whether an amount of money decides: only amounts can be moved to meet a limit."""
    for term, _ in balance.weights:
        if term.kind == "measure":
            if _reads_money(balance.measures[term.name]):
                return True
        elif FEATURES[term.name].unit == "dollar":
            return True
    return False


@cache
def _reads_money(function: Function) -> bool:
    source = Source.of(function)
    named = {node.attr for node in ast.walk(source.node) if isinstance(node, ast.Attribute)}
    if any(name in FEATURES and FEATURES[name].unit == "dollar" for name in named):
        return True
    return any(_reads_money(called) for called in source.calls if isinstance(called, FunctionType))


class _Reader:
    """Reads one function: what its names may stand for, and what it compares."""

    def __init__(self, source: Source, thresholds: Thresholds | None) -> None:
        self.source = source
        self.thresholds = thresholds
        self.locals: dict[str, list[_Form]] = {}

    def comparisons(self) -> Iterator[_Form]:
        """Give for every comparison its left side minus its right side."""
        for node in self._in_order:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                known = self.locals.setdefault(node.targets[0].id, [])
                known.extend(form for form in self.forms(node.value) if form not in known)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                # A sum that grows in a loop: its terms are added up over the members.
                known = self.locals.setdefault(node.target.id, [])
                known.extend(_summed(form) for form in self.forms(node.value) if form.weights)
            elif isinstance(node, ast.Compare):
                sides = self.forms(node.left), self.forms(node.comparators[0])
                for left, right in list(product(*sides))[:_MOST_FORMS]:
                    yield left.plus(right.scaled(-1))

    @cached_property
    def _in_order(self) -> list[ast.expr | ast.stmt]:
        nodes = [node for statement in self.source.statements for node in ast.walk(statement)]
        return sorted(
            (node for node in nodes if isinstance(node, ast.expr | ast.stmt)),
            key=lambda node: (node.lineno, node.col_offset),
        )

    def forms(self, node: ast.expr) -> list[_Form]:
        """Return the sums that an expression may stand for; none if it is not about numbers."""
        if isinstance(node, ast.Constant):
            return _number(node.value)
        if isinstance(node, ast.Name):
            return self._named(node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._row(node)
        if isinstance(node, ast.BinOp):
            return self._combined(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return [form.scaled(-1) for form in self.forms(node.operand)]
        if isinstance(node, ast.Call):
            return self._called(node)
        return []

    def _named(self, name: str) -> list[_Form]:
        if name in self.locals:
            return self.locals[name]
        return _number(self.source.function.__globals__.get(name))

    def _attribute(self, node: ast.Attribute) -> list[_Form]:
        if isinstance(node.value, ast.Name) and node.value.id == "thresholds":
            value = getattr(self.thresholds, node.attr)
            if isinstance(value, date):
                return [_constant(value.toordinal())]
            return _number(value)
        feature = FEATURES.get(node.attr)
        if feature is None or feature.kind not in _NUMERIC:
            return []
        return [_Form(((Term(feature.level, feature.name), 1.0),), _constant(0).constants)]

    def _row(self, node: ast.Subscript) -> list[_Form]:
        """A table's row: one constant for each size."""
        if not (isinstance(node.value, ast.Attribute) and self.thresholds is not None):
            return []
        table = getattr(self.thresholds, node.value.attr)
        if not isinstance(table, SizeTable):
            return []
        picker = self._size_function(node.slice)
        rows = [float("nan")]
        for size in range(1, LARGEST_SIZE + 1):
            try:
                rows.append(float(table[size]))
            except ThresholdNotFoundError:
                rows.append(float("nan"))
        return [_Form((), tuple(rows), picker)]

    def _size_function(self, node: ast.expr) -> Function:
        if isinstance(node, ast.Name):
            for earlier in self._in_order:
                if (
                    isinstance(earlier, ast.Assign)
                    and isinstance(earlier.targets[0], ast.Name)
                    and earlier.targets[0].id == node.id
                ):
                    return self._size_function(earlier.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            function = self.source.resolve(node.func.id)
            if isinstance(function, FunctionType) and len(node.args) == 1:
                return function
        return household_size

    def _combined(self, node: ast.BinOp) -> list[_Form]:
        found = []
        for left, right in list(product(self.forms(node.left), self.forms(node.right))):
            if isinstance(node.op, ast.Add):
                found.append(left.plus(right))
            elif isinstance(node.op, ast.Sub):
                found.append(left.plus(right.scaled(-1)))
            elif isinstance(node.op, ast.Mult):
                if not left.weights and left.size is None:
                    left, right = right, left
                if not right.weights and right.size is None:
                    found.append(left.scaled(right.constants[0]))
        return found[:_MOST_FORMS]

    def _called(self, node: ast.Call) -> list[_Form]:
        if not isinstance(node.func, ast.Name):
            return []
        function = self.source.resolve(node.func.id)
        if not isinstance(function, FunctionType):
            return []
        called = Source.of(function)
        only = called.statements[0]
        if len(called.statements) == 1 and isinstance(only, ast.Return) and only.value is not None:
            # A measure that is one expression is written out: yearly(x), income(member).
            inner = _Reader(called, None)
            for name, argument in zip(called.parameters, node.args, strict=True):
                forms = self.forms(argument)
                if forms:
                    inner.locals[name] = forms
            return inner.forms(only.value)
        if called.parameters != ("household",) or not _is_count(function):
            return []
        term = Term("measure", function.__name__)
        return [
            _Form(
                ((term, 1.0),),
                _constant(0).constants,
                measures=((function.__name__, function),),
            )
        ]


def _is_count(function: Callable[..., Any]) -> bool:
    return function.__annotations__.get("return") in {int, float}


def _summed(form: _Form) -> _Form:
    return _Form(
        tuple(
            (Term("sum", term.name) if term.kind == "member" else term, weight)
            for term, weight in form.weights
        ),
        form.constants,
        form.size,
        form.measures,
    )
