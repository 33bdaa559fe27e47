"""Checkers run by CPython itself, each condition noted, and turned over where that is asked."""

import ast
import copy
import inspect
from functools import cache
from types import CodeType
from typing import Any

from benyfits_data.editions import Program
from benyfits_data.errors import ThresholdNotFoundError
from benyfits_data.household.model import Household
from benyfits_data.language.source import Source

Place = tuple[int, int | None]


class _Asking(ast.NodeTransformer):
    """Has each condition pass through `_ask`, with its line and the member it is asked of."""

    def __init__(self) -> None:
        self.loops: list[str] = []

    def visit_For(self, node: ast.For) -> ast.For:
        self.loops.append(ast.unparse(node.target))
        self.generic_visit(node)
        self.loops.pop()
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        member = self.loops[-1] if self.loops else "None"
        call = ast.parse(f"_ask({node.lineno}, {member}, 0)", mode="eval").body
        assert isinstance(call, ast.Call)
        call.args[2] = node.test
        self.generic_visit(node)
        node.test = ast.copy_location(call, node.test)
        return node


def run_turned(
    program: Program, household: Household, turned: Place | None = None
) -> tuple[bool | None, list[tuple[Place, bool]]]:
    """Return a checker's answer, `None` where it fails, and how each condition turned out."""
    source = Source.of(program.checker)
    asked: list[tuple[Place, bool]] = []

    def ask(line: int, member: Any, holds: bool) -> bool:
        positions = (at for at, one in enumerate(household.members) if one is member)
        place = line, next(positions, None)
        asked.append((place, holds))
        return holds is not (place == turned)

    space = {**inspect.unwrap(source.function).__globals__, **source.names, "_ask": ask}
    exec(_instrumented(source), space)
    try:
        return space["checker"](household, program.thresholds), asked
    except (TypeError, ThresholdNotFoundError):
        return None, asked


@cache
def _instrumented(source: Source) -> CodeType:
    tree = ast.parse(f"def checker({', '.join(source.parameters)}):\n    pass")
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [_Asking().visit(copy.deepcopy(one)) for one in source.statements]
    return compile(ast.fix_missing_locations(tree), "<checker>", "exec")
