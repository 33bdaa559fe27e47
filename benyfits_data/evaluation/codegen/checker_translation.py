"""The reference code model: our own checkers, rewritten as programs for ProADA.

A checker and the measures it calls become one `check_eligibility(hh)`: facts become keys named
like the features, thresholds become numbers, measures become helper functions. The result keeps
every rule that code from a language model has to keep.
"""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from datetime import date
from typing import Any, Literal

from benyfits_data.errors import EvaluationError, ThresholdNotFoundError
from benyfits_data.evaluation.codegen.code_rules import KeyType, literal_keys
from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import LARGEST_HOUSEHOLD
from benyfits_data.household.schema import Feature
from benyfits_data.language.source import Source
from benyfits_data.understanding.canonical import ask_plainly
from benyfits_data.understanding.facts import MEMBERS_KEY

Form = Literal["keys", "typed"]

LARGEST_FAMILY = 2 * LARGEST_HOUSEHOLD
"""Tables by size are written out up to here: every member could expect a child."""

_HELPERS = {"Household": "household", "Member": "member", "Thresholds": "thresholds"}


def translate(checker: Callable[..., bool] | Source, thresholds: Any, form: Form = "keys") -> str:
    """Return the program that decides as a checker does.

    Args:
        checker: A function in the checker language, or its text.
        thresholds: The thresholds it is called with, attributes and `names()`.
        form: `keys`: it asks for each fact as it is needed, of numbered members, and flags are
            "yes" and "no"; `typed`: it is given a household's facts as they are.

    Raises:
        EvaluationError: The checker uses something that has no counterpart.
    """
    translator = _Translator(thresholds, form)
    body = translator.function(checker, "check" if form == "typed" else "check_eligibility")
    tables = [
        ast.parse(f"{name} = {table!r}").body[0]
        for name, table in sorted(translator.tables.items())
    ]
    body.body = [*tables, *translator.helpers, *body.body]
    body.args.args = [ast.arg("hh")]
    module = ast.Module([body], [])
    if form == "typed":
        return ast.unparse(module) + "\n"
    return _add_questions(ast.unparse(module) + "\n")


def key_types(source: str) -> dict[str, KeyType]:
    """Return the types of the keys that a translated program reads, from the declarations."""
    return {key: key_type(key) for key, _ in literal_keys(source)}


def key_type(key: str) -> KeyType:
    """Return the type of one key."""
    if key == MEMBERS_KEY:
        return KeyType("int")
    feature = FEATURES[key]
    if feature.kind == "flag":
        return KeyType("choice", ("yes", "no"))
    if feature.kind in ("choice", "text"):
        return KeyType("choice", tuple(feature.choices), feature.optional)
    return KeyType("float" if feature.kind == "decimal" else "int", (), feature.optional)


def to_key_value(feature: Feature, value: Any) -> Any:
    """Return a feature's value as a translated program compares it.

    Flags are "yes" and "no", days are numbers such as 20260131.
    """
    if feature.kind == "flag":
        return "yes" if value else "no"
    return _plain(value)


def from_key_value(feature: Feature, value: Any) -> Any:
    """Undo `to_key_value`: return the household's value for a key's value."""
    if feature.kind == "flag" and value in ("yes", "no"):
        return value == "yes"
    if feature.kind == "date" and isinstance(value, int):
        return f"{value // 10_000:04}-{value // 100 % 100:02}-{value % 100:02}"
    return value


class _Translator:
    """Rewrites functions; collects the helpers and tables they need."""

    def __init__(self, thresholds: Any, form: Form) -> None:
        self.thresholds = thresholds
        self.form = form
        self.tables: dict[str, dict[int, Any]] = {}
        self.helpers: list[ast.stmt] = []
        self._known: set[str] = set()

    def function(self, read: Callable[..., Any] | Source, name: str) -> ast.FunctionDef:
        source = read if isinstance(read, Source) else Source.of(read)
        node = deepcopy(source.node)
        roles = {item.arg: _role(item) for item in node.args.args}
        scope = {**source.function.__globals__, **source.names}
        rewriter = _Rewriter(self, roles, scope, name)
        body = [rewriter.visit(statement) for statement in _without_docstring(node.body)]
        node.body = [
            part for group in body for part in (group if isinstance(group, list) else [group])
        ]
        node.name = name
        node.returns = None
        node.decorator_list = []
        node.args.args = [
            ast.arg("hh" if roles[a.arg] == "household" else a.arg) for a in node.args.args
        ]
        return node

    def helper(self, measure: Callable[..., Any]) -> str:
        name = measure.__name__
        if name not in self._known:
            self._known.add(name)
            self.helpers.append(self.function(measure, name))
        return name

    def threshold(self, name: str) -> ast.expr:
        value = getattr(self.thresholds, name)
        if hasattr(value, "rows"):
            self.tables[f"{name}_by_size"] = dict(_written_out(value))
            return ast.Name(f"{name}_by_size", ast.Load())
        return ast.Constant(_plain(value, self.form))


