"""Generated programs as formulas over our facts, where they fit: what partial evaluation needs.

A program fits if each key is the number of members or names one of our facts with its type, and
if it keeps to what can be run for all households at once: conditions, loops over the members,
sums, tables by size, helper functions. Of others a `LanguageError` says where they do not.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.errors import FeatureValueError, LanguageError
from benyfits_data.evaluation.codegen.checker_translation import from_key_value, key_type
from benyfits_data.evaluation.codegen.code_rules import HOUSEHOLD
from benyfits_data.evaluation.keys import KeyType
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import NONE_CODE, Feature
from benyfits_data.language.ir import FALSE, TRUE, Node
from benyfits_data.language.source import Source
from benyfits_data.language.symbolic_execution import (
    Exits,
    Fault,
    FunctionRun,
    HouseholdArgument,
    MemberArgument,
    Names,
    SymbolicExecutor,
)
from benyfits_data.understanding.facts import MEMBERS_KEY

DEEPEST_CALL = 20
"""Helper functions that call one another; deeper ones may call themselves."""


@dataclass(frozen=True)
class Word:
    """The value of a key that is no number, as the program compares it.

    Attributes:
        node: The fact.
        declared: Its declaration.
    """

    node: Node
    declared: Feature


def read_program(
    executor: SymbolicExecutor, source: str, types: Mapping[str, KeyType]
) -> tuple[Node, Node]:
    """Return whether a program says eligible, and whether it crashes before it says anything.

    Args:
        executor: Makes the nodes.
        source: The text of a program that keeps the rules of `code_rules`.
        types: The types of its keys.

    Raises:
        LanguageError: It does not fit.
    """
    (function,) = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    run = _ProgramRun(executor, Source(read_program, Path("program"), function, source))
    run.types = types
    value = run.whole({HOUSEHOLD: HouseholdArgument()})
    if not value.is_flag:
        raise run.source.refusal(function, "a verdict that is no truth value")
    return value, executor.builder.any_of(fault.mask for fault in run.faults)


@dataclass
class _ProgramRun(FunctionRun):
    """One call of a program's function.

    Attributes:
        types: The types of the program's keys.
        outer: The names of the whole program, inside of a helper function.
        there: The members that a loop is at: nobody else may be asked about.
        depth: How many helper functions have called one another.
        is_verdict: Whether it returns truth values, and no numbers; `None` before it returned.
    """

    types: Mapping[str, KeyType] = field(default_factory=dict)
    outer: Names | None = None
    there: set[int] = field(default_factory=lambda: {0})
    depth: int = 0
    is_verdict: bool | None = None

    def whole(self, names: Names) -> Node:
        """Return what the function returns."""
        exits, alive, _ = self.block(self.source.statements, TRUE, names)
        if alive is not FALSE:
            raise self.source.refusal(self.source.node, "a path without a truth value or number")
        return exits.value

    def result(self, node: ast.expr, alive: Node, names: Names) -> Node:
        """Return what a `return` returns: always a truth value, or always a number."""
        found = super().result(node, alive, names)
        if not isinstance(found, Node):
            raise self.source.refusal(node, "a path without a truth value or number")
        if found.is_flag is not (found.is_flag if self.is_verdict is None else self.is_verdict):
            raise self.source.refusal(node, "a truth value on one path, a number on another")
        self.is_verdict = found.is_flag
        return found

    def block(
        self, statements: Sequence[ast.stmt], alive: Node, names: Names
    ) -> tuple[Exits, Node, Names]:
        """Run statements; helper functions become names, docstrings and `pass` nothing."""
        for statement in statements:
            if isinstance(statement, ast.FunctionDef):
                helper = replace(self.source, node=statement)
                names = {**names, statement.name: helper}
        return super().block([it for it in statements if not _is_silent(it)], alive, names)

    def merge(self, condition: Node, then: Names, other: Names) -> Names:
        """Return the names known on both paths; one that is no number must be the same on both."""
        both = {name: (value, other[name]) for name, value in then.items() if name in other}
        alike = {
            name: (one, two)
            for name, (one, two) in both.items()
            if one is two
            or (isinstance(one, Node) and isinstance(two, Node) and one.is_flag == two.is_flag)
        }
        left, right = ({name: pair[side] for name, pair in alike.items()} for side in (0, 1))
        return super().merge(condition, left, right)

    def iterations(self, over: ast.expr, alive: Node, names: Names) -> Iterator[tuple[Node, Any]]:
        """Yield the numbers of a range that ends at a constant or at the number of members."""
        match over:
            case ast.Call(func=ast.Name(id="range"), args=[last], keywords=[]):
                first: ast.expr = ast.Constant(0)
            case ast.Call(func=ast.Name(id="range"), args=[first, last], keywords=[]):
                pass
            case _:
                raise self.source.refusal(over, f"a loop over `{ast.unparse(over)}`")
        start, stop = (self.evaluate(it, alive, names) for it in (first, last))
        is_size = stop is self.size()
        for end in (start, stop) if not is_size else (start,):
            if not isinstance(end, Node) or end.operation != "constant":
                raise self.source.refusal(over, f"a loop over `{ast.unparse(over)}`")
        for number in range(int(start.low), self.executor.places if is_size else int(stop.low)):
            before = set(self.there)
            self.there |= {number} if is_size else set()
            present = self.builder.present(number) if is_size else TRUE
            yield present, self.builder.constant(number)
            self.there = before

    def size(self) -> Node:
        """Return the number of members."""
        builder, one, none = self.builder, self.builder.constant(1), self.builder.constant(0)
        total = none
        for position in range(self.executor.places):
            total = builder.plus(total, builder.choose(builder.present(position), one, none))
        return total

    def evaluate(self, node: ast.expr, alive: Node, names: Names) -> Any:
        """Return the value of an expression: a node, a word, a person, a table, text or nothing."""
        builder = self.builder
        match node:
            case ast.Constant(value=None):
                return None
            case ast.Name(id=name):
                if name not in names:
                    raise self.source.refusal(node, f"`{name}`")
                return names[name]
            case ast.Attribute():
                raise self.source.refusal(node, f"`{ast.unparse(node)}`")
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return tuple(self.evaluate(part, alive, names) for part in parts)
            case ast.Dict():
                return self.table(node)
            case ast.Subscript(value=owner, slice=part):
                return self.item(node, self.evaluate(owner, alive, names), part, alive, names)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return builder.constant(-value)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self.flag(test, alive, names)
                then = self.evaluate(body, builder.both(alive, condition), names)
                other = self.evaluate(orelse, builder.both(alive, builder.negate(condition)), names)
                merged = self.merge(condition, {"": then}, {"": other})
                if "" not in merged:
                    raise self.source.refusal(node, f"`{ast.unparse(node)}`")
                return merged[""]
            case ast.Compare(left=left, ops=operators, comparators=rest):
                sides = [self.evaluate(side, alive, names) for side in (left, *rest)]
                found = TRUE
                for operator, one, two in zip(operators, sides, sides[1:], strict=False):
                    found = builder.both(found, self.compared(node, operator, one, two, alive))
                return found
        return super().evaluate(node, alive, names)

    def item(
        self, node: ast.Subscript, owner: Any, part: ast.expr, alive: Node, names: Names
    ) -> Any:
        """Return a fact, a member, or the row of a table."""
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            return self.fact(node, owner, part.value)
        index = self.evaluate(part, alive, names)
        if isinstance(owner, SizeTable) and isinstance(index, Node) and index.is_whole:
            return self.row(node, owner, self.number(part, alive, names), alive)
        is_number = isinstance(index, Node) and index.operation == "constant"
        if isinstance(owner, HouseholdArgument) and is_number and int(index.low) in self.there:
            return MemberArgument(int(index.low))
        raise self.source.refusal(node, f"`{ast.unparse(node)}`")

    def fact(self, node: ast.expr, owner: Any, key: str) -> Node | Word:
        is_household = isinstance(owner, HouseholdArgument)
        features = HOUSEHOLD_FEATURES if is_household else MEMBER_FEATURES
        is_ours = isinstance(owner, HouseholdArgument | MemberArgument) and key in features
        is_size = is_household and key == MEMBERS_KEY
        if not is_ours and not is_size:
            raise self.source.refusal(node, f"the key {key!r}, which is none of our facts")
        if key not in self.types or not _is_alike(self.types[key], key_type(key)):
            raise self.source.refusal(node, f"the key {key!r} with values that are not our fact's")
        if is_size:
            return self.size()
        position = owner.position if isinstance(owner, MemberArgument) else None
        found = self.builder.feature(key, position)
        return found if features[key].kind in ("number", "decimal") else Word(found, features[key])

    def table(self, node: ast.Dict) -> SizeTable:
        """Return a table by size."""
        try:
            rows = ast.literal_eval(node)
        except ValueError:
            rows = {}
        numbers = all(type(it) in (int, float) for it in rows.values())
        if not rows or not numbers or not all(type(it) is int for it in rows):
            raise self.source.refusal(node, "a table that is not by size")
        return SizeTable("a table of the program", rows, None)

    def compared(
        self, node: ast.expr, operator: ast.cmpop, one: Any, two: Any, alive: Node
    ) -> Node:
        """Return whether a comparison holds."""
        builder = self.builder
        if isinstance(operator, ast.In | ast.NotIn):
            if not isinstance(two, tuple):
                raise self.source.refusal(node, f"`{ast.unparse(node)}`")
            same = builder.any_of(self.same(node, one, it) for it in two)
            return same if isinstance(operator, ast.In) else builder.negate(same)
        if isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            if isinstance(operator, ast.Is | ast.IsNot) and two is not None:
                raise self.source.refusal(node, f"`{ast.unparse(node)}`")
            same = self.same(node, one, two)
            return same if isinstance(operator, ast.Eq | ast.Is) else builder.negate(same)
        left, right = self.ordered(node, one, two, alive), self.ordered(node, two, one, alive)
        if isinstance(operator, ast.Gt | ast.LtE):
            left, right = right, left
        less = builder.less(left, right)
        return less if isinstance(operator, ast.Lt | ast.Gt) else builder.negate(less)

    def same(self, node: ast.expr, one: Any, two: Any) -> Node:
        """Return whether two values are equal, as Python has it: words of no fact never are."""
        if not isinstance(one, Word) and isinstance(two, Word):
            one, two = two, one
        if isinstance(one, Word):
            code = self.code(one, two)
            return FALSE if code is None else self.builder.equal(one.node, code)
        if isinstance(one, Node) and two is None:
            is_optional = one.feature is not None and one.feature.optional
            return self.builder.is_none(one) if is_optional else FALSE
        if isinstance(one, Node) and isinstance(two, Node) and one.is_flag == two.is_flag:
            if any(it.feature is not None and it.feature.optional for it in (one, two)):
                # Nothing is a code of its own, which no number may meet.
                known = self.builder.negate(
                    self.builder.either(*map(self.builder.is_none, (one, two)))
                )
                return self.builder.both(known, self.builder.equal(one, two))
            return self.builder.equal(one, two)
        raise self.source.refusal(node, f"`{ast.unparse(node)}`")

    def code(self, word: Word, value: Any) -> Node | None:
        """Return a constant that a fact's node can equal, `None` for a value it never has."""
        declared = word.declared
        if isinstance(value, Node) and value.operation == "constant" and not value.is_flag:
            value = value.fact
        if not isinstance(value, str | int | float | None):
            raise self.source.refusal(self.source.node, f"{declared.name} beside no constant")
        if declared.kind == "flag":
            return {"yes": TRUE, "no": FALSE}.get(str(value))
        if value is None:
            return self.builder.constant(NONE_CODE) if declared.optional else None
        if not isinstance(value, int) if declared.kind == "date" else value not in declared.choices:
            return None
        try:
            parsed = declared.parse(from_key_value(declared, value))
        except FeatureValueError:
            return None
        return self.builder.constant(declared.encode(parsed))

    def ordered(self, node: ast.expr, value: Any, other: Any, alive: Node) -> Node:
        """Return one side of `<`: a number, or a day beside one."""
        if isinstance(value, Word) and value.declared.kind == "date":
            self.fault(alive, self.builder.is_none(value.node), node, "is None")
            return value.node
        if isinstance(other, Word) and other.declared.kind == "date":
            code = self.code(other, value)
            if code is not None:
                return code
        elif isinstance(value, Node) and not value.is_flag:
            if value.feature is not None and value.feature.optional:
                self.fault(alive, self.builder.is_none(value), node, "is None")
            return value
        raise self.source.refusal(node, f"`{ast.unparse(node)}`")

    def call(self, name: str, arguments: list[ast.expr], alive: Node, names: Names) -> Node:
        """Return what a helper function returns, or `any`, `all` or `sum` over members."""
        if name not in names and name in ("any", "all", "sum") and len(arguments) == 1:
            return self.gathered(name, arguments[0], alive, names)
        helper = names.get(name)
        if not isinstance(helper, Source) or self.depth > DEEPEST_CALL:
            raise self.source.refusal(self.source.node, f"a call of `{name}`")
        outer = names if self.outer is None else self.outer
        values = [self.evaluate(it, alive, names) for it in arguments]
        parameters = helper.node.args
        if len(parameters.args) != len(values) or parameters.defaults or parameters.kwonlyargs:
            raise self.source.refusal(helper.node, f"a call of `{name}` with other arguments")
        bound = {item.arg: value for item, value in zip(parameters.args, values, strict=True)}
        run = _ProgramRun(self.executor, helper)
        run.types, run.outer, run.there, run.depth = (
            *(self.types, outer, set(self.there)),
            self.depth + 1,
        )
        found = run.whole({**outer, **bound})
        both = self.builder.both
        self.faults += [Fault(both(alive, it.mask), it.message) for it in run.faults]
        return found

    def gathered(self, name: str, over: ast.expr, alive: Node, names: Names) -> Node:
        """Return `any`, `all` or `sum` of a generator over the members."""
        builder = self.builder
        if not isinstance(over, ast.GeneratorExp | ast.ListComp) or len(over.generators) != 1:
            raise self.source.refusal(over, f"`{ast.unparse(over)}`")
        (part,) = over.generators
        if not isinstance(part.target, ast.Name):
            raise self.source.refusal(over, f"`{ast.unparse(over)}`")
        found: Node = {"any": FALSE, "all": TRUE}.get(name) or builder.constant(0)
        for present, value in self.iterations(part.iter, alive, names):
            inside, here = {**names, part.target.id: value}, builder.both(alive, present)
            for condition in part.ifs:
                here = builder.both(here, self.flag(condition, here, inside))
            if name == "sum":
                amount = self.number(over.elt, here, inside)
                found = builder.plus(found, builder.choose(here, amount, builder.constant(0)))
                continue
            flag = self.flag(over.elt, here, inside)
            if name == "any":
                found = builder.either(found, builder.both(here, flag))
            else:
                found = builder.both(
                    found, builder.negate(builder.both(here, builder.negate(flag)))
                )
        return found


def _is_alike(told: KeyType, ours: KeyType) -> bool:
    is_choice = (told.kind, set(told.values)) == (ours.kind, set(ours.values))
    return is_choice and told.is_optional == ours.is_optional


def _is_silent(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.FunctionDef | ast.Pass)


def read_written(
    executor: SymbolicExecutor, written: Mapping[str, tuple[str, Mapping[str, KeyType]]]
) -> dict[str, Node]:
    """Return the formulas of the programs that fit: of each its verdict, and whether it crashes.

    Args:
        executor: Makes the nodes.
        written: Text and types of each program.
    """
    found: dict[str, Node] = {}
    for name, (source, types) in written.items():
        try:
            found[name], found[crash_of(name)] = read_program(executor, source, types)
        except LanguageError:
            continue
    return found


def crash_of(name: str) -> str:
    """Return the name of what says whether a program crashes."""
    return f"{name} crashes"
