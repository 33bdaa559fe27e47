"""Checkers, measures and constraints compiled to JavaScript, for pages of the site to run.

Each function of the checker language becomes one of JavaScript (`javascript_functions.py`). The
tests hold labels and lines that ran to those of CPython. A household is the JSON of a dataset's
row: text for choices and days, `null` for `None`. While a checker runs, it reports each line and
each condition to an object `run` (`runtime.js`).
"""

import ast
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from benyfits_data.editions import Edition, Program
from benyfits_data.editions.thresholds import SizeTable
from benyfits_data.household.constraints import CONSTRAINTS
from benyfits_data.language.source import Source
from benyfits_data.site.javascript_functions import Script

RUNTIME = (Path(__file__).parent / "runtime.js").read_text(encoding="utf-8")


def compile_edition(edition: Edition, programs: Iterable[str] | None = None) -> str:
    """Return a script that checks households under an edition's rules.

    It defines `check(program, household)` and `violations(household)`.

    Args:
        edition: Gives checkers and thresholds.
        programs: The programs to compile; all unless given.

    Raises:
        LanguageError: A function leaves the checker language.
    """
    names = list(edition if programs is None else programs)
    module = Script()
    checkers = [
        f"{json.dumps(name)}: {module.checker(Source.of(edition.program(name).checker))}"
        for name in names
    ]
    constraints = [
        f"{json.dumps(it.name)}: [{json.dumps(it.of_member)}, {module.name_of(it.holds)}]"
        for it in CONSTRAINTS.values()
    ]
    thresholds = {name: _values(edition.program(name)) for name in names}
    clauses = {name: Source.of(edition.program(name).checker).decisions for name in names}
    return "\n".join(
        [
            RUNTIME,
            *module.functions.values(),
            f"const DECIDES = {json.dumps(clauses, separators=(',', ':'))};",
            _object("PROGRAMS", checkers),
            _object("CONSTRAINTS", constraints),
            f"const THRESHOLDS = {json.dumps(thresholds, separators=(',', ':'))};",
            "",
        ]
    )


def compile_functions(name: str, functions: Mapping[str, Sequence[Callable[..., Any]]]) -> str:
    """Return measures or guards as a script that keeps them by key, under one name.

    Args:
        name: The constant to define.
        functions: Lists of functions by key.

    Raises:
        LanguageError: A function leaves the checker language.
    """
    module = Script()
    lists = [
        f"{json.dumps(key)}: [{', '.join(map(module.name_of, listed))}]"
        for key, listed in functions.items()
    ]
    inner = "\n".join([*module.functions.values(), _object("found", lists), "return found;"])
    return f"const {name} = (function () {{\n{inner}\n}})();"


def _object(name: str, entries: Iterable[str]) -> str:
    return f"const {name} = {{\n" + ",\n".join(entries) + "\n};"


def _values(program: Program) -> dict[str, Any]:
    """Return the thresholds that a checker reads, as JSON: days as text, tables with their rows."""
    return {
        node.attr: _value(getattr(program.thresholds, node.attr))
        for node in ast.walk(Source.of(program.checker).node)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "thresholds"
    }


def _value(value: Any) -> Any:
    if isinstance(value, SizeTable):
        rows = {str(size): amount for size, amount in value.rows.items()}
        return {"rows": rows, "largest": max(value.rows), "more": value.each_additional}
    return value.isoformat() if isinstance(value, date) else value
