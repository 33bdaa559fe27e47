"""Lists, tables and facts of a program that runs for all households at once."""

import ast
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from benyfits_data.errors import LanguageError
from benyfits_data.evaluation.codegen.checker_translation import Form
from benyfits_data.evaluation.rules.builtin_calls import find_extreme
from benyfits_data.evaluation.rules.given_facts import MEMBERS
from benyfits_data.evaluation.rules.symbolic_values import (
    MISSING,
    Choice,
    Crash,
    Day,
    Items,
    Person,
    Reference,
    Whole,
    alternatives,
    describe_value,
    is_constant,
    is_key,
)
from benyfits_data.evaluation.rules.value_operations import Values
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import Feature
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.symbolic_execution import SymbolicExecutor
from benyfits_data.understanding.facts import MEMBERS_KEY

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}


class Containers:
    """Reads and compares values, those that lists, tables and the household hold among them.

    Args:
        executor: Makes the nodes.
        form: What the program is given.
    """

    def __init__(self, executor: SymbolicExecutor, form: Form) -> None:
        self.executor = executor
        self.form = form
        self.builder = executor.builder
        self.values = Values(executor.builder, int if form == "keys" else str)
        self.failures: list[tuple[Node, str]] = []
        self.heap: dict[int, Any] = {}
        self.line = 1

    def refuse(self, what: str, node: ast.AST | None = None) -> LanguageError:
        """Return the error for something that cannot be read."""
        line = getattr(node, "lineno", self.line)
        return LanguageError(f"line {line}: {what} cannot be read as a formula", line=line)

    def lift(self, work: Callable[..., Any], alive: Node, *values: Any) -> Any:
        """Return what some work makes of values, for every choice among them."""
        return self.values.lift(work, alive, self.fail, *values)

    def fail(self, guard: Node, why: str) -> None:
        """Note that the program fails for some households."""
        if guard is not FALSE:
            self.failures.append((guard, f"line {self.line}: {why}"))

    def make(self, value: Any) -> Reference:
        """Return a new list, set or dictionary of the program."""
        place = len(self.heap)
        self.heap[place] = value
        return Reference(place)

    def make_set(self, pairs: Iterable[tuple[Node, Any]], alive: Node) -> Reference:
        """Return a new set: a value is there unless an equal one is there before it."""
        kept = Items((), "set")
        for there, value in pairs:
            guard = self.values.meet(there, self.builder.negate(self.contains(kept, value, alive)))
            if guard is not FALSE:
                kept = Items((*kept.pairs, (guard, value)), "set")
        return self.make(kept)

    def seen(self, value: Any) -> Any:
        """Return what a reference stands for; other values as they are."""
        return self.heap[value.place] if isinstance(value, Reference) else value

    def is_set(self, value: Any) -> Node:
        """Return for which households an entry was set."""
        parts = alternatives(value)
        return self.builder.any_of(guard for guard, part in parts if part is not MISSING)

    def items(self, value: Any) -> Items:
        """Return what iterating over a value that is no choice gives.

        Raises:
            Crash: Python cannot iterate over it.
        """
        value = self.seen(value)
        if isinstance(value, Items):
            if value.order in ("sorted", "reversed"):
                raise self.refuse(f"going through a {value.order} list")
            return value
        if isinstance(value, dict):
            return Items(tuple((self.is_set(part), key) for key, part in value.items()))
        if isinstance(value, tuple | range):
            return Items(tuple((TRUE, part) for part in value))
        if value is None or isinstance(value, Node):
            raise Crash(f"{describe_value(value)} cannot be gone through")
        raise self.refuse(f"going through {describe_value(value)}")

    def members(self) -> Items:
        """Return the members of the household."""
        places = range(self.executor.places)
        return Items(tuple((self.builder.present(place), Person(place)) for place in places))

    # Comparisons and sums

    def truth_of(self, value: Any, alive: Node) -> Node:
        """Return for which households a value is true."""

        def one(part: Any) -> Node:
            whole = self.seen(part)
            return self.values.truth(self.items(whole) if isinstance(whole, dict) else whole)

        flag = self.lift(one, alive, value)
        return flag if isinstance(flag, Node) else FALSE

    def operate(self, op: ast.operator, left: Any, right: Any, alive: Node) -> Any:
        """Return what an operator makes of two values."""
        values = self.values

        def work(one: Any, two: Any) -> Any:
            one, two = self.seen(one), self.seen(two)
            if isinstance(one, Items | tuple) and isinstance(two, Items | tuple):
                if not isinstance(op, ast.Add):
                    raise self.refuse("this of lists")
                return self.make(Items((*self.items(one).pairs, *self.items(two).pairs)))
            if is_constant(one) and is_constant(two) and type(op) in _OPERATORS:
                try:
                    return _OPERATORS[type(op)](one, two)
                except (TypeError, ZeroDivisionError, OverflowError) as error:
                    raise Crash(str(error)) from error
            match op:
                case ast.Add():
                    return values.add(one, two)
                case ast.Sub():
                    return values.add(one, two, -1)
                case ast.Mult():
                    return values.multiply(one, two)
                case ast.Div():
                    return values.divide(one, two)
                case ast.FloorDiv():
                    return values.floor(values.divide(one, two))
            flags = values.flag(one), values.flag(two)
            if flags[0] is None or flags[1] is None or not isinstance(op, ast.BitAnd | ast.BitOr):
                raise self.refuse(f"`{type(op).__name__}` of what depends on the household")
            both = isinstance(op, ast.BitAnd)
            return (self.builder.both if both else self.builder.either)(flags[0], flags[1])

        return self.lift(work, alive, left, right)

    def compare(self, op: ast.cmpop, left: Any, right: Any, alive: Node) -> Node:
        """Return for which households a comparison holds."""
        builder, values = self.builder, self.values

        def work(one: Any, two: Any) -> Any:
            if isinstance(op, ast.In | ast.NotIn):
                flag = self.contains(two, one, alive)
            elif isinstance(op, ast.Is | ast.IsNot):
                if not (two is None or isinstance(two, bool | Person | Reference)):
                    raise self.refuse("`is` beside this")
                is_flag = values.flag(one) is not None or not isinstance(two, bool)
                flag = values.same(one, two) if is_flag else FALSE
            elif isinstance(one, tuple) and isinstance(two, tuple):
                if not isinstance(op, ast.Eq | ast.NotEq):
                    raise self.refuse("which of two tuples comes first")
                flag = builder.constant(len(one) == len(two))
                for left_part, right_part in zip(one, two, strict=False):
                    alike = self.compare(ast.Eq(), left_part, right_part, alive)
                    flag = builder.both(flag, alike)
            elif isinstance(op, ast.Eq | ast.NotEq):
                flag = values.same(self.seen(one), self.seen(two))
            elif isinstance(op, ast.Lt | ast.GtE):
                flag = values.less(one, two)
            else:
                flag = values.less(two, one)
            opposite = isinstance(op, ast.NotIn | ast.IsNot | ast.NotEq | ast.GtE | ast.LtE)
            return builder.negate(flag) if opposite else flag

        holds = self.lift(work, alive, left, right)
        return holds if isinstance(holds, Node) else FALSE

    def contains(self, whole: Any, item: Any, alive: Node) -> Node:
        """Return for which households a list, table or text holds something."""
        whole = self.seen(whole)
        if isinstance(whole, str) and isinstance(item, str):
            return self.builder.constant(item in whole)
        # The order of a sorted list does not matter here.
        held = self.items(Items(whole.pairs) if isinstance(whole, Items) else whole)
        both = self.builder.both
        return self.builder.any_of(
            both(there, self.compare(ast.Eq(), item, part, both(alive, there)))
            for there, part in held.pairs
        )

    # Entries

    def entry(self, whole: Any, key: Any, alive: Node, default: Any = MISSING) -> Any:
        """Return an item of a list, an entry of a table, or a fact.

        Raises:
            Crash: There is none.
        """
        whole = self.seen(whole)
        if isinstance(whole, Whole | Person):
            return self._fact(whole, key, default)
        if isinstance(whole, dict):
            if not is_key(key):
                return self._row(whole, key, alive, default)
            value = whole.get(key, MISSING)
            if default is not MISSING:
                return self.values.join(
                    (guard, default if part is MISSING else part)
                    for guard, part in alternatives(value)
                )
            if value is MISSING:
                raise Crash(f"no entry {key!r}")
            return value
        order = whole.order if isinstance(whole, Items) else "given"
        held = whole if order in ("sorted", "reversed") else self.items(whole)
        if type(key) is not int or order == "set":
            raise self.refuse(f"the place {describe_value(key)} of {describe_value(whole)}")
        if order == "given":
            return self.nth(held.pairs, key, alive)
        return self._extreme(held, key, alive)

    def nth(self, pairs: Sequence[tuple[Node, Any]], place: int, alive: Node) -> Any:
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
        any_found = builder.any_of(guard for guard, _ in items)
        if any_found is FALSE:
            raise Crash("a list is too short")
        self.fail(builder.both(alive, builder.negate(any_found)), "a list is too short")
        return self.values.join(items)

    def _row(self, table: dict[Any, Any], key: Any, alive: Node, default: Any) -> Any:
        """The entry of a table for a key that depends on the household."""
        entries, known = [], FALSE
        for name, part in table.items():
            guard = self.compare(ast.Eq(), key, name, alive)
            entries.append((guard, part))
            known = self.builder.either(known, guard)
        rest = self.builder.negate(known)
        if default is MISSING:
            self.fail(self.values.meet(alive, rest), "a table has no such entry")
        else:
            entries.append((rest, default))
        return self.values.join(entries)

    def _extreme(self, whole: Items, place: int, alive: Node) -> Any:
        if place not in (0, -1):
            raise self.refuse("a place within a sorted list")
        is_least = (place == 0) == (whole.order == "sorted")
        # Equal ones keep their order: the last of a list is the last of those equal.
        pairs = whole.pairs if place == 0 else whole.pairs[::-1]
        return find_extreme(self, alive, pairs, whole.key, is_least)

    def part(self, whole: Any, limits: Sequence[Any]) -> Any:
        """Return a slice of a list."""
        whole = self.seen(whole)
        if isinstance(whole, tuple) and all(is_constant(limit) for limit in limits):
            return whole[slice(*limits)]
        pairs = self.items(whole).pairs
        guards = [guard for guard, _ in pairs]
        present = [self.builder.present(place) for place in range(self.executor.places)]
        # Places are the same for all households where each item is there only if all before are.
        first, last, step = limits
        is_front = all(limit is None or (type(limit) is int and limit >= 0) for limit in limits)
        is_dense = all(guard is TRUE for guard in guards) or any(
            guards == present[start : start + len(guards)] for start in range(len(present))
        )
        if not is_front or step not in (None, 1) or not is_dense:
            raise self.refuse("this part of a list")
        return self.make(Items(pairs[slice(first, last)]))

    # Facts

    def _fact(self, owner: Whole | Person, key: Any, default: Any) -> Any:
        """A fact as the program sees it."""
        is_whole = isinstance(owner, Whole)
        if is_whole and self.form == "keys":
            if key == MEMBERS_KEY:
                return self.count(self.members().pairs, TRUE)
            if type(key) is int and key < self.executor.places:
                # A key of somebody who is not there has no answer: a crash.
                return self.values.merge(self.builder.present(key), Person(key), MISSING)
        elif is_whole and key == MEMBERS:
            return self.members()
        features = HOUSEHOLD_FEATURES if is_whole else MEMBER_FEATURES
        if key not in features:
            if default is not MISSING:
                return default
            raise Crash(f"no fact {key!r}")
        if features[key].kind == "text":
            raise self.refuse(f"the fact {key!r}, which is free text,")
        position = owner.position if isinstance(owner, Person) else None
        return self._typed(features[key], self.builder.feature(key, position))

    def count(self, pairs: Iterable[tuple[Node, Any]], alive: Node) -> Any:
        """Return how many items are there: a choice among numbers."""
        total: Any = 0
        for there, _ in pairs:
            more = self.operate(ast.Add(), total, 1, alive)
            total = self.values.merge(there, more, total)
        return total

    def _typed(self, feature: Feature, node: Node) -> Any:
        builder = self.builder
        if feature.kind == "flag" and self.form == "keys":
            return Choice(((node, "yes"), (builder.negate(node), "no")))
        if feature.kind == "choice":
            words = [
                (builder.equal(node, builder.constant(feature.encode(word))), word)
                for word in feature.choices
            ]
            nothing = [(builder.is_none(node), None)] if feature.optional else []
            return self.values.join([*words, *nothing])
        value: Any = Day(node) if feature.kind == "date" else node
        if not feature.optional:
            return value
        none = builder.is_none(node)
        return Choice(((none, None), (builder.negate(none), value)))
