"""Copies of a function's tree with other nodes in the place of some."""

import ast
import copy
from collections.abc import Mapping
from typing import Any

Replacement = ast.expr | list[ast.stmt]


def replaced(function: ast.FunctionDef, wrong: Mapping[ast.AST, Replacement]) -> ast.FunctionDef:
    """Return a copy with an expression, or statements, in the place of some nodes.

    What is new stands at the line of what it replaces; all else is shared.
    """

    def copied(node: Any) -> Any:
        if isinstance(node, list):
            parts = [copied(item) for item in node]
            return [it for part in parts for it in (part if isinstance(part, list) else [part])]
        if node in wrong:
            new = wrong[node]
            return [at(node, one) for one in new] if isinstance(new, list) else at(node, new)
        if not isinstance(node, ast.AST):
            return node
        made = copy.copy(node)
        for name, value in ast.iter_fields(node):
            setattr(made, name, copied(value))
        return made

    def at(node: Any, new: Any) -> Any:
        new = copy.copy(new)
        # A loop around which statements were put keeps its own lines.
        if not hasattr(new, "lineno"):
            ast.copy_location(new, node)
        return ast.fix_missing_locations(new)

    changed: ast.FunctionDef = copied(function)
    return changed
