"""What an expression of the checker language stands for: its kind, and what is wrong with it."""

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from benyfits_data.household import constants
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.schema import Feature

Dialect = Literal["checker", "measure", "constraint"]
Sort = Literal[
    "flag", "number", "choice", "date", "text", "threshold", "none", "member", "household", "wrong"
]

MEASURES_MODULE = "benyfits_data.household.measures"
CONSTRAINTS_PACKAGE = "benyfits_data.household.constraints"

_SORTS: dict[str, Sort] = {
    "flag": "flag",
    "number": "number",
    "decimal": "number",
    "choice": "choice",
    "date": "date",
}
_RETURNS: dict[Any, Sort] = {bool: "flag", int: "number", float: "number"}
_ORDERED = ("number", "date", "threshold")
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_COMPREHENSION = (
    "a comprehension",
    "Write `for member in household.members:` and `if` lines.",
)
_REFUSED: dict[type[ast.expr], tuple[str, str]] = {
    ast.IfExp: ("a conditional expression", "Write `if` and `else` lines."),
    ast.Lambda: ("a lambda", "Write a measure in household/measures.py."),
    ast.ListComp: _COMPREHENSION,
    ast.SetComp: _COMPREHENSION,
    ast.DictComp: _COMPREHENSION,
    ast.GeneratorExp: _COMPREHENSION,
}
_LONE_CONDITION = "Write one `if CONDITION:` line for each condition."


@dataclass(frozen=True)
class Value:
    """What an expression stands for.

    Attributes:
        sort: What kind of thing it is; `wrong` after a problem was noted.
        feature: The feature it reads, if it is one.
        path: How the feature was written, such as `member.gpa`.
    """

    sort: Sort
    feature: Feature | None = None
    path: str = ""

    @property
    def may_be_none(self) -> bool:
        """Whether the feature it reads may be never or not applicable."""
        return self.feature is not None and self.feature.optional


WRONG = Value("wrong")
Note = Callable[[ast.AST, str, str], None]


@dataclass
class Scope:
    """What names stand for at one place of a function.

    Attributes:
        dialect: Which of the three forms of the language is read.
        names: Parameters, loop names and locals assigned on every path to here.
        outside: The names of the function's module.
        note: Called with a node, what was found and what to write instead.
        not_none: Paths that were tested and are not `None` here.
    """

    dialect: Dialect
    names: dict[str, Value]
    outside: Mapping[str, Any]
    note: Note
    not_none: frozenset[str] = field(default_factory=frozenset)

    def refuse(self, node: ast.AST, what: str, instead: str) -> Value:
        """Note a problem and return the value that stands for one."""
        self.note(node, what, instead)
        return WRONG


def read_condition(node: ast.expr, scope: Scope) -> None:
    """Check that `node` is one condition: a flag, `not` a flag, or one comparison.

    Measures and constraints may join several by `and` or `or`.
    """
    if isinstance(node, ast.BoolOp) and scope.dialect != "checker":
        for part in node.values:
            read_condition(part, scope)
            met, missed = told_by(part)
            settled = met if isinstance(node.op, ast.And) else missed
            scope = replace(scope, not_none=scope.not_none | settled)
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
        if isinstance(node, ast.Compare):
            scope.refuse(node, "`not` before a comparison", "Turn the comparison round.")
            return
    elif isinstance(node, ast.Compare):
        _read_comparison(node, scope)
        return
    if isinstance(node, ast.Constant):
        scope.refuse(node, f"the constant condition {node.value!r}", "Test a fact.")
        return
    value = read_expression(node, scope)
    if value.sort not in ("flag", "wrong"):
        scope.refuse(
            node,
            f"`{ast.unparse(node)}` as a condition, which is no flag",
            "Compare it with something, or test a flag.",
        )


def told_by(test: ast.expr) -> tuple[frozenset[str], frozenset[str]]:
    """Return the paths that are not `None` where `test` is true, and where it is false."""
    match test:
        case ast.BoolOp(op=ast.And(), values=parts):
            return frozenset().union(*(told_by(part)[0] for part in parts)), frozenset()
        case ast.BoolOp(values=parts):
            return frozenset(), frozenset().union(*(told_by(part)[1] for part in parts))
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            return frozenset(), frozenset({ast.unparse(left)})
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return frozenset({ast.unparse(left)}), frozenset()
    return frozenset(), frozenset()


