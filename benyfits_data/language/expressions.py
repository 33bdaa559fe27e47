"""What an expression of the checker language stands for: its kind, and what is wrong with it."""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

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
_ORDERED = ({"number", "threshold"}, {"date", "threshold"})
"""Sorts that may be compared with one another by order."""
_COMPREHENSION = ("a comprehension", "Write `for member in household.members:` and `if` lines.")
_REFUSED: dict[type[ast.expr], tuple[str, str]] = {
    ast.IfExp: ("a conditional expression", "Write `if` and `else` lines."),
    ast.Lambda: ("a lambda", "Write a measure in household/measures.py."),
    ast.ListComp: _COMPREHENSION,
    ast.SetComp: _COMPREHENSION,
    ast.DictComp: _COMPREHENSION,
    ast.GeneratorExp: _COMPREHENSION,
}


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


class Note(Protocol):
    """Takes down a problem."""

    def __call__(self, node: ast.AST, what: str, instead: str = "", code: str = "L13") -> None:
        """Take down what was found at a node, what to write instead, and the rule."""


@dataclass(frozen=True)
class Scope:
    """What is known at one place of a function.

    Attributes:
        dialect: Which of the three forms of the language is read.
        outside: The names of the function's module.
        note: Takes down a problem.
        names: Parameters, loop names and locals assigned on every path to here.
        is_in_loop: Whether a loop is around it.
    """

    dialect: Dialect
    outside: Mapping[str, Any]
    note: Note
    names: Mapping[str, Value]
    is_in_loop: bool = False

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
        return
    if isinstance(node, ast.Compare):
        _read_comparison(node, scope)
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
        if isinstance(node, ast.Compare):
            scope.refuse(node, "`not` before a comparison", "Turn the comparison round.")
            return
    if isinstance(node, ast.Constant):
        scope.refuse(node, f"the constant condition {node.value!r}", "Test a fact.")
    elif read_expression(node, scope).sort not in ("flag", "wrong"):
        says = f"`{ast.unparse(node)}` as a condition, which is no flag"
        scope.refuse(node, says, "Compare it with something, or test a flag.")


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
            instead = "Only + - * are allowed; compare yearly amounts instead of dividing."
            return scope.refuse(node, f"the operator of `{ast.unparse(node)}`", instead)
        case ast.BoolOp():
            word = "and" if isinstance(node.op, ast.And) else "or"
            instead = "Write one `if CONDITION:` line for each condition."
            return scope.refuse(node, f"`{word}`", instead)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            says = f"the condition `{ast.unparse(node)}` as a value"
            return scope.refuse(node, says, "Test it with `if` and assign True or False below.")
    usual = (f"`{ast.unparse(node)}`", "Use facts, thresholds, + - * and calls to measures only.")
    return scope.refuse(node, *_REFUSED.get(type(node), usual))


def read_number(node: ast.expr, scope: Scope) -> None:
    """Check that `node` is a number, or one that may be `None`."""
    if read_expression(node, scope).sort not in ("number", "threshold", "wrong"):
        scope.refuse(node, f"`{ast.unparse(node)}` where a number is due", "Use a number.")


def _read_comparison(node: ast.Compare, scope: Scope) -> None:
    if len(node.ops) > 1:
        scope.refuse(node, "a chained comparison", "Write two `if` lines, one for each bound.")
        return
    operator, right_node = node.ops[0], node.comparators[0]
    if isinstance(operator, ast.In | ast.NotIn) and scope.dialect != "checker":
        for value in right_node.elts if isinstance(right_node, ast.Tuple) else [right_node]:
            comparison = ast.Compare(node.left, [ast.Eq()], [value])
            _read_comparison(ast.copy_location(comparison, node), scope)
        return
    if isinstance(operator, ast.In | ast.NotIn):
        instead = "Compare with one value a line, or write a measure."
        scope.refuse(node, "`in` as a comparison", instead)
        return
    left, right = read_expression(node.left, scope), read_expression(right_node, scope)
    sorts, is_equality = {left.sort, right.sort}, isinstance(operator, ast.Eq | ast.NotEq)
    if isinstance(operator, ast.Is | ast.IsNot):
        _read_none_test(node, left, right, scope)
    elif "wrong" in sorts:
        return
    elif "none" in sorts:
        scope.refuse(node, "a comparison with None", "Write `is None` or `is not None`.")
    elif sorts & {"choice", "text"}:
        _read_choice_test(node, left, right, scope)
    elif sorts == {"flag"} and is_equality:
        if any(isinstance(side, ast.Constant) for side in (node.left, right_node)):
            scope.refuse(node, "a flag compared with a constant", "Test the flag, or `not` it.")
    elif not any(sorts <= ordered for ordered in _ORDERED):
        says = f"a comparison of a {left.sort} with a {right.sort}"
        instead = "Compare numbers with numbers, dates with dates, choices with their values."
        scope.refuse(node, says, instead)


def _read_none_test(node: ast.Compare, left: Value, right: Value, scope: Scope) -> None:
    if right.sort != "none":
        scope.refuse(node, "`is` with something else than None", "Write == or !=.")
    elif left.sort != "wrong" and not left.may_be_none:
        says = f"`{ast.unparse(node.left)}` tested for None, which it never is"
        scope.refuse(node, says, "Drop the line.")