class _Rewriter(ast.NodeTransformer):
    """Rewrites the body of one function."""

    def __init__(
        self,
        translator: _Translator,
        roles: dict[str, str],
        scope: Mapping[str, Any],
        function: str,
    ) -> None:
        self.translator = translator
        self.roles = roles
        self.scope = scope
        self.function = function

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self.roles.get(node.id) == "household":
            return ast.Name("hh", node.ctx)
        if node.id in self.roles or isinstance(node.ctx, ast.Store):
            return node
        value = self.scope.get(node.id)
        if isinstance(value, bool | int | float | str | date):
            return ast.Constant(_plain(value, self.translator.form))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        owner = self._owner(node.value)
        if owner == "thresholds":
            return self.translator.threshold(node.attr)
        is_typed = self.translator.form == "typed"
        if owner == "household" and node.attr == "applicant":
            if is_typed:
                return ast.parse('hh["members"][0]', mode="eval").body
            return ast.Subscript(ast.Name("hh", ast.Load()), ast.Constant(0), ast.Load())
        features = {"household": HOUSEHOLD_FEATURES, "member": MEMBER_FEATURES}.get(owner or "", {})
        if node.attr not in features:
            raise EvaluationError(
                f"{self.function}: .{node.attr} is no {owner} feature; it cannot become a key.",
                function=self.function,
            )
        read = ast.Subscript(self.visit(node.value), ast.Constant(node.attr), ast.Load())
        if features[node.attr].kind == "flag" and not is_typed:
            return ast.Compare(read, [ast.Eq()], [ast.Constant("yes")])
        return read

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        operand = node.operand
        is_flag = isinstance(operand, ast.Compare) and isinstance(operand.ops[0], ast.Eq)
        if isinstance(node.op, ast.Not) and isinstance(operand, ast.Compare) and is_flag:
            operand.ops = [ast.NotEq()]
            return operand
        return node

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        if not isinstance(node.target, ast.Name):
            raise EvaluationError(f"{self.function}: a loop without a plain variable.")
        self.roles[node.target.id] = "member"
        body = [self.visit(statement) for statement in node.body]
        if self.translator.form == "typed":
            over = ast.parse('hh["members"]', mode="eval").body
            return ast.For(node.target, over, body, [], lineno=0)
        number = f"{node.target.id.strip('_')}_number" if node.target.id != "_" else "number"
        if node.target.id != "_":
            body.insert(0, ast.parse(f"{node.target.id} = hh[{number}]").body[0])
        loop = ast.parse(f'for {number} in range(hh["{MEMBERS_KEY}"]):\n    pass').body[0]
        if isinstance(loop, ast.For):
            loop.body = body
        return loop

    def visit_Call(self, node: ast.Call) -> ast.AST:
        measure = self.scope.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if not inspect.isfunction(measure):
            raise EvaluationError(
                f"{self.function} calls {ast.unparse(node.func)}, which is no measure.",
                function=self.function,
            )
        arguments = [self.visit(argument) for argument in node.args]
        return ast.Call(ast.Name(self.translator.helper(measure), ast.Load()), arguments, [])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value or ast.Constant(None))

    def _owner(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Name):
            return self.roles.get(node.id)
        if isinstance(node, ast.Attribute) and node.attr == "applicant":
            return "member" if self._owner(node.value) == "household" else None
        return None


def _role(argument: ast.arg) -> str:
    annotation = ast.unparse(argument.annotation) if argument.annotation else ""
    return _HELPERS.get(annotation.strip("'\""), "value")


def _written_out(table: Any) -> Iterator[tuple[int, Any]]:
    for size in range(min(table.rows), LARGEST_FAMILY + 1):
        try:
            yield size, _plain(table[size])
        except ThresholdNotFoundError:
            # The checker would fail there too; the program then crashes, which is recorded.
            return


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_text else body


def _plain(value: Any, form: Form = "keys") -> Any:
    if isinstance(value, date):
        if form == "typed":
            return value.isoformat()
        return value.year * 10_000 + value.month * 100 + value.day
    if hasattr(value, "item"):
        return value.item()
    return value


def _add_questions(source: str) -> str:
    """Append to the first line that reads each key the question it stands for."""
    lines = source.splitlines()
    for key, line in literal_keys(source):
        if "#" not in lines[line - 1]:
            lines[line - 1] += f'  # "{ask_plainly(key)}"'
    return "\n".join(lines) + "\n"
