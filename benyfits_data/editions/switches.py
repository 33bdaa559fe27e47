"""Switches: thresholds that are true or false, and decide which lines a checker has.

A rule that holds in some editions only stands behind `if thresholds.NAME:`, a switch. Of the lines
that a switch turns off, and of the test of the switch, nothing remains in the checker of an
edition: CPython runs, and all readers see, a function of the other lines, numbered as in the file.
This is partial evaluation, with the switches as the known arguments.
"""

import ast
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from benyfits_data.editions.thresholds import Thresholds
from benyfits_data.editions.toml_file import read_text
from benyfits_data.errors import ProgramFolderError

Function = Callable[..., Any]


def decide_switches(function: Function, thresholds: Thresholds) -> Function:
    """Return a checker of the lines that are on; the function itself if it has no switches.

    The result carries the function of all lines as `whole`, and its own tree as `tree`.
    """
    switches = thresholds.switches()
    return _decided(function, tuple(sorted(switches.items()))) if switches else function


def whole_function(function: Function) -> Function:
    """Return the function that a checker was made of, with the lines that are off."""
    whole: Function = getattr(function, "whole", function)
    return whole


def lines_off(function: Function) -> list[int]:
    """Return the lines of a checker's file that switches turn off, tests of switches included."""
    if whole_function(function) is function:
        return []
    tree = decided_tree(function)
    assert tree is not None
    whole, kept = (
        {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)}
        for tree in (_definition(whole_function(function)), tree)
    )
    return sorted(whole - kept)


def decided_tree(function: Function) -> ast.FunctionDef | None:
    """Return the tree of a function made by `decide_switches`; `None` of any other."""
    return getattr(function, "tree", None)


@lru_cache(maxsize=4096)
def _decided(function: Function, switches: tuple[tuple[str, bool], ...]) -> Function:
    node = _definition(function)
    node.body = _kept(node.body, dict(switches))
    path = function.__code__.co_filename
    module = compile(ast.Module([node], []), path, "exec", dont_inherit=True)
    (code,) = (constant for constant in module.co_consts if isinstance(constant, CodeType))
    made = FunctionType(code, function.__globals__, function.__name__)
    made.__dict__ |= {"whole": function, "tree": node, "switches": switches}
    return made


def pickled_function(function: Function) -> tuple[Function, tuple[tuple[str, bool], ...]]:
    """Return what another process makes a function of again: the whole one, and the switches."""
    return whole_function(function), getattr(function, "switches", ())


def unpickled_function(whole: Function, switches: tuple[tuple[str, bool], ...]) -> Function:
    """Return the function that `pickled_function` took apart."""
    return _decided(whole, switches) if switches else whole


def _definition(function: Function) -> ast.FunctionDef:
    code = function.__code__
    tree = ast.parse(read_text(Path(code.co_filename)))
    return next(
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.lineno == code.co_firstlineno
    )


def _kept(statements: list[ast.stmt], switches: dict[str, bool]) -> list[ast.stmt]:
    """Return the statements that are on; those after a return or `continue` are not."""
    kept: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.If):
            state = _state(statement.test, switches)
            if state is not None:
                kept += _kept(statement.body if state else statement.orelse, switches)
            else:
                statement.body = _kept(statement.body, switches)
                statement.orelse = _kept(statement.orelse, switches)
                if not statement.body and statement.orelse:
                    raise ProgramFolderError(
                        f"line {statement.lineno} has nothing to do before its `else` once the "
                        "switches inside are off. Put the switch around the whole condition."
                    )
                # Conditions have no effect of their own: without anything to do they go too.
                if statement.body:
                    kept.append(statement)
        elif isinstance(statement, ast.For):
            statement.body = _kept(statement.body, switches)
            if statement.body:
                kept.append(statement)
        else:
            kept.append(statement)
        if kept and isinstance(kept[-1], ast.Return | ast.Continue):
            break
    return kept


def _state(test: ast.expr, switches: dict[str, bool]) -> bool | None:
    """Return whether a test of a switch holds; `None` for any other condition."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        state = _state(test.operand, switches)
        return None if state is None else not state
    if isinstance(test, ast.Attribute) and isinstance(test.value, ast.Name):
        return switches.get(test.attr) if test.value.id == "thresholds" else None
    return None