def _read_choice_test(node: ast.Compare, left: Value, right: Value, scope: Scope) -> None:
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        scope.refuse(node, "choices compared by order", "Compare choices with == or !=.")
        return
    if left.sort == right.sort == "choice" and left.feature == right.feature:
        return
    choice, text = (left, node.comparators[0]) if left.sort == "choice" else (right, node.left)
    if choice.feature is None or not isinstance(text, ast.Constant):
        instead = "Compare a choice feature with one of its values."
        scope.refuse(node, f"`{ast.unparse(node)}`", instead)
    elif text.value not in choice.feature.choices:
        values = ", ".join(repr(value) for value in choice.feature.choices)
        says = f"{text.value!r}, which is no value of {choice.path}"
        scope.refuse(node, says, f"Use one of {values}.")


def _read_constant(node: ast.Constant, scope: Scope) -> Value:
    value = node.value
    if value is None:
        return Value("none")
    if isinstance(value, bool | str):
        return Value("flag" if isinstance(value, bool) else "text")
    if type(value) is int and value in (0, 1):
        return Value("number")
    place = "household/constants.py and read it by name"
    if scope.dialect == "checker":
        place = "thresholds.toml and read `thresholds.NAME`"
    return scope.refuse(node, f"the literal {value!r}", f"Put the number into {place}.")


def _read_name(node: ast.Name, scope: Scope) -> Value:
    if node.id in scope.names:
        return scope.names[node.id]
    outside = scope.outside.get(node.id)
    if scope.dialect != "checker" and type(outside) in (int, float):
        if getattr(constants, node.id, None) == outside:
            return Value("number")
        instead = "Define it in household/constants.py and import it."
        return scope.refuse(node, f"the constant {node.id}", instead)
    says = f"the name {node.id}, which is not defined on every path to this line"
    instead = "Assign it before the first `if`, or use a parameter or loop name."
    return scope.refuse(node, says, instead)


def _read_attribute(node: ast.Attribute, scope: Scope) -> Value:
    path = ast.unparse(node)
    if path.startswith("thresholds."):
        if scope.dialect == "checker":
            return Value("threshold")
        return scope.refuse(node, "a threshold", "Only checkers read thresholds.")
    owner = read_expression(node.value, scope)
    if owner.sort == "wrong":
        return WRONG
    if path == "household.applicant":
        return Value("member")
    if path == "household.members":
        instead = "Write a `for` loop, or a measure."
        return scope.refuse(node, "`household.members` outside a loop line", instead)
    if owner.sort not in ("household", "member"):
        return scope.refuse(node, f"`{path}`", "Only the household and its members have facts.")
    features, others = MEMBER_FEATURES, HOUSEHOLD_FEATURES
    if owner.sort == "household":
        features, others = others, features
    feature = features.get(node.attr)
    if feature is None:
        instead = "`benyfits-data features list` names them all."
        if node.attr in others:
            other = others[node.attr].level
            instead = f"{node.attr} is a {other} feature: write `{other}.{node.attr}`."
        return scope.refuse(node, f"`{path}`, which is no {owner.sort} feature", instead)
    if feature.kind not in _SORTS:
        return scope.refuse(node, f"the text feature `{path}`", "Decide by other facts.")
    return Value(_SORTS[feature.kind], feature, path)


def _read_table(node: ast.Subscript, scope: Scope) -> Value:
    table = read_expression(node.value, scope)
    if table.sort not in ("threshold", "wrong") or isinstance(node.slice, ast.Slice):
        says = f"an index into `{ast.unparse(node.value)}`"
        return scope.refuse(node, says, "Only thresholds have an index.")
    read_number(node.slice, scope)
    return table


def _read_call(node: ast.Call, scope: Scope) -> Value:
    if not isinstance(node.func, ast.Name):
        instead = "Call measures by their plain name."
        return scope.refuse(node, f"the call `{ast.unparse(node)}`", instead)
    name = node.func.id
    function = scope.outside.get(name)
    home = getattr(function, "__module__", "")
    is_helper = scope.dialect == "constraint" and home.startswith(CONSTRAINTS_PACKAGE)
    if not inspect.isfunction(function) or not (home == MEASURES_MODULE or is_helper):
        instead = f"Import a measure from {MEASURES_MODULE}, or write `for` and `if` lines."
        return scope.refuse(node, f"a call to {name}, which is no measure", instead)
    signature = inspect.signature(function)
    if node.keywords or len(signature.parameters) != len(node.args):
        says = f"the arguments of `{ast.unparse(node)}`"
        return scope.refuse(node, says, f"Call {name}({', '.join(signature.parameters)}).")
    for owner, argument in zip(signature.parameters, node.args, strict=True):
        if owner not in ("household", "member"):
            read_number(argument, scope)
        elif read_expression(argument, scope).sort not in (owner, "wrong"):
            says = f"`{ast.unparse(argument)}` as the {owner} of {name}"
            scope.refuse(argument, says, f"Give it a {owner}.")
    return Value(_RETURNS.get(signature.return_annotation, "wrong"))