def read_expression(node: ast.expr, scope: Scope) -> Value:
    """Return what an expression stands for; anything outside the language is noted."""
    match node:
        case ast.Constant():
            return _read_constant(node, scope)
        case ast.Name():
            return _read_name(node, scope)
        case ast.Attribute():
            return _read_attribute(node, scope)
        case ast.Subscript():
            return _read_table(node, scope)
        case ast.Call():
            return _read_call(node, scope)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult()):
            for side in (node.left, node.right):
                read_number(side, scope)
            return Value("number")
        case ast.BinOp():
            return scope.refuse(
                node,
                f"the operator of `{ast.unparse(node)}`",
                "Only + - * are allowed; compare yearly amounts instead of dividing.",
            )
        case ast.BoolOp():
            word = "and" if isinstance(node.op, ast.And) else "or"
            return scope.refuse(node, f"`{word}`", _LONE_CONDITION)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return scope.refuse(
                node,
                f"the condition `{ast.unparse(node)}` as a value",
                "Test it with `if` and assign True or False below.",
            )
    usual = (f"`{ast.unparse(node)}`", "Use facts, thresholds, + - * and calls to measures only.")
    return scope.refuse(node, *_REFUSED.get(type(node), usual))


def read_number(node: ast.expr, scope: Scope) -> None:
    """Check that `node` is a number that is not `None`."""
    value = read_expression(node, scope)
    if value.sort in ("number", "threshold"):
        _require_told(node, value, scope)
    elif value.sort != "wrong":
        scope.refuse(node, f"`{ast.unparse(node)}` where a number is due", "Use a number.")


def _require_told(node: ast.expr, value: Value, scope: Scope) -> None:
    if value.may_be_none and value.path not in scope.not_none:
        scope.refuse(
            node,
            f"`{value.path}` used as a number though it may be None",
            f"Test `if {value.path} is None:` on a line before.",
        )


def _read_comparison(node: ast.Compare, scope: Scope) -> None:
    if len(node.ops) > 1:
        scope.refuse(node, "a chained comparison", "Write two `if` lines, one for each bound.")
        return
    operator, right_node = node.ops[0], node.comparators[0]
    if isinstance(operator, ast.Is | ast.IsNot):
        _read_none_test(node, right_node, scope)
        return
    if isinstance(operator, ast.In | ast.NotIn) and scope.dialect != "checker":
        for value in right_node.elts if isinstance(right_node, ast.Tuple) else [right_node]:
            one = ast.Compare(node.left, [ast.Eq()], [value])
            _read_comparison(ast.copy_location(one, node), scope)
        return
    if not isinstance(operator, _COMPARISONS):
        scope.refuse(
            node, "`in` as a comparison", "Compare with one value a line, or write a measure."
        )
        return
    left, right = read_expression(node.left, scope), read_expression(right_node, scope)
    if "wrong" in (left.sort, right.sort):
        return
    if "none" in (left.sort, right.sort):
        scope.refuse(node, "a comparison with None", "Write `is None` or `is not None`.")
        return
    if "choice" in (left.sort, right.sort) or "text" in (left.sort, right.sort):
        _read_choice_test(node, left, right, scope)
        return
    if isinstance(operator, ast.Eq | ast.NotEq) and left.sort == right.sort == "flag":
        for side in (node.left, right_node):
            if isinstance(side, ast.Constant):
                scope.refuse(node, "a flag compared with a constant", "Test the flag, or `not` it.")
        return
    sorts = {left.sort, right.sort}
    if not sorts <= set(_ORDERED) or sorts == {"number", "date"}:
        scope.refuse(
            node,
            f"a comparison of a {left.sort} with a {right.sort}",
            "Compare numbers with numbers, dates with dates, choices with their values.",
        )
        return
    _require_told(node.left, left, scope)
    _require_told(right_node, right, scope)


def _read_none_test(node: ast.Compare, right: ast.expr, scope: Scope) -> None:
    if not (isinstance(right, ast.Constant) and right.value is None):
        scope.refuse(node, "`is` with something else than None", "Write == or !=.")
        return
    value = read_expression(node.left, scope)
    if value.sort != "wrong" and not value.may_be_none:
        scope.refuse(
            node, f"`{ast.unparse(node.left)}` tested for None, which it never is", "Drop the line."
        )


def _read_choice_test(node: ast.Compare, left: Value, right: Value, scope: Scope) -> None:
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        scope.refuse(node, "choices compared by order", "Compare choices with == or !=.")
        return
    if left.sort == right.sort == "choice" and left.feature == right.feature:
        return
    choice, text = (left, node.comparators[0]) if left.sort == "choice" else (right, node.left)
    if choice.feature is None or not isinstance(text, ast.Constant):
        scope.refuse(
            node, f"`{ast.unparse(node)}`", "Compare a choice feature with one of its values."
        )
    elif text.value not in choice.feature.choices:
        values = ", ".join(repr(value) for value in choice.feature.choices)
        scope.refuse(
            node, f"{text.value!r}, which is no value of {choice.path}", f"Use one of {values}."
        )


