"""Lists, tables, facts and Python's own functions, for all households at once."""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from benyfits_data.evaluation.codegen.checker_translation import Form
from benyfits_data.evaluation.replies import LARGEST
from benyfits_data.evaluation.rules.given_facts import MEMBERS
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Builtin,
    CallFrame,
    Choice,
    Crash,
    Day,
    Dictionary,
    List,
    Pairs,
    Person,
    SortedList,
    UnreadError,
    Whole,
    alternatives,
    is_constant,
    is_key,
)
from benyfits_data.evaluation.rules.value_operations import Values
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from benyfits_data.understanding.facts import MEMBERS_KEY

_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
_OPPOSITES = (ast.NotIn, ast.IsNot, ast.NotEq, ast.GtE, ast.LtE)


class Containers(Values):
    """Reads and compares values, those that lists, tables and the household hold among them.

    Args:
        executor: Makes the nodes.
        form: What the program is given.

    Attributes:
        python: The names that Python brings.
    """

    def __init__(self, executor: SymbolicExecutor, form: Form) -> None:
        super().__init__(executor.builder, int if form == "keys" else str)
        self.executor = executor
        self.form = form
        self.python = CallFrame({})

    def items(self, value: Any) -> Pairs:
        """Return what iterating over a value that is no choice gives.

        Raises:
            Crash: Python cannot iterate over it.
            UnreadError: The order is not known.
        """
        if isinstance(value, List):
            return list(value.pairs)
        if isinstance(value, Dictionary):
            return [(self.is_set(part), key) for key, part in value.entries.items()]
        if isinstance(value, tuple | range):
            return [(TRUE, part) for part in value]
        if value is None or isinstance(value, Node):
            raise Crash
        raise UnreadError("going through a sorted list or a value of this kind")

    def is_set(self, value: Any) -> Node:
        """Return for which households an entry was set."""
        parts = alternatives(value)
        return self.builder.any_of(guard for guard, part in parts if part is not MISSING)

    def make_set(self, pairs: Iterator[tuple[Node, Any]] | Pairs) -> List:
        """Return a new set."""
        made = List([], is_set=True)
        for there, value in pairs:
            self.add_to(made, there, value)
        return made

    def add_to(self, whole: List, there: Node, value: Any) -> None:
        """Add to a list where a flag holds; to a set unless an equal value is there."""
        if whole.is_set:
            there = self.meet(there, self.builder.negate(self.contains(whole, value)))
        if there is not FALSE:
            whole.pairs.append((there, value))

    # Comparisons and sums

    def truth_of(self, value: Any) -> Node:
        """Return for which households a value is true."""

        def one(part: Any) -> Node:
            return self.truth(List(self.items(part)) if isinstance(part, Dictionary) else part)

        return self._flag_of(self.lift(one, value))

    def _flag_of(self, value: Any) -> Node:
        return value if isinstance(value, Node) else FALSE

    def operate(self, op: ast.operator, left: Any, right: Any) -> Any:
        """Return what an operator makes of two values."""
        return self.lift(lambda one, two: self._operate(op, one, two), left, right)

    def _operate(self, op: ast.operator, one: Any, two: Any) -> Any:
        if isinstance(op, ast.Add) and isinstance(one, tuple) and isinstance(two, tuple):
            return one + two
        if isinstance(op, ast.Add) and isinstance(one, List) and isinstance(two, List):
            return List([*one.pairs, *two.pairs])
        if isinstance(one, List | tuple) and isinstance(two, List | tuple):
            raise UnreadError("this of lists")
        if isinstance(op, ast.Mult) and any(isinstance(part, str | List) for part in (one, two)):
            raise UnreadError("what is repeated")
        if is_constant(one) and is_constant(two) and type(op) in _OPERATORS:
            try:
                made = _OPERATORS[type(op)](one, two)
            except (TypeError, ZeroDivisionError, OverflowError) as error:
                raise Crash from error
            if isinstance(made, int) and abs(made) > LARGEST:
                raise UnreadError("a number of that size")
            return made
        match op:
            case ast.Add():
                return self.add(one, two)
            case ast.Sub():
                return self.add(one, two, -1)
            case ast.Mult():
                return self.multiply(one, two)
            case ast.Div():
                return self.divide(one, two)
            case ast.FloorDiv():
                return self.floor(self.divide(one, two))
        flags = self.flag(one), self.flag(two)
        if flags[0] is None or flags[1] is None or not isinstance(op, ast.BitAnd | ast.BitOr):
            raise UnreadError(f"`{type(op).__name__}` of what depends on the household")
        work = self.builder.both if isinstance(op, ast.BitAnd) else self.builder.either
        return work(flags[0], flags[1])

    def compare(self, op: ast.cmpop, left: Any, right: Any) -> Node:
        """Return for which households a comparison holds."""

        def work(one: Any, two: Any) -> Node:
            flag = self._compare(op, one, two)
            return self.builder.negate(flag) if isinstance(op, _OPPOSITES) else flag

        return self._flag_of(self.lift(work, left, right))

    def _compare(self, op: ast.cmpop, one: Any, two: Any) -> Node:
        """What the operator, or its opposite, says."""
        if isinstance(op, ast.In | ast.NotIn):
            return self.contains(two, one)
        if isinstance(op, ast.Is | ast.IsNot) and isinstance(two, bool):
            flag = self.flag(one)
            return FALSE if flag is None else self.builder.equal(flag, self.builder.constant(two))
        if isinstance(op, ast.Is | ast.IsNot):
            if not (two is None or isinstance(two, Person | List | Dictionary | Builtin)):
                raise UnreadError("`is` beside this")
            return self.builder.constant(bool(one == two))
        if isinstance(one, tuple) and isinstance(two, tuple):
            if not isinstance(op, ast.Eq | ast.NotEq):
                raise UnreadError("which of two tuples comes first")
            parts = [self.compare(ast.Eq(), *pair) for pair in zip(one, two, strict=False)]
            alike = self.builder.constant(len(one) == len(two))
            return reduce(self.builder.both, parts, alike)
        if isinstance(op, ast.Eq | ast.NotEq):
            return self.same(one, two)
        return self.less(one, two) if isinstance(op, ast.Lt | ast.GtE) else self.less(two, one)

    def contains(self, whole: Any, item: Any) -> Node:
        """Return for which households a list, table or text holds something."""
        if isinstance(whole, str) and isinstance(item, str):
            return self.builder.constant(item in whole)
        pairs = whole.pairs if isinstance(whole, SortedList) else self.items(whole)
        return self.builder.any_of(
            self.builder.both(there, self.compare(ast.Eq(), item, part)) for there, part in pairs
        )

    def count(self, pairs: Pairs) -> Any:
        """Return how many items are there: a choice among numbers."""
        total: Any = 0
        for there, _ in pairs:
            total = self.merge(there, self.operate(ast.Add(), total, 1), total)
        return total

    # Entries

    def entry(self, whole: Any, key: Any, default: Any = MISSING) -> Any:
        """Return an item of a list, an entry of a table, or a fact.

        Raises:
            Crash: There is none.
            UnreadError: Which one it is hangs on the household.
        """
        if isinstance(whole, Whole | Person):
            return self._fact(whole, key, default)
        if isinstance(whole, Dictionary) and not is_key(key):
            return self._row(whole, key, default)
        if isinstance(whole, Dictionary):
            value = whole.entries.get(key, MISSING)
            if value is MISSING and default is MISSING:
                raise Crash
            if default is MISSING:
                return value
            return self.join(
                (flag, default if part is MISSING else part) for flag, part in alternatives(value)
            )
        pairs = whole.pairs if isinstance(whole, SortedList) else self.items(whole)
        if type(key) is not int or (isinstance(whole, List) and whole.is_set):
            raise UnreadError("an item at this place")
        return self._end_of(whole, key) if isinstance(whole, SortedList) else self.nth(pairs, key)

    def nth(self, pairs: Pairs, place: int) -> Any:
        """Return the item at a place of a list whose items are there for some households only.

        Raises:
            Crash: No household has one there.
        """
        builder = self.builder
        if place < 0:
            pairs, place = pairs[::-1], -place - 1
        counts = [TRUE] + [FALSE] * place
        items = []
        for there, value in pairs:
            items.append((builder.both(there, counts[-1]), value))
            counts = [
                builder.either(
                    builder.both(count, builder.negate(there)),
                    builder.both(counts[number - 1], there) if number else FALSE,
                )
                for number, count in enumerate(counts)
            ]
        any_item = builder.any_of(guard for guard, _ in items)
        if any_item is FALSE:
            raise Crash
        self.fail(builder.negate(any_item))
        return self.join(items)

    def _row(self, table: Dictionary, key: Any, default: Any) -> Any:
        """The entry of a table for a key that depends on the household."""
        pairs, known = list[tuple[Node, Any]](), FALSE
        for name, part in table.entries.items():
            guard = self.compare(ast.Eq(), key, name)
            pairs.append((guard, part))
            known = self.builder.either(known, guard)
        rest = self.builder.negate(known)
        if default is MISSING:
            self.fail(rest)
        else:
            pairs.append((rest, default))
        return self.join(pairs)

    def _end_of(self, whole: SortedList, place: int) -> Any:
        if place not in (0, -1):
            raise UnreadError("a place within a sorted list")
        # Equal ones keep their order: the last of a list is the last of those equal.
        pairs = whole.pairs if place == 0 else whole.pairs[::-1]
        least = (place == 0) != whole.is_reversed
        function = self.python.names["min" if least else "max"]
        return self.call(function, [List(pairs)], {"key": whole.key})

    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Return what a function returns."""
        raise NotImplementedError

    def part(self, whole: Any, limits: Sequence[Any]) -> Any:
        """Return a slice of a list."""
        if isinstance(whole, tuple) and all(is_constant(limit) for limit in limits):
            return whole[slice(*limits)]
        pairs = self.items(whole)
        guards = [guard for guard, _ in pairs]
        present = [self.builder.present(place) for place in range(self.executor.places)]
        # Places are the same for all households where each item is there only if all before are.
        first, last, step = limits
        is_front = all(limit is None or (type(limit) is int and limit >= 0) for limit in limits)
        is_dense = all(guard is TRUE for guard in guards) or any(
            guards == present[start : start + len(guards)] for start in range(len(present))
        )
        if not is_front or step not in (None, 1) or not is_dense:
            raise UnreadError("this part of a list")
        return List(pairs[slice(first, last)])

    # Facts

    def _fact(self, owner: Whole | Person, key: Any, default: Any) -> Any:
        """A fact as the program sees it."""
        is_whole = isinstance(owner, Whole)
        present = self.builder.present
        if is_whole and self.form == "typed" and key == MEMBERS:
            return List([(present(at), Person(at)) for at in range(self.executor.places)])
        if is_whole and self.form == "keys" and key == MEMBERS_KEY:
            return self.count([(present(at), None) for at in range(self.executor.places)])
        if is_whole and self.form == "keys" and type(key) is int and key < self.executor.places:
            # A key of somebody who is not there has no answer: a crash.
            return self.merge(present(key), Person(key), MISSING)
        features = HOUSEHOLD_FEATURES if is_whole else MEMBER_FEATURES
        if key not in features:
            if default is MISSING:
                raise Crash
            return default
        if features[key].kind == "text":
            raise UnreadError(f"the fact {key!r}, which is free text,")
        position = owner.position if isinstance(owner, Person) else None
        return self._typed(features[key], self.builder.feature(key, position))

    def _typed(self, feature: Feature, node: Node) -> Any:
        builder = self.builder
        if feature.kind == "flag" and self.form == "keys":
            return Choice(((node, "yes"), (builder.negate(node), "no")))
        none = builder.is_none(node)
        if feature.kind == "choice":
            words = [
                (builder.equal(node, builder.constant(feature.encode(word))), word)
                for word in feature.choices
            ]
            return self.join([*words, *([(none, None)] if feature.optional else [])])
        value: Any = Day(node) if feature.kind == "date" else node
        if not feature.optional:
            return value
        return Choice(((none, None), (builder.negate(none), value)))