def _read_constant(node: ast.Constant, scope: Scope) -> Value:
    value = node.value
    if value is None:
        return Value("none")
    if isinstance(value, bool):
        return Value("flag")
    if isinstance(value, str):
        return Value("text")
    if type(value) is int and value in (0, 1):
        return Value("number")
    place = (
        "thresholds.toml and read `thresholds.NAME`"
        if scope.dialect == "checker"
        else "household/constants.py and read it by name"
    )
    return scope.refuse(node, f"the literal {value!r}", f"Put the number into {place}.")


def _read_name(node: ast.Name, scope: Scope) -> Value:
    if node.id in scope.names:
        return scope.names[node.id]
    outside = scope.outside.get(node.id)
    if scope.dialect != "checker" and type(outside) in (int, float):
        if getattr(constants, node.id, None) == outside:
            return Value("number")
        return scope.refuse(
            node, f"the constant {node.id}", "Define it in household/constants.py and import it."
        )
    return scope.refuse(
        node,
        f"the name {node.id}, which is not defined on every path to this line",
        "Assign it before the first `if`, or use a parameter or loop name.",
    )


def _read_attribute(node: ast.Attribute, scope: Scope) -> Value:
    if isinstance(node.value, ast.Name) and node.value.id == "thresholds":
        if scope.dialect == "checker":
            return Value("threshold")
        return scope.refuse(node, "a threshold", "Only checkers read thresholds.")
    owner = read_expression(node.value, scope)
    if owner.sort == "wrong":
        return WRONG
    if owner.sort == "household":
        if node.attr == "applicant":
            return Value("member")
        if node.attr == "members":
            return scope.refuse(
                node, "`household.members` outside a loop line", "Write a `for` loop, or a measure."
            )
        return _read_feature(node, "household", HOUSEHOLD_FEATURES, scope)
    if owner.sort == "member":
        return _read_feature(node, "member", MEMBER_FEATURES, scope)
    return scope.refuse(
        node, f"`{ast.unparse(node)}`", "Only the household and its members have facts."
    )


def _read_feature(
    node: ast.Attribute, level: str, features: Mapping[str, Feature], scope: Scope
) -> Value:
    path = ast.unparse(node)
    feature = features.get(node.attr)
    if feature is None:
        elsewhere = MEMBER_FEATURES if level == "household" else HOUSEHOLD_FEATURES
        other = "member" if level == "household" else "household"
        instead = (
            f"{node.attr} is a {other} feature: write `{other}.{node.attr}`."
            if node.attr in elsewhere
            else "`benyfits-data features list` names them all."
        )
        return scope.refuse(node, f"`{path}`, which is no {level} feature", instead)
    if feature.kind not in _SORTS:
        return scope.refuse(node, f"the text feature `{path}`", "Decide by other facts.")
    return Value(_SORTS[feature.kind], feature, path)


def _read_table(node: ast.Subscript, scope: Scope) -> Value:
    if not (isinstance(node.value, ast.Attribute) and not isinstance(node.slice, ast.Slice)):
        return scope.refuse(node, f"`{ast.unparse(node)}`", "Only thresholds have an index.")
    table = read_expression(node.value, scope)
    if table.sort == "wrong":
        return WRONG
    if table.sort != "threshold":
        return scope.refuse(
            node, f"an index into `{ast.unparse(node.value)}`", "Only thresholds have an index."
        )
    read_number(node.slice, scope)
    return Value("threshold")


def _read_call(node: ast.Call, scope: Scope) -> Value:
    if not isinstance(node.func, ast.Name):
        return scope.refuse(
            node, f"the call `{ast.unparse(node)}`", "Call measures by their plain name."
        )
    name = node.func.id
    function = scope.outside.get(name)
    home = getattr(function, "__module__", "")
    is_helper = scope.dialect == "constraint" and home.startswith(CONSTRAINTS_PACKAGE)
    if not inspect.isfunction(function) or not (home == MEASURES_MODULE or is_helper):
        return scope.refuse(
            node,
            f"a call to {name}, which is no measure",
            f"Import a measure from {MEASURES_MODULE}, or write `for` and `if` lines.",
        )
    parameters = list(inspect.signature(function).parameters.values())
    if node.keywords or len(parameters) != len(node.args):
        wanted = ", ".join(parameter.name for parameter in parameters)
        return scope.refuse(
            node, f"the arguments of `{ast.unparse(node)}`", f"Call {name}({wanted})."
        )
    for parameter, argument in zip(parameters, node.args, strict=True):
        if parameter.name in ("household", "member"):
            given = read_expression(argument, scope)
            if given.sort not in (parameter.name, "wrong"):
                scope.refuse(
                    argument,
                    f"`{ast.unparse(argument)}` as the {parameter.name} of {name}",
                    f"Give it a {parameter.name}.",
                )
        else:
            read_number(argument, scope)
    return Value(_RETURNS.get(inspect.signature(function).return_annotation, "wrong"))
